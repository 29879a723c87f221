#include "core/replay/state/run_state.h"

#include "core/replay/state/node_queue.h"

#include <algorithm>

namespace lockscope::replay {

const ClientRow* RunState::client(ClientId id) const
{
    return id.value < clients.size() ? &clients[id.value] : nullptr;
}

const LockRow* RunState::lock(LockId id) const
{
    return id.value < locks.size() ? &locks[id.value] : nullptr;
}

const NodeRow* RunState::node(LockId lockId, Text name) const
{
    const LockRow* row = lock(lockId);
    if (!row)
        return nullptr;
    const std::size_t at = node_queue::find(*row, name);
    return at == node_queue::kNotFound ? nullptr : &row->queue[at];
}

ClientId RunState::ownerOf(LockId lockId, Text nodeName) const
{
    const NodeRow* row = node(lockId, nodeName);
    return row ? row->owner : ClientId::none();
}

const ClientRow* RunState::nextInTurn() const
{
    const auto before = [](const ClientRow& row) {
        return row.steppedBy.valid() ? std::int64_t{row.steppedBy.value} : -1;
    };
    const ClientRow* next = nullptr;
    for (const ClientRow& row : clients)
        if (row.heldAt && (!next || before(row) < before(*next)))
            next = &row;
    return next;
}

const DeletedNode* RunState::deletedNode(LockId lockId, Text name) const
{
    if (lockId.value >= book.locks.size())
        return nullptr;
    const std::vector<DeletedNode>& gone = book.locks[lockId.value].gone;
    const auto found = std::find_if(gone.begin(), gone.end(), [&](const DeletedNode& node) {
        return !name.empty() && !node.replaced && node.name == name;
    });
    return found == gone.end() ? nullptr : &*found;
}

bool RunState::isLease(LockId lockId, Text nodeName) const
{
    const LockRow* row = lock(lockId);
    return row && (book.locks[lockId.value].limited || row->kind() == Recipe::semaphore ||
                   node_queue::isLease(nodeName));
}

bool onlyWatches(const RunState& state)
{
    return !state.locks.empty() && std::ranges::all_of(state.locks, &LockRow::watched);
}

LockSharing lockSharing(const RunState& state)
{
    bool leases = false, ordered = false;
    for (const LockRow& lock : state.locks) {
        const Recipe kind = lock.kind();
        if (isReadWrite(kind))
            return LockSharing::readers;
        leases = leases || isSemaphore(kind);
        ordered = ordered || isOrdered(kind);
    }
    return leases                           ? LockSharing::leases
           : ordered || state.locks.empty() ? LockSharing::exclusive
                                            : LockSharing::unordered;
}

const LockUse* RunState::lockUse(LockUseRef ref) const
{
    const ClientRow* row = client(ref.client);
    if (!row || row->number == ref.number)
        return row;
    const auto found = std::ranges::find(row->otherUses, ref.number, &LockUse::number);
    return found == row->otherUses.end() ? nullptr : &*found;
}

const LockUse* ClientRow::lockUse(LockId at, Text ownNode) const
{
    if (lock == at && node == ownNode)
        return this;
    const auto found = std::find_if(otherUses.begin(), otherUses.end(), [&](const LockUse& one) {
        return one.lock == at && one.node == ownNode;
    });
    return found == otherUses.end() ? nullptr : &*found;
}

bool ClientRow::hasStaleHold() const { return isStale || std::ranges::any_of(otherUses, &LockUse::isStale); }

std::vector<ClientId> clientsActingOnLostLock(const RunState& state)
{
    std::vector<ClientId> found;
    for (std::size_t i = 0; i < state.clients.size(); ++i) {
        const ClientRow& row = state.clients[i];
        const ClientBookkeeping& own = state.book.clients[i];
        if (row.phase != ClientPhase::removed && (row.hasStaleHold() || (own.inside && own.lostHold)))
            found.push_back(row.id);
    }
    return found;
}

std::size_t memoryBytes(const RunState& state)
{
    const Bookkeeping& book = state.book;
    std::size_t bytes = sizeof(state) + state.statistics.handoff.memoryBytes() +
                        state.statistics.wait.memoryBytes() + state.pauses.memoryBytes();
    bytes += state.clients.size() * (sizeof(ClientRow) + sizeof(ClientBookkeeping));
    bytes += state.locks.size() * (sizeof(LockRow) + sizeof(LockBookkeeping));
    bytes += book.sessions.size() * sizeof(SessionEntry) +
             book.sessionSuffixes.size() * sizeof(SessionSuffix) + state.notices.size() * sizeof(NoticeRow);
    if (book.clientsWithSeveralUses > 0) {
        for (const ClientRow& row : state.clients)
            bytes += row.otherUses.size() * sizeof(LockUse);
    }
    for (const LockRow& lock : state.locks)
        bytes += lock.queue.size() * sizeof(NodeRow) + lock.watches.believed.size() * sizeof(BelievedWatch) +
                 lock.watches.served.size() * sizeof(ServerWatch) +
                 lock.watches.compared.size() * sizeof(ComparedWatch);
    for (const LockBookkeeping& lock : book.locks)
        bytes += lock.gone.size() * sizeof(DeletedNode) + lock.believedHolders.size() * sizeof(LockUseRef) +
                 lock.waits.size() * sizeof(OpenWait) + lock.handoffs.ended.size() * sizeof(EndedHold) +
                 lock.handoffs.foreign.size() * sizeof(trace::Text);
    for (const Finding& finding : state.findings.all)
        bytes += finding.violations.size() * sizeof(Violation) + finding.lastViolation.encoded().size();
    return bytes;
}

} // namespace lockscope::replay
