#include "core/sim/resource.h"

#include <algorithm>

namespace lockscope::sim {

bool Resource::enter(ClientId client, Zxid token)
{
    if (m_fenced && token < m_newest) {
        note(client, trace::ResourceAction::refused, token);
        return false;
    }
    m_newest = std::max(m_newest, token);
    note(client, trace::ResourceAction::entered, token);
    if (!m_inside.empty())
        note(client, trace::ResourceAction::conflict, m_inside.begin()->second);
    m_inside[client] = token;
    return true;
}

void Resource::leave(ClientId client)
{
    const auto inside = m_inside.find(client);
    if (inside == m_inside.end())
        return;
    const Zxid token = inside->second;
    m_inside.erase(inside);
    const bool outdated = m_fenced && token < m_newest;
    note(client, outdated ? trace::ResourceAction::refused : trace::ResourceAction::left, token);
}

void Resource::note(ClientId client, trace::ResourceAction action, Zxid token)
{
    m_recorder.record(client, m_lock, trace::ResourceUse{action, token});
}

} // namespace lockscope::sim
