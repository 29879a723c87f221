#include "ui/models/selection.h"

namespace lockscope::ui {

void Selection::selectClient(ClientId client, const QString& node, EventIndex event)
{
    if (m_client == client && m_node == node && m_event == event)
        return;
    m_client = client;
    m_node = node;
    m_event = event;
    emit changed();
}

void Selection::selectNode(ClientId owner, const QString& node)
{
    if (m_client == owner && m_node == node)
        return;
    m_client = owner;
    m_node = node;
    m_event = EventIndex::none();
    emit changed();
}

void Selection::selectEvent(EventIndex event, ClientId client)
{
    if (m_event == event && m_client == client)
        return;
    if (m_client != client)
        m_node.clear();
    m_event = event;
    m_client = client;
    emit changed();
}

void Selection::selectLock(LockId lock)
{
    if (m_lock == lock)
        return;
    m_lock = lock;
    m_node.clear();
    emit changed();
}

void Selection::clear()
{
    if (!m_client.valid() && m_node.isEmpty() && !m_event.valid() && m_lock == LockId{0})
        return;
    m_client = ClientId::none();
    m_node.clear();
    m_event = EventIndex::none();
    m_lock = LockId{0};
    emit changed();
}

} // namespace lockscope::ui
