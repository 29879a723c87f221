// The server's state as the observer session reads it: lists, which may lag behind all other events.
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
    if (m_lock->watched) // a name may be reused
        while (DeletedNode* gone = deletedNode(m_lock->id, e.node))
            gone->replaced = true;
    const std::size_t place = addNode(*m_lock, e.node);
    markObserved(*m_lock, e.node, true);
    if (place == kNotFound)
        return; // the observer is late: the node is already gone
    NodeRow& node = m_lock->queue[place];
    if (e.session.valid() && !node.session.valid())
        node.session = e.session;
    if (e.czxid.valid() && !node.token.valid())
        node.token = e.czxid;
    if (m_lock->watched)
        return addWatchedNode(*m_lock, node, e);
    if (node.owner.valid())
        return;
    // The session may be one of this run's even if the observer did not know that: the reply to the owner's
    // create is under way or was lost. Until the owner knows of the node, the node is an orphan.
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

// The observer reads one list after another. A node that was recorded before the previous list was read and
// that the observer has not seen is in neither list: it is gone. This holds only if the observer's events
// agree with its count and the node may be gone (mayBeDeleted).
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
