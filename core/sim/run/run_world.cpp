// What a script, or somebody at the window, does to the data and to the servers.
#include "core/lock/hold_watch.h"
#include "core/sim/run/run.h"

#include <algorithm>

namespace lockscope::sim {

// ---- the data --------------------------------------------------------------------------------------------

AdminSession& Run::adminSession()
{
    if (!m_adminSession)
        m_adminSession = std::make_unique<AdminSession>(m_hub, m_environment.hosts);
    return *m_adminSession;
}

std::function<void(zk::Code)> Run::refuseOnError(std::string_view verb, const std::string& what)
{
    return [this, verb = std::string(verb), what, alive = std::weak_ptr<const void>(m_alive)](zk::Code code) {
        if (alive.lock() && code != zk::Code::ok)
            refuse(verb, ClientId::none(), message("%1: %2.", what, describe(code)));
    };
}

void Run::executeOnNode(const Action& action, ClientId client)
{
    const std::string_view verb = verbOf(action);
    const ScriptRunner::Node node = m_script->nodeOf(client);
    std::string folder;
    for (const RunLock& place : m_context.runLocks) {
        if (node.lock == place.queue)
            folder = isSemaphore(m_scenario.recipe) ? place.path + "/leases/" : place.path + "/";
        else if (node.lock == place.acquireMutex)
            folder = place.path + "/locks/";
    }
    if (node.name.empty() || folder.empty())
        return refuse(verb, client, message("It has no node in the queue."));
    const EventIndex command =
        m_recorder.record(ClientId::none(), node.lock, trace::Command{verb, node.name});
    const std::string path = folder + node.name;
    if (action.kind == Action::Kind::deleteNode) {
        m_recorder.recordDeletion(node.lock, node.name, command);
        return adminSession().remove(path, refuseOnError(verb, node.name));
    }
    const bool revokes = action.kind == Action::Kind::revoke;
    adminSession().write(path, std::string(revokes ? lock::kRevokeMessage : "written by somebody else"),
                     refuseOnError(verb, node.name));
}

// What ZooKeeper itself does with a container that had children and has none any more, only now.
void Run::reap()
{
    for (const RunLock& place : m_context.runLocks) {
        accept("reap", ClientId::none(), place.path);
        adminSession().remove(place.path, refuseOnError("reap", place.path));
    }
}

// Each client learns the new size by itself. More is right from the moment when the first one may know it,
// fewer from when the last one does: whoever has not heard of it yet may still take a lease by the old size.
void Run::setLeases(std::uint64_t leases)
{
    if (m_context.leasesPath.empty())
        return refuse("set_leases", ClientId::none(), message("Only a semaphore has leases."));
    accept("set_leases", ClientId::none(), std::to_string(leases));
    const auto count = static_cast<std::uint32_t>(leases);
    const bool fewer = count < m_leases;
    m_leases = count;
    if (!fewer)
        recordLeases(count);
    adminSession().write(m_context.leasesPath, lock::encodeCount(static_cast<std::int32_t>(count)),
                     [this, count, fewer, done = refuseOnError("set_leases", m_context.leasesPath),
                      alive = std::weak_ptr<const void>(m_alive)](zk::Code code) {
                         done(code);
                         if (alive.lock() && code == zk::Code::ok && fewer)
                             recordLeasesWhenKnown(count);
                     });
}

void Run::recordLeasesWhenKnown(std::uint32_t count)
{
    if (count != m_leases)
        return; // changed again
    const bool known = std::all_of(m_clients.begin(), m_clients.end(),
                                   [count](const auto& entry) { return entry.second->knowsLeaseCount(count); });
    if (known)
        return recordLeases(count);
    m_hub.after(std::chrono::milliseconds(10), [this, count, alive = std::weak_ptr<const void>(m_alive)] {
        if (alive.lock())
            recordLeasesWhenKnown(count);
    });
}

void Run::recordLeases(std::uint32_t count)
{
    const RunLock& place = m_context.runLocks.front();
    m_recorder.record(ClientId::none(), place.queue, trace::LockLimit{count});
    place.resource->setPermits(count);
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
    const std::string_view verb = verbOf(action);
    ServerControl* server = m_environment.server;
    if (!server)
        return refuse(verb, ClientId::none(), message("This ZooKeeper is not LockScope's own: it is left alone."));
    const ServerChoice which{action.member, action.number};
    const auto done = [this, action, verb, alive = std::weak_ptr<const void>(m_alive)](std::uint32_t number,
                                                                                     Result<void> result) {
        if (!alive.lock())
            return;
        if (!result)
            refuse(verb, ClientId::none(), result.error().all());
        else if (action.kind == Kind::stopServer)
            scheduleServerResume(action, number);
    };
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

// It has been stopped; `deed` says for how long.
void Run::scheduleServerResume(const Action& action, std::uint32_t number)
{
    const ServerChoice same{action.member == Action::Member::single ? action.member : Action::Member::numbered,
                            number};
    const Duration span = action.span.value_or(std::chrono::seconds(1));
    scheduleUndo(span, [this, same, argument = describeServer(action, number)] {
        constexpr std::string_view verb = "continue_server";
        const auto done = [this, alive = std::weak_ptr<const void>(m_alive), verb](std::uint32_t, Result<void> result) {
            if (alive.lock() && !result)
                refuse(verb, ClientId::none(), result.error().all());
        };
        accept(verb, ClientId::none(), argument);
        if (const Result<std::uint32_t> begun = m_environment.server->resume(same, done); !begun)
            refuse(verb, ClientId::none(), begun.error().all());
    });
}

} // namespace lockscope::sim
