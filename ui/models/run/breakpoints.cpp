#include "ui/models/run/breakpoints.h"

#include <utility>

namespace lockscope::ui {

void Breakpoints::setAvailable(bool available)
{
    if (std::exchange(m_available, available) != available)
        emit changed();
}

bool Breakpoints::has(ClientId client, GateStep step) const
{
    const auto known = m_steps.find(client);
    return known != m_steps.end() && known->second.contains(step);
}

std::set<ClientId> Breakpoints::at(GateStep step) const
{
    std::set<ClientId> clients;
    for (const auto& [client, steps] : m_steps)
        if (steps.contains(step))
            clients.insert(client);
    return clients;
}

void Breakpoints::set(ClientId client, GateStep step, bool on)
{
    if (!m_available || !client.valid() || has(client, step) == on)
        return;
    if (on) {
        m_steps[client].insert(step);
    } else {
        const auto known = m_steps.find(client);
        known->second.erase(step);
        if (known->second.empty())
            m_steps.erase(known);
    }
    emit changeRequested(client, step, on);
    emit changed();
}

void Breakpoints::remove(ClientId client)
{
    if (m_steps.erase(client) > 0)
        emit changed();
}

void Breakpoints::clear()
{
    if (std::exchange(m_steps, {}).empty())
        return;
    emit changed();
}

} // namespace lockscope::ui

#include "moc_breakpoints.cpp"
