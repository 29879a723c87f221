#include "core/lock/fence.h"

#include "core/base/system_message.h"
#include "core/base/unique_fd.h"
#include "core/lock/internal/reasons.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <thread>

namespace lockscope::fence {

namespace {

constexpr std::size_t kTokenDigits = 20; // of the greatest 64-bit number

Error tooLate(const Message& what)
{
    return Error{ErrorCode::notOwner, what,
                 message("The lock was lost, and another client holds it or has held it since. Do not repeat "
                         "the write.")};
}

enum class Failed : std::uint8_t { reading, writing, locking };

Error fileError(int error, Failed what, const std::filesystem::path& file)
{
    const Message reason = systemMessage(error);
    const std::string name = file.string();
    return Error{ErrorCode::ioFailed,
                 what == Failed::reading   ? message("The file %1 cannot be read: %2.", name, reason)
                 : what == Failed::writing ? message("The file %1 cannot be written: %2.", name, reason)
                                           : message("The file %1 cannot be locked: %2.", name, reason),
                 {}};
}

bool lockFile(int fd, Duration patience)
{
    const MonotonicTime deadline = monotonicNow() + patience;
    while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        if (monotonicNow() >= deadline) {
            errno = EWOULDBLOCK;
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

// Empty: the file is new. badInput when it is no token.
Result<Zxid> readToken(int fd, const std::filesystem::path& file)
{
    std::array<char, kTokenDigits + 2> text{};
    const ssize_t count = ::pread(fd, text.data(), text.size(), 0);
    if (count < 0)
        return fileError(errno, Failed::reading, file);
    if (count == 0)
        return Zxid::none();
    Zxid token;
    const char* end = text.data() + count;
    const auto [after, wrong] = std::from_chars(text.data(), end, token.value);
    if (wrong != std::errc{} || after == end || *after != '\n')
        return Error{ErrorCode::badInput, message("%1 holds no token.", file.string()),
                     message("It is a number and a line feed. Without it nobody can tell which writer is the "
                             "latest: write the greatest token that you know into it.")};
    return token;
}

bool writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            return false;
        bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    return true;
}

bool syncFolderOf(const std::filesystem::path& file)
{
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return fd.valid() && ::fsync(fd.get()) == 0;
}

} // namespace

zk::Task<Result<void>> write(std::shared_ptr<zk::HubSession> session, std::string holder, std::string path,
                             std::string data)
{
    zk::Pending<zk::GuardedReply> written;
    session->setDataWhile(holder, path, data, written.handler());
    const zk::GuardedReply reply = co_await written.arrival();
    if (reply.code == zk::Code::ok) {
        co_return Result<void>{};
    }
    if (reply.code == zk::Code::noNode && reply.guardFailed) {
        co_return tooLate(message(
            "The node %1 was not written: %2, the node of the holder of the lock, is gone.", path, holder));
    }
    co_return Error{
        lock::errorCode(reply.code), message("The node %1 was not written: %2.", path, describe(reply.code)),
        reply.code == zk::Code::unknown ? message("It may have been written; read it.") : Message()};
}

// A writer that is stopped anywhere does no harm:
//
//   old holder (token 5)           new holder (token 7)
//   ----------------------         ---------------------------------------
//   [stopped before the lock]      locks; 7 > none; writes; unlocks
//   locks; 7 > 5: refused
//
//   locks; 5 > none                waits for the lock: patience, then timedOut
//   [stopped]                      (the old one's process ends: the lock is free; 7 > 5: writes)
//   renames; unlocks               locks; 7 > 5: writes, after the old one
//
// The token is on the disk before the content: when the machine fails in between, a late writer is refused
// although the new content is missing, and never the other way round.
Result<void> replaceFile(const std::filesystem::path& file, Zxid token, std::string_view content,
                         Duration patience)
{
    if (!token.valid())
        return Error{ErrorCode::badUsage,
                     message("The file %1 is to be written without a token.", file.string()),
                     message("Who has no token does not hold the lock.")};
    std::filesystem::path tokenFile = file;
    tokenFile += ".token";
    const UniqueFd guard(::open(tokenFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!guard.valid())
        return fileError(errno, Failed::writing, tokenFile);
    if (!lockFile(guard.get(), patience)) {
        if (errno != EWOULDBLOCK)
            return fileError(errno, Failed::locking, tokenFile);
        return Error{
            ErrorCode::timedOut,
            message("The file %1 was not written: another writer has not ended in time.", file.string()),
            message("Look for a process that is stopped: it has locked %1.", tokenFile.string())};
    }
    const Result<Zxid> last = readToken(guard.get(), tokenFile);
    if (!last)
        return last.error();
    if (*last > token)
        return tooLate(message("The file %1 was not written: its token is %2, and that of this writer %3.",
                               file.string(), last->value, token.value));

    std::filesystem::path next = file;
    next += ".new";
    struct ::stat old
    {};
    const bool exists = ::stat(file.c_str(), &old) == 0;
    {
        const UniqueFd fd(::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
        if (!fd.valid() || (exists && ::fchmod(fd.get(), old.st_mode & 07777U) != 0) ||
            !writeAll(fd.get(), content) || ::fsync(fd.get()) != 0)
            return fileError(errno, Failed::writing, next);
    }
    std::array<char, kTokenDigits + 2> text{}; // of one length, so that a shorter one leaves no rest
    const int length =
        std::snprintf(text.data(), text.size(), "%020lld\n", static_cast<long long>(token.value));
    if (::pwrite(guard.get(), text.data(), static_cast<std::size_t>(length), 0) != length ||
        ::fsync(guard.get()) != 0 || !syncFolderOf(file))
        return fileError(errno, Failed::writing, tokenFile);
    if (::rename(next.c_str(), file.c_str()) != 0 || !syncFolderOf(file))
        return fileError(errno, Failed::writing, file);
    return {};
}

} // namespace lockscope::fence
