#include "core/sim/client/process.h"

#include <algorithm>

namespace lockscope::sim {

Process::Process(zk::Hub& hub, std::string hosts, Duration sessionTimeout, std::unique_ptr<ClientLink> link)
    : m_hub(hub)
    , m_hosts(std::move(hosts))
    , m_timeout(sessionTimeout)
    , m_link(std::move(link))
{}

Process::~Process() = default;

void Process::leave(Client* client)
{
    std::erase(m_clients, client);
    if (!m_clients.empty() || !m_session)
        return;
    m_session->close();
    // Keep the link until the server has received the close.
    m_hub.whenClosed([link = std::shared_ptr<ClientLink>(std::move(m_link))] {});
}

const std::shared_ptr<zk::HubSession>& Process::session()
{
    if (!m_session || isOver(m_session->phase()))
        m_session =
            m_hub.connect({m_link ? m_link->hosts() : m_hosts, m_timeout, std::chrono::seconds(15), m_hosts});
    return m_session;
}

} // namespace lockscope::sim
