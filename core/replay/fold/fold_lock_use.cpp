// Selects the lock use that an event is about; begins and ends lock uses.
#include "core/replay/fold/fold.h"

#include "core/replay/state/node_queue.h"
#include "core/replay/state/overtaking.h"

#include <algorithm>
#include <utility>

namespace lockscope::replay {

namespace {

constexpr std::size_t kMaxOtherUses = 256; // per client; a broken trace must not make us search thousands

// Whether `a` is closer to what the client does now.
bool isLater(const LockUse& a, const LockUse& b)
{
    if (a.began != b.began)
        return !b.began.valid() || (a.began.valid() && a.began > b.began);
    return a.number > b.number;
}

int rankOf(const LockUse& one) { return one.waits() ? 2 : one.holds() ? 1 : 0; }

} // namespace

LockUse* Fold::find(LockUseRef ref) { return const_cast<LockUse*>(std::as_const(m_state).lockUse(ref)); }

LockBookkeeping* Fold::bookOf(const LockUse& one)
{
    return one.lock.value < m_state.locks.size() ? &m_state.book.locks[one.lock.value] : nullptr;
}

// A client can hold several leases of a lock at once, in no order.
bool Fold::isLease(const LockRow& lock, Text node) const { return m_state.isLease(lock.id, node); }

void Fold::selectUse(Text node, UseKind doing, OwnerId owner)
{
    if (!m_client || !m_lock)
        return;
    ClientRow& row = *m_client;
    if (row.otherUses.empty() && (!row.active() || !row.lock.valid() || row.lock == m_lock->id))
        return; // there is only one use
    LockUse* best = nullptr;
    int bestScore = 0;
    forEach(row, [&](LockUse& one) {
        if (one.lock != m_lock->id)
            return;
        const bool named = !node.empty() && one.node == node;
        const bool does =
            doing == UseKind::waiting ? one.waits() : one.holds() && (node.empty() || one.node.empty());
        if (!named && !does)
            return;
        const int score = (named ? 4 : 0) + (does ? 2 : 0) + (owner.valid() && one.owner == owner ? 1 : 0);
        if (score < bestScore || (score == bestScore && best && !isLater(one, *best)))
            return;
        best = &one;
        bestScore = score;
    });
    if (best)
        selectUse(*best);
    else if (row.active())
        addUse();
}

void Fold::selectUse(LockUse& one)
{
    LockUse& base = *m_client;
    if (&one != &base)
        std::swap(base, one);
}

void Fold::addUse()
{
    ClientRow& row = *m_client;
    if (row.otherUses.size() >= kMaxOtherUses)
        drop(row, 0);
    if (row.otherUses.empty())
        ++m_state.book.clientsWithSeveralUses;
    row.otherUses.push_back(row);
    static_cast<LockUse&>(row) = LockUse{};
    row.number = m_book->nextNumber++;
    row.phase = ClientPhase::idle;
    row.phaseSince = m_event.at;
    row.phaseBy = m_index;
}

void Fold::drop(ClientRow& row, std::size_t other)
{
    LockUse& one = row.otherUses[other];
    holdEnds(row, one);
    endBelief(row, one);
    endWait(one);
    unwatch(row, one);
    std::swap(one, row.otherUses.back());
    row.otherUses.pop_back();
    if (row.otherUses.empty())
        --m_state.book.clientsWithSeveralUses;
}

void Fold::chooseFocus(ClientRow& row)
{
    if (row.otherUses.empty())
        return;
    std::size_t best = 0;
    for (std::size_t i = 1; i < row.otherUses.size(); ++i) {
        const int rank = rankOf(row.otherUses[i]);
        const int bestRank = rankOf(row.otherUses[best]);
        if (rank > bestRank || (rank == bestRank && isLater(row.otherUses[i], row.otherUses[best])))
            best = i;
    }
    const int ours = rankOf(row);
    const int theirs = rankOf(row.otherUses[best]);
    if (theirs < ours || theirs == 0 || (theirs == ours && !isLater(row.otherUses[best], row)))
        return;
    std::swap(static_cast<LockUse&>(row), row.otherUses[best]);
    if (ours == 0 && !nodeOf(row.otherUses[best]))
        drop(row, best); // nothing remains of this use
}

void Fold::setPhase(LockUse& one, ClientPhase phase)
{
    if (one.phase == phase)
        return;
    one.phase = phase;
    one.phaseSince = m_event.at;
    one.phaseBy = m_index;
}

void Fold::giveUp(const ClientRow& row, const LockUse& one)
{
    if (one.phase == ClientPhase::holding && !one.isStale)
        m_facts.ended.push_back({one.lock, row.id, one.node});
}

void Fold::holdEnds(ClientRow& row, const LockUse& one)
{
    if (one.phase != ClientPhase::holding)
        return;
    giveUp(row, one);
    addSince(row.tally.held, one.heldSince);
    ++row.tally.holds;
    row.tally.lastHeld = m_index;
}

void Fold::startStale(ClientRow& row, LockUse& one, bool bySession)
{
    if (one.isStale)
        return;
    giveUp(row, one);
    changed(row);
    one.isStale = true;
    one.staleSince = m_event.at;
    one.staleBy = m_index;
    ClientBookkeeping& book = m_state.book.clients[row.id.value];
    book.staleBySession = bySession;
    book.staleHold = true;
    book.staleToken = one.token;
    m_checker.staleBegins(row.id, one);
}

void Fold::endBelief(ClientRow& row, LockUse& one)
{
    if (LockBookkeeping* book = bookOf(one))
        std::erase(book->believedHolders, refOf(row, one));
    if (!one.isStale)
        return;
    one.isStale = false;
    row.staleFor = since(one.staleSince);
    m_checker.staleChanged(row.id, one);
}

void Fold::endWait(LockUse& one)
{
    LockBookkeeping* book = bookOf(one);
    if (book && one.acquireCalled.valid())
        overtaking::failed(*book, one.acquireCalled, m_state.statistics);
    one.acquireCalled = one.calledAgain = EventIndex::none();
}

void Fold::leaveLock(ClientRow& row, LockUse& one)
{
    holdEnds(row, one);
    endBelief(row, one);
    endWait(one);
    unwatch(row, one);
    one.depth = 0;
    one.node = one.ahead = {};
    one.lock = LockId::none();
    one.position = 0;
    one.requests = 0;
    one.step = Step::none;
    one.createPending = false;
    one.listWatchBy = EventIndex::none();
}

void Fold::leaveAll(ClientRow& row)
{
    while (!row.otherUses.empty())
        drop(row, row.otherUses.size() - 1);
    leaveLock(row, row);
}

} // namespace lockscope::replay
