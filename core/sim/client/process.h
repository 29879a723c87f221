// A simulated process: one session and the clients that share it, as threads of a program do. Most processes
// have one client. Makes a new session when the old one has ended. Connects through a link when the run has
// links. I/O thread.
#pragma once

#include "core/sim/run/client_link.h"
#include "core/zk/hub.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::sim {

class Client;

class Process
{
public:
    // `link`: null for a direct connection to `hosts`. The hub must outlive the process.
    Process(zk::Hub& hub, std::string hosts, Duration sessionTimeout, std::unique_ptr<ClientLink> link);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void join(Client* client) { m_clients.push_back(client); }
    void leave(Client* client); // the last one closes the session
    const std::vector<Client*>& clients() const { return m_clients; }

    // The current session, or a new one when it has ended.
    const std::shared_ptr<zk::HubSession>& session();
    ClientLink* link() const { return m_link.get(); }

private:
    zk::Hub& m_hub;
    std::string m_hosts;
    Duration m_timeout;
    std::unique_ptr<ClientLink> m_link;
    std::shared_ptr<zk::HubSession> m_session;
    std::vector<Client*> m_clients;
};

} // namespace lockscope::sim
