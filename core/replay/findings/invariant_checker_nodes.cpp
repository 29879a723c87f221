// The rules about nodes, watches and deadlocks, and those that are checked when a client or the run ends.
#include "core/replay/findings/deadlock.h"
#include "core/replay/findings/invariant_checker.h"
#include "core/replay/findings/wording.h"
#include "core/replay/state/node_queue.h"

#include <algorithm>

namespace lockscope::replay {

namespace {
constexpr std::size_t kDeadlocksKept = 16;

// "second", "3rd", "11th", "21st".
Message ordinal(std::uint32_t number)
{
    if (number == 2)
        //: a number, in "ada was the second client woken"
        return message("second");
    const std::string digits = wording::groupDigits(number);
    const std::uint32_t last = number / 10 % 10 == 1 ? 0 : number % 10;
    return last == 1   ? message("%1st", digits)
           : last == 2 ? message("%1nd", digits)
           : last == 3 ? message("%1rd", digits)
                       : message("%1th", digits);
}

bool isOrphan(InvariantChecker& in, const NodeRow& node)
{
    if (node.phase == NodePhase::foreign || !node.owner.valid())
        return false;
    const ClientRow* owner = in.state.client(node.owner);
    if (!owner)
        return true;
    if (owner->session == trace::SessionPhase::lost || owner->session == trace::SessionPhase::closed ||
        (node.session.valid() && node.session != owner->sessionId))
        return false; // it is deleted with its session, if it still exists
    return owner->node != node.name &&
           std::ranges::find(owner->otherUses, node.name, &LockUse::node) == owner->otherUses.end();
}

// Nodes of its session that the client does not know: the reply to a create was lost, and it made another
// node. Not for clients that share a session, because their nodes cannot be told apart.
void unknownAtRest(InvariantChecker& in, const ClientRow& row)
{
    for (LockRow& lock : in.state.locks) {
        for (NodeRow& node : lock.queue) {
            const bool unknown = node.owner == row.id && node.phase == NodePhase::orphan && node.observed &&
                                 node.session == row.sessionId && !node.deleteSent && !node.leftBehind;
            if (!unknown)
                continue;
            node.leftBehind = true;
            in.checked(FindingKind::noOrphanNode);
            in.violated(
                FindingKind::noOrphanNode, row.id, node.createdBy,
                message("%1 is done and never knew of %2, which blocks the queue until its session ends.",
                        in.name(row.id), wording::node(node.name, node.sequence)));
        }
    }
}

void atRest(InvariantChecker& in, ClientId client, const LockUse& one)
{
    if (one.node.empty() || !in.state.lock(one.lock))
        return;
    LockRow& lock = in.state.locks[one.lock.value];
    std::vector<NodeRow>& queue = lock.queue;
    const std::size_t place = node_queue::find(lock, one.node);
    if (place == node_queue::kNotFound || queue[place].deleteSent || queue[place].owner != client)
        return;
    NodeRow* node = &queue[place];
    node->phase = NodePhase::orphan;
    node->leftBehind = true;
    in.checked(FindingKind::noOrphanNode);
    in.violated(FindingKind::noOrphanNode, client, node->createdBy,
                message("%1 is done, but its %2 remains.", in.name(client),
                        wording::node(node->name, node->sequence)));
}

void stillAsleep(InvariantChecker& in, const ClientRow& row, const LockUse& one)
{
    if (!one.watchGoneBy.valid() || one.phase != ClientPhase::waiting || row.frozen ||
        row.session != trace::SessionPhase::connected)
        return;
    in.checked(FindingKind::noLostWakeup);
    in.violated(FindingKind::noLostWakeup, row.id, one.watchGoneBy,
                message("%1 still sleeps on %2, which is gone: its watch never fired.", in.name(row.id),
                        wording::node(one.watches, node_queue::sequenceOf(one.watches))));
}

} // namespace

// no_lost_wakeup: a client that sleeps on a deleted node notices that: its watch fires, or it reads the list
// again without being woken. Judged when the run has finished; until then the watch event may still be under
// way. A frozen or disconnected client cannot be notified, and a client that gave up does not need to be.
void InvariantChecker::wakeUpNoticed() { checked(FindingKind::noLostWakeup); }

// no_orphan_node: every node of this run belongs to a client that knows of it. Judged when a client finishes
// or is removed while a node of its live session remains and no delete is under way, and for every node of a
// live session that remains when the run has finished. A node that has ended was not left behind.
void InvariantChecker::nodeEnded() { checked(FindingKind::noOrphanNode); }

// The server's log shows that a node was left behind when its holder's session expires: the node has then
// stayed at least for the session timeout after the last packet from its holder reached the server.
void InvariantChecker::holdEndedOnServer(ClientId client, const NodeRow& node, bool expired)
{
    checked(FindingKind::noOrphanNode);
    if (expired)
        violated(FindingKind::noOrphanNode, client, node.createdBy,
                 message("%1 of %2 stayed until its session expired.",
                         wording::node(node.name, node.sequence), name(client)));
}

void InvariantChecker::clientAtRest(ClientId client)
{
    const ClientRow* row = state.client(client);
    if (!row || row->session != trace::SessionPhase::connected)
        return;
    atRest(*this, client, *row);
    for (const LockUse& one : row->otherUses)
        atRest(*this, client, one);
    if (row->process.empty())
        unknownAtRest(*this, *row);
}

void InvariantChecker::runAtRest()
{
    for (const LockRow& lock : state.locks) {
        if (lock.watched)
            continue; // its clients continue after the end of the trace
        for (const NodeRow& node : lock.queue) {
            if (node.phase == NodePhase::foreign || !node.owner.valid() || node.leftBehind)
                continue;
            checked(FindingKind::noOrphanNode);
            if (isOrphan(*this, node))
                violated(FindingKind::noOrphanNode, node.owner, node.createdBy,
                         message("%1 of %2 remains at the end, and %3 does not know of it.",
                                 wording::node(node.name, node.sequence), name(node.owner),
                                 name(node.owner)));
        }
    }
    for (const ClientRow& row : state.clients) {
        stillAsleep(*this, row, row);
        for (const LockUse& one : row.otherUses)
            stillAsleep(*this, row, one);
    }
}

// no_herd: the end of a node (or one change of the list) wakes at most one client that waits for it. A watch
// on the client's own node, or one whose owner has given up, wakes no waiting client and is not counted.
void InvariantChecker::woken(Text node, std::uint32_t all, std::uint32_t woken, ClientId client,
                             EventIndex against)
{
    Finding& finding = state.findings.of(FindingKind::noHerd);
    finding.maxWoken = std::max(finding.maxWoken, all);
    checked(FindingKind::noHerd);
    if (woken < 2)
        return;
    const std::int64_t sequence = node_queue::sequenceOf(node);
    const Message cause = node.empty()    ? message("one change of the list")
                          : sequence >= 0 ? message("node %1 going", sequence)
                                          : message("%1 going", wording::cappedName(node));
    violated(FindingKind::noHerd, client, against,
             message("%1 was the %2 client woken by %3.", name(client), ordinal(woken), cause));
}

// no_stray_watch: a watch set with exists on a missing node waits for the node's creation. A name with a
// sequence number is never created again, so that watch never fires and stays on the server until the session
// ends. A name without a number can be created again.
void InvariantChecker::existsWatched(ClientId client, Text node, bool isThere, EventIndex request)
{
    checked(FindingKind::noStrayWatch);
    const std::int64_t sequence = node_queue::sequenceOf(node);
    if (isThere || sequence < 0)
        return;
    violated(FindingKind::noStrayWatch, client, request,
             message("%1 set a watch on %2, which is gone and never comes back: the server keeps the "
                     "watch as long as the session.",
                     name(client), wording::node(node, sequence)));
}

// no_deadlock: a new wait may close a circle of waits. Each circle is reported once; setting a watch again
// makes no new circle.
void InvariantChecker::waitBegan(ClientId client, const LockUse& one)
{
    checked(FindingKind::noDeadlock);
    if (state.book.clientsWithSeveralUses == 0)
        return; // no client waits for a lock while it has another one
    if (state.clients[client.value].otherUses.empty()) {
        const NodeRow* own = state.node(one.lock, one.node);
        if (!own || !own->firstWatcher.valid())
            return; // no client waits for this one
    }
    const std::vector<WaitEdge> circle = findDeadlock(state, client);
    if (circle.empty())
        return;
    state.cycle.clear();
    for (const WaitEdge& edge : circle)
        state.cycle.push_back(edge.client);
    std::vector<std::uint64_t>& reported = state.book.reportedDeadlocks;
    const std::uint64_t mark = fingerprint(state, circle);
    if (std::find(reported.begin(), reported.end(), mark) != reported.end())
        return;
    if (reported.size() == kDeadlocksKept)
        reported.erase(reported.begin());
    reported.push_back(mark);
    violated(FindingKind::noDeadlock, client, state.clients[circle.front().next.value].asked,
             describeDeadlock(state, circle));
}

void InvariantChecker::recheckDeadlock()
{
    if (!isDeadlocked(state, state.cycle))
        state.cycle.clear();
}

} // namespace lockscope::replay
