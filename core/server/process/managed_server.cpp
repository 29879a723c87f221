#include "core/server/process/managed_server.h"

#include "core/server/deadline.h"
#include "core/server/probe/session_probe.h"
#include "core/server/process/free_port.h"
#include "core/server/process/server_log.h"
#include "core/server/process/server_process.h"

#include <algorithm>
#include <utility>

namespace lockscope::server {

using namespace std::chrono_literals;

namespace {

// `count` different ports, the first as asked unless 0.
Result<std::vector<std::uint16_t>> pickPorts(std::uint16_t first, std::size_t count)
{
    std::vector<std::uint16_t> ports;
    if (first != 0)
        ports.push_back(first);
    while (ports.size() < count) {
        const auto port = pickFreePort();
        if (!port)
            return port.error();
        if (std::find(ports.begin(), ports.end(), *port) == ports.end())
            ports.push_back(*port);
    }
    return ports;
}

std::size_t portsOf(std::size_t members) { return members == 1 ? 1 : 3 * members; }

std::vector<ServerConfig> configsFor(std::size_t members, const std::vector<std::uint16_t>& ports,
                                     Duration tickTime)
{
    ServerConfig config{.tickTime = tickTime};
    for (std::size_t i = 0; members > 1 && i < members; ++i)
        config.peers.push_back({.quorum = ports[members + i], .election = ports[2 * members + i]});
    std::vector<ServerConfig> configs(members, config);
    for (std::size_t i = 0; i < members; ++i) {
        configs[i].port = ports[i];
        configs[i].number = static_cast<int>(i) + 1;
    }
    return configs;
}

} // namespace

struct ManagedServer::Impl
{
    ~Impl();

    Options options;
    std::vector<std::unique_ptr<ServerProcess>> members;
    std::vector<MemberStatus> status;
    std::string version;

    Result<void> startWithRetries();
    Result<void> spawnAll();
    Result<void> waitUntilReady(MonotonicTime deadline);
    bool areAllServing() const; // as of the last refresh()
    bool hadAnyPortConflict() const;
    void refresh();
    std::optional<std::size_t> leader() const;
    // Makes a request to one member and waits for its result.
    template <class Request, class... Arguments>
    Result<void> await(std::size_t i, Request request, Arguments... arguments);
};

Result<void> ManagedServer::Impl::spawnAll()
{
    const auto ports = pickPorts(options.port, portsOf(options.members));
    if (!ports)
        return ports.error();
    const std::vector<ServerConfig> configs = configsFor(options.members, *ports, options.tickTime);
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (const auto spawned = members[i]->spawn(configs[i]); !spawned)
            return spawned.error();
        status[i].address = members[i]->address();
    }
    return {};
}

void ManagedServer::Impl::refresh()
{
    for (std::size_t i = 0; i < members.size(); ++i) {
        ServerProcess& member = *members[i];
        MemberStatus& known = status[i];
        member.poll();
        known.running = member.running();
        known.suspended = member.suspended();
        const auto& answer = member.status();
        known.mode = answer ? answer->mode : "";
        if (answer)
            version = answer->version;
    }
}

std::optional<std::size_t> ManagedServer::Impl::leader() const
{
    const auto at = std::find_if(status.begin(), status.end(), [](const MemberStatus& member) {
        return member.mode == "leader" || member.mode == "standalone";
    });
    if (at == status.end())
        return {};
    return static_cast<std::size_t>(at - status.begin());
}

// Another server may have taken a port between our check and Java's bind(), and answer in place of ours.
bool ManagedServer::Impl::areAllServing() const
{
    if (!leader())
        return false;
    for (std::size_t i = 0; i < members.size(); ++i)
        if (status[i].mode.empty() || !members[i]->isListening())
            return false;
    return true;
}

Result<void> ManagedServer::Impl::waitUntilReady(MonotonicTime deadline)
{
    for (;;) {
        refresh();
        if (areAllServing() && probeSession(status[*leader()].address, std::min(deadline, deadlineIn(2s))))
            return {};
        for (const auto& member : members)
            if (!member->running())
                return member->exitError();
        if (options.cancel.stop_requested())
            return Error{
                ErrorCode::cancelled, message("The start of the private ZooKeeper was canceled."), {}};
        if (MonotonicClock::now() >= deadline)
            return members.front()->slowStartError(options.startLimit);
        members.front()->supervisor().waitForChildEnd(std::min(deadline, deadlineIn(10ms)));
    }
}

bool ManagedServer::Impl::hadAnyPortConflict() const
{
    return std::any_of(members.begin(), members.end(),
                       [](const auto& member) { return !member->running() && member->hadPortConflict(); });
}

Result<void> ManagedServer::Impl::startWithRetries()
{
    const auto deadline = deadlineIn(options.startLimit);
    constexpr int attempts = 5;
    for (int attempt = 1;; ++attempt) {
        if (const auto spawned = spawnAll(); !spawned)
            return spawned.error();
        auto ready = waitUntilReady(deadline);
        if (ready || options.port != 0 || MonotonicClock::now() >= deadline || !hadAnyPortConflict())
            return ready;
        if (attempt == attempts)
            return allPortsTakenError(attempts);
    }
}

template <class Request, class... Arguments>
Result<void> ManagedServer::Impl::await(std::size_t i, Request request, Arguments... arguments)
{
    if (i >= members.size())
        return Error{ErrorCode::badUsage, message("The ensemble has no member %1.", i + 1), {}};
    ServerProcess& member = *members[i];
    const auto done = member.supervisor().await(
        [&](ServerProcess::Done end) { (member.*request)(arguments..., std::move(end)); });
    refresh();
    return done;
}

ManagedServer::Impl::~Impl()
{
    for (const auto& member : members)
        member->supervisor().end(); // all of them in parallel
}

Result<std::unique_ptr<ManagedServer>> ManagedServer::start(const Options& options)
{
    if (options.members > 7 || options.members % 2 == 0)
        return Error{ErrorCode::badUsage, message("An ensemble has 3, 5 or 7 members."), {}};
    if (const auto possible = checkTickTime(options.tickTime); !possible)
        return possible.error();
    if (options.port != 0 && !isLoopbackPortFree(options.port))
        return portTakenError(options.port);
    const auto install = findJavaInstall(options.java);
    if (!install)
        return install.error();

    auto impl = std::make_unique<Impl>();
    impl->options = options;
    impl->status.resize(options.members);
    const JavaMemory memory = options.members == 1 ? JavaMemory::alone : JavaMemory::member;
    for (std::size_t i = 0; i < options.members; ++i) {
        auto process = ServerProcess::create(
            {.baseDir = options.baseDir, .keepData = options.keepData, .memory = memory}, *install);
        if (!process)
            return process.error();
        impl->members.push_back(std::move(*process));
    }
    if (const auto started = impl->startWithRetries(); !started)
        return started.error();
    return std::unique_ptr<ManagedServer>(new ManagedServer(std::move(impl)));
}

ManagedServer::ManagedServer(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

ManagedServer::~ManagedServer() = default;

std::string ManagedServer::hosts() const
{
    std::string text;
    for (const MemberStatus& member : m_impl->status)
        text += (text.empty() ? "" : ",") + member.address;
    return text;
}

std::size_t ManagedServer::size() const { return m_impl->members.size(); }
std::string ManagedServer::version() const { return m_impl->version; }

const std::vector<MemberStatus>& ManagedServer::status()
{
    m_impl->refresh();
    return m_impl->status;
}

const MemberStatus& ManagedServer::member(std::size_t i) const { return m_impl->status.at(i); }
std::optional<std::size_t> ManagedServer::leader() const { return m_impl->leader(); }

bool ManagedServer::hasQuorum() const
{
    const auto serving = std::count_if(m_impl->status.begin(), m_impl->status.end(),
                                       [](const MemberStatus& member) { return !member.mode.empty(); });
    return m_impl->leader() && static_cast<std::size_t>(serving) > size() / 2;
}

Result<void> ManagedServer::killNow(std::size_t i) { return m_impl->await(i, &ServerProcess::kill); }
Result<void> ManagedServer::suspend(std::size_t i) { return m_impl->await(i, &ServerProcess::suspend); }
Result<void> ManagedServer::resume(std::size_t i) { return m_impl->await(i, &ServerProcess::resume); }

Result<std::size_t> ManagedServer::killLeader()
{
    const auto leader = m_impl->leader();
    if (!leader)
        return Error{ErrorCode::noServer, message("The private ensemble has no leader at the moment."), {}};
    if (const auto killed = killNow(*leader); !killed)
        return killed.error();
    return *leader;
}

Result<void> ManagedServer::respawn(bool withData, std::size_t i)
{
    return m_impl->await(i, &ServerProcess::respawn, withData);
}

Result<void> ManagedServer::restart(std::size_t i)
{
    if (const auto spawned = respawn(true, i); !spawned)
        return spawned.error();
    return m_impl->waitUntilReady(deadlineIn(m_impl->options.startLimit));
}

bool ManagedServer::running(std::size_t i)
{
    process(i).poll();
    return process(i).running();
}

bool ManagedServer::isServing(std::size_t i) { return running(i) && process(i).status().has_value(); }
std::string ManagedServer::address(std::size_t i) const { return member(i).address; }
std::string ManagedServer::mode(std::size_t i) const { return member(i).mode; }
ServerProcess& ManagedServer::process(std::size_t i) { return *m_impl->members.at(i); }

std::filesystem::path ManagedServer::directory(std::size_t i) const
{
    return m_impl->members.at(i)->supervisor().directory();
}

int ManagedServer::processId(std::size_t i) { return running(i) ? *process(i).supervisor().child() : 0; }

int ManagedServer::supervisorId(std::size_t i) const
{
    return m_impl->members.at(i)->supervisor().supervisorId();
}

std::string ManagedServer::logTail(std::size_t i) const
{
    return lockscope::server::logTail(m_impl->members.at(i)->log());
}

} // namespace lockscope::server
