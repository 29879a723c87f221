// Whether a run goes on by itself, for one that is left alone: a client that is held, paused or frozen moves only when
// the script says so, and who waits for its lock waits as long.
#include "core/sim/run/run.h"
#include "core/sim/scenario/scenario_text.h"

#include <algorithm>

namespace lockscope::sim {

namespace {

constexpr std::size_t kMaxNamedClients = 5;
constexpr Duration kIdleTime = std::chrono::seconds(1); // what is under way has come to its end

} // namespace

Message Run::describeStall()
{
    const MonotonicTime now = m_hub.now();
    bool blocked = !m_clients.empty(), held = true, stopped = false;
    for (const auto& [id, client] : m_clients) {
        blocked = blocked && client->blocked();
        held = held && client->held();
        stopped = stopped || client->held() || client->frozen();
    }
    // Who waits on a server of others may wait for one of them.
    const bool still = blocked && (stopped || m_environment.server) && m_pending == 0 && !m_script->hasPendingTimers() &&
                       m_script->clientEvents() == m_clientEvents;
    m_clientEvents = m_script->clientEvents();
    if (!still)
        m_idleSince = now;
    // A session that the server has not heard of for long ends, and others go on: they are given that time.
    const Duration patience = held ? kIdleTime : kIdleTime + 2 * m_scenario.sessionTimeout;
    return still && now - m_idleSince >= patience ? describeRemaining() : Message();
}

Message Run::describeRemaining() const
{
    std::vector<Message> named;
    for (const auto& [id, client] : m_clients)
        if (named.size() < kMaxNamedClients)
            named.push_back(message("%1 (%2)", client->name(), describeState(*client)));
    const std::size_t more = m_clients.size() - named.size();
    return more > 0 ? message("%1 and %2 more", listed(named), more) : listed(named);
}

Message Run::describeState(const Client& client) const
{
    if (client.frozen())
        return message("frozen");
    if (const auto step = client.pendingStep())
        return message("held before %1", stepName(*step));
    if (client.held())
        return message("paused");
    if (client.sessionPhase() != zk::SessionPhase::connected)
        return message("not connected");
    return client.holds() ? message("holds") : message("waits");
}

} // namespace lockscope::sim
