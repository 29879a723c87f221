#include "core/replay/fold/fold.h"

#include "core/replay/state/node_queue.h"

#include <algorithm>

namespace lockscope::replay {

using node_queue::kNotFound;

namespace {
constexpr std::size_t kDeletedNodesKept = 512; // late events about a node come within milliseconds
constexpr std::size_t kNoticesKept = 100;

// Messages between client and server, most of all events. The handlers report what follows from one: a hold
// becomes stale, or a client of a transaction log gets its turn.
bool isMessage(const trace::Payload& what)
{
    return std::holds_alternative<trace::Request>(what) || std::holds_alternative<trace::Reply>(what) ||
           std::holds_alternative<trace::WatchFired>(what) || std::holds_alternative<trace::Decided>(what);
}

// Whether the event may say that a node goes or is gone, or that a foreign one is there.
bool isAboutNode(const trace::Payload& what)
{
    if (const auto* request = std::get_if<trace::Request>(&what))
        return request->op == Operation::remove;
    if (const auto* reply = std::get_if<trace::Reply>(&what))
        return reply->op == Operation::remove;
    if (const auto* seen = std::get_if<trace::NodeSeen>(&what))
        return seen->foreign;
    return std::holds_alternative<trace::WatchFired>(what) ||
           std::holds_alternative<trace::NodeVanished>(what);
}

// Searches from the newest node on, because the match is nearly always a recent one.
template <class Match>
DeletedNode* newestGone(LockBookkeeping& book, Match match)
{
    std::size_t place = book.goneNext;
    for (std::size_t left = book.gone.size(); left > 0; --left) {
        place = (place > 0 ? place : book.gone.size()) - 1;
        if (match(book.gone[place]))
            return &book.gone[place];
    }
    return nullptr;
}
} // namespace

Fold::Fold(RunState& state, const trace::TraceStore& store, std::size_t index, Facts& facts)
    : m_state(state)
    , m_store(store)
    , m_event(store.at(index))
    , m_index{static_cast<std::uint32_t>(index)}
    , m_checker{state, m_index, m_event.at}
    , m_facts(facts)
{
    m_facts.clear();
    m_state.now = m_facts.at = m_facts.wentAt = m_facts.grantedAt = m_event.at;
    if (m_event.client.value < m_state.clients.size()) {
        m_client = &m_state.clients[m_event.client.value];
        m_book = &m_state.book.clients[m_event.client.value];
        m_client->lastEvent = m_index;
    }
    LockId lock = m_event.lock;
    if (!lock.valid() && m_client)
        lock = m_client->lock;
    if (lock.value < m_state.locks.size()) {
        m_lock = &m_state.locks[lock.value];
        m_lockBook = &m_state.book.locks[lock.value];
    }
}

void Fold::finish()
{
    if (m_event.client.value < m_state.clients.size()) {
        chooseFocus(m_state.clients[m_event.client.value]);
        if (!isMessage(m_event.what))
            m_facts.clients.push_back(m_event.client);
    }
    if (!m_state.cycle.empty())
        m_checker.recheckDeadlock();
    if (m_facts.granted || !m_facts.ended.empty() || isAboutNode(m_event.what))
        followHandoffs();
    m_facts.queued = m_state.statistics.queued;
}

std::size_t Fold::addNode(LockRow& lock, Text name)
{
    if (name.empty())
        return kNotFound;
    const std::size_t known = node_queue::find(lock, name);
    if (known != kNotFound)
        return known;
    if (deletedNode(lock.id, name))
        return kNotFound;
    NodeRow row = node_queue::makeRow(name, lock.watched);
    row.created = m_event.at;
    row.createdBy = m_index;
    if (row.sequence > lock.highestSequence && row.sequence <= std::numeric_limits<std::int32_t>::max())
        lock.highestSequence = static_cast<std::uint32_t>(row.sequence);
    Statistics& statistics = m_state.statistics;
    statistics.longestQueue = std::max(statistics.longestQueue, ++statistics.queued);
    return node_queue::insert(lock.queue, row);
}

void Fold::removeNode(LockRow& lock, Text name)
{
    const std::size_t place = node_queue::find(lock, name);
    if (place != kNotFound)
        removeNode(lock, place);
}

void Fold::removeNode(LockRow& lock, std::size_t place)
{
    const NodeRow node = lock.queue[place];
    lock.queue.erase(lock.queue.begin() + static_cast<std::ptrdiff_t>(place));
    --m_state.statistics.queued;

    bool watched = false;
    for (LockUse* watcher = find(node.firstWatcher); watcher;) {
        LockUse* next = find(watcher->nextWatcher);
        watcher->linked = false;
        watcher->nextWatcher = watcher->previousWatcher = {};
        watcher->watchGoneBy = m_index;
        const NodeRow* own = nodeOf(*watcher);
        watched = watched || (own && !own->deleteSent); // a waiter that gives up has dropped its watch
        watcher = next;
    }
    DeletedNode& gone = rememberDeleted(lock.id, node.name, node.owner, watched);
    gone.observed = node.observed;
    gone.createdBy = node.createdBy;
    if (watched)
        countDeleted(1, m_index);

    if (EndedHold* hold = m_state.book.locks[lock.id.value].handoffs.find(node.name);
        hold && !hold->goneBy.valid())
        hold->goneBy = m_index;
    if (node.owner.value >= m_state.clients.size())
        return;
    ClientRow& owner = m_state.clients[node.owner.value];
    if (lock.watched && !believes(owner, lock, node))
        return endWatchedHold(owner, lock, node);
    m_checker.nodeEnded();
    if (owner.phase == ClientPhase::holding && owner.node == node.name && owner.lock == lock.id)
        endHold(owner, owner, node);
    for (std::size_t i = owner.otherUses.size(); i-- > 0;) {
        LockUse& other = owner.otherUses[i];
        if (other.node != node.name || other.lock != lock.id)
            continue;
        if (other.phase == ClientPhase::holding)
            endHold(owner, other, node);
        else if (!other.active())
            drop(owner, i); // nothing remains of this use
    }
}

// The server deleted the node of a client that holds with it.
void Fold::endHold(ClientRow& owner, LockUse& hold, const NodeRow& node)
{
    const SessionId gone = m_state.book.clients[owner.id.value].endedSession;
    startStale(owner, hold, gone.valid() && gone == node.session);
}

void Fold::removeNode(LockRow& lock, Text name, EventIndex by)
{
    const std::size_t place = node_queue::find(lock, name);
    if (place == kNotFound)
        return;
    const NodeRow& node = lock.queue[place];
    if (node.sequence >= 0 || (by.valid() && by > node.createdBy))
        removeNode(lock, place);
}

DeletedNode* Fold::deletedNode(LockId lock, Text name)
{
    LockBookkeeping& book = m_state.book.locks[lock.value];
    const std::int64_t sequence = node_queue::sequenceOf(name);
    if (sequence > book.highestDeleted)
        return nullptr; // a new node
    return newestGone(book, [&](const DeletedNode& node) {
        return node.sequence == sequence && !node.replaced && node_queue::sameName(node.name, name);
    });
}

// The node whose deletion fired this client's watch. A name without a number may be used again before all
// clients are notified: a watch that was requested before the present node was recorded is on the previous
// node.
DeletedNode* Fold::deletedNodeOfWatch(LockId lock, Text name)
{
    if (DeletedNode* gone = deletedNode(lock, name))
        return gone;
    const std::vector<NodeRow>& queue = m_state.locks[lock.value].queue;
    const std::size_t present = node_queue::find(m_state.locks[lock.value], name);
    const EventIndex asked =
        m_client->watchBy.valid() ? m_store.at(m_client->watchBy).cause : EventIndex::none();
    if (present != kNotFound && asked.valid() && asked > queue[present].createdBy)
        return nullptr; // the present node; its end is not recorded yet
    return newestGone(m_state.book.locks[lock.value],
                      [&](const DeletedNode& node) { return node.replaced && node.name == name; });
}

DeletedNode& Fold::rememberDeleted(LockId lock, Text name, ClientId owner, bool watched)
{
    LockBookkeeping& book = m_state.book.locks[lock.value];
    const std::int64_t sequence = node_queue::sequenceOf(name);
    book.highestDeleted = std::max(book.highestDeleted, sequence);
    const DeletedNode node{
        .name = name, .sequence = sequence, .owner = owner, .by = m_index, .watched = watched};
    if (book.gone.size() < kDeletedNodesKept)
        return book.gone.emplace_back(node);
    DeletedNode& slot = book.gone[book.goneNext];
    book.goneNext = (book.goneNext + 1) % kDeletedNodesKept;
    return slot = node;
}

NodeRow* Fold::nodeOf(const LockUse& one)
{
    if (one.node.empty() || one.lock.value >= m_state.locks.size())
        return nullptr;
    LockRow& lock = m_state.locks[one.lock.value];
    const std::size_t place = node_queue::find(lock, one.node);
    return place == kNotFound ? nullptr : &lock.queue[place];
}

Duration Fold::since(TraceTime begin) const { return lengthOf(begin, m_event.at); }

Duration Fold::runningSince(TraceTime begin) const { return m_state.pauses.without(begin, m_event.at); }

void Fold::addSince(Duration& sum, TraceTime begin) const
{
    const Duration more = runningSince(begin);
    if (sum <= Duration::max() - more)
        sum += more;
}

void Fold::addNotice(const trace::Notice& notice)
{
    if (m_state.notices.size() == kNoticesKept)
        m_state.notices.erase(m_state.notices.begin());
    m_state.notices.push_back({m_index, notice.severity, notice.text, m_event.at, m_event.client, notice.code,
                               notice.right, notice.path});
}

} // namespace lockscope::replay
