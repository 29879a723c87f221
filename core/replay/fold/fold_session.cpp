// Sessions, their clients, and the commands on them. The workers of a process share one session: it ends for
// all of them at once, and each is notified separately.
#include "core/replay/fold/fold.h"

#include "core/replay/state/overtaking.h"
#include "core/trace/command_verb.h"

#include <algorithm>
#include <bit>
#include <span>

namespace lockscope::replay {

namespace {

std::span<const SessionEntry> entriesOf(const std::vector<SessionEntry>& sessions, SessionId session)
{
    return {std::ranges::lower_bound(sessions, session, {}, &SessionEntry::session),
            std::ranges::upper_bound(sessions, session, {}, &SessionEntry::session)};
}

constexpr std::uint8_t kSessionDigits = 2; // the minimum

std::uint64_t reverseBits(std::uint64_t bits)
{
    std::uint64_t reversed = 0;
    for (int i = 0; i < 64; ++i, bits >>= 1)
        reversed = reversed << 1 | (bits & 1);
    return reversed;
}

SessionSuffix suffixOf(const ClientRow& row)
{
    return {reverseBits(static_cast<std::uint64_t>(row.sessionId.value)), row.id};
}

} // namespace

// Calls `what` for all clients that have had this session.
template <class F>
void Fold::forEachOf(SessionId session, F&& what)
{
    for (const SessionEntry& entry : entriesOf(m_state.book.sessions, session))
        what(m_state.clients[entry.client.value], m_state.book.clients[entry.client.value]);
}

// Calls `what` for the event's client and all clients that share its session.
template <class F>
void Fold::forEachTarget(F&& what)
{
    if (!m_client->sessionId.valid()) {
        what(*m_client, *m_book);
        return;
    }
    forEachOf(m_client->sessionId, [&](ClientRow& row, ClientBookkeeping& book) {
        if (row.sessionId == m_client->sessionId)
            what(row, book);
    });
}

void Fold::rememberSession(SessionId session, ClientId client)
{
    auto& sessions = m_state.book.sessions;
    const SessionEntry entry{session, client};
    const auto place = std::lower_bound(sessions.begin(), sessions.end(), entry);
    if (place == sessions.end() || *place != entry)
        sessions.insert(place, entry);
}

// A session's short name is its last digits: enough of them to distinguish the sessions of all clients. O(log
// n), and the move of the suffixes behind it; of the other sessions, the two neighbors have the most last
// digits in common.
void Fold::setSession(ClientRow& row, SessionId session)
{
    auto& suffixes = m_state.book.sessionSuffixes;
    if (const auto old = std::ranges::lower_bound(suffixes, suffixOf(row));
        old != suffixes.end() && *old == suffixOf(row))
        suffixes.erase(old);
    row.sessionId = session;
    row.sessionDigits = kSessionDigits;
    const SessionSuffix added = suffixOf(row);
    const auto [first, last] =
        std::ranges::equal_range(suffixes, added.reversed, {}, &SessionSuffix::reversed);
    const auto distinguish = [&](std::uint64_t neighbor) {
        const auto digits = static_cast<std::uint8_t>(std::countl_zero(neighbor ^ added.reversed) / 4 + 1);
        row.sessionDigits = std::max(row.sessionDigits, digits);
        for (const SessionSuffix& one :
             std::ranges::equal_range(suffixes, neighbor, {}, &SessionSuffix::reversed)) {
            std::uint8_t& others = m_state.clients[one.client.value].sessionDigits;
            others = std::max(others, digits);
        }
    };
    if (first != suffixes.begin())
        distinguish(std::prev(first)->reversed);
    if (last != suffixes.end())
        distinguish(last->reversed);
    suffixes.insert(std::ranges::lower_bound(suffixes, added), added);
}

// The client of the session; of several, the one that waits for the reply to a create on this lock.
ClientId Fold::ownerBySession(SessionId session, LockId lock)
{
    ClientId owner = ClientId::none();
    bool expects = false;
    forEachOf(session, [&](ClientRow& row, ClientBookkeeping&) {
        bool here = false;
        forEach(row, [&](const LockUse& one) { here = here || (one.createPending && one.lock == lock); });
        if (!owner.valid() || (here && !expects))
            owner = row.id;
        expects = expects || here;
    });
    return owner;
}

template <class Match>
void Fold::removeNodesIf(Match match)
{
    for (LockRow& lock : m_state.locks)
        for (std::size_t i = lock.queue.size(); i-- > 0;)
            if (i < lock.queue.size() && match(lock.queue[i]))
                removeNode(lock, i);
}

void Fold::removeNodesOf(SessionId session, ClientId client)
{
    removeNodesIf([&](const NodeRow& node) {
        return session.valid() && node.session.valid() ? node.session == session
                                                       : client.valid() && node.owner == client;
    });
}

void Fold::operator()(const trace::Command& e)
{
    if (!m_client)
        return;
    const trace::CommandKind kind = trace::commandKind(e.verb);
    if (trace::isFault(kind)) {
        ++m_client->tally.faults;
        m_client->tally.lastFault = m_index;
    }
    const bool freezes = kind == trace::CommandKind::freeze;
    if (!freezes && kind != trace::CommandKind::thaw) {
        if (kind == trace::CommandKind::endSession)
            forEachTarget([](ClientRow&, ClientBookkeeping& book) { book.sessionEndExpected = true; });
        return;
    }
    forEachTarget([&](ClientRow& row, ClientBookkeeping& book) {
        if (row.frozen != freezes)
            row.frozenBy = m_index;
        row.frozen = freezes;
        changed(row);
        forEach(row, [&](const LockUse& one) {
            if (NodeRow* node = nodeOf(one))
                node->ownerFrozen = freezes;
        });
        book.sessionEndExpected = book.thawed = !freezes;
    });
}

void Fold::operator()(const trace::CommandRefused& e)
{
    if (m_client && !m_client->frozen) // the refused command did nothing to the session
        forEachTarget([](ClientRow&, ClientBookkeeping& book) { book.sessionEndExpected = false; });
    if (!e.reason.empty())
        addNotice({trace::Severity::warning, e.reason, "command_refused"});
}

void Fold::operator()(const trace::SessionState& e)
{
    if (!m_client)
        return;
    ClientRow& row = *m_client;
    row.session = e.phase;
    row.sessionBy = m_index;
    if (e.phase == trace::SessionPhase::connected && e.timeout > Duration{})
        row.sessionTimeout = e.timeout;
    if (e.session.valid() && e.session.value != 0 && e.session != row.sessionId) {
        removeBelievedWatches(row);
        setSession(row, e.session);
        m_book->sessionEndExpected = m_book->thawed = false;
        rememberSession(e.session, row.id);
    }
    const bool over = row.phase == ClientPhase::finished || row.phase == ClientPhase::removed;
    if (e.phase == trace::SessionPhase::suspended)
        row.suspendedBy = row.suspendedBy.valid() ? row.suspendedBy : m_index;
    else if (e.phase != trace::SessionPhase::connecting)
        row.suspendedBy = EventIndex::none();
    switch (e.phase) {
    case trace::SessionPhase::connecting:
    case trace::SessionPhase::suspended:
        break;
    case trace::SessionPhase::connected:
        if (row.phase == ClientPhase::connecting || row.phase == ClientPhase::lost)
            setPhase(row, ClientPhase::idle);
        for (std::size_t i = row.otherUses.size(); i-- > 0;) {
            if (row.otherUses[i].phase == ClientPhase::lost)
                drop(row, i); // a use of the previous session; its end was not recorded
        }
        break;
    case trace::SessionPhase::lost:
        removeBelievedWatches(row);
        // A holder is notified by HoldLost; until then it still believes that it holds.
        forEach(row, [&](LockUse& one) {
            const bool idle = &one != m_client && !one.active();
            if (one.phase != ClientPhase::holding && !over && !idle)
                setPhase(one, ClientPhase::lost);
            unlink(one);
        });
        if (m_book->staleHold && !m_book->staleBySession) {
            m_book->staleBySession = true; // the lost session turns out to be the cause
            notifyStaleChanged(row);
        }
        break;
    case trace::SessionPhase::closed:
        removeBelievedWatches(row);
        // The client closed it: it no longer believes that it holds, and its nodes are deleted with the
        // session.
        forEach(row, [&](const LockUse& one) {
            m_book->lostHold = m_book->lostHold || one.phase == ClientPhase::holding;
        });
        leaveAll(row);
        if (!over)
            setPhase(row, ClientPhase::idle);
        removeOwnNodes(row);
        break;
    }
}

// Removes the nodes of a closed session. Other clients that share it close it too; their events follow this
// one.
void Fold::removeOwnNodes(const ClientRow& row)
{
    bool shared = false;
    forEachOf(row.sessionId, [&](const ClientRow& other, ClientBookkeeping&) {
        shared = shared || (other.id != row.id && other.sessionId == row.sessionId &&
                            other.session != trace::SessionPhase::closed);
    });
    if (shared)
        removeNodesIf([&](const NodeRow& node) { return node.owner == row.id; });
    else
        removeNodesOf(row.sessionId, row.id);
}

void Fold::operator()(const trace::SessionGone& e)
{
    const bool known = m_event.client.value < m_state.clients.size();
    const auto entries = entriesOf(m_state.book.sessions, e.session);
    // A transaction log records the end of a session by itself.
    const trace::CommandKind by = causingCommand();
    bool closed = false, open = false; // by one of its clients
    forEachOf(e.session, [&](const ClientRow& row, ClientBookkeeping&) {
        if (row.sessionId == e.session)
            (row.session == trace::SessionPhase::closed ? closed : open) = true;
    });
    if ((open || !closed) && by != trace::CommandKind::loggedClose && by != trace::CommandKind::loggedExpiry)
        m_facts.lostSession = entries.size() == 1 ? entries.front().client : m_event.client;
    if (!known && entries.empty()) {
        removeNodesOf(e.session, ClientId::none());
        return;
    }
    const ClientId client = known ? m_event.client : entries.front().client;
    ClientRow& named = m_state.clients[client.value];
    const SessionId session = e.session.valid() ? e.session : named.sessionId;
    const auto ends = [&](ClientBookkeeping& book) {
        book.endedSession = session;
        book.endedSessionBy = m_index;
    };
    ends(m_state.book.clients[client.value]);
    forEachOf(session, [&](ClientRow& row, ClientBookkeeping& book) {
        if (row.sessionId == session)
            ends(book);
    });
    removeNodesOf(session, client);
    if (session == named.sessionId)
        loseSession(named);
    forEachOf(session, [&](ClientRow& row, ClientBookkeeping&) {
        if (row.sessionId == session && row.id != client)
            loseSession(row);
    });
}

// The session ended on the server; the client does not know that yet.
void Fold::loseSession(ClientRow& row)
{
    ClientBookkeeping& book = m_state.book.clients[row.id.value];
    book.sessionEndExpected = book.thawed = false;
    bool wasStale = false;
    forEach(row, [&](LockUse& one) {
        unlink(one); // its watches ended with it
        if (LockBookkeeping* waits = bookOf(one); waits && one.acquireCalled.valid())
            overtaking::failed(*waits, one.acquireCalled, m_state.statistics);
        wasStale = wasStale || one.isStale;
    });
    if (wasStale) {
        book.staleBySession = true; // the end of its node was seen first
        notifyStaleChanged(row);
    }
    forEach(row, [&](LockUse& one) {
        if (one.phase == ClientPhase::holding && !one.isStale)
            startStale(row, one, true);
    });
}

// The session's end was recorded, but it lives.
void Fold::sessionLives(SessionId session)
{
    m_book->endedSession = SessionId::none();
    forEachOf(session, [&](ClientRow&, ClientBookkeeping& book) {
        if (book.endedSession == session)
            book.endedSession = SessionId::none();
    });
}

void Fold::notifyStaleChanged(const ClientRow& row)
{
    const LockUse* stale = &row;
    for (const LockUse& one : row.otherUses)
        stale = one.isStale && !stale->isStale ? &one : stale;
    m_checker.staleChanged(row.id, *stale);
}

} // namespace lockscope::replay
