#include "core/engine/own_servers.h"

namespace lockscope::engine {

namespace {

constexpr Duration kReviveAfter = std::chrono::seconds(2); // long enough to see what a server's absence does

Error noSuch(const std::string& what, const std::string& expected)
{
    return Error{ErrorCode::badUsage, what, expected};
}

} // namespace

Result<std::unique_ptr<OwnServers>> OwnServers::start(std::uint32_t servers, std::stop_token cancel)
{
    auto own = std::make_unique<OwnServers>();
    if (servers == 1) {
        server::ManagedServer::Options wanted;
        wanted.cancel = std::move(cancel);
        Result<std::unique_ptr<server::ManagedServer>> started = server::ManagedServer::start(wanted);
        if (!started)
            return started.error();
        own->m_single = std::move(*started);
        return own;
    }
    server::ManagedEnsemble::Options wanted;
    wanted.members = servers;
    wanted.cancel = std::move(cancel);
    Result<std::unique_ptr<server::ManagedEnsemble>> started = server::ManagedEnsemble::start(wanted);
    if (!started)
        return started.error();
    own->m_ensemble = std::move(*started);
    own->m_told.resize(own->m_ensemble->size());
    return own;
}

std::string OwnServers::hosts() const { return m_single ? m_single->address() : m_ensemble->hosts(); }

std::string OwnServers::version() const { return m_single ? m_single->version() : m_ensemble->version(); }

std::string OwnServers::mode() const
{
    return m_single ? m_single->mode() : "ensemble of " + std::to_string(m_ensemble->size());
}

std::string OwnServers::outage()
{
    if (m_single)
        return !m_single->running() ? "its process has ended" : m_suspended ? "it is stopped" : "";
    std::size_t running = 0;
    for (std::size_t i = 0; i < m_ensemble->size(); ++i)
        running += m_ensemble->member(i).running && !m_ensemble->member(i).suspended ? 1 : 0;
    return 2 * running > m_ensemble->size() ? "" : "too few of its servers run";
}

// From 1; of the single server 1.
Result<std::uint32_t> OwnServers::numberOf(sim::ServerChoice which)
{
    using Member = sim::Deed::Member;
    const std::uint32_t size = m_single ? 1 : static_cast<std::uint32_t>(m_ensemble->size());
    switch (which.member) {
    case Member::single:
        if (size > 1)
            return noSuch("There are " + std::to_string(size) + " servers.",
                          "Say which: \"server 2\" or \"the leader\".");
        return 1U;
    case Member::numbered:
        if (which.number < 1 || which.number > size)
            return noSuch("There is no server " + std::to_string(which.number) + ".",
                          "They are numbered from 1 to " + std::to_string(size) + ".");
        return which.number;
    case Member::leader:
        break;
    }
    if (m_single)
        return noSuch("A single server has no leader.", "Set servers = 3 in the scenario.");
    m_ensemble->status();
    if (!m_ensemble->leader())
        return noSuch("No server leads at this moment.", "Wait for the election.");
    return static_cast<std::uint32_t>(*m_ensemble->leader() + 1);
}

// Does it to the one that is meant, and returns its number.
template <class OnSingle, class OnMember>
Result<std::uint32_t> OwnServers::with(sim::ServerChoice which, OnSingle onSingle, OnMember onMember)
{
    const Result<std::uint32_t> number = numberOf(which);
    if (!number)
        return number;
    const Result<void> done = m_single ? onSingle(*m_single) : onMember(*m_ensemble, *number - 1);
    m_onDeed();
    return done ? number : Result<std::uint32_t>(done.error());
}

Result<std::uint32_t> OwnServers::suspend(sim::ServerChoice which)
{
    return with(
        which,
        [this](server::ManagedServer& server) {
            Result<void> done = server.suspend();
            m_suspended = m_suspended || done;
            return done;
        },
        [](server::ManagedEnsemble& ensemble, std::size_t i) { return ensemble.suspendMember(i); });
}

Result<std::uint32_t> OwnServers::resume(sim::ServerChoice which)
{
    m_suspended = false;
    return with(
        which, [](server::ManagedServer& server) { return server.resume(); },
        [](server::ManagedEnsemble& ensemble, std::size_t i) { return ensemble.resumeMember(i); });
}

Result<std::uint32_t> OwnServers::killNow(sim::ServerChoice which)
{
    return with(
        which,
        [this](server::ManagedServer& server) {
            m_suspended = false; // who takes its place is not
            return server.killNow();
        },
        [](server::ManagedEnsemble& ensemble, std::size_t i) { return ensemble.killMember(i); });
}

Result<std::uint32_t> OwnServers::restart(sim::ServerChoice which, bool withData)
{
    // "The server" of an ensemble: the one that is down.
    if (m_ensemble && which.member == sim::Deed::Member::single) {
        m_ensemble->status();
        for (std::uint32_t i = 0; i < m_ensemble->size(); ++i)
            if (!m_ensemble->member(i).running)
                which = {sim::Deed::Member::numbered, i + 1};
    }
    m_reviveAt = MonotonicTime::max();
    m_suspended = false;
    return with(
        which, [withData](server::ManagedServer& server) { return server.respawn(withData); },
        [withData](server::ManagedEnsemble& ensemble, std::size_t i) {
            return ensemble.restartMember(i, withData);
        });
}

Result<void> OwnServers::look(trace::Recorder& recorder, MonotonicTime now)
{
    if (m_ensemble) {
        lookAtMembers(recorder);
        return {};
    }
    if (m_single->running()) {
        m_reviveAt = MonotonicTime::max();
        return {};
    }
    if (m_reviveAt == MonotonicTime::max())
        m_reviveAt = now + kReviveAfter;
    if (now < m_reviveAt)
        return {};
    m_reviveAt = MonotonicTime::max();
    recorder.record(ClientId::none(), LockId::none(),
                    trace::Notice{trace::Severity::info, "ZooKeeper is started again, with its data."});
    return m_single->respawn(true);
}

void OwnServers::lookAtMembers(trace::Recorder& recorder)
{
    const std::vector<server::MemberStatus>& members = m_ensemble->status();
    for (std::size_t i = 0; i < members.size(); ++i) {
        const server::MemberStatus& member = members[i];
        Told now;
        now.mode = member.mode;
        now.phase = !member.running || member.suspended ? trace::ServerPhase::down
                    : member.mode.empty()               ? trace::ServerPhase::starting
                                                        : trace::ServerPhase::ready;
        if (now.phase == trace::ServerPhase::down)
            now.mode.clear();
        if (now == m_told[i])
            continue;
        m_told[i] = now;
        recorder.record(ClientId::none(), LockId::none(),
                        trace::MemberState{std::to_string(i + 1), now.phase, now.mode});
    }
}

} // namespace lockscope::engine
