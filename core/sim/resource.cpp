#include "core/sim/resource.h"

#include <algorithm>

namespace lockscope::sim {

bool Resource::outdated(Zxid token, bool shared) const
{
    return m_fenced && token < (shared ? m_newestAlone : m_newest);
}

bool Resource::enter(ClientId client, Zxid token, bool shared)
{
    if (outdated(token, shared)) {
        note(client, trace::ResourceAction::refused, token);
        return false;
    }
    m_newest = std::max(m_newest, token);
    if (!shared)
        m_newestAlone = std::max(m_newestAlone, token);
    note(client, trace::ResourceAction::entered, token);
    const auto other = std::find_if(m_inside.begin(), m_inside.end(),
                                    [shared](const auto& visit) { return !shared || !visit.second.shared; });
    if (other != m_inside.end())
        note(client, trace::ResourceAction::conflict, other->second.token);
    m_inside[client] = Visit{token, shared};
    return true;
}

void Resource::leave(ClientId client)
{
    const auto inside = m_inside.find(client);
    if (inside == m_inside.end())
        return;
    const Visit visit = inside->second;
    m_inside.erase(inside);
    const bool refused = outdated(visit.token, visit.shared);
    note(client, refused ? trace::ResourceAction::refused : trace::ResourceAction::left, visit.token);
}

void Resource::note(ClientId client, trace::ResourceAction action, Zxid token)
{
    m_recorder.record(client, m_lock, trace::ResourceUse{action, token});
}

} // namespace lockscope::sim
