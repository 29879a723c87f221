// How holds begin and end, as a LockTracker sees it: by its nodes, by the sessions that the servers know.
#include "core/field/lock_tracker.h"

#include "core/history/history.h"

#include <algorithm>

namespace lockscope::field {

namespace {

using history::LockEvent;
using history::NodeRole;

// If a poll this soon after the end of a node does not find its session, the node ended with the session.
constexpr Duration kAtOnce = std::chrono::milliseconds(250);
constexpr Duration kEndUnknownAfter = std::chrono::seconds(10);

MonotonicTime now() { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }

} // namespace

void LockTracker::LastSpans::add(std::int64_t span)
{
    const std::size_t place = seen++ % kKept;
    if (place == ms.size())
        ms.emplace_back();
    ms[place] = std::max<std::int64_t>(span, 0);
}

void LockTracker::onLockEvent(const LockEvent& event)
{
    QueueStats& stats = m_stats[event.lock];
    stats.lastChangeMs = event.timeMs;
    if (event.kind == LockEvent::Kind::entitled) {
        std::string path = std::string(event.node.parent) + "/" + std::string(event.node.name);
        if (const auto node = m_tree.find(path); node != m_tree.end()) {
            HeldSince since{event.node.entitledMs, event.node.entitledMs};
            if (m_reading)
                since = heldBeforeReading(event.node, node->second.createdMs);
            else if (m_changedSinceMs)
                since.earliestMs =
                    std::min(std::max(*m_changedSinceMs, node->second.createdMs), event.timeMs);
            else if (event.node.sinceUnknown)
                since.earliestMs = std::min(node->second.createdMs, event.timeMs);
            node->second.heldSince = since;
            node->second.sinceGap = !since.exact() && (m_gapFromMs || m_changedSinceMs);
        }
        // The holder of a lease waited in another queue.
        if (!m_reading && !m_changedSinceMs && !event.node.sinceUnknown &&
            queue::isContender(event.node.role) && event.node.role != NodeRole::fixedName) {
            stats.waits.add(event.timeMs - event.node.createdMs);
            stats.longestWaitMs = std::max(stats.longestWaitMs, event.timeMs - event.node.createdMs);
        }
    } else if (event.kind == LockEvent::Kind::ended && event.node.entitled) {
        noteEnd(event);
    } else if (event.kind == LockEvent::Kind::ended && event.reason != history::EndReason::unknown &&
               !m_changedSinceMs) {
        stats.longestWaitMs = std::max(stats.longestWaitMs, event.timeMs - event.node.createdMs);
    }
    if (m_listener)
        m_listener(event);
}

// For a node that was already first when it was first read.
HeldSince LockTracker::heldBeforeReading(const history::LockNode& node, std::int64_t createdMs) const
{
    if (node.lockPath.size() > node.parent.size() && history::nameOf(node.lockPath) == node.name)
        return {createdMs, createdMs}; // a fixed name: the node is the lock
    // No child was ever in front of the first one that the folder has had.
    const std::optional<queue::Number> number = queue::numberOf(node.name);
    if (node.role != NodeRole::lease && number && number->value == 0 &&
        queue::givenTo(0, creationsIn(node.parent)) == queue::Given::allowed)
        return {createdMs, createdMs};
    HeldSince held{std::max(createdMs, m_gapFromMs.value_or(createdMs)), m_nowMs};
    // For Curator's lease, its session also had to leave another queue; kazoo creates one only when it is to
    // be had.
    const bool kazooLease = node.role == NodeRole::lease && node.library == queue::Library::kazoo;
    if (kazooLease || (node.role != NodeRole::lease && nothingWasDeletedFrom(node.parent)))
        held.latestMs = std::min(m_nowMs, createdMs);
    else if (const ListRead* list = node.role == NodeRole::lease ? nullptr : unchangedList(node.parent))
        held.latestMs = std::min(m_nowMs, list->newestMs);
    held.earliestMs = std::min(held.earliestMs, held.latestMs);
    return held;
}

void LockTracker::noteEnd(const LockEvent& event)
{
    QueueStats& stats = m_stats[event.lock];
    if (event.reason == history::EndReason::unknown)
        return;
    const auto node = m_tree.find(std::string(event.node.parent) + "/" + std::string(event.node.name));
    if (!m_changedSinceMs && node != m_tree.end() && wasSeenWhole(node->second)) {
        if (node->second.heldSince->exact())
            stats.holds.add(event.timeMs - node->second.heldSince->latestMs);
        stats.longestHoldMs = std::max(stats.longestHoldMs, event.timeMs - node->second.heldSince->latestMs);
    }
    if (node != m_tree.end() && node->second.heldSince)
        keepHold(stats, node->first, node->second, event.timeMs);
    if (!event.node.session.valid())
        return; // the session is unknown
    Ending ending{event.lock, event.node.session, event.timeMs, now(), false, false};
    if (const auto facts = m_sessionPoll.sessions.find(event.node.session);
        facts != m_sessionPoll.sessions.end())
        if (facts->second.silence && facts->second.timeout > Duration{})
            ending.silent = facts->second.silence->most + (ending.seen - m_sessionPoll.ended) >=
                            facts->second.timeout * 9 / 10;
    m_endings[event.node.session.value].push_back(ending);
}

// When the poll ended, by the servers' clock.
std::optional<SilentSpan> LockTracker::silentSpan(SessionId session) const
{
    const auto facts = m_sessionPoll.sessions.find(session);
    if (facts == m_sessionPoll.sessions.end() || !facts->second.silence ||
        facts->second.timeout <= Duration{} ||
        facts->second.silence->least < silentAfter(facts->second.timeout))
        return std::nullopt;
    using std::chrono::duration_cast, std::chrono::milliseconds;
    const std::int64_t polledMs =
        m_nowMs - std::max<std::int64_t>(0, duration_cast<milliseconds>(now() - m_sessionPoll.ended).count());
    return SilentSpan{polledMs - duration_cast<milliseconds>(facts->second.silence->least).count(), polledMs};
}

bool LockTracker::isSilenceKnown(SessionId session) const
{
    const auto facts = m_sessionPoll.sessions.find(session);
    return facts != m_sessionPoll.sessions.end() && facts->second.silence;
}

std::optional<LongWait> LockTracker::longWaitIn(const LockStatus& row, const QueueStats& stats,
                                                const Snapshot& snapshot) const
{
    using queue::WaitPart;
    const Participant* longest = nullptr;
    for (const Participant& one : row.participants)
        if (one.waits && !one.unknown && (!longest || one.createdMs < longest->createdMs))
            longest = &one;
    const std::int64_t endMs = std::max(snapshot.atMs, m_nowMs);
    if (!longest || queue::isOfLock(longest->role) != queue::isContender(longest->role) ||
        longest->inAcquireMutex || endMs - longest->createdMs < LongWait::kLeastMs)
        return std::nullopt;
    LongWait wait{longest->node, nameOf(*longest), longest->session, {}, {}};
    std::vector<queue::WaitEvidence> evidence;
    bool silenceKnown = false;
    const auto add = [&](LongWait::Holder holder, const HeldSince& since, std::int64_t toMs,
                         const std::optional<SilentSpan>& silent, bool known) {
        evidence.push_back({WaitPart::held, since.latestMs, toMs, wait.holders.size()});
        if (silent)
            evidence.push_back({WaitPart::silentHolder, std::max(silent->fromMs, since.latestMs),
                                std::min(silent->toMs, toMs), wait.holders.size()});
        silenceKnown = silenceKnown || known;
        wait.holders.push_back(std::move(holder));
    };
    for (const EndedHold& one : stats.lastHolds)
        if (one.endedMs)
            add({one.client, one.session}, one.since, *one.endedMs, one.silent, one.silenceKnown);
    for (const Participant& one : row.participants)
        if (one.holds && one.heldSince)
            add({nameOf(one), one.session}, *one.heldSince, m_nowMs, silentSpan(one.session),
                isSilenceKnown(one.session));
    for (const WatchGap& gap : snapshot.gaps)
        evidence.push_back({WaitPart::noServer, gap.fromMs, gap.toMs.value_or(endMs)});
    std::vector<WaitPart> told = {WaitPart::noServer, WaitPart::held};
    if (silenceKnown)
        told.push_back(WaitPart::silentHolder);
    wait.split = queue::splitWait(longest->createdMs, endMs, evidence, told);
    return wait;
}

void LockTracker::keepHold(QueueStats& stats, const std::string& path, const Node& node,
                           std::int64_t ms) const
{
    constexpr std::size_t kKeptForWaits = 200;
    const auto client = nodeAt(path); // none: it was gone before it could be read
    EndedHold hold{client ? nameOf(*client) : std::string(), node.session, *node.heldSince, {}, {}, {}};
    if (hold.since.exact() && client && client->createdMs > 0)
        hold.waitedMs = hold.since.latestMs - client->createdMs;
    if (!m_changedSinceMs)
        hold.endedMs = ms;
    hold.silent = silentSpan(node.session);
    hold.silenceKnown = isSilenceKnown(node.session);
    const auto endedBeforeAll = [&stats](const EndedHold& one) {
        return stats.oldestWaitMs == 0 || one.endedMs.value_or(0) < stats.oldestWaitMs;
    };
    while (stats.lastHolds.size() >= kKeptForWaits ||
           (stats.lastHolds.size() >= kShownHolds && endedBeforeAll(stats.lastHolds.front())))
        stats.lastHolds.erase(stats.lastHolds.begin());
    stats.lastHolds.push_back(std::move(hold));
}

// Drops old endings, which stay unknown where no server may be asked or none answers.
void LockTracker::forgetEndings()
{
    const MonotonicTime oldest = now() - kEndUnknownAfter;
    boost::unordered::erase_if(m_endings, [&](auto& entry) {
        std::erase_if(entry.second, [&](const Ending& one) { return one.seen < oldest; });
        return entry.second.empty();
    });
}

// The session created a node after its hold had ended, so it outlived the hold.
void LockTracker::aliveAfter(SessionId session)
{
    const auto endings = m_endings.find(session.value);
    if (endings == m_endings.end())
        return;
    for (const Ending& one : endings->second)
        if (const auto stats = m_stats.find(one.lock); stats != m_stats.end()) // it may be forgotten
            ++stats->second.alive;
    m_endings.erase(endings);
}

void LockTracker::take(const SessionPoll& poll, std::int64_t nowMs)
{
    std::optional<server::WatchTable> watches =
        std::move(m_sessionPoll.watches); // not requested in every round
    m_sessionPoll = poll;
    if (!poll.watches)
        m_sessionPoll.watches = std::move(watches);
    m_nowMs = std::max(m_nowMs, nowMs);
    for (auto entry = m_endings.begin(); entry != m_endings.end();) {
        const auto facts = poll.sessions.find(SessionId{entry->first});
        const bool alive = facts != poll.sessions.end() && facts->second.alive;
        std::erase_if(entry->second, [&](const Ending& one) {
            if (one.seen >= poll.begun)
                return false;
            const auto stats = m_stats.find(one.lock);
            if (stats == m_stats.end()) // it is forgotten
                return true;
            if (alive)
                ++stats->second.alive;
            else if (!poll.whole)
                return poll.begun - one.seen > kEndUnknownAfter;
            else if (one.together || one.silent || poll.begun - one.seen <= kAtOnce)
                ++stats->second.gone;
            return true;
        });
        const auto done = entry++;
        if (done->second.empty())
            m_endings.erase(done);
    }
    noteUnknownOwners(poll);
    if (poll.watches)
        updateMissingWatches(poll);
}

} // namespace lockscope::field
