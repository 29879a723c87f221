// What a script, or somebody at the window, does to the run, to its clients, to their links and their steps.
#include "core/sim/run.h"
#include "core/sim/scenario_words.h"

#include <algorithm>

namespace lockscope::sim {

std::vector<ClientId> Run::targetsOf(const Deed& deed) const
{
    using Target = Deed::Target;
    std::vector<ClientId> all;
    for (const auto& [id, client] : m_clients) {
        const bool meant = (deed.target == Target::named && client->name() == deed.client) ||
                           (deed.target == Target::holder && client->holds()) ||
                           deed.target == Target::everybody;
        if (meant)
            all.push_back(id);
        if (meant && deed.target != Target::everybody)
            break;
    }
    // Between two holds, in the midst of a release or of a grant, the lock is the first node's.
    if (deed.target == Target::holder && all.empty() && m_script->firstInLine().valid())
        all.push_back(m_script->firstInLine());
    if (deed.target == Target::firstWaiter && m_script->firstWaiter().valid())
        all.push_back(m_script->firstWaiter());
    if (deed.target == Target::nextInTurn && m_control.nextInTurn().valid())
        all.push_back(m_control.nextInTurn());
    return all;
}

void Run::carryOut(const Deed& deed)
{
    using Kind = Deed::Kind;
    switch (deed.kind) {
    case Kind::rejoin:
        return rejoin(deed);
    case Kind::stopServer:
    case Kind::killServer:
    case Kind::restartServer:
        return doToServer(deed);
    case Kind::addClient:
    case Kind::pause:
    case Kind::resume:
    case Kind::reap:
    case Kind::setLeases:
    case Kind::finish:
        return doToRun(deed);
    case Kind::holdSteps:
    case Kind::letGo:
        // Also who comes later.
        if (deed.target == Deed::Target::everybody && !deed.step)
            m_control.setHolding(deed.kind == Kind::holdSteps);
        break;
    default:
        break;
    }
    const std::vector<ClientId> targets = targetsOf(deed);
    const bool last = deed.kind == Kind::remove && deed.target == Deed::Target::nobody;
    if (last)
        return removeClient(ClientId::none());
    if (targets.empty() && deed.target != Deed::Target::everybody)
        refuse(verbOf(deed), ClientId::none(),
               deed.target == Deed::Target::holder        ? "Nobody holds the lock at this moment."
               : deed.target == Deed::Target::firstWaiter ? "Nobody waits at this moment."
               : deed.target == Deed::Target::nextInTurn  ? "Nobody stands before a step at this moment."
               : deed.client.empty()                      ? kNoSuchClient
                                     : "There is no client \"" + deed.client + "\" now.");
    for (const ClientId client : targets)
        doToClient(deed, client);
}

void Run::carryOut(const Deed& deed, ClientId client)
{
    if (find(client))
        doToClient(deed, client);
    else
        refuse(verbOf(deed), client, kNoSuchClient);
}

void Run::doToRun(const Deed& deed)
{
    using Kind = Deed::Kind;
    switch (deed.kind) {
    case Kind::addClient:
        return addClient();
    case Kind::pause:
        return setPaused(true);
    case Kind::resume:
        return setPaused(false);
    case Kind::reap:
        return reap();
    case Kind::setLeases:
        return setLeases(deed.amount);
    default:
        accept("finish", ClientId::none());
        return finish();
    }
}

void Run::doToClient(const Deed& deed, ClientId id)
{
    using Kind = Deed::Kind;
    Client& client = *find(id);
    switch (deed.kind) {
    case Kind::kill:
        kill(client, verbOf(deed));
        if (deed.span)
            keepUnaware(client, *deed.span);
        return;
    case Kind::close:
        accept("close_session", id, client.name());
        return client.closeSession();
    case Kind::freeze:
    case Kind::thaw:
        setFrozen(client, deed.kind == Kind::freeze);
        if (deed.span)
            later(*deed.span, [this, id] {
                if (find(id) && find(id)->frozen())
                    setFrozen(*find(id), false);
            });
        return;
    case Kind::remove:
        return removeClient(id);
    case Kind::deleteNode:
    case Kind::writeNode:
    case Kind::revoke:
        return doToNode(deed, id);
    case Kind::holdSteps:
    case Kind::step:
    case Kind::letGo:
        return doToSteps(deed, client);
    default:
        return doToLink(deed, client);
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
        observer->hurry(paused);
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
        return refuse(verb, id, client.name() + " has no session yet.");
    // Those behind its nodes may be woken before the server's confirmation reaches us: the cause is known
    // now.
    for (const Client* member : client.process()->clients())
        for (const LockPlace& place : m_context.places)
            for (const LockId lock : {place.queue, place.entrance}) {
                const std::string node =
                    lock.valid() ? m_recorder.lastNodeOf(member->id(), lock) : std::string();
                if (!node.empty() && !m_recorder.deletedBy(lock, node).valid())
                    m_recorder.noteDeletion(lock, node, command);
            }
    session->kill([this, id, sessionId = session->id(), command, verb = std::string(verb),
                   alive = std::weak_ptr<const void>(m_alive)](const Result<void>& result) {
        if (!alive.lock())
            return;
        if (result)
            m_recorder.record(id, LockId::none(), trace::SessionGone{m_recorder.named(sessionId)}, command);
        else
            refuse(verb, id, result.error().text());
    });
}

// A session that ends is told at once where the server is near. So that it can be seen what somebody believes who
// does not know, the client's connection hears nothing more for this time, and the client stays at what it does.
void Run::keepUnaware(Client& client, Duration span)
{
    const std::shared_ptr<Process> process = client.process();
    if (!process->link() || !client.session())
        return; // directly connected, it is told
    const auto apply = [this, process](Deed::Kind kind) {
        Deed deed;
        deed.kind = kind;
        process->link()->apply(deed);
        for (const Client* member : process->clients())
            m_recorder.record(member->id(), LockId::none(), process->link()->state());
    };
    apply(Deed::Kind::halfOpenLink);
    for (Client* member : process->clients())
        member->stayUntil(m_hub.now() + span);
    later(span, [apply, process] {
        if (!process->clients().empty())
            apply(Deed::Kind::mendLink);
    });
}

void Run::setFrozen(Client& client, bool frozen)
{
    const std::string_view verb = frozen ? "freeze" : "thaw";
    if (client.frozen() == frozen || !client.session())
        return refuse(verb, client.id(),
                      client.name() +
                          (frozen ? (client.session() ? " is frozen already." : " has no session yet.")
                                  : " is not frozen."));
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

void Run::doToLink(const Deed& deed, Client& client)
{
    const std::string_view verb = verbOf(deed);
    const std::shared_ptr<Process> process = client.process();
    if (!process->link())
        return refuse(verb, client.id(),
                      "The clients of this run are connected directly: set links = true in the scenario.");
    accept(verb, client.id(), client.name());
    const auto apply = [this, process](const Deed& what) {
        const Result<void> applied = process->link()->apply(what);
        for (const Client* member : process->clients()) {
            if (!applied)
                refuse(verbOf(what), member->id(), applied.error().text());
            else
                m_recorder.record(member->id(), LockId::none(), process->link()->state());
        }
    };
    apply(deed);
    if (!deed.span)
        return;
    Deed mend;
    mend.kind = Deed::Kind::mendLink;
    later(*deed.span, [this, apply, mend, process] {
        if (process->clients().empty())
            return;
        accept(verbOf(mend), process->clients().front()->id(), process->clients().front()->name());
        apply(mend);
    });
}

// ---- steps -----------------------------------------------------------------------------------------------

void Run::doToSteps(const Deed& deed, Client& client)
{
    const std::string_view verb = verbOf(deed);
    const std::string argument =
        deed.step ? client.name() + " before " + std::string(stepName(*deed.step)) : client.name();
    if (deed.kind == Deed::Kind::step && !client.gate().standsBefore())
        return refuse(verb, client.id(), client.name() + " does not stand before a step.");
    accept(verb, client.id(), argument);
    if (deed.kind == Deed::Kind::step)
        client.gate().step();
    else if (deed.kind == Deed::Kind::holdSteps)
        client.gate().hold(deed.step);
    else if (deed.step)
        client.gate().letGo(*deed.step);
    else
        client.gate().letGo();
}

} // namespace lockscope::sim
