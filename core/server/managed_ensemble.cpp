#include "core/server/managed_ensemble.h"

#include "core/server/deadline.h"
#include "core/server/free_port.h"
#include "core/server/server_log.h"
#include "core/server/server_process.h"
#include "core/server/session_probe.h"
#include "core/server/status_probe.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lockscope::server {

using namespace std::chrono_literals;

namespace {

struct Member
{
    ServerConfig config;
    std::unique_ptr<ServerProcess> process;
    StatusProbe probe;
};

// So many different ones.
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
    Options options;
    std::vector<Member> members;
    std::vector<MemberStatus> status;
    std::string version;

    Result<void> firstStart(const JavaInstall& install);
    Result<void> spawnAll(const JavaInstall& install);
    Result<void> waitUntilReady(MonotonicTime deadline);
    bool everybodyServes();
    bool aPortWasTaken() const;
    void look();
    std::optional<std::size_t> leader() const;
    Result<SupervisorLink*> supervisorOf(std::size_t i);
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
        members.push_back({config, std::move(*process), StatusProbe(config.port)});
        if (const auto spawned = members.back().process->spawn(config); !spawned)
            return spawned.error();
        status.push_back({.address = members.back().process->address()});
    }
    return {};
}

void ManagedEnsemble::Impl::look()
{
    for (std::size_t i = 0; i < members.size(); ++i) {
        Member& member = members[i];
        MemberStatus& known = status[i];
        known.running = member.process->supervisor().child().has_value();
        known.suspended = known.suspended && known.running;
        if (!known.running || known.suspended)
            member.probe.forget();
        else
            member.probe.poll();
        const auto& answer = member.probe.last();
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

// Ours, not another server that took a port between our look at it and Java's bind().
bool ManagedEnsemble::Impl::everybodyServes()
{
    return leader() && std::all_of(members.begin(), members.end(), [](Member& member) {
               const auto child = member.process->supervisor().child();
               return member.probe.last() && child && listensOnLoopback(*child, member.config.port);
           });
}

Result<void> ManagedEnsemble::Impl::waitUntilReady(MonotonicTime deadline)
{
    for (;;) {
        look();
        if (everybodyServes() && probeSession(status[*leader()].address, std::min(deadline, deadlineIn(2s))))
            return {};
        for (Member& member : members)
            if (!member.process->supervisor().child())
                return member.process->whyItEnded();
        if (options.cancel.stop_requested())
            return Error{ErrorCode::cancelled, "The start of the private ensemble was given up.", ""};
        if (MonotonicClock::now() >= deadline)
            return Error{ErrorCode::noServer, "The private ensemble took no session in time.",
                         lastComplaints(members.front().process->log())};
        members.front().process->supervisor().waitForChildEnd(std::min(deadline, deadlineIn(10ms)));
    }
}

bool ManagedEnsemble::Impl::aPortWasTaken() const
{
    return std::any_of(members.begin(), members.end(),
                       [](const Member& member) { return member.process->portWasTaken(); });
}

Result<void> ManagedEnsemble::Impl::firstStart(const JavaInstall& install)
{
    const auto deadline = deadlineIn(options.startLimit);
    constexpr int attempts = 5;
    for (int attempt = 1;; ++attempt) {
        if (const auto spawned = spawnAll(install); !spawned)
            return spawned.error();
        auto ready = waitUntilReady(deadline);
        if (ready || attempt == attempts || MonotonicClock::now() >= deadline || !aPortWasTaken())
            return ready;
    }
}

Result<SupervisorLink*> ManagedEnsemble::Impl::supervisorOf(std::size_t i)
{
    if (i >= members.size())
        return Error{ErrorCode::badUsage, "The ensemble has no member " + std::to_string(i + 1) + ".", ""};
    return &members[i].process->supervisor();
}

Result<std::unique_ptr<ManagedEnsemble>> ManagedEnsemble::start(const Options& options)
{
    if (options.members < 3 || options.members > 7 || options.members % 2 == 0)
        return Error{ErrorCode::badUsage, "An ensemble has 3, 5 or 7 members.", ""};
    if (const auto possible = checkTickTime(options.tickTime); !possible)
        return possible.error();
    const auto install = findJavaInstall(options.java);
    if (!install)
        return install.error();
    auto impl = std::make_unique<Impl>();
    impl->options = options;
    if (const auto started = impl->firstStart(*install); !started)
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
    m_impl->look();
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
    const auto supervisor = m_impl->supervisorOf(i);
    if (!supervisor)
        return supervisor.error();
    const auto killed = (*supervisor)->killChild();
    m_impl->look();
    return killed;
}

Result<std::size_t> ManagedEnsemble::killLeader()
{
    const auto leader = m_impl->leader();
    if (!leader)
        return Error{ErrorCode::noServer, "No member of the private ensemble leads at the moment.", ""};
    if (const auto killed = killMember(*leader); !killed)
        return killed.error();
    return *leader;
}

Result<void> ManagedEnsemble::suspendMember(std::size_t i)
{
    const auto supervisor = m_impl->supervisorOf(i);
    if (!supervisor)
        return supervisor.error();
    if (const auto suspended = (*supervisor)->suspendChild(); !suspended)
        return suspended.error();
    m_impl->status[i].suspended = true;
    m_impl->look();
    return {};
}

Result<void> ManagedEnsemble::resumeMember(std::size_t i)
{
    const auto supervisor = m_impl->supervisorOf(i);
    if (!supervisor)
        return supervisor.error();
    if (const auto resumed = (*supervisor)->resumeChild(); !resumed)
        return resumed.error();
    m_impl->status[i].suspended = false;
    return {};
}

Result<void> ManagedEnsemble::restartMember(std::size_t i, bool withData)
{
    if (const auto supervisor = m_impl->supervisorOf(i); !supervisor)
        return supervisor.error();
    Member& member = m_impl->members[i];
    member.probe.forget();
    m_impl->status[i].suspended = false;
    const auto spawned = member.process->respawn(withData);
    m_impl->look();
    return spawned;
}

std::filesystem::path ManagedEnsemble::directory(std::size_t i) const
{
    return m_impl->members.at(i).process->supervisor().directory();
}

int ManagedEnsemble::processId(std::size_t i)
{
    return m_impl->members.at(i).process->supervisor().child().value_or(0);
}

int ManagedEnsemble::supervisorId(std::size_t i) const
{
    return m_impl->members.at(i).process->supervisor().supervisorId();
}

std::string ManagedEnsemble::logTail(std::size_t i) const
{
    return lockscope::server::logTail(m_impl->members.at(i).process->log());
}

} // namespace lockscope::server
