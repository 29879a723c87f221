#include "core/replay/fold.h"

#include "core/replay/node_queue.h"

#include <algorithm>

namespace lockscope::replay {

using node_queue::kNowhere;

namespace {
constexpr std::size_t kGoneKept = 512; // late events about a node come within milliseconds
constexpr std::size_t kNoticesKept = 100;
} // namespace

Fold::Fold(RunState& state, const trace::TraceStore& store, std::size_t index)
    : m_state(state)
    , m_store(store)
    , m_event(store.at(index))
    , m_index{static_cast<std::uint32_t>(index)}
    , m_judge(state, m_index, m_event.at)
{
    m_state.now = m_event.at;
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

std::size_t Fold::addNode(LockRow& lock, Text name)
{
    if (name.empty())
        return kNowhere;
    const std::size_t known = node_queue::find(lock.queue, name);
    if (known != kNowhere)
        return known;
    if (goneNode(lock.id, name))
        return kNowhere;
    NodeRow row = node_queue::makeRow(name);
    row.created = m_event.at;
    row.createdBy = m_index;
    if (row.sequence > lock.highestSequence && row.sequence <= std::numeric_limits<std::int32_t>::max())
        lock.highestSequence = static_cast<std::uint32_t>(row.sequence);
    return node_queue::insert(lock.queue, row);
}

void Fold::removeNode(LockRow& lock, Text name)
{
    const std::size_t place = node_queue::find(lock.queue, name);
    if (place != kNowhere)
        removeNode(lock, place);
}

void Fold::removeNode(LockRow& lock, std::size_t place)
{
    const NodeRow node = lock.queue[place];
    lock.queue.erase(lock.queue.begin() + static_cast<std::ptrdiff_t>(place));

    bool watched = false;
    for (ClientId watcher = node.firstWatcher; watcher.valid();) {
        ClientBook& book = m_state.book.clients[watcher.value];
        const ClientId next = book.nextWatcher;
        book.linked = false;
        book.nextWatcher = book.previousWatcher = ClientId::none();
        book.watchGoneBy = m_index;
        const NodeRow* own = nodeOf(m_state.clients[watcher.value]);
        watched = watched || (own && !own->deleteSent); // who gives up has dropped its watch
        watcher = next;
    }
    rememberGone(lock.id, node.name, node.owner, watched).observed = node.observed;
    if (watched)
        ++m_state.statistics.watchedGone;

    OpenRelease& release = m_state.book.locks[lock.id.value].release;
    if (release.open && release.node == node.name && !release.goneBy.valid())
        release.goneBy = m_index;
    if (node.owner.value >= m_state.clients.size())
        return;
    m_judge.nodeEnded();
    ClientRow& owner = m_state.clients[node.owner.value];
    if (owner.phase == ClientPhase::holding && owner.node == node.name) {
        release = OpenRelease{true, node.name, m_event.at, m_index};
        const SessionId gone = m_state.book.clients[node.owner.value].goneSession;
        startStale(owner, gone.valid() && gone == node.session);
    }
}

void Fold::removeNode(LockRow& lock, Text name, EventIndex by)
{
    const std::size_t place = node_queue::find(lock.queue, name);
    if (place == kNowhere)
        return;
    const NodeRow& node = lock.queue[place];
    if (node.sequence >= 0 || (by.valid() && by > node.createdBy))
        removeNode(lock, place);
}

void Fold::removeNodesOf(SessionId session, ClientId client)
{
    for (LockRow& lock : m_state.locks) {
        for (std::size_t i = lock.queue.size(); i-- > 0;) {
            const NodeRow& node = lock.queue[i];
            const bool same = session.valid() && node.session.valid()
                                  ? node.session == session
                                  : client.valid() && node.owner == client;
            if (same)
                removeNode(lock, i);
        }
    }
}

GoneNode* Fold::goneNode(LockId lock, Text name)
{
    LockBook& book = m_state.book.locks[lock.value];
    const std::int64_t sequence = node_queue::makeRow(name).sequence;
    if (sequence > book.highestGone)
        return nullptr; // a new one
    const std::size_t size = book.gone.size();
    for (std::size_t back = 1; back <= size;
         ++back) { // the newest first: it is nearly always among the first
        GoneNode& node = book.gone[(book.goneNext + size - back) % size];
        if (node.sequence == sequence && node.name == name)
            return &node;
    }
    return nullptr;
}

GoneNode& Fold::rememberGone(LockId lock, Text name, ClientId owner, bool watched)
{
    LockBook& book = m_state.book.locks[lock.value];
    const std::int64_t sequence = node_queue::makeRow(name).sequence;
    book.highestGone = std::max(book.highestGone, sequence);
    const GoneNode node{name, sequence, owner, m_index, ClientId::none(), 0, 0, watched, false};
    if (book.gone.size() < kGoneKept)
        return book.gone.emplace_back(node);
    GoneNode& slot = book.gone[book.goneNext];
    book.goneNext = (book.goneNext + 1) % kGoneKept;
    return slot = node;
}

void Fold::watch(Text name)
{
    if (!m_lock || !m_client || name.empty())
        return;
    unwatch(m_client->id);
    m_client->watches = name;
    if (NodeRow* own = nodeOf(*m_client))
        own->watches = name;
    const std::size_t place = addNode(*m_lock, name); // the server answered with it: it exists
    if (place == kNowhere) {
        const GoneNode* gone = goneNode(m_lock->id, name);
        m_book->watchGoneBy = gone ? gone->by : m_index;
        return;
    }
    NodeRow& node = m_lock->queue[place];
    m_book->linked = true;
    m_book->watchLock = m_lock->id;
    m_book->nextWatcher = node.firstWatcher;
    if (node.firstWatcher.valid())
        m_state.book.clients[node.firstWatcher.value].previousWatcher = m_client->id;
    node.firstWatcher = m_client->id;
}

void Fold::unlink(ClientId client)
{
    ClientBook& book = m_state.book.clients[client.value];
    book.watchGoneBy = EventIndex::none();
    if (!book.linked)
        return;
    if (book.previousWatcher.valid()) {
        m_state.book.clients[book.previousWatcher.value].nextWatcher = book.nextWatcher;
    } else {
        LockRow& lock = m_state.locks[book.watchLock.value];
        const std::size_t place = node_queue::find(lock.queue, m_state.clients[client.value].watches);
        if (place != kNowhere)
            lock.queue[place].firstWatcher = book.nextWatcher;
    }
    if (book.nextWatcher.valid())
        m_state.book.clients[book.nextWatcher.value].previousWatcher = book.previousWatcher;
    book.linked = false;
    book.nextWatcher = book.previousWatcher = ClientId::none();
}

void Fold::unwatch(ClientId client)
{
    unlink(client);
    ClientRow& row = m_state.clients[client.value];
    row.watches = {};
    if (NodeRow* own = nodeOf(row))
        own->watches = {};
}

NodeRow* Fold::nodeOf(const ClientRow& row)
{
    if (row.node.empty() || row.lock.value >= m_state.locks.size())
        return nullptr;
    LockRow& lock = m_state.locks[row.lock.value];
    const std::size_t place = node_queue::find(lock.queue, row.node);
    return place == kNowhere ? nullptr : &lock.queue[place];
}

Duration Fold::since(TraceTime begin) const
{
    Duration::rep length = 0;
    const bool nonsense = __builtin_sub_overflow(m_event.at.count(), begin.count(), &length);
    return Duration(nonsense || length < 0 ? 0 : length);
}

void Fold::setPhase(ClientRow& row, ClientPhase phase)
{
    if (row.phase == phase)
        return;
    row.phase = phase;
    row.phaseSince = m_event.at;
}

void Fold::startStale(ClientRow& row, bool bySession)
{
    if (row.serverSaysGone)
        return;
    row.serverSaysGone = true;
    row.staleSince = m_event.at;
    m_state.book.clients[row.id.value].staleBySession = bySession;
    m_state.book.clients[row.id.value].staleHold = true;
    m_judge.staleBegins(row.id);
}

void Fold::endBelief(ClientRow& row)
{
    if (row.lock.value < m_state.locks.size()) {
        LockBook& book = m_state.book.locks[row.lock.value];
        std::erase(book.believers, row.id);
    }
    if (!row.serverSaysGone)
        return;
    row.serverSaysGone = false;
    row.staleFor = since(row.staleSince);
    m_judge.staleChanged(row.id);
}

void Fold::leaveLock(ClientRow& row)
{
    endBelief(row);
    unwatch(row.id);
    row.depth = 0;
    row.node = {};
    row.lock = LockId::none();
    row.position = 0;
    row.step = Step::none;
    m_state.book.clients[row.id.value].createPending = false;
}

void Fold::addNotice(trace::Severity severity, Text text)
{
    if (m_state.notices.size() == kNoticesKept)
        m_state.notices.erase(m_state.notices.begin());
    m_state.notices.push_back({m_index, severity, text, m_event.at});
}

void Fold::rememberSession(SessionId session, ClientId client)
{
    auto& sessions = m_state.book.sessions;
    const auto place = std::lower_bound(sessions.begin(), sessions.end(), session,
                                        [](const SessionEntry& a, SessionId b) { return a.session < b; });
    if (place != sessions.end() && place->session == session)
        place->client = client;
    else
        sessions.insert(place, {session, client});
}

ClientId Fold::clientOfSession(SessionId session) const
{
    const auto& sessions = m_state.book.sessions;
    const auto place = std::lower_bound(sessions.begin(), sessions.end(), session,
                                        [](const SessionEntry& a, SessionId b) { return a.session < b; });
    return place != sessions.end() && place->session == session ? place->client : ClientId::none();
}

} // namespace lockscope::replay
