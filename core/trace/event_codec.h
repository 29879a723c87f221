// Converts one event to one line of a trace file and back. A line is a flat JSON object, see trace_file.h.
// The parser accepts hostile input: every error names its place in the line. One instance per file and
// thread.
#pragma once

#include "core/trace/store.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <boost/system/result.hpp>

namespace lockscope::trace {

// The suffix of the field that holds a message as data; the field without the suffix holds it in English.
inline constexpr const char* kMessageSuffix = "_message";
// How deep messages may nest when written as data; a deeper one is written as its English text.
inline constexpr int kMaxMessageDepth = 8;

// Appends the text in quotes. Characters that JSON forbids or that could mislead a reader of the raw file
// (control characters, line separators, bidirectional marks) are escaped; a byte that is not UTF-8 becomes
// U+FFFD.
void appendJsonString(std::string& out, std::string_view text);
// Appends the line without a newline. Session ids are written under the names in `sessions`; unchanged if it
// is null.
void appendEventLine(std::string& out, const Event& event, const SessionNames* sessions = nullptr);

struct LineError
{
    std::size_t offset = 0; // bytes from the start of the line
    Message found;
    Message expected;
    Message hint;
    bool incomplete = false; // not valid JSON: in the last line, a sign that the file was cut off
};

// Boost's result calls this when value() is called on an error: a bug in the caller.
[[noreturn]] void throw_exception_from_error(const LineError& error, const boost::source_location& place);

template <class T>
using LineResult = boost::system::result<T, LineError>;

class LineParser
{
public:
    static constexpr std::size_t kPadding = 64;         // readable bytes required after every line
    static constexpr std::uint32_t kMaxIds = 1'000'000; // clients of one trace

    LineParser();
    ~LineParser();

    LineResult<Header> header(std::string_view line);
    // Parses the event with this index. Its texts are valid until the next call.
    LineResult<Event> event(std::string_view line, std::size_t index);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::trace
