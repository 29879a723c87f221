#include "ui/models/breakpoints.h"

#include <utility>

namespace lockscope::ui {

void Breakpoints::setAvailable(bool possible)
{
    if (std::exchange(m_available, possible) != possible)
        emit changed();
}

bool Breakpoints::has(ClientId client, trace::GateStep step) const
{
    const auto known = m_steps.find(client);
    return known != m_steps.end() && known->second.contains(step);
}

std::set<ClientId> Breakpoints::at(trace::GateStep step) const
{
    std::set<ClientId> clients;
    for (const auto& [client, steps] : m_steps)
        if (steps.contains(step))
            clients.insert(client);
    return clients;
}

void Breakpoints::set(ClientId client, trace::GateStep step, bool wanted)
{
    if (!m_available || !client.valid() || has(client, step) == wanted)
        return;
    if (wanted) {
        m_steps[client].insert(step);
    } else {
        const auto known = m_steps.find(client);
        known->second.erase(step);
        if (known->second.empty())
            m_steps.erase(known);
    }
    emit this->wanted(client, step, wanted);
    emit changed();
}

void Breakpoints::forget(ClientId client)
{
    if (m_steps.erase(client) > 0)
        emit changed();
}

void Breakpoints::forgetAll()
{
    if (std::exchange(m_steps, {}).empty())
        return;
    emit changed();
}

} // namespace lockscope::ui
