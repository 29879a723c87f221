#include "core/base/unique_fd.h"
#include "core/trace/event_codec.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_input.h"
#include "core/trace/trace_stream.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

namespace lockscope::trace {

namespace {

constexpr std::size_t kFirstBuffer = 1024 * 1024;
constexpr std::size_t kMaxLineBytes = 64 * 1024 * 1024;
constexpr std::size_t kMaxEvents = TraceStore::kBlockEvents * TraceStore::kMaxBlocks;

// Splits a file into lines and holds no more of it than its longest line and a buffer. Each line is followed
// by readable padding.
class LineSource
{
public:
    LineSource(int fd, LoadProgress* progress, bool grows)
        : m_fd(fd)
        , m_progress(progress)
        , m_grows(grows)
        , m_buffer(kFirstBuffer)
    {}

    struct Line
    {
        std::string_view text;
        bool ended = true; // by a newline
    };
    enum class State { line, end, failed, tooLong, cancelled };

    State next(Line& line)
    {
        while (true) {
            const char* from = m_buffer.data() + m_scanned;
            const void* newline = std::memchr(from, '\n', m_end - m_scanned);
            if (newline) {
                const auto length = static_cast<std::size_t>(static_cast<const char*>(newline) - lineStart());
                line = {{lineStart(), length}, true};
                m_begin += length + 1;
                m_scanned = m_begin;
                return State::line;
            }
            m_scanned = m_end;
            if (m_atEnd && m_grows) { // its last line stays in the buffer until it is whole
                m_atEnd = false;
                return State::end;
            }
            if (m_atEnd) {
                line = {{lineStart(), m_end - m_begin}, false};
                m_begin = m_end;
                return line.text.empty() ? State::end : State::line;
            }
            if (const State state = fill(); state != State::line)
                return state;
        }
    }

private:
    const char* lineStart() const { return m_buffer.data() + m_begin; }

    // Appends more of the file to the buffer. Returns State::line on success, also at the end of the file.
    State fill()
    {
        if (m_progress && m_progress->cancel.load(std::memory_order_relaxed))
            return State::cancelled;
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_scanned -= m_begin;
        m_begin = 0;
        if (m_end + LineParser::kPadding >= m_buffer.size()) {
            if (m_end > kMaxLineBytes)
                return State::tooLong;
            m_buffer.resize(m_buffer.size() * 2);
        }
        ssize_t got = -1;
        do
            got = ::read(m_fd, m_buffer.data() + m_end, m_buffer.size() - LineParser::kPadding - m_end);
        while (got < 0 && errno == EINTR);
        if (got < 0)
            return State::failed;
        m_end += static_cast<std::size_t>(got);
        m_atEnd = got == 0;
        if (m_progress)
            m_progress->bytesRead.fetch_add(static_cast<std::uint64_t>(got), std::memory_order_relaxed);
        return State::line;
    }

    int m_fd;
    LoadProgress* m_progress;
    bool m_grows;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;   // of the current line
    std::size_t m_scanned = 0; // there is no newline between m_begin and this offset
    std::size_t m_end = 0;
    bool m_atEnd = false;
};

// Columns count characters, as editors do.
std::size_t columnAt(std::string_view line, std::size_t offset)
{
    const auto isFirstByte = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    return 1 + static_cast<std::size_t>(
                   std::count_if(line.begin(), line.begin() + std::ptrdiff_t(offset), isFirstByte));
}

Error unreadable(const std::string& path, int code)
{
    Message hint;
    if (code == ENOENT)
        hint = message("Check the name.");
    else if (code == EISDIR)
        hint = message("Give the name of a trace file, not of a folder.");
    else if (code == EACCES)
        hint = message("Ask its owner for read permission.");
    return {ErrorCode::ioFailed,
            message("%1 cannot be read: %2.", path, std::generic_category().message(code)), hint};
}

Error invalid(Message text) { return {ErrorCode::badInput, std::move(text), {}}; }

} // namespace

struct TraceStream::Impl
{
    Impl(std::string name, UniqueFd opened, LoadProgress* progress, bool grows)
        : path(std::move(name))
        , file(std::move(opened))
        , source(file.get(), progress, grows)
    {}

    // False at the end of the file.
    Result<bool> nextLine()
    {
        switch (source.next(line)) {
        case LineSource::State::line:
            ++lines;
            return true;
        case LineSource::State::end:
            return false;
        case LineSource::State::failed:
            return unreadable(path, errno);
        case LineSource::State::tooLong:
            ++lines;
            return wrong({0, message("a line longer than 64 MiB"), message("a line of a trace"), {}, false},
                         {});
        case LineSource::State::cancelled:
            break;
        }
        return Error{ErrorCode::cancelled, message("Opening %1 was canceled.", path), {}};
    }

    bool cutOff() const { return !line.ended && !line.text.ends_with('}'); }

    Result<void> readHeader()
    {
        const Result<bool> any = nextLine();
        if (!any)
            return any.error();
        if (!*any)
            return invalid(message("%1 is empty: a trace begins with a line that names its schema.", path));
        if (cutOff() && line.text.starts_with('{'))
            return invalid(
                message("%1 ends in the middle of its first line: there is nothing to open.", path));
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF"; // some editors write it
        std::string_view text = line.text;
        if (text.starts_with(kByteOrderMark))
            text.remove_prefix(kByteOrderMark.size());
        LineResult<Header> read = parser.header(text);
        if (!read)
            return wrong(read.error(), text);
        header = std::move(*read);
        return {};
    }

    Result<const Event*> next()
    {
        const Result<bool> any = nextLine();
        if (!any)
            return any.error();
        if (!*any)
            return nullptr;
        if (cutOff())
            return endsEarly();
        const LineResult<Event> read = parser.event(line.text, events);
        if (!read) {
            const LineError error = read.error();
            return !line.ended && error.incomplete ? endsEarly() : wrong(error, line.text);
        }
        if (read->at < event.at)
            return wrong({0,
                          message("time %1", read->at.count()),
                          message("a time not before %1, the one of the line before", event.at.count()),
                          {},
                          false},
                         line.text);
        if (events >= kMaxEvents)
            return Error{
                ErrorCode::limitExceeded,
                message("%1 has more than %2 events, the most that can be opened.", path, kMaxEvents),
                {}};
        event = *read;
        ++events;
        return &event;
    }

    Result<const Event*> endsEarly()
    {
        truncation = message("%1 ends in the middle of line %2: the %3 events before it were read.", path,
                             lines, events);
        return nullptr;
    }

    Error wrong(const LineError& error, std::string_view text) const
    {
        return {
            ErrorCode::badInput,
            message("%1: found %2, expected %3.",
                    fmt::format("{}:{}:{}", path, lines, columnAt(text, std::min(error.offset, text.size()))),
                    error.found, error.expected),
            error.hint};
    }

    std::string path;
    UniqueFd file;
    LineSource source;
    LineSource::Line line;
    LineParser parser;
    Header header;
    Event event;
    std::size_t lines = 0, events = 0;
    Message truncation;
};

TraceStream::TraceStream(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}
TraceStream::~TraceStream() = default;

Result<std::unique_ptr<TraceStream>> TraceStream::open(const std::filesystem::path& path,
                                                       LoadProgress* progress, Growth growth)
{
    UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid())
        return unreadable(path.string(), errno);
    struct stat status = {};
    if (::fstat(file.get(), &status) == 0 && progress && progress->bytesTotal == 0 && S_ISREG(status.st_mode))
        progress->bytesTotal.store(static_cast<std::uint64_t>(status.st_size), std::memory_order_relaxed);
    auto impl = std::make_unique<Impl>(path.string(), std::move(file), progress, growth == Growth::follow);
    if (const Result<void> begun = impl->readHeader(); !begun)
        return begun.error();
    return std::unique_ptr<TraceStream>(new TraceStream(std::move(impl)));
}

const Header& TraceStream::header() const { return m_impl->header; }
Result<const Event*> TraceStream::next() { return m_impl->next(); }
std::size_t TraceStream::count() const { return m_impl->events; }
std::size_t TraceStream::line() const { return m_impl->lines; }
const Message& TraceStream::truncation() const { return m_impl->truncation; }

std::string noTraceFile(const std::filesystem::path& path)
{
    std::error_code failed;
    const std::filesystem::file_status status = std::filesystem::status(path, failed);
    if (status.type() == std::filesystem::file_type::not_found)
        return "There is no trace file " + path.string() + ".";
    if (failed)
        return path.string() + " cannot be read: " + failed.message() + ".";
    return path.string() + " is no file with a trace, but a folder, a device or a pipe.";
}

Result<LoadedTrace> loadTrace(const std::filesystem::path& path, LoadProgress* progress)
try {
    Result<std::unique_ptr<TraceStream>> stream = TraceStream::open(path, progress);
    if (!stream)
        return stream.error();
    LoadedTrace trace{std::make_shared<TraceStore>((*stream)->header()), {}};
    while (true) {
        const Result<const Event*> event = (*stream)->next();
        if (!event)
            return event.error();
        if (!*event)
            break;
        trace.store->append(**event);
    }
    trace.truncation = (*stream)->truncation();
    return trace;
} catch (const std::bad_alloc&) {
    return Error{ErrorCode::limitExceeded, message("%1 does not fit into memory.", path.string()), {}};
}

} // namespace lockscope::trace
