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

std::string Run::describeStall()
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
    return still && now - m_idleSince >= patience ? describeRemaining() : std::string();
}

std::string Run::describeRemaining() const
{
    std::string words;
    std::size_t named = 0;
    for (const auto& [id, client] : m_clients)
        if (++named <= kMaxNamedClients)
            words += (words.empty() ? "" : ", ") + client->name() + " (" + describeState(*client) + ")";
    if (named > kMaxNamedClients)
        words += " and " + std::to_string(named - kMaxNamedClients) + " more";
    return words;
}

std::string Run::describeState(const Client& client) const
{
    if (client.frozen())
        return "frozen";
    if (const auto step = client.pendingStep())
        return "held before " + std::string(stepName(*step));
    if (client.held())
        return "paused";
    if (client.sessionPhase() != zk::SessionPhase::connected)
        return "not connected";
    return client.holds() ? "holds" : "waits";
}

} // namespace lockscope::sim
