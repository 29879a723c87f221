// What a script, or somebody at the window, does to the data and to the server.
#include "core/sim/run.h"

#include <algorithm>

namespace lockscope::sim {

ClientId Run::targetOf(const Deed& deed) const
{
    const auto matching = [&](const auto& entry) {
        return deed.target == Deed::Target::holder ? entry.second->holds()
                                                   : entry.second->name() == deed.client;
    };
    if (deed.target == Deed::Target::firstWaiter)
        return m_script->firstWaiter();
    const auto found = std::find_if(m_clients.begin(), m_clients.end(), matching);
    return found == m_clients.end() ? ClientId::none() : found->first;
}

void Run::carryOut(const Deed& deed)
{
    using Kind = Deed::Kind;
    const ClientId client = targetOf(deed);
    switch (deed.kind) {
    case Kind::kill:
        return killSession(client);
    case Kind::freeze:
        freeze(client);
        if (deed.span && find(client))
            m_context.hub.after(*deed.span, [this, client, alive = std::weak_ptr<const void>(m_alive)] {
                if (alive.lock() && find(client) && find(client)->frozen())
                    thaw(client);
            });
        return;
    case Kind::thaw:
        return thaw(client);
    case Kind::remove:
        if (find(client))
            return removeClient(client);
        return refuse("remove_client", client, "There is no such client any more.");
    case Kind::addClient:
        return addClient();
    case Kind::pause:
        return pause();
    case Kind::resume:
        return resume();
    case Kind::deleteNode:
        return deleteNode(client);
    case Kind::writeNode:
        return writeNode(client);
    case Kind::stopServer:
        return stopServer(deed.span.value_or(std::chrono::seconds(1)));
    case Kind::killServer:
        return killServer();
    }
}

// ---- the data
// ------------------------------------------------------------------------------------------------

void Run::deleteNode(ClientId client) { touchNode("delete_node", client, true); }

void Run::writeNode(ClientId client) { touchNode("write_node", client, false); }

void Run::touchNode(std::string_view verb, ClientId client, bool remove)
{
    const std::string node = m_script->nodeOf(client);
    if (node.empty()) {
        refuse(verb, client, "There is no such client, or it has no node in the queue.");
        return;
    }
    const EventIndex command = accept(verb, ClientId::none(), node);
    if (!m_dataHand)
        m_dataHand = std::make_unique<DataHand>(m_context.hub, m_context.hosts);
    if (remove)
        m_recorder.noteDeletion(m_lock, node, command);
    const auto done = [this, verb = std::string(verb), node,
                       alive = std::weak_ptr<const void>(m_alive)](zk::Code code) {
        if (alive.lock() && code != zk::Code::ok)
            refuse(verb, ClientId::none(), node + ": " + std::string(describe(code)) + ".");
    };
    const std::string path = m_scenario.lockPath + "/" + node;
    if (remove)
        m_dataHand->remove(path, done);
    else
        m_dataHand->write(path, "written by somebody else", done);
}

// ---- the server
// ------------------------------------------------------------------------------------------------

void Run::serverDone(std::string_view verb, const Result<void>& result)
{
    if (!result)
        refuse(verb, ClientId::none(), result.error().text());
}

void Run::stopServer(Duration span)
{
    if (!m_server) {
        refuse("stop_server", ClientId::none(), "This ZooKeeper is not LockScope's own: it is left alone.");
        return;
    }
    accept("stop_server", ClientId::none());
    serverDone("stop_server", m_server->suspend());
    m_context.hub.after(span, [this, alive = std::weak_ptr<const void>(m_alive)] {
        if (!alive.lock())
            return;
        accept("continue_server", ClientId::none());
        serverDone("continue_server", m_server->resume());
    });
}

void Run::killServer()
{
    if (!m_server) {
        refuse("kill_server", ClientId::none(), "This ZooKeeper is not LockScope's own: it is left alone.");
        return;
    }
    accept("kill_server", ClientId::none());
    serverDone("kill_server", m_server->killNow());
}

} // namespace lockscope::sim
