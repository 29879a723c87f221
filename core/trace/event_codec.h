// How one event becomes one line of a trace file and back: flat JSON objects, see trace_file.h. The reading
// side takes hostile input: every check names its place in the line. One instance per file and thread.
#pragma once

#include "core/trace/store.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <boost/system/result.hpp>

namespace lockscope::trace {

// Ends the name of the field that has a message as data, beside the one that has it in English.
inline constexpr const char* kMessageSuffix = "_message";
// Of messages within messages as data; what is deeper is written as its English text.
inline constexpr int kMaxMessageDepth = 8;

// Text in quotes. What JSON cannot hold and what could mislead a reader of the raw file (control characters,
// line separators, bidirectional marks) is escaped; a byte that is not UTF-8 becomes U+FFFD.
void appendJsonString(std::string& out, std::string_view text);
// Without the newline. `sessions`: what they are written as; null: as they are.
void appendEventLine(std::string& out, const Event& event, const SessionNames* sessions = nullptr);

struct LineError
{
    std::size_t offset = 0; // bytes from the start of the line
    Message found;
    Message expected;
    Message hint;
    bool incomplete = false; // not JSON at all: in the last line, the sign of a file that was cut off
};

// Called by boost's result when a value is taken from an error: a bug of the caller.
[[noreturn]] void throw_exception_from_error(const LineError& error, const boost::source_location& place);

template <class T>
using LineResult = boost::system::result<T, LineError>;

class LineParser
{
public:
    static constexpr std::size_t kPadding = 64;         // readable bytes needed behind every line
    static constexpr std::uint32_t kMaxIds = 1'000'000; // clients of one trace

    LineParser();
    ~LineParser();

    LineResult<Header> header(std::string_view line);
    // The event with this index. Its texts live until the next call.
    LineResult<Event> event(std::string_view line, std::size_t index);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::trace
