#include "ui/models/run/selection.h"

namespace lockscope::ui {

using Kind = Selected::Kind;

void Selection::select(const Selected& what)
{
    if (m_now == what)
        return;
    m_now = what;
    emit changed();
}

void Selection::selectClient(ClientId client, const QString& node, EventIndex event)
{
    select({client.valid() ? Kind::client : Kind::nothing, client, node, m_now.lock, event});
}

void Selection::selectNode(ClientId owner, const QString& node)
{
    select({Kind::node, owner, node, m_now.lock, EventIndex::none()});
}

// The client's node stays selected with its event.
QString Selection::nodeKeptFor(ClientId client) const
{
    return m_now.client == client ? m_now.node : QString();
}

void Selection::selectEvent(EventIndex event, ClientId client)
{
    select({event.valid() ? Kind::event : Kind::nothing, client, nodeKeptFor(client), m_now.lock, event});
}

void Selection::selectHandoff(EventIndex acquired, ClientId to)
{
    select({Kind::handoff, to, nodeKeptFor(to), m_now.lock, acquired});
}

void Selection::selectLock(LockId lock)
{
    if (m_now.lock == lock)
        return;
    Selected other = m_now;
    other.lock = lock;
    other.node.clear();
    if (other.kind == Kind::node)
        other.kind = other.client.valid() ? Kind::client : Kind::nothing;
    select(other);
}

void Selection::clear() { select({}); }

} // namespace lockscope::ui

#include "moc_selection.cpp"
