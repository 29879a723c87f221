#include "core/server/process/managed_server.h"

#include "core/server/deadline.h"
#include "core/server/process/free_port.h"
#include "core/server/process/server_log.h"
#include "core/server/process/server_process.h"

#include <algorithm>
#include <utility>

namespace lockscope::server {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct ManagedServer::Impl
{
    Options options;
    std::unique_ptr<ServerProcess> process;
    ServerConfig config;
    ServerStatus status;

    Result<void> startWithRetries();
    Result<void> await(void (ServerProcess::*request)(ServerProcess::Done))
    {
        return process->supervisor().await(
            [&](ServerProcess::Done done) { (process.get()->*request)(std::move(done)); });
    }
    Result<void> waitUntilReady(MonotonicTime deadline);
};

Result<void> ManagedServer::Impl::waitUntilReady(MonotonicTime deadline)
{
    // A connection that is made while the server listens but does not serve yet is either closed or left open
    // without an answer for ever (3.8 fails to close it without a database). So the time limit is short at
    // first, and grows only when it was reached, for a busy machine.
    Duration patience = 100ms;
    for (;;) {
        const auto limit = std::min(deadline, deadlineIn(patience));
        if (const auto answer = process->queryStatus(limit)) {
            status = *answer;
            return {};
        }
        if (MonotonicClock::now() >= limit)
            patience = std::min<Duration>(patience * 2, 2s);
        if (options.cancel.stop_requested())
            return Error{
                ErrorCode::cancelled, message("The start of the private ZooKeeper was canceled."), {}};
        if (process->supervisor().waitForChildEnd(std::min(deadline, deadlineIn(10ms))))
            return process->exitError();
        if (MonotonicClock::now() >= deadline)
            return process->slowStartError(options.startLimit);
    }
}

Result<void> ManagedServer::Impl::startWithRetries()
{
    const auto deadline = deadlineIn(options.startLimit);
    constexpr int attempts = 5;
    for (int attempt = 1;; ++attempt) {
        config = {.port = options.port, .tickTime = options.tickTime};
        if (options.port == 0) {
            const auto free = pickFreePort();
            if (!free)
                return free.error();
            config.port = *free;
        } else if (!isLoopbackPortFree(options.port)) {
            return portTakenError(options.port);
        }
        if (const auto spawned = process->spawn(config); !spawned)
            return spawned.error();
        auto ready = waitUntilReady(deadline);
        const bool taken =
            !ready && options.port == 0 && !process->supervisor().child() && process->hadPortConflict();
        if (taken && attempt == attempts)
            return allPortsTakenError(attempts);
        if (!taken)
            return ready;
    }
}

Result<std::unique_ptr<ManagedServer>> ManagedServer::start(const Options& options)
{
    if (const auto possible = checkTickTime(options.tickTime); !possible)
        return possible.error();
    if (options.port != 0 && !isLoopbackPortFree(options.port))
        return portTakenError(options.port);
    const auto install = findJavaInstall(options.java);
    if (!install)
        return install.error();

    auto process =
        ServerProcess::create({.baseDir = options.baseDir, .keepData = options.keepData}, *install);
    if (!process)
        return process.error();
    auto impl = std::make_unique<Impl>();
    impl->options = options;
    impl->process = std::move(*process);
    if (const auto started = impl->startWithRetries(); !started)
        return started.error();
    return std::unique_ptr<ManagedServer>(new ManagedServer(std::move(impl)));
}

ManagedServer::ManagedServer(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

ManagedServer::~ManagedServer() = default;

std::string ManagedServer::address() const { return m_impl->process->address(); }
std::string ManagedServer::version() const { return m_impl->status.version; }
std::string ManagedServer::mode() const { return m_impl->status.mode; }
fs::path ManagedServer::directory() const { return m_impl->process->supervisor().directory(); }
int ManagedServer::processId() { return running() ? *m_impl->process->supervisor().child() : 0; }
int ManagedServer::supervisorId() const { return m_impl->process->supervisor().supervisorId(); }
bool ManagedServer::running()
{
    m_impl->process->poll();
    return m_impl->process->running();
}
std::string ManagedServer::logTail() { return lockscope::server::logTail(m_impl->process->log()); }

Result<void> ManagedServer::killNow() { return m_impl->await(&ServerProcess::kill); }
Result<void> ManagedServer::suspend() { return m_impl->await(&ServerProcess::suspend); }
Result<void> ManagedServer::resume() { return m_impl->await(&ServerProcess::resume); }
ServerProcess& ManagedServer::process() { return *m_impl->process; }

Result<void> ManagedServer::respawn(bool withData)
{
    ServerProcess& process = *m_impl->process;
    return process.supervisor().await(
        [&](ServerProcess::Done done) { process.respawn(withData, std::move(done)); });
}

Result<void> ManagedServer::restart()
{
    if (const auto spawned = respawn(true); !spawned)
        return spawned.error();
    return m_impl->waitUntilReady(deadlineIn(m_impl->options.startLimit));
}

bool ManagedServer::isServing() { return running() && m_impl->process->status().has_value(); }

} // namespace lockscope::server
