#include "core/server/managed_server.h"

#include "core/server/deadline.h"
#include "core/server/four_letter.h"
#include "core/server/free_port.h"
#include "core/server/server_config.h"
#include "core/server/server_log.h"
#include "core/server/session_probe.h"
#include "core/server/supervisor_link.h"

#include <fcntl.h>
#include <sys/statvfs.h>

#include <cstring>
#include <utility>

namespace lockscope::server {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

Error portTaken(std::uint16_t port)
{
    return {ErrorCode::noServer,
            "Port " + std::to_string(port) + " of 127.0.0.1 is taken by another program.",
            "Choose another port, or none to get a free one."};
}

fs::path baseDirectory(const fs::path& asked)
{
    if (!asked.empty())
        return asked;
    constexpr std::uint64_t room = 512u << 20;
    const char* memory = "/dev/shm";
    struct statvfs space = {};
    if (::access(memory, W_OK | X_OK) == 0 && ::statvfs(memory, &space) == 0 &&
        std::uint64_t{space.f_bavail} * space.f_frsize >= room)
        return memory;
    std::error_code failure;
    const auto temporary = fs::temp_directory_path(failure);
    return failure ? fs::path("/tmp") : temporary;
}

Result<void> writePrivately(const fs::path& path, const std::string& text)
{
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.valid() || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return Error{ErrorCode::ioFailed, path.string() + ": " + std::strerror(errno) + ".", ""};
    return {};
}

} // namespace

struct ManagedServer::Impl
{
    Options options;
    std::unique_ptr<SupervisorLink> link;
    std::uint16_t port = 0;
    ServerStatus status;
    bool portWasTaken = false; // why the last launch() failed

    std::string address() const { return "127.0.0.1:" + std::to_string(port); }
    fs::path log() const { return link->directory() / kLogFile; }
    Result<void> firstStart();
    Result<void> launch(MonotonicTime deadline);
    Result<void> waitUntilReady(MonotonicTime deadline);
    bool isReady(MonotonicTime deadline);
    Error whyItEnded();
};

// Starts Java and returns when it serves.
Result<void> ManagedServer::Impl::launch(MonotonicTime deadline)
{
    portWasTaken = false;
    if (const auto written =
            writePrivately(link->directory() / kConfigFile, configText(port, options.tickTime));
        !written)
        return written.error();
    startNewLogPart(log());
    if (const auto started = link->startChild(); !started)
        return started.error();
    return waitUntilReady(deadline);
}

Result<void> ManagedServer::Impl::waitUntilReady(MonotonicTime deadline)
{
    // A connection made while the server listens but does not serve yet is either closed or left hanging for
    // ever (3.8 trips over its missing database while it closes it). So the patience is short at first, and
    // grows only when it ran out, for a busy machine.
    Duration patience = 100ms;
    for (;;) {
        const auto limit = std::min(deadline, deadlineIn(patience));
        if (isReady(limit))
            return {};
        if (MonotonicClock::now() >= limit)
            patience = std::min<Duration>(patience * 2, 2s);
        if (options.cancel.stop_requested())
            return Error{ErrorCode::cancelled, "The start of the private ZooKeeper was given up.", ""};
        if (link->waitForChildEnd(std::min(deadline, deadlineIn(10ms))))
            return whyItEnded();
        if (MonotonicClock::now() >= deadline)
            return Error{ErrorCode::noServer, "The private ZooKeeper took no session in time.",
                         lastComplaints(log())};
    }
}

bool ManagedServer::Impl::isReady(MonotonicTime deadline)
{
    if (!probeSession(address(), deadline))
        return false;
    // Between our look at the port and Java's bind() another server may have taken it: then it was that one
    // which answered, and ours is about to end.
    const auto child = link->child();
    if (!child || !listensOnLoopback(*child, port))
        return false;
    const auto answer = fourLetterWord(address(), "srvr", 2s);
    if (!answer)
        return false;
    const auto parsed = parseServerStatus(*answer);
    if (!parsed)
        return false;
    status = *parsed;
    return true;
}

Error ManagedServer::Impl::whyItEnded()
{
    portWasTaken = logMentions(log(), "Address already in use");
    if (portWasTaken)
        return portTaken(port);
    return {ErrorCode::noServer, "The private ZooKeeper ended before it took a session.",
            lastComplaints(log())};
}

Result<void> ManagedServer::Impl::firstStart()
{
    const auto deadline = deadlineIn(options.startLimit);
    constexpr int attempts = 5;
    for (int attempt = 1;; ++attempt) {
        if (options.port != 0) {
            port = options.port;
            if (!loopbackPortIsFree(port))
                return portTaken(port);
        } else {
            const auto free = pickFreePort();
            if (!free)
                return free.error();
            port = *free;
        }
        auto launched = launch(deadline);
        if (launched || !portWasTaken || options.port != 0 || attempt == attempts)
            return launched;
    }
}

Result<std::unique_ptr<ManagedServer>> ManagedServer::start(const Options& options)
{
    if (options.tickTime < 10ms || options.tickTime > 60s)
        return Error{ErrorCode::badUsage, "The tick time must lie between 10 ms and 60 s.", ""};
    if (options.port != 0 && !loopbackPortIsFree(options.port))
        return portTaken(options.port);
    const auto install = findJavaInstall(options.java);
    if (!install)
        return install.error();

    auto link =
        SupervisorLink::spawn({baseDirectory(options.baseDir), options.keepData, javaCommand(*install)});
    if (!link)
        return link.error();
    auto impl = std::make_unique<Impl>();
    impl->options = options;
    impl->link = std::move(*link);
    if (const auto started = impl->firstStart(); !started)
        return started.error();
    return std::unique_ptr<ManagedServer>(new ManagedServer(std::move(impl)));
}

ManagedServer::ManagedServer(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

ManagedServer::~ManagedServer() = default;

std::string ManagedServer::address() const { return m_impl->address(); }
std::string ManagedServer::version() const { return m_impl->status.version; }
std::string ManagedServer::mode() const { return m_impl->status.mode; }
fs::path ManagedServer::directory() const { return m_impl->link->directory(); }
int ManagedServer::processId() { return m_impl->link->child().value_or(0); }
int ManagedServer::supervisorId() const { return m_impl->link->supervisorId(); }
bool ManagedServer::running() { return m_impl->link->child().has_value(); }
std::string ManagedServer::logTail() { return lockscope::server::logTail(m_impl->log()); }

Result<void> ManagedServer::killNow() { return m_impl->link->killChild(); }
Result<void> ManagedServer::suspend() { return m_impl->link->suspendChild(); }
Result<void> ManagedServer::resume() { return m_impl->link->resumeChild(); }

Result<void> ManagedServer::restart()
{
    if (const auto killed = m_impl->link->killChild(); !killed)
        return killed.error();
    return m_impl->launch(deadlineIn(m_impl->options.startLimit));
}

} // namespace lockscope::server
