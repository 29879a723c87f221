// Who takes part in a run that is under way: clients that come, come back and leave.
#include "core/sim/run/run.h"

#include <algorithm>

namespace lockscope::sim {

void Run::addClient()
{
    Participant who{clientName(0), {}, m_scenario.work, {}};
    for (std::uint32_t n = 0; std::any_of(m_roster.begin(), m_roster.end(),
                                          [&](const Participant& one) { return one.name == who.name; });)
        who.name = clientName(++n);
    const ClientId id{static_cast<ClientId::Value>(m_roster.size())};
    if (m_clients.size() >= kMaxClients)
        return refuse("add_client", ClientId::none(),
                      message("There are %1 clients already.", kMaxClients));
    if (const Result<void> fits = zk::checkSessionCapacity(m_clients.size() + 2); !fits)
        return refuse("add_client", ClientId::none(), fits.error().all());
    accept("add_client", id, who.name);
    m_roster.push_back(who);
    if (const Result<void> launched = launch(id, who, false); !launched)
        refuse("add_client", id, launched.error().all());
}

void Run::rejoin(const Action& action)
{
    const auto known = std::find_if(m_roster.begin(), m_roster.end(),
                                    [&](const Participant& one) { return one.name == action.client; });
    const ClientId id{static_cast<ClientId::Value>(known - m_roster.begin())};
    if (known == m_roster.end() || find(id))
        return refuse("rejoin_client", ClientId::none(),
                      known == m_roster.end() ? message("There never was a client \"%1\".", action.client)
                                              : message("%1 is still there.", action.client));
    const Participant who = *known;
    accept("rejoin_client", id, who.name);
    if (const Result<void> launched = launch(id, who, false); !launched)
        refuse("rejoin_client", id, launched.error().all());
}

void Run::removeClient(ClientId id)
{
    if (!id.valid()) { // the last one that is not on its way out already
        const auto last = std::find_if(m_clients.rbegin(), m_clients.rend(),
                                       [](const auto& entry) { return !entry.second->leaving(); });
        if (last != m_clients.rend())
            id = last->first;
    }
    Client* client = find(id);
    if (!client)
        return refuse("remove_client", id, noSuchClient());
    accept("remove_client", id, client->name());
    client->leave();
}

} // namespace lockscope::sim
