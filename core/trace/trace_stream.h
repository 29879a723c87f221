// Reads a trace file event by event, and holds no more of it than its longest line and a buffer. loadTrace()
// keeps what this reads; what needs only one look at each event reads this. One thread; blocks as read(2)
// does.
#pragma once

#include "core/trace/trace_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace lockscope::trace {

class TraceStream
{
public:
    // follow: the file grows. What has no newline yet is not read, and next() may be called again at the end.
    enum class Growth : std::uint8_t { none, follow };
    // Reads the first line. Errors: those of loadTrace().
    static Result<std::unique_ptr<TraceStream>>
    open(const std::filesystem::path& path, LoadProgress* progress = nullptr, Growth growth = Growth::none);
    ~TraceStream();

    const Header& header() const;
    // The next event, whose texts are valid until the next call; null at the end. Not to be called after an
    // error.
    Result<const Event*> next();
    std::size_t count() const; // events so far
    std::size_t line() const;  // of the last event, counted from 1
    // At the end: set if the file ends in the middle of a line. A sentence for the user.
    const Message& truncation() const;

private:
    struct Impl;
    explicit TraceStream(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::trace
