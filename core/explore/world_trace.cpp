#include "core/explore/world_trace.h"

#include "core/sim/tracing/trace_observer.h"
#include "core/trace/command_verb.h"

#include <algorithm>
#include <utility>

namespace lockscope::explore {

namespace {

using trace::CommandVerb;

CommandVerb verbOf(StepKind kind)
{
    switch (kind) {
    case StepKind::connectionLost:
        return CommandVerb::resetLink;
    case StepKind::sessionLost:
        return CommandVerb::killSession;
    case StepKind::away:
        return CommandVerb::cutLink;
    case StepKind::paused:
    case StepKind::pausedBriefly:
        return CommandVerb::freeze;
    default:
        return CommandVerb::loseReply;
    }
}

} // namespace

WorldTrace::WorldTrace(trace::Recorder& recorder, World& world)
    : m_recorder(recorder)
    , m_world(world)
    , m_followed(world.ensemble.log().size())
{
    if (world.resource)
        world.resource->onUse = [this](const ResourceUse& use) { record(use); };
}

std::string WorldTrace::nameOfClient(std::uint32_t client) const
{
    return m_world.log.nameOf(client).english();
}

ObserverOf WorldTrace::addClient(std::uint32_t client, HandoffPolicy handoff)
{
    if (m_phases.empty()) {
        m_recorder.record(trace::ServerState{trace::ServerPhase::ready, "simulated", "", "standalone", {}});
        for (std::size_t queue = 0; queue < m_world.checkers.size(); ++queue)
            m_recorder.record(ClientId::none(), LockId{static_cast<LockId::Value>(queue)},
                              trace::LockAdded{m_world.checkers[queue]->history().path(),
                                               m_world.context.recipe.shownAs(), nameOf(handoff)});
        if (const std::uint32_t most = m_world.context.recipe.holders(); most > 1)
            m_recorder.record(ClientId::none(), LockId{0}, trace::LockLimit{most});
        m_recorder.record(trace::RunPhaseChanged{trace::RunPhase::running, {}, {}});
    }
    const ClientId id{client};
    m_recorder.record(id, LockId::none(),
                      trace::ClientAdded{nameOfClient(client), static_cast<std::uint16_t>(client), {}});
    m_phases.push_back(zk::SessionPhase::closed);
    m_sessions.push_back(0);
    m_paused.push_back(false);
    return [this, id](std::size_t queue) -> std::shared_ptr<lock::Observer> {
        return std::make_shared<sim::TraceObserver>(m_recorder, id,
                                                    LockId{static_cast<LockId::Value>(queue)});
    };
}

EventIndex WorldTrace::command(ClientId client, LockId lock, CommandVerb verb, const std::string& argument)
{
    return m_recorder.record(client, lock, trace::Command{trace::toText(verb), argument});
}

void WorldTrace::fault(const Step& step, std::uint32_t session)
{
    const ClientId client{step.subject};
    const EventIndex by = command(client, LockId::none(), verbOf(step.kind), nameOfClient(step.subject));
    const SessionId id = m_world.clients[step.subject]->session()->id();
    if (step.kind != StepKind::sessionLost || session != m_world.clients[step.subject]->session()->index())
        return;
    for (std::size_t queue = 0; queue < m_world.checkers.size(); ++queue)
        for (const Contender* contender : m_world.checkers[queue]->history().queue())
            if (contender->owner == id)
                m_recorder.recordDeletion(LockId{static_cast<LockId::Value>(queue)}, contender->name, by);
}

void WorldTrace::nodeDeleted(std::size_t queue, const std::string& name)
{
    const LockId lock{static_cast<LockId::Value>(queue)};
    m_recorder.recordDeletion(lock, name, command(ClientId::none(), lock, CommandVerb::deleteNode, name));
}

std::size_t WorldTrace::queueOf(const std::string& path) const
{
    const auto found = std::ranges::find_if(
        m_world.checkers, [&](const auto& checker) { return checker->history().isContender(path); });
    return static_cast<std::size_t>(found - m_world.checkers.begin());
}

void WorldTrace::vanished(const std::string& path)
{
    if (const std::size_t queue = queueOf(path); queue < m_world.checkers.size())
        m_recorder.record(ClientId::none(), LockId{static_cast<LockId::Value>(queue)},
                          trace::NodeVanished{zk::memory::nameOf(path)});
}

void WorldTrace::follow(const zk::memory::Transaction& transaction)
{
    using zk::memory::Change;
    if (transaction.change == Change::created) {
        if (const std::size_t queue = queueOf(transaction.path); queue < m_world.checkers.size())
            m_recorder.record(ClientId::none(), LockId{static_cast<LockId::Value>(queue)},
                              trace::NodeSeen{zk::memory::nameOf(transaction.path), transaction.session,
                                              transaction.zxid, false});
    } else if (transaction.change == Change::removed) {
        vanished(transaction.path);
    } else if (transaction.change == Change::sessionClosed) {
        m_recorder.record(trace::SessionGone{transaction.session});
        for (const std::string& path : transaction.gone)
            vanished(path);
    }
}

void WorldTrace::record(const ResourceUse& use)
{
    const ClientId client{use.client};
    const LockId lock{0};
    const trace::ResourceAction done =
        use.kind == ResourceUse::Kind::read ? trace::ResourceAction::entered : trace::ResourceAction::left;
    m_recorder.record(client, lock,
                      trace::ResourceUse{use.refused ? trace::ResourceAction::refused : done, use.token});
    if (use.inside)
        m_recorder.record(client, lock, trace::ResourceUse{trace::ResourceAction::conflict, *use.inside});
    if (use.kind != ResourceUse::Kind::written || use.refused)
        return;
    const std::string value = std::to_string(use.value);
    const Message fault = use.value == use.writes ? Message() : message("accepted writes: %1", use.writes);
    m_recorder.record(client, lock, trace::ResourceValue{"counter", value, fault});
}

void WorldTrace::afterStep()
{
    const std::vector<zk::memory::Transaction>& log = m_world.ensemble.log();
    for (; m_followed < log.size(); ++m_followed)
        follow(log[m_followed]);
    for (std::uint32_t i = 0; i < m_world.clients.size(); ++i) {
        const Client& client = *m_world.clients[i];
        const ClientId id{i};
        const auto& session = client.session();
        if (session->phase() != m_phases[i] || session->index() != m_sessions[i]) {
            m_phases[i] = session->phase();
            m_sessions[i] = session->index();
            m_recorder.record(id, LockId::none(),
                              trace::SessionState{m_phases[i], session->id(), session->timeout()});
        }
        if (m_paused[i] && !client.process().isPaused())
            command(id, LockId::none(), CommandVerb::thaw, nameOfClient(i));
        m_paused[i] = client.process().isPaused();
    }
}

} // namespace lockscope::explore
