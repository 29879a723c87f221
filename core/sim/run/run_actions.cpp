// What a script, or somebody at the window, does to the run, to its clients, to their links and their steps.
#include "core/sim/run/run.h"
#include "core/sim/scenario/scenario_text.h"

#include <algorithm>

namespace lockscope::sim {

std::vector<ClientId> Run::findTargets(const Action& action) const
{
    using Target = Action::Target;
    std::vector<ClientId> all;
    for (const auto& [id, client] : m_clients) {
        const bool meant = (action.target == Target::named && client->name() == action.client) ||
                           (action.target == Target::holder && client->holds()) ||
                           action.target == Target::everyone;
        if (meant)
            all.push_back(id);
        if (meant && action.target != Target::everyone)
            break;
    }
    // Between two holds, in the midst of a release or of a grant, the lock is the first node's.
    if (action.target == Target::holder && all.empty() && m_script->firstInQueue().valid())
        all.push_back(m_script->firstInQueue());
    if (action.target == Target::firstWaiter && m_script->firstWaiter().valid())
        all.push_back(m_script->firstWaiter());
    if (action.target == Target::nextInTurn && m_control.nextInTurn().valid())
        all.push_back(m_control.nextInTurn());
    return all;
}

void Run::execute(const Action& action)
{
    using Kind = Action::Kind;
    switch (action.kind) {
    case Kind::rejoin:
        return rejoin(action);
    case Kind::stopServer:
    case Kind::killServer:
    case Kind::restartServer:
        return executeOnServer(action);
    case Kind::addClient:
    case Kind::pause:
    case Kind::resume:
    case Kind::reap:
    case Kind::setLeases:
    case Kind::finish:
        return executeOnRun(action);
    case Kind::holdSteps:
    case Kind::resumeSteps:
        // Also who comes later.
        if (action.target == Action::Target::everyone && !action.step)
            m_control.setHolding(action.kind == Kind::holdSteps);
        break;
    default:
        break;
    }
    const std::vector<ClientId> targets = findTargets(action);
    const bool last = action.kind == Kind::remove && action.target == Action::Target::unspecified;
    if (last)
        return removeClient(ClientId::none());
    if (targets.empty() && action.target != Action::Target::everyone)
        refuse(verbOf(action), ClientId::none(),
               action.target == Action::Target::holder        ? message("Nobody holds the lock at this moment.")
               : action.target == Action::Target::firstWaiter ? message("Nobody waits at this moment.")
               : action.target == Action::Target::nextInTurn  ? message("Nobody stands before a step at this moment.")
               : action.client.empty()                      ? noSuchClient()
                                     : message("There is no client \"%1\" now.", action.client));
    for (const ClientId client : targets)
        executeOnClient(action, client);
}

void Run::execute(const Action& action, ClientId client)
{
    if (find(client))
        executeOnClient(action, client);
    else
        refuse(verbOf(action), client, noSuchClient());
}

void Run::executeOnRun(const Action& action)
{
    using Kind = Action::Kind;
    switch (action.kind) {
    case Kind::addClient:
        return addClient();
    case Kind::pause:
        return setPaused(true);
    case Kind::resume:
        return setPaused(false);
    case Kind::reap:
        return reap();
    case Kind::setLeases:
        return setLeases(action.amount);
    default:
        accept("finish", ClientId::none());
        return finish();
    }
}

void Run::executeOnClient(const Action& action, ClientId id)
{
    using Kind = Action::Kind;
    Client& client = *find(id);
    switch (action.kind) {
    case Kind::kill:
        kill(client, verbOf(action));
        if (action.span)
            delayLossNotice(client, *action.span);
        return;
    case Kind::close:
        accept("close_session", id, client.name());
        return client.closeSession();
    case Kind::freeze:
    case Kind::thaw:
        setFrozen(client, action.kind == Kind::freeze);
        if (action.span)
            scheduleUndo(*action.span, [this, id] {
                if (find(id) && find(id)->frozen())
                    setFrozen(*find(id), false);
            });
        return;
    case Kind::remove:
        return removeClient(id);
    case Kind::deleteNode:
    case Kind::writeNode:
    case Kind::revoke:
        return executeOnNode(action, id);
    case Kind::holdSteps:
    case Kind::step:
    case Kind::resumeSteps:
        return executeOnSteps(action, client);
    default:
        return executeOnLink(action, client);
    }
}

// ---- the run ---------------------------------------------------------------------------------------------

void Run::setPaused(bool paused)
{
    if (m_control.paused() == paused)
        return;
    accept(paused ? "pause" : "resume", ClientId::none());
    m_control.setPaused(paused);
    for (const std::shared_ptr<Observer>& observer : m_observers)
        observer->setImmediate(paused);
    if (m_onPaused)
        m_onPaused(paused);
}

// ---- a client and its session ----------------------------------------------------------------------------

void Run::kill(Client& client, std::string_view verb)
{
    const ClientId id = client.id();
    const EventIndex command = accept(verb, id, client.name());
    const std::shared_ptr<zk::HubSession> session = client.session();
    if (!session)
        return refuse(verb, id, message("%1 has no session yet.", client.name()));
    // Those behind its nodes may be woken before the server's confirmation reaches us: the cause is known
    // now.
    for (const Client* member : client.process()->clients())
        for (const RunLock& place : m_context.runLocks)
            for (const LockId lock : {place.queue, place.acquireMutex}) {
                const std::string node =
                    lock.valid() ? m_recorder.lastNodeOf(member->id(), lock) : std::string();
                if (!node.empty() && !m_recorder.deletedBy(lock, node).valid())
                    m_recorder.recordDeletion(lock, node, command);
            }
    session->kill([this, id, sessionId = session->id(), command, verb = std::string(verb),
                   alive = std::weak_ptr<const void>(m_alive)](const Result<void>& result) {
        if (!alive.lock())
            return;
        if (result)
            m_recorder.record(id, LockId::none(), trace::SessionGone{m_recorder.named(sessionId)}, command);
        else
            refuse(verb, id, result.error().all());
    });
}

// A session that ends is told at once where the server is near. So that it can be seen what somebody believes who
// does not know, the client's connection hears nothing more for this time, and the client stays at what it does.
void Run::delayLossNotice(Client& client, Duration span)
{
    const std::shared_ptr<Process> process = client.process();
    if (!process->link() || !client.session())
        return; // directly connected, it is told
    const auto apply = [this, process](Action::Kind kind) {
        Action action;
        action.kind = kind;
        process->link()->apply(action);
        for (const Client* member : process->clients())
            m_recorder.record(member->id(), LockId::none(), process->link()->state());
    };
    apply(Action::Kind::halfOpenLink);
    for (Client* member : process->clients())
        member->extendHoldUntil(m_hub.now() + span);
    scheduleUndo(span, [apply, process] {
        if (!process->clients().empty())
            apply(Action::Kind::healLink);
    });
}

void Run::setFrozen(Client& client, bool frozen)
{
    const std::string_view verb = frozen ? "freeze" : "thaw";
    if (client.frozen() == frozen || !client.session())
        return refuse(verb, client.id(),
                      !frozen            ? message("%1 is not frozen.", client.name())
                      : client.session() ? message("%1 is frozen already.", client.name())
                                         : message("%1 has no session yet.", client.name()));
    // Whoever shares the session is in the same process, and stands still with it.
    for (Client* member : client.process()->clients())
        accept(verb, member->id(), member->name());
    if (frozen)
        client.session()->freeze();
    else
        client.session()->thaw();
    for (Client* member : client.process()->clients())
        member->setFrozen(frozen);
}

// ---- links -----------------------------------------------------------------------------------------------

void Run::executeOnLink(const Action& action, Client& client)
{
    const std::string_view verb = verbOf(action);
    const std::shared_ptr<Process> process = client.process();
    if (!process->link())
        return refuse(verb, client.id(),
                      message("The clients of this run are connected directly: set links = true in the scenario."));
    accept(verb, client.id(), client.name());
    const auto apply = [this, process](const Action& what) {
        const Result<void> applied = process->link()->apply(what);
        for (const Client* member : process->clients()) {
            if (!applied)
                refuse(verbOf(what), member->id(), applied.error().all());
            else
                m_recorder.record(member->id(), LockId::none(), process->link()->state());
        }
    };
    apply(action);
    if (!action.span)
        return;
    Action heal;
    heal.kind = Action::Kind::healLink;
    scheduleUndo(*action.span, [this, apply, heal, process] {
        if (process->clients().empty())
            return;
        accept(verbOf(heal), process->clients().front()->id(), process->clients().front()->name());
        apply(heal);
    });
}

// ---- steps -----------------------------------------------------------------------------------------------

void Run::executeOnSteps(const Action& action, Client& client)
{
    const std::string_view verb = verbOf(action);
    const std::string argument =
        action.step ? client.name() + " before " + std::string(stepName(*action.step)) : client.name();
    if (action.kind == Action::Kind::step && !client.gate().pendingStep())
        return refuse(verb, client.id(), message("%1 does not stand before a step.", client.name()));
    accept(verb, client.id(), argument);
    if (action.kind == Action::Kind::step)
        client.gate().step();
    else if (action.kind == Action::Kind::holdSteps)
        client.gate().hold(action.step);
    else if (action.step)
        client.gate().resumeSteps(*action.step);
    else
        client.gate().resumeSteps();
}

} // namespace lockscope::sim
