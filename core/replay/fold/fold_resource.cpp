// The protected resource's own record of its users.
#include "core/replay/fold/fold.h"

#include <algorithm>

namespace lockscope::replay {

void Fold::operator()(const trace::ResourceUse& e)
{
    if (!m_client || !m_lock)
        return;
    // If the client has several holds of the lock, the event is about the one with this token.
    const auto held =
        std::find_if(m_client->otherUses.begin(), m_client->otherUses.end(), [&](const LockUse& one) {
            return one.lock == m_lock->id && one.holds() && e.token.valid() && one.token == e.token;
        });
    if (held != m_client->otherUses.end())
        selectUse(*held);
    else
        selectUse({}, UseKind::holding);
    switch (e.action) {
    case trace::ResourceAction::entered:
        m_book->inside = true;
        m_lockBook->inside = m_client->id;
        break;
    case trace::ResourceAction::left:
        m_facts.usedLate = e.token.valid() && e.token < m_lockBook->highest.token &&
                           (m_client->phase != ClientPhase::holding || m_client->isStale);
        m_book->inside = false;
        if (m_lockBook->inside == m_client->id)
            m_lockBook->inside = ClientId::none();
        break;
    case trace::ResourceAction::conflict:
        m_checker.conflict(*m_lockBook, m_client->id, e.token);
        break;
    case trace::ResourceAction::refused:
        // The resource has seen a newer token: the client is outside, whatever it believes.
        m_book->refused = true;
        m_book->inside = false;
        if (m_lockBook->inside == m_client->id)
            m_lockBook->inside = ClientId::none();
        if (m_client->phase == ClientPhase::holding && !m_client->isStale)
            startStale(*m_client, *m_client, false);
        if (m_book->staleHold)
            m_checker.staleChanged(m_client->id, *m_client);
        break;
    }
}

void Fold::operator()(const trace::ResourceValue& e)
{
    if (!m_lock)
        return;
    m_lock->valueName = e.name;
    m_lock->value = e.value;
    m_lock->valueFaults += e.fault.empty() ? 0 : 1;
}

} // namespace lockscope::replay
