// The server's word as the observer session reads it: lists, which may lag behind everything else.
#include "core/replay/fold/fold.h"

#include "core/replay/state/node_queue.h"

namespace lockscope::replay {

using node_queue::kNotFound;

void Fold::markObserved(LockRow& lock, Text name, bool observed)
{
    const std::size_t place = node_queue::find(lock, name);
    bool* mark = nullptr;
    if (place != kNotFound)
        mark = &lock.queue[place].observed;
    else if (DeletedNode* gone = deletedNode(lock.id, name))
        mark = &gone->observed;
    if (!mark || *mark == observed)
        return;
    *mark = observed;
    std::uint32_t& count = m_state.book.locks[lock.id.value].observedNodes;
    count = observed ? count + 1 : count - 1;
}

void Fold::operator()(const trace::NodeSeen& e)
{
    if (!m_lock)
        return;
    if (m_lock->watched) // a name may be used again
        while (DeletedNode* gone = deletedNode(m_lock->id, e.node))
            gone->replaced = true;
    const std::size_t place = addNode(*m_lock, e.node);
    markObserved(*m_lock, e.node, true);
    if (place == kNotFound)
        return; // the observer is late: it is gone already
    NodeRow& node = m_lock->queue[place];
    if (e.session.valid() && !node.session.valid())
        node.session = e.session;
    if (e.czxid.valid() && !node.token.valid())
        node.token = e.czxid;
    if (m_lock->watched)
        return addWatchedNode(*m_lock, node, e);
    if (node.owner.valid())
        return;
    // One of our sessions, whatever the observer knew of it: the owner's own reply is under way or was lost;
    // until the owner knows the node it has no owner.
    node.owner = ownerBySession(e.session, m_lock->id);
    node.phase = node.owner.valid() ? NodePhase::orphan : NodePhase::foreign;
}

void Fold::operator()(const trace::NodeVanished& e)
{
    if (!m_lock)
        return;
    const NodeRow* node = m_state.node(m_lock->id, e.node);
    const bool held = m_lock->watched && node && node->phase == NodePhase::holds;
    removeNode(*m_lock, e.node, m_lock->watched ? m_index : EventIndex::none());
    markObserved(*m_lock, e.node, false);
    if (held)
        updateWatchedHolders(*m_lock);
}

void Fold::operator()(const trace::PathState& e)
{
    if (m_lock)
        m_lock->place = e;
}

// The observer reads one list after the other. A node that was there before its last list was read, and that
// it has never seen, is in none of them: it is gone. Only when its records agree with its own count, and the
// node may be gone at all.
void Fold::operator()(const trace::Observed& e)
{
    if (!m_lock)
        return;
    const EventIndex previous = m_lockBook->lastObserved;
    if (m_lock->watched)
        updateWatchedHolders(*m_lock);
    m_lockBook->lastObserved = m_index;
    if (!previous.valid() || m_lockBook->observedNodes != e.count)
        return;
    for (std::size_t i = m_lock->queue.size(); i-- > 0;) {
        const NodeRow& node = m_lock->queue[i];
        if (!node.observed && node.createdBy < previous && mayBeDeleted(node))
            removeNode(*m_lock, i);
    }
}

} // namespace lockscope::replay
