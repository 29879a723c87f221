// Executes actions on a run: on its clients, links, steps, data and servers.
#include "core/sim/run/run.h"

#include "core/queue/words.h"
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
    // Between two holds, during a release or a grant, the client of the first node counts as the holder.
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
    if (m_finishing && (action.kind == Kind::rejoinClient || action.kind == Kind::addClient))
        return refuse(verbOf(action), ClientId::none(), message("The run is to end."));
    switch (action.kind) {
    case Kind::rejoinClient:
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
    case Kind::hold:
    case Kind::letGo:
        if (action.target == Action::Target::everyone)
            return executeOnStepsOfAll(action);
        break;
    default:
        break;
    }
    const std::vector<ClientId> targets = findTargets(action);
    const bool last = action.kind == Kind::removeClient && action.target == Action::Target::unspecified;
    if (last)
        return removeClient(ClientId::none());
    if (targets.empty() && action.target != Action::Target::everyone)
        refuse(verbOf(action), ClientId::none(),
               action.target == Action::Target::holder ? message("No client holds the lock at this moment.")
               : action.target == Action::Target::firstWaiter ? message("No client waits at this moment.")
               : action.target == Action::Target::nextInTurn
                   ? message("No client is stopped before a step at this moment.")
               : action.client.empty() ? noSuchClient()
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
        accept(trace::CommandVerb::finish, ClientId::none());
        return finish();
    }
}

void Run::executeOnClient(const Action& action, ClientId id)
{
    using Kind = Action::Kind;
    Client& client = *find(id);
    switch (action.kind) {
    case Kind::killSession:
        kill(client, verbOf(action));
        if (action.span)
            delayLossNotice(client, *action.span);
        return;
    case Kind::closeSession:
        if (!client.session())
            return refuse(verbOf(action), id, message("%1 has no session yet.", client.name()));
        accept(trace::CommandVerb::closeSession, id, client.name());
        return client.closeSession();
    case Kind::freeze:
    case Kind::thaw:
        if (setFrozen(client, action.kind == Kind::freeze) && action.span)
            scheduleUndo(*action.span, [this, process = client.process()] { // another worker may remain
                if (!process->clients().empty() && process->clients().front()->frozen())
                    setFrozen(*process->clients().front(), false);
            });
        return;
    case Kind::removeClient:
        return removeClient(id);
    case Kind::deleteNode:
    case Kind::writeNode:
    case Kind::revoke:
        return executeOnNode(action, id);
    case Kind::hold:
    case Kind::step:
    case Kind::letGo:
        return executeOnSteps(action, client);
    default:
        return executeOnLink(action, client);
    }
}

// ---- the run ---------------------------------------------------------------------------------------------

void Run::setPaused(bool paused)
{
    if (m_control.paused() == paused)
        return refuse(paused ? trace::CommandVerb::pause : trace::CommandVerb::resume, ClientId::none(),
                      paused ? message("The run is paused already.") : message("The run is not paused."));
    accept(paused ? trace::CommandVerb::pause : trace::CommandVerb::resume, ClientId::none());
    m_control.setPaused(paused);
    for (const std::shared_ptr<QueueObserver>& observer : m_observers)
        observer->setImmediate(paused);
    if (m_onPaused)
        m_onPaused(paused);
}

// ---- a client and its session ----------------------------------------------------------------------------

void Run::kill(Client& client, trace::CommandVerb verb)
{
    const ClientId id = client.id();
    const EventIndex command = accept(verb, id, client.name());
    const std::shared_ptr<zk::HubSession> session = client.session();
    if (!session)
        return refuse(verb, id, message("%1 has no session yet.", client.name()));
    // Its successors may be woken before the confirmation arrives, so the cause is noted now.
    for (const Client* member : client.process()->clients())
        for (const RunLock& runLock : m_context.runLocks)
            for (const LockId lock : {runLock.queue, runLock.acquireMutex}) {
                const std::string node =
                    lock.valid() ? m_recorder.lastNodeOf(member->id(), lock) : std::string();
                if (!node.empty() && !m_recorder.deletedBy(lock, node).valid())
                    m_recorder.recordDeletion(lock, node, command);
            }
    session->kill(whileAlive([this, id, sessionId = session->id(), command,
                              verb](const Result<void>& result) {
        if (result)
            m_recorder.record(id, LockId::none(), trace::SessionGone{m_recorder.named(sessionId)}, command);
        else
            refuse(verb, id, result.error().all());
    }));
}

// A nearby server reports the end of a session at once. To show a client that still believes it holds
// the lock, its connection stays silent for this time, and the client extends its current hold or rest.
void Run::delayLossNotice(Client& client, Duration span)
{
    const std::shared_ptr<Process> process = client.process();
    if (!process->link() || !client.session())
        return; // without a link the client is notified at once
    const auto apply = [this, process](Action::Kind kind) {
        process->link()->apply(Action::of(kind));
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

// False when the command is refused.
bool Run::setFrozen(Client& client, bool frozen)
{
    const trace::CommandVerb verb = frozen ? trace::CommandVerb::freeze : trace::CommandVerb::thaw;
    if (client.frozen() == frozen || !client.session()) {
        refuse(verb, client.id(),
               !frozen            ? message("%1 is not frozen.", client.name())
               : client.session() ? message("%1 is already frozen.", client.name())
                                  : message("%1 has no session yet.", client.name()));
        return false;
    }
    // All clients of the process share the session and freeze with it.
    for (Client* member : client.process()->clients())
        accept(verb, member->id(), member->name());
    if (frozen)
        client.session()->freeze();
    else
        client.session()->thaw();
    for (Client* member : client.process()->clients())
        member->setFrozen(frozen);
    return true;
}

// ---- links -----------------------------------------------------------------------------------------------

void Run::executeOnLink(const Action& action, Client& client)
{
    const trace::CommandVerb verb = verbOf(action);
    const std::shared_ptr<Process> process = client.process();
    if (!process->link())
        return refuse(
            verb, client.id(),
            message("The clients of this run are connected directly: set links = true in the scenario."));
    if (action.kind == Action::Kind::healLink && !process->link()->hasFault())
        return refuse(verb, client.id(), message("The connection of %1 has no fault.", client.name()));
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
    scheduleUndo(*action.span, [this, apply, heal = Action::of(Action::Kind::healLink), process] {
        if (process->clients().empty())
            return;
        accept(verbOf(heal), process->clients().front()->id(), process->clients().front()->name());
        apply(heal);
    });
}

// ---- steps -----------------------------------------------------------------------------------------------

void Run::executeOnSteps(const Action& action, Client& client)
{
    const trace::CommandVerb verb = verbOf(action);
    const std::string& name = client.name();
    if (action.kind == Action::Kind::step && !client.gate().pendingStep())
        return refuse(verb, client.id(), message("%1 is not stopped before a step.", name));
    if (action.kind == Action::Kind::hold && client.gate().isToStop(action.step))
        return refuse(verb, client.id(),
                      action.step ? message("%1 is held before %2 already.", name, stepName(*action.step))
                                  : message("%1 is held already.", name));
    if (action.kind == Action::Kind::letGo && !client.gate().canLetGo(action.step))
        return refuse(verb, client.id(),
                      m_control.isHoldingAll()
                          ? message("All clients are held: %1 goes on by steps, or with all of them.", name)
                      : action.step ? message("%1 is not held before %2.", name, stepName(*action.step))
                                    : message("%1 is not held.", name));
    takeOnSteps(action, client);
}

// Also for clients that are added later, unless the action names a step.
void Run::executeOnStepsOfAll(const Action& action)
{
    const bool holds = action.kind == Action::Kind::hold;
    bool changes = !action.step && (holds ? !m_control.isHolding() : m_control.isHoldingAll());
    for (const auto& [id, client] : m_clients)
        changes =
            changes || (holds ? !client->gate().isToStop(action.step) : client->gate().canLetGo(action.step));
    if (!changes && !m_clients.empty())
        return refuse(verbOf(action), ClientId::none(),
                      holds ? message("All clients are held already.") : message("No client is held."));
    if (!action.step)
        m_control.setHolding(holds);
    for (const ClientId client : findTargets(action))
        takeOnSteps(action, *find(client));
}

void Run::takeOnSteps(const Action& action, Client& client)
{
    const std::string argument =
        action.step ? client.name() + " before " + std::string(stepName(*action.step)) : client.name();
    accept(verbOf(action), client.id(), argument);
    if (action.kind == Action::Kind::step)
        client.gate().step();
    else if (action.kind == Action::Kind::hold)
        client.gate().hold(action.step);
    else if (action.step)
        client.gate().resumeSteps(*action.step);
    else
        client.gate().resumeSteps();
}

// ---- the data --------------------------------------------------------------------------------------------

AdminSession& Run::adminSession()
{
    if (!m_adminSession)
        m_adminSession = std::make_unique<AdminSession>(m_hub, m_environment.hosts);
    return *m_adminSession;
}

std::function<void(zk::Code)> Run::refuseOnError(trace::CommandVerb verb, const std::string& what)
{
    return whileAlive([this, verb, what](zk::Code code) {
        if (code != zk::Code::ok)
            refuse(verb, ClientId::none(), message("%1: %2.", what, describe(code)));
    });
}

void Run::executeOnNode(const Action& action, ClientId client)
{
    const trace::CommandVerb verb = verbOf(action);
    ScriptRunner::Node node = m_script->nodeOf(client);
    if (action.kind == Action::Kind::revoke && !m_roster[client.value].work.revocable)
        return refuse(verb, client,
                      message("%1 does not accept requests to release: its locks are not revocable.",
                              m_roster[client.value].name));
    const bool chosen = !action.node.empty();
    std::string folder;
    const auto consider = [&](LockId lock, const std::string& path) {
        const bool isThere = chosen ? action.node.starts_with(path + "/") : node.lock == lock;
        if (!lock.valid() || !isThere)
            return;
        folder = path + "/";
        if (chosen)
            node = {lock, action.node.substr(folder.size())};
    };
    for (const RunLock& runLock : m_context.runLocks) {
        consider(runLock.queue, queuePath(m_scenario.recipe, runLock.path));
        consider(runLock.acquireMutex, mutexPath(runLock.path));
    }
    if (node.name.empty() || folder.empty())
        return refuse(verb, client, message("It has no node in the queue."));
    const EventIndex command =
        m_recorder.record(ClientId::none(), node.lock, trace::Command{toText(verb), node.name});
    const std::string path = folder + node.name;
    if (action.kind == Action::Kind::deleteNode) {
        m_recorder.recordDeletion(node.lock, node.name, command);
        return adminSession().remove(path, refuseOnError(verb, node.name));
    }
    const bool revokes = action.kind == Action::Kind::revoke;
    adminSession().write(path, std::string(revokes ? queue::kRevokeMessage : "written by an administrator"),
                         refuseOnError(verb, node.name));
}

// Deletes the empty containers, as ZooKeeper does on its own after a while.
void Run::reap()
{
    for (const RunLock& runLock : m_context.runLocks) {
        accept(trace::CommandVerb::reap, ClientId::none(), runLock.path);
        adminSession().remove(runLock.path, refuseOnError(trace::CommandVerb::reap, runLock.path));
    }
}

// Each client reads the new size when its watch fires. A larger size counts from the moment when the first
// client may know it; a smaller one, from when the last client knows it, because until then a lease may be
// taken by the old size.
void Run::setLeases(std::uint64_t leases)
{
    if (m_context.leasesPath.empty())
        return refuse(trace::CommandVerb::setLeases, ClientId::none(),
                      message("Only a semaphore has leases."));
    if (leases == m_leases)
        return refuse(trace::CommandVerb::setLeases, ClientId::none(),
                      message("The number of leases is %1 already.", leases));
    accept(trace::CommandVerb::setLeases, ClientId::none(), std::to_string(leases));
    const auto count = static_cast<std::uint32_t>(leases);
    const bool fewer = count < m_leases;
    m_leases = count;
    if (!fewer)
        recordLeases(count);
    adminSession().write(m_context.leasesPath, lock::encodeCount(static_cast<std::int32_t>(count)),
                         whileAlive([this, count, fewer,
                                     done = refuseOnError(trace::CommandVerb::setLeases,
                                                          m_context.leasesPath)](zk::Code code) {
                             done(code);
                             if (code == zk::Code::ok && fewer)
                                 recordLeasesWhenKnown(count);
                         }));
}

void Run::recordLeasesWhenKnown(std::uint32_t count)
{
    if (count != m_leases)
        return; // changed again
    const bool known = std::all_of(m_clients.begin(), m_clients.end(), [count](const auto& entry) {
        return entry.second->knowsLeaseCount(count);
    });
    if (known)
        return recordLeases(count);
    m_hub.after(std::chrono::milliseconds(10), whileAlive([this, count] { recordLeasesWhenKnown(count); }));
}

void Run::recordLeases(std::uint32_t count)
{
    for (const RunLock& runLock : m_context.runLocks) { // all have the same size
        m_recorder.record(ClientId::none(), runLock.queue, trace::LockLimit{count});
        runLock.resource->setPermits(count);
    }
}

// ---- the servers -----------------------------------------------------------------------------------------

namespace {

std::string describeServer(const Action& action, std::uint32_t number)
{
    return action.member == Action::Member::single ? "" : "server " + std::to_string(number);
}

} // namespace

void Run::executeOnServer(const Action& action)
{
    using Kind = Action::Kind;
    const trace::CommandVerb verb = verbOf(action);
    ServerControl* server = m_environment.server;
    if (!server)
        return refuse(verb, ClientId::none(),
                      message("LockScope did not start this ZooKeeper and does not interfere with it."));
    const ServerChoice which{action.member, action.number};
    const auto done = whileAlive([this, action, verb](std::uint32_t number, const Result<void>& result) {
        if (!result)
            refuse(verb, ClientId::none(), result.error().all());
        else if (action.kind == Kind::stopServer)
            scheduleServerResume(action, number);
        else
            m_stoppedUntil.erase(number); // a killed server is not stopped any more
    });
    const Result<std::uint32_t> number = action.kind == Kind::stopServer ? server->suspend(which, done)
                                         : action.kind == Kind::killServer
                                             ? server->killNow(which, done)
                                             : server->restart(which, action.withData, done);
    if (!number)
        return refuse(verb, ClientId::none(), number.error().all());
    std::string argument = describeServer(action, *number);
    if (!action.withData)
        argument += argument.empty() ? "without its data" : ", without its data";
    accept(verb, ClientId::none(), argument);
}

// Resumes a stopped server after the action's span. Stops that overlap are one stop, until the end of the
// last one.
void Run::scheduleServerResume(const Action& action, std::uint32_t number)
{
    const ServerChoice same{
        action.member == Action::Member::single ? action.member : Action::Member::numbered, number};
    const Duration span = action.span.value_or(std::chrono::seconds(1));
    const MonotonicTime end = m_hub.now() + span;
    const auto [stop, isNew] = m_stoppedUntil.try_emplace(number, end);
    if (!isNew) {
        const Duration more = std::max(stop->second, end) - m_hub.now();
        m_recorder.record(
            ClientId::none(), LockId::none(),
            trace::Notice{trace::Severity::info,
                          message("The server was stopped already; it is now stopped for %1 from here.",
                                  formatDuration(std::chrono::ceil<std::chrono::milliseconds>(more))),
                          "stopped_longer"});
        if (end <= stop->second)
            return; // it ends with the longer one
        stop->second = end;
    }
    scheduleUndo(span, [this, number, end, same, argument = describeServer(action, number)] {
        const auto known = m_stoppedUntil.find(number);
        if (known == m_stoppedUntil.end() || known->second != end)
            return; // it was killed or restarted meanwhile, or another stop lasts longer
        m_stoppedUntil.erase(known);
        constexpr trace::CommandVerb verb = trace::CommandVerb::continueServer;
        const auto done = whileAlive([this](std::uint32_t, const Result<void>& result) {
            if (!result)
                refuse(verb, ClientId::none(), result.error().all());
        });
        accept(verb, ClientId::none(), argument);
        if (const Result<std::uint32_t> begun = m_environment.server->resume(same, done); !begun)
            refuse(verb, ClientId::none(), begun.error().all());
    });
}

} // namespace lockscope::sim
