#include "core/server/process/managed_ensemble.h"

#include "core/server/deadline.h"
#include "core/server/probe/session_probe.h"
#include "core/server/process/free_port.h"
#include "core/server/process/server_log.h"
#include "core/server/process/server_process.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lockscope::server {

using namespace std::chrono_literals;

namespace {

// `count` different ports.
Result<std::vector<std::uint16_t>> pickFreePorts(std::size_t count)
{
    std::set<std::uint16_t> ports;
    while (ports.size() < count) {
        const auto port = pickFreePort();
        if (!port)
            return port.error();
        ports.insert(*port);
    }
    return std::vector<std::uint16_t>(ports.begin(), ports.end());
}

std::vector<ServerConfig> configsFor(const std::vector<std::uint16_t>& ports, Duration tickTime)
{
    const std::size_t count = ports.size() / 3;
    ServerConfig config{.tickTime = tickTime};
    for (std::size_t i = 0; i < count; ++i)
        config.peers.push_back({.quorum = ports[count + i], .election = ports[2 * count + i]});
    std::vector<ServerConfig> configs(count, config);
    for (std::size_t i = 0; i < count; ++i) {
        configs[i].port = ports[i];
        configs[i].number = static_cast<int>(i) + 1;
    }
    return configs;
}

} // namespace

struct ManagedEnsemble::Impl
{
    ~Impl();

    Options options;
    std::vector<std::unique_ptr<ServerProcess>> members;
    std::vector<MemberStatus> status;
    std::string version;

    Result<void> startWithRetries(const JavaInstall& install);
    Result<void> spawnAll(const JavaInstall& install);
    Result<void> waitUntilReady(MonotonicTime deadline);
    bool areAllServing() const; // as of the last refresh()
    bool hadAnyPortConflict() const;
    void refresh();
    std::optional<std::size_t> leader() const;
    Result<void> await(std::size_t i, UniqueFunction<void(ServerProcess&, ServerProcess::Done)> request);
};

Result<void> ManagedEnsemble::Impl::spawnAll(const JavaInstall& install)
{
    members.clear();
    status.clear();
    const auto ports = pickFreePorts(3 * options.members);
    if (!ports)
        return ports.error();
    for (const ServerConfig& config : configsFor(*ports, options.tickTime)) {
        auto process = ServerProcess::create(
            {.baseDir = options.baseDir, .keepData = options.keepData, .memory = JavaMemory::member},
            install);
        if (!process)
            return process.error();
        members.push_back(std::move(*process));
        if (const auto spawned = members.back()->spawn(config); !spawned)
            return spawned.error();
        status.push_back({.address = members.back()->address()});
    }
    return {};
}

void ManagedEnsemble::Impl::refresh()
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

std::optional<std::size_t> ManagedEnsemble::Impl::leader() const
{
    const auto at = std::find_if(status.begin(), status.end(),
                                 [](const MemberStatus& member) { return member.mode == "leader"; });
    if (at == status.end())
        return {};
    return static_cast<std::size_t>(at - status.begin());
}

bool ManagedEnsemble::Impl::areAllServing() const
{
    if (!leader())
        return false;
    for (std::size_t i = 0; i < members.size(); ++i)
        if (status[i].mode.empty() || !members[i]->isListening())
            return false;
    return true;
}

Result<void> ManagedEnsemble::Impl::waitUntilReady(MonotonicTime deadline)
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
                ErrorCode::cancelled, message("The start of the private ensemble was canceled."), {}};
        if (MonotonicClock::now() >= deadline)
            return members.front()->slowStartError(options.startLimit);
        members.front()->supervisor().waitForChildEnd(std::min(deadline, deadlineIn(10ms)));
    }
}

bool ManagedEnsemble::Impl::hadAnyPortConflict() const
{
    return std::any_of(members.begin(), members.end(),
                       [](const auto& member) { return member->hadPortConflict(); });
}

Result<void> ManagedEnsemble::Impl::startWithRetries(const JavaInstall& install)
{
    const auto deadline = deadlineIn(options.startLimit);
    constexpr int attempts = 5;
    for (int attempt = 1;; ++attempt) {
        if (const auto spawned = spawnAll(install); !spawned)
            return spawned.error();
        auto ready = waitUntilReady(deadline);
        if (ready || MonotonicClock::now() >= deadline || !hadAnyPortConflict())
            return ready;
        if (attempt == attempts)
            return allPortsTakenError(attempts);
    }
}

// Makes a request to one member and waits for its result.
Result<void> ManagedEnsemble::Impl::await(std::size_t i,
                                          UniqueFunction<void(ServerProcess&, ServerProcess::Done)> request)
{
    if (i >= members.size())
        return Error{ErrorCode::badUsage, message("The ensemble has no member %1.", i + 1), {}};
    ServerProcess& member = *members[i];
    const auto done =
        member.supervisor().await([&](ServerProcess::Done end) { request(member, std::move(end)); });
    refresh();
    return done;
}

ManagedEnsemble::Impl::~Impl()
{
    for (const auto& member : members)
        member->supervisor().end(); // all of them in parallel
}

Result<std::unique_ptr<ManagedEnsemble>> ManagedEnsemble::start(const Options& options)
{
    if (options.members < 3 || options.members > 7 || options.members % 2 == 0)
        return Error{ErrorCode::badUsage, message("An ensemble has 3, 5 or 7 members."), {}};
    if (const auto possible = checkTickTime(options.tickTime); !possible)
        return possible.error();
    const auto install = findJavaInstall(options.java);
    if (!install)
        return install.error();
    auto impl = std::make_unique<Impl>();
    impl->options = options;
    if (const auto started = impl->startWithRetries(*install); !started)
        return started.error();
    return std::unique_ptr<ManagedEnsemble>(new ManagedEnsemble(std::move(impl)));
}

ManagedEnsemble::ManagedEnsemble(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

ManagedEnsemble::~ManagedEnsemble() = default;

std::string ManagedEnsemble::hosts() const
{
    std::string text;
    for (const MemberStatus& member : m_impl->status)
        text += (text.empty() ? "" : ",") + member.address;
    return text;
}

std::size_t ManagedEnsemble::size() const { return m_impl->members.size(); }
std::string ManagedEnsemble::version() const { return m_impl->version; }

const std::vector<MemberStatus>& ManagedEnsemble::status()
{
    m_impl->refresh();
    return m_impl->status;
}

const MemberStatus& ManagedEnsemble::member(std::size_t i) const { return m_impl->status.at(i); }
std::optional<std::size_t> ManagedEnsemble::leader() const { return m_impl->leader(); }

bool ManagedEnsemble::hasQuorum() const
{
    const auto serving = std::count_if(m_impl->status.begin(), m_impl->status.end(),
                                       [](const MemberStatus& member) { return !member.mode.empty(); });
    return m_impl->leader() && static_cast<std::size_t>(serving) > size() / 2;
}

Result<void> ManagedEnsemble::killMember(std::size_t i)
{
    return m_impl->await(i, [](ServerProcess& member, auto done) { member.kill(std::move(done)); });
}

Result<std::size_t> ManagedEnsemble::killLeader()
{
    const auto leader = m_impl->leader();
    if (!leader)
        return Error{ErrorCode::noServer, message("The private ensemble has no leader at the moment."), {}};
    if (const auto killed = killMember(*leader); !killed)
        return killed.error();
    return *leader;
}

Result<void> ManagedEnsemble::suspendMember(std::size_t i)
{
    return m_impl->await(i, [](ServerProcess& member, auto done) { member.suspend(std::move(done)); });
}

Result<void> ManagedEnsemble::resumeMember(std::size_t i)
{
    return m_impl->await(i, [](ServerProcess& member, auto done) { member.resume(std::move(done)); });
}

Result<void> ManagedEnsemble::restartMember(std::size_t i, bool withData)
{
    return m_impl->await(
        i, [withData](ServerProcess& member, auto done) { member.respawn(withData, std::move(done)); });
}

ServerProcess& ManagedEnsemble::process(std::size_t i) { return *m_impl->members.at(i); }

std::filesystem::path ManagedEnsemble::directory(std::size_t i) const
{
    return m_impl->members.at(i)->supervisor().directory();
}

int ManagedEnsemble::processId(std::size_t i)
{
    m_impl->members.at(i)->poll();
    return m_impl->members.at(i)->supervisor().child().value_or(0);
}

int ManagedEnsemble::supervisorId(std::size_t i) const
{
    return m_impl->members.at(i)->supervisor().supervisorId();
}

std::string ManagedEnsemble::logTail(std::size_t i) const
{
    return lockscope::server::logTail(m_impl->members.at(i)->log());
}

} // namespace lockscope::server
