// What a script, or somebody at the window, does to the data and to the servers.
#include "core/lock/hold_watch.h"
#include "core/sim/run.h"

#include <algorithm>

namespace lockscope::sim {

// ---- the data --------------------------------------------------------------------------------------------

DataHand& Run::dataHand()
{
    if (!m_dataHand)
        m_dataHand = std::make_unique<DataHand>(m_hub, m_world.hosts);
    return *m_dataHand;
}

std::function<void(zk::Code)> Run::refuseUnless(std::string_view verb, const std::string& what)
{
    return [this, verb = std::string(verb), what, alive = std::weak_ptr<const void>(m_alive)](zk::Code code) {
        if (alive.lock() && code != zk::Code::ok)
            refuse(verb, ClientId::none(), what + ": " + std::string(describe(code)) + ".");
    };
}

void Run::doToNode(const Deed& deed, ClientId client)
{
    const std::string_view verb = verbOf(deed);
    const ScriptRunner::Node node = m_script->nodeOf(client);
    std::string folder;
    for (const LockPlace& place : m_context.places) {
        if (node.lock == place.queue)
            folder = isSemaphore(m_scenario.recipe) ? place.path + "/leases/" : place.path + "/";
        else if (node.lock == place.entrance)
            folder = place.path + "/locks/";
    }
    if (node.name.empty() || folder.empty())
        return refuse(verb, client, "It has no node in the queue.");
    const EventIndex command =
        m_recorder.record(ClientId::none(), node.lock, trace::Command{verb, node.name});
    const std::string path = folder + node.name;
    if (deed.kind == Deed::Kind::deleteNode) {
        m_recorder.noteDeletion(node.lock, node.name, command);
        return dataHand().remove(path, refuseUnless(verb, node.name));
    }
    const bool revokes = deed.kind == Deed::Kind::revoke;
    dataHand().write(path, std::string(revokes ? lock::kRevokeMessage : "written by somebody else"),
                     refuseUnless(verb, node.name));
}

// What ZooKeeper itself does with a container that had children and has none any more, only now.
void Run::reap()
{
    for (const LockPlace& place : m_context.places) {
        accept("reap", ClientId::none(), place.path);
        dataHand().remove(place.path, refuseUnless("reap", place.path));
    }
}

// Each client learns the new size by itself. More is right from the moment when the first one may know it,
// fewer from when the last one does: whoever has not heard of it yet may still take a lease by the old size.
void Run::setLeases(std::uint64_t leases)
{
    if (m_context.leasesPath.empty())
        return refuse("set_leases", ClientId::none(), "Only a semaphore has leases.");
    accept("set_leases", ClientId::none(), std::to_string(leases));
    const auto count = static_cast<std::uint32_t>(leases);
    const bool fewer = count < m_leases;
    m_leases = count;
    if (!fewer)
        noteLeases(count);
    dataHand().write(m_context.leasesPath, lock::countBytes(static_cast<std::int32_t>(count)),
                     [this, count, fewer, done = refuseUnless("set_leases", m_context.leasesPath),
                      alive = std::weak_ptr<const void>(m_alive)](zk::Code code) {
                         done(code);
                         if (alive.lock() && code == zk::Code::ok && fewer)
                             noteLeasesWhenKnown(count);
                     });
}

void Run::noteLeasesWhenKnown(std::uint32_t count)
{
    if (count != m_leases)
        return; // changed again
    const bool known = std::all_of(m_clients.begin(), m_clients.end(),
                                   [count](const auto& entry) { return entry.second->knowsLeases(count); });
    if (known)
        return noteLeases(count);
    m_hub.after(std::chrono::milliseconds(10), [this, count, alive = std::weak_ptr<const void>(m_alive)] {
        if (alive.lock())
            noteLeasesWhenKnown(count);
    });
}

void Run::noteLeases(std::uint32_t count)
{
    const LockPlace& place = m_context.places.front();
    m_recorder.record(ClientId::none(), place.queue, trace::LockLimit{count});
    place.resource->setPermits(count);
}

// ---- the servers -----------------------------------------------------------------------------------------

namespace {

std::string serverText(const Deed& deed, std::uint32_t number)
{
    return deed.member == Deed::Member::single ? "" : "server " + std::to_string(number);
}

} // namespace

void Run::doToServer(const Deed& deed)
{
    using Kind = Deed::Kind;
    const std::string_view verb = verbOf(deed);
    ServerHand* server = m_world.server;
    if (!server)
        return refuse(verb, ClientId::none(), "This ZooKeeper is not LockScope's own: it is left alone.");
    const ServerChoice which{deed.member, deed.number};
    const auto done = [this, deed, verb, alive = std::weak_ptr<const void>(m_alive)](std::uint32_t number,
                                                                                     Result<void> result) {
        if (!alive.lock())
            return;
        if (!result)
            refuse(verb, ClientId::none(), result.error().text());
        else if (deed.kind == Kind::stopServer)
            continueServer(deed, number);
    };
    const Result<std::uint32_t> number = deed.kind == Kind::stopServer ? server->suspend(which, done)
                                         : deed.kind == Kind::killServer
                                             ? server->killNow(which, done)
                                             : server->restart(which, deed.withData, done);
    if (!number)
        return refuse(verb, ClientId::none(), number.error().text());
    std::string argument = serverText(deed, *number);
    if (!deed.withData)
        argument += argument.empty() ? "without its data" : ", without its data";
    accept(verb, ClientId::none(), argument);
}

// It has been stopped; `deed` says for how long.
void Run::continueServer(const Deed& deed, std::uint32_t number)
{
    const ServerChoice same{deed.member == Deed::Member::single ? deed.member : Deed::Member::numbered,
                            number};
    const Duration span = deed.span.value_or(std::chrono::seconds(1));
    later(span, [this, same, argument = serverText(deed, number)] {
        constexpr std::string_view verb = "continue_server";
        const auto done = [this, alive = std::weak_ptr<const void>(m_alive), verb](std::uint32_t, Result<void> result) {
            if (alive.lock() && !result)
                refuse(verb, ClientId::none(), result.error().text());
        };
        accept(verb, ClientId::none(), argument);
        if (const Result<std::uint32_t> begun = m_world.server->resume(same, done); !begun)
            refuse(verb, ClientId::none(), begun.error().text());
    });
}

} // namespace lockscope::sim
