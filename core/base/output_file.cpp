#include "core/base/output_file.h"

#include "core/base/numbers.h"
#include "core/base/standard_streams.h"
#include "core/base/system_message.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>

namespace lockscope {

namespace fs = std::filesystem;

namespace {

std::error_code systemError(int code = errno) { return {code, std::generic_category()}; }

// The target of a path after its links have been followed.
struct Place
{
    enum class Kind { descriptor, stream, file };
    Kind kind = Kind::file;
    int descriptor = -1;     // of this process
    fs::path path;           // stream, file
    struct stat status = {}; // of the target, if it exists
    bool exists = false;
};

// The number in /proc/OUR-PID/fd/NUMBER; -1 for a descriptor of another process; none for any other path.
std::optional<int> descriptorOf(const fs::path& link)
{
    std::error_code failed;
    const fs::path folder = fs::canonical(link.parent_path(), failed);
    const auto number = parseWhole<int>(link.filename().string());
    if (failed || folder.filename() != "fd" || *std::next(folder.begin()) != "proc" || !number)
        return {};
    const bool ours = folder.string().starts_with("/proc/" + std::to_string(::getpid()) + "/");
    return ours ? *number : -1;
}

std::error_code describeDescriptor(int descriptor, Place& place)
{
    place.kind = Place::Kind::descriptor;
    place.descriptor = descriptor;
    place.exists = true;
    return ::fstat(descriptor, &place.status) == 0 ? std::error_code() : systemError();
}

std::error_code follow(fs::path path, Place& place)
{
    if (path == kStandardOutput)
        return describeDescriptor(STDOUT_FILENO, place);
    constexpr int kMaxLinks = 40; // the limit of the kernel
    for (int i = 0; i < kMaxLinks; ++i) {
        if (path.empty())
            return systemError(ENOENT);
        if (!path.has_filename())
            return systemError(EISDIR);
        if (!path.has_parent_path())
            path = "." / path;
        place.path = path;
        if (::lstat(path.c_str(), &place.status) != 0)
            return errno == ENOENT ? std::error_code() : systemError();
        if (!S_ISLNK(place.status.st_mode)) {
            place.exists = true;
            place.kind = S_ISREG(place.status.st_mode) ? Place::Kind::file : Place::Kind::stream;
            return S_ISDIR(place.status.st_mode) ? systemError(EISDIR) : std::error_code();
        }
        // A link of /proc leads to an open file, which may have another name now, or none.
        if (const std::optional<int> descriptor = descriptorOf(path)) {
            if (*descriptor >= 0)
                return describeDescriptor(*descriptor, place);
            place.exists = true;
            place.kind = Place::Kind::stream;
            return ::stat(path.c_str(), &place.status) == 0 ? std::error_code() : systemError();
        }
        std::error_code failed;
        const fs::path target = fs::read_symlink(path, failed);
        if (failed)
            return failed;
        path = path.parent_path() / target; // an absolute target replaces it
    }
    return systemError(ELOOP);
}

std::error_code checkDescriptor(int descriptor)
{
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags < 0)
        return systemError();
    return (flags & O_ACCMODE) == O_RDONLY ? systemError(EBADF) : std::error_code();
}

std::error_code checkAccess(const fs::path& path, int mode)
{
    return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0 ? std::error_code() : systemError();
}

// A program that reads signals from a descriptor blocks them: here, where it waits, they end it.
int openInterruptibly(const fs::path& path)
{
    sigset_t ends, before;
    sigemptyset(&ends);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&ends, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &ends, &before);
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return fd;
}

bool isNullDevice(const struct stat& status)
{
    return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

Message hintFor(const fs::path& path, int code)
{
    switch (code) {
    case ENOSPC:
    case EDQUOT:
        return message("Free some space on that disk, or choose another one.");
    case EFBIG:
        return message("Raise the file size limit (ulimit -f).");
    case EACCES:
    case EPERM:
    case EROFS:
        return message("Choose a folder that you may write to.");
    case ENOENT:
    case ENOTDIR:
        return message("Choose a folder that exists.");
    case EISDIR:
        return message("Give the name of a file, not of a folder.");
    case ENXIO:
        return message("Start the program that reads from it first.");
    case EBADF:
        return path == kStandardOutput ? message("It is closed; give the name of a file.") : Message();
    case EPIPE:
        return message("The program that read from it has ended.");
    default:
        return {};
    }
}

} // namespace

std::error_code OutputFile::open(const fs::path& path, Options options)
{
    discard();
    m_failed.clear();
    Place place;
    if (const std::error_code error = follow(path, place))
        return error;
    if (const std::error_code error = checkOutput(path))
        return error;
    int fd = -1;
    switch (place.kind) {
    case Place::Kind::descriptor:
        fd = ::fcntl(place.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        break;
    case Place::Kind::stream:
        fd = ::open(place.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (fd >= 0) {
            ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
        } else if (errno == ENXIO && options.waitForReader) {
            writeToStandardError("Waiting for a program that reads from " + path.string() + ".\n");
            fd = openInterruptibly(place.path);
        }
        break;
    case Place::Kind::file:
        m_target = place.path;
        if (options.growing && !place.exists)
            fd = ::open(m_target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        m_removable = fd >= 0;
        if (fd < 0)
            return openBeside(m_target);
        break;
    }
    m_fd = UniqueFd(fd);
    return m_fd.valid() ? std::error_code() : systemError();
}

std::error_code OutputFile::openBeside(const fs::path& target)
{
    constexpr int kTries = 100;                 // names may be in use, or left over by killed programs
    constexpr std::size_t kMaxNameLength = 200; // of the 255 bytes that a name may have
    const std::string name =
        target.filename().string().substr(0, kMaxNameLength) + '.' + std::to_string(::getpid()) + '-';
    for (int i = 0; i < kTries; ++i) {
        const fs::path beside = target.parent_path() / (name + std::to_string(i) + ".part");
        m_fd = UniqueFd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (m_fd.valid()) {
            m_temporary = beside;
            return keepOwnerAndMode();
        }
        if (errno != EEXIST)
            break;
    }
    return systemError();
}

// Gives the new file the owner and mode of the file that it will replace. If the owner or the group cannot be
// kept, the group of the new file gets no more permissions than others.
std::error_code OutputFile::keepOwnerAndMode()
{
    struct stat old = {};
    struct stat made = {};
    if (::stat(m_target.c_str(), &old) != 0)
        return {};
    if (::fstat(m_fd.get(), &made) != 0)
        return systemError();
    mode_t mode = old.st_mode & 0777;
    const bool sameOwner = old.st_uid == made.st_uid || ::fchown(m_fd.get(), old.st_uid, gid_t(-1)) == 0;
    const bool sameGroup = old.st_gid == made.st_gid || ::fchown(m_fd.get(), uid_t(-1), old.st_gid) == 0;
    if (!sameOwner || !sameGroup)
        mode &= 0707U | ((mode & 07U) << 3);
    if ((made.st_mode & 0777) == mode || ::fchmod(m_fd.get(), mode) == 0)
        return {};
    return systemError();
}

std::size_t OutputFile::writeSome(std::string_view bytes, std::error_code& error)
{
    error.clear();
    std::size_t done = 0;
    while (done < bytes.size() && !error) {
        const ssize_t now = ::write(m_fd.get(), bytes.data() + done, bytes.size() - done);
        if (now >= 0) {
            done += static_cast<std::size_t>(now);
        } else if (errno == EAGAIN) { // another program may have made standard output non-blocking
            pollfd ready{m_fd.get(), POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            error = systemError();
        }
    }
    return done;
}

std::error_code OutputFile::write(std::string_view bytes)
{
    if (!m_failed)
        writeSome(bytes, m_failed);
    return m_failed;
}

bool OutputFile::truncateBy(std::size_t bytes)
{
    const off_t end = ::lseek(m_fd.get(), -static_cast<off_t>(bytes), SEEK_CUR);
    if (end >= 0 && ::ftruncate(m_fd.get(), end) == 0)
        return true;
    if (end >= 0)
        ::lseek(m_fd.get(), static_cast<off_t>(bytes), SEEK_CUR);
    return false;
}

std::error_code OutputFile::commit()
{
    std::error_code error = m_fd.valid() ? m_failed : systemError(EBADF);
    struct stat old = {};
    // The fsync is for a power failure: it then leaves either the old file or the new one.
    const bool replaces = !m_temporary.empty() && ::stat(m_target.c_str(), &old) == 0;
    if (!error && replaces && ::fsync(m_fd.get()) != 0)
        error = systemError();
    if (!error && ::close(m_fd.release()) != 0)
        error = systemError();
    if (!error && !m_temporary.empty() && ::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        error = systemError();
    if (!error) {
        m_temporary.clear();
        m_removable = false;
    }
    discard();
    return error;
}

void OutputFile::discard()
{
    struct stat ours = {};
    struct stat there = {};
    // Another program may have replaced the file while it grew.
    const bool isOurs = m_removable && m_fd.valid() && ::fstat(m_fd.get(), &ours) == 0 &&
                        ::lstat(m_target.c_str(), &there) == 0 && ours.st_dev == there.st_dev &&
                        ours.st_ino == there.st_ino;
    m_fd.reset();
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
    else if (isOurs)
        ::unlink(m_target.c_str());
    m_temporary.clear();
    m_target.clear();
    m_removable = false;
}

std::error_code checkOutput(const fs::path& path)
{
    Place place;
    if (const std::error_code error = follow(path, place))
        return error;
    if (place.kind == Place::Kind::descriptor)
        return checkDescriptor(place.descriptor);
    if (place.exists) {
        if (const std::error_code error = checkAccess(place.path, W_OK))
            return error;
    }
    return place.kind == Place::Kind::file ? checkAccess(place.path.parent_path(), W_OK | X_OK)
                                           : std::error_code();
}

bool isSameFile(const fs::path& one, const fs::path& other)
{
    Place first, second;
    if (follow(one, first) || follow(other, second) || first.exists != second.exists)
        return false;
    if (first.exists)
        return first.status.st_dev == second.status.st_dev && first.status.st_ino == second.status.st_ino &&
               !isNullDevice(first.status);
    std::error_code failed;
    return first.path.filename() == second.path.filename() &&
           fs::equivalent(first.path.parent_path(), second.path.parent_path(), failed) && !failed;
}

OutputProblem describeOutputProblem(const fs::path& path, std::error_code error)
{
    return {path == kStandardOutput ? message("standard output") : Message(path.string()),
            systemMessage(error), hintFor(path, error.value())};
}

Error outputError(std::string_view what, const fs::path& path, std::error_code error)
{
    OutputProblem problem = describeOutputProblem(path, error);
    return {ErrorCode::ioFailed, message("%1 %2: %3.", what, problem.file, problem.reason),
            std::move(problem.hint)};
}

} // namespace lockscope
