#include "core/trace/event_codec.h"
#include "core/trace/trace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace lockscope::trace {

namespace {

constexpr std::size_t kFlushBytes = 256 * 1024;

std::string reasonOf(int code) { return std::generic_category().message(code); }

Error writeError(const std::string& path, int code)
{
    std::string hint;
    if (code == ENOSPC || code == EDQUOT)
        hint = "Free some space on that disk, or write the trace to another one.";
    else if (code == EFBIG)
        hint = "Raise the file size limit (ulimit -f), or write a shorter run.";
    else if (code == EACCES || code == EPERM || code == EROFS)
        hint = "Choose a folder that you may write to.";
    else if (code == ENOENT || code == ENOTDIR)
        hint = "Choose a folder that exists.";
    else if (code == EISDIR)
        hint = "Give the name of a file, not of a folder.";
    return {ErrorCode::ioFailed, "The trace cannot be written to " + path + ": " + reasonOf(code) + ".",
            hint};
}

// Number of bytes the kernel took; stops at the first error, which is left in errno (0 when all went).
std::size_t writeAll(int fd, std::string_view bytes)
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t now = ::write(fd, bytes.data() + done, bytes.size() - done);
        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            return done;
        done += static_cast<std::size_t>(now);
    }
    errno = 0;
    return done;
}

std::size_t lineCount(std::string_view text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

Result<std::unique_ptr<TraceWriter>> TraceWriter::create(const std::filesystem::path& path,
                                                         const TraceStore& store)
{
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return writeError(path.string(), errno);
    return std::unique_ptr<TraceWriter>(new TraceWriter(path.string(), fd, store));
}

TraceWriter::TraceWriter(std::string path, int fd, const TraceStore& store)
    : m_path(std::move(path))
    , m_fd(fd)
    , m_store(store)
    , m_sessions(std::make_unique<SessionMask>())
{}

TraceWriter::~TraceWriter() { ::close(m_fd); }

Result<std::size_t> TraceWriter::pump()
{
    // The header is constant only once the first event is published, so it goes out with that one.
    const std::size_t count = m_store.count();
    while (m_encoded < count || !m_pending.empty()) {
        // While the disk takes nothing, the events wait in the store and not here as text.
        while (m_encoded < count && m_pending.size() < kFlushBytes) {
            if (m_encoded == 0)
                m_pending = headerLine(m_store.header()) + '\n';
            appendEventLine(m_pending, m_store.at(m_encoded++), *m_sessions);
            m_pending += '\n';
        }
        const Result<void> flushed = flush();
        if (flushed) {
            m_failed = false;
            continue;
        }
        if (std::exchange(m_failed, true))
            return m_written;
        return flushed.error();
    }
    return m_written;
}

Result<void> TraceWriter::flush()
{
    const std::size_t taken = writeAll(m_fd, m_pending);
    const int code = errno;
    std::size_t kept = taken;
    if (taken < m_pending.size()) {
        // Part of a line went out: take it back, so that the file ends in a whole line. What cannot be cut
        // (a pipe) keeps it, and the rest of the line follows.
        const std::size_t whole = m_pending.rfind('\n', taken - 1) + 1; // 0 when there is none
        const auto excess = static_cast<off_t>(taken - (taken == 0 ? 0 : whole));
        const off_t end = excess > 0 ? ::lseek(m_fd, -excess, SEEK_CUR) : -1;
        if (end >= 0 && ::ftruncate(m_fd, end) == 0)
            kept = whole;
        else if (end >= 0)
            ::lseek(m_fd, excess, SEEK_CUR);
    }
    m_pending.erase(0, kept);
    m_written = m_encoded - std::min(m_encoded, lineCount(m_pending));
    if (taken == kept && m_pending.empty())
        return {};
    return writeError(m_path, code);
}

namespace {

// errno of the first write that failed; 0 when all is written.
int writeTrace(int fd, const TraceStore& store, std::size_t count)
{
    SessionMask sessions;
    std::string text = headerLine(store.header()) + '\n';
    for (std::size_t i = 0; i < count; ++i) {
        appendEventLine(text, store.at(i), sessions);
        text += '\n';
        if (text.size() < kFlushBytes)
            continue;
        if (writeAll(fd, text) < text.size())
            return errno;
        text.clear();
    }
    return writeAll(fd, text) < text.size() ? errno : 0;
}

// A new file in the target's folder; its name in `beside`. Below 0: errno says why there is none.
int createBeside(const std::filesystem::path& target, std::string& beside)
{
    constexpr int kTries = 100; // names left over by processes that were killed
    int fd = -1;
    for (int i = 0; i < kTries && fd < 0 && (i == 0 || errno == EEXIST); ++i) {
        beside = target.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(i) + ".part";
        fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return fd;
}

// The file that is replaced keeps its rights. 0, or errno.
int keepMode(int fd, const std::filesystem::path& target)
{
    struct stat old = {};
    if (::stat(target.c_str(), &old) != 0)
        return 0;
    return ::fchmod(fd, old.st_mode & 0777) == 0 ? 0 : errno;
}

} // namespace

Result<void> saveTrace(const std::filesystem::path& path, const TraceStore& store, std::size_t count)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    fs::path target = path;
    if (fs::is_symlink(path, ignored)) {
        const fs::path real = fs::weakly_canonical(path, ignored);
        target = ignored ? path : real;
    }
    if (fs::is_directory(target, ignored))
        return writeError(path.string(), EISDIR);
    if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))
        return Error{ErrorCode::ioFailed,
                     "The trace cannot be saved as " + path.string() + ": it is not a file.",
                     "Choose another name."};

    std::string beside;
    const int fd = createBeside(target, beside);
    if (fd < 0)
        return writeError(path.string(), errno);
    int code = keepMode(fd, target);
    if (code == 0)
        code = writeTrace(fd, store, std::min(count, store.count()));
    if (code == 0 && ::fsync(fd) != 0)
        code = errno;
    if (::close(fd) != 0 && code == 0)
        code = errno;
    if (code == 0 && ::rename(beside.c_str(), target.c_str()) != 0)
        code = errno;
    if (code == 0)
        return {};
    ::unlink(beside.c_str());
    return writeError(path.string(), code);
}

} // namespace lockscope::trace
