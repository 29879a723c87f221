// What a LockTracker shows: a row for each lock, until its path has been gone for long.
#include "core/field/lock_tracker.h"

#include "core/history/history.h"
#include "core/queue/owner.h"

#include <algorithm>

namespace lockscope::field {

namespace {

using history::LockTable;
using std::chrono::milliseconds;

constexpr std::int64_t kLongWaitMs = 5'000;

} // namespace

Participant LockTracker::participant(const LockTable::Queued& queued) const
{
    Participant one;
    one.node = history::nameOf(queued.path);
    one.parent = history::parentOf(queued.path);
    one.session = queued.session;
    one.library = queued.library;
    one.role = queued.role;
    one.created = queued.created;
    one.createdMs = queued.createdMs;
    one.inAcquireMutex = queued.inAcquireMutex;
    one.holds = queued.entitled && !queued.inAcquireMutex;
    one.waits = queued.waits || queued.inAcquireMutex;
    one.mayHold = queued.unsure && !queued.inAcquireMutex;
    const queue::NodeName known = queue::parse(one.node, one.parent);
    one.persistentByDesign = known.scheme && known.scheme->persistent == queue::Persistent::byDesign;
    if (const auto node = m_tree.find(queued.path); node != m_tree.end()) {
        one.data = node->second.data;
        one.dataIsOwners = queue::isOwnersWord(node->second.czxid, node->second.mzxid, one.data);
        one.who = one.dataIsOwners ? history::identityOf(one.data) : "";
        one.createdMs = node->second.createdMs;
        if (node->second.session.valid())
            one.session = node->second.session;
        one.unknown = node->second.unknown;
        one.notPermitted = node->second.notPermitted;
        one.persistent = !node->second.ephemeral && !node->second.unknown;
        if (one.holds && !(one.unknown && one.notPermitted)) // nothing tells when it was created
            one.heldSince = node->second.heldSince;
    }
    if (const auto facts = m_sessionPoll.sessions.find(one.session); facts != m_sessionPoll.sessions.end()) {
        one.address = facts->second.address;
        one.connected = facts->second.connected;
        one.timeout = facts->second.timeout;
        one.expiresIn = facts->second.expiresIn;
        if (facts->second.silence) {
            one.silentAtLeast = facts->second.silence->least;
            one.silentAtMost = facts->second.silence->most;
        }
    }
    return one;
}

LockStatus LockTracker::rowOf(std::uint32_t lock, const history::LockSummary& summary,
                              const std::vector<LockTable::Queued>& nodes, bool detailed)
{
    QueueStats& stats = m_stats[lock];
    LockStatus row;
    row.path = summary.path;
    row.recipe = summary.recipe;
    row.otherLibrary = summary.otherLibrary;
    row.acquisitions = summary.ends.acquisitions();
    row.handoffs = summary.handoffs;
    row.longestHoldMs = stats.longestHoldMs;
    const bool isSemaphore =
        summary.recipe == history::Recipe::semaphore || summary.recipe == history::Recipe::kazooSemaphore;
    row.longestWaitMs =
        isSemaphore ? summary.longestWaitMs : stats.longestWaitMs; // they wait in another queue
    row.deepestQueue = summary.deepestQueue;
    row.ends.deletedSessionAlive = stats.alive;
    row.ends.sessionGone = stats.gone;
    row.ends.gaveUp = summary.ends.gaveUp;
    row.ends.open = summary.ends.open;
    row.ends.unknown =
        row.acquisitions - std::min(row.acquisitions, row.ends.open + stats.alive + stats.gone);
    stats.handoffs[0] +=
        static_cast<std::uint32_t>(summary.handoffs - std::min(summary.handoffs, stats.handoffsBefore));
    stats.handoffsBefore = summary.handoffs;
    for (const std::uint32_t each : stats.handoffs)
        row.handoffsPerMinute += each;
    const std::int64_t seenMs = std::min(m_nowMs, m_unseenSinceMs.value_or(m_nowMs));
    std::int64_t oldestWaitMs = 0;
    for (const LockTable::Queued& queued : nodes) {
        Participant one = participant(queued);
        if (one.holds) {
            ++row.holders;
            const auto node = m_tree.find(queued.path);
            if (one.heldSince && node != m_tree.end() && wasSeenWhole(node->second))
                row.longestHoldMs = std::max(row.longestHoldMs, seenMs - one.heldSince->latestMs);
        } else if (one.waits) {
            // The first node in a semaphore's acquire mutex already has a lease in the list, or waits for
            // one.
            ++row.waiting;
            row.longestWaitNowMs = std::max(row.longestWaitNowMs, m_nowMs - one.createdMs);
            oldestWaitMs = oldestWaitMs == 0 ? one.createdMs : std::min(oldestWaitMs, one.createdMs);
            row.longestWaitMs = std::max(row.longestWaitMs, seenMs - one.createdMs);
            one.behind = queued.behind;
        }
        row.participants.push_back(std::move(one));
    }
    stats.oldestWaitMs = oldestWaitMs;
    const bool mayBeHeld = std::any_of(nodes.begin(), nodes.end(), [](const LockTable::Queued& one) {
        return one.unsure && !one.inAcquireMutex;
    });
    row.state = summary.recipe == history::Recipe::members ? HoldState::noLock
                : row.holders > 0                          ? HoldState::held
                : !summary.showsHolders || mayBeHeld       ? HoldState::notKnown
                                                           : HoldState::free;
    if ((!summary.showsHolders || summary.recipe == history::Recipe::mixed) && nodes.size() > 1)
        m_wantsWatches = true; // they would show a queue
    addForeign(row, summary.foreignInFront);
    // Count a semaphore's client once if it is still in the acquire mutex but has created its lease.
    boost::unordered_flat_map<std::int64_t, std::int64_t> newestLease; // its creation, by session
    for (const Participant& one : row.participants) {                  // leases come first
        if (!one.session.valid())
            continue;
        if (!one.inAcquireMutex) {
            std::int64_t& newest = newestLease.try_emplace(one.session.value, one.createdMs).first->second;
            newest = std::max(newest, one.createdMs);
        } else if (const auto lease = newestLease.find(one.session.value);
                   lease != newestLease.end() && lease->second >= one.createdMs) {
            row.waiting -= std::min(row.waiting, 1U);
        }
    }
    const auto holder = std::find_if(row.participants.begin(), row.participants.end(),
                                     [](const Participant& one) { return one.holds; });
    if (holder != row.participants.end())
        row.holder = *holder;
    if (isSemaphore && row.holders == 1)
        for (Participant& one : row.participants)
            if (one.waits && one.behind.empty())
                one.behind = holder->node;
    if (detailed || row.waiting > 0) {
        row.holdsMs = stats.holds.ms;
        row.waitsMs = stats.waits.ms;
    }
    if (!detailed && row.waiting == 0 && !row.holder)
        row.participants.clear();
    return row;
}

// For a lock without nodes.
bool LockTracker::isPathGone(const history::LockSummary& summary) const
{
    return !m_tree.contains(summary.recipe == history::Recipe::fixedName ? history::parentOf(summary.path)
                                                                         : summary.path);
}

bool LockTracker::isGone(std::uint32_t lock, const history::LockSummary& summary) const
{
    const auto stats = m_stats.find(lock);
    return isPathGone(summary) && stats != m_stats.end() &&
           milliseconds(m_nowMs - stats->second.lastChangeMs) >= kShownWhenGone;
}

// A path for each job would make a long watch grow without bound.
void LockTracker::forgetGone()
{
    if (m_reading)
        return;
    std::vector<std::int64_t> changes; // of the locks that are gone
    const auto lastChange = [&](std::uint32_t lock,
                                const history::LockSummary& summary) -> std::optional<std::int64_t> {
        const auto stats = m_stats.find(lock);
        return stats != m_stats.end() && isPathGone(summary) ? std::optional(stats->second.lastChangeMs)
                                                             : std::nullopt;
    };
    m_table.forget([&](std::uint32_t lock, const history::LockSummary& summary) {
        if (const auto change = lastChange(lock, summary))
            changes.push_back(*change);
        return false;
    });
    std::int64_t beforeMs = m_nowMs - std::chrono::duration_cast<milliseconds>(kForgottenAfter).count();
    if (changes.size() > kMostGone) {
        const auto place = changes.end() - static_cast<std::ptrdiff_t>(kMostGone);
        std::nth_element(changes.begin(), place, changes.end());
        beforeMs = std::max(beforeMs, *place);
    }
    m_table.forget([&](std::uint32_t lock, const history::LockSummary& summary) {
        const auto change = lastChange(lock, summary);
        if (!change || *change >= beforeMs)
            return false;
        ++m_forgotten.locks;
        m_forgotten.acquisitions += summary.ends.acquisitions();
        m_forgotten.handoffs += summary.handoffs;
        m_stats.erase(lock);
        if (m_onForgotten)
            m_onForgotten(lock);
        return true;
    });
}

void LockTracker::fill(Snapshot& snapshot, const std::set<std::string>& detailed, bool everyDetail, Rows rows)
{
    m_wantsWatches = false;
    std::vector<std::uint32_t> numbers;
    m_table.visit([&](std::uint32_t lock, const history::LockSummary& summary,
                      const std::vector<LockTable::Queued>& nodes) {
        if (rows == Rows::present && nodes.empty() && isGone(lock, summary))
            return;
        snapshot.locks.push_back(rowOf(lock, summary, nodes, everyDetail || detailed.contains(summary.path)));
        numbers.push_back(lock);
        snapshot.locks.back().longWait = longWaitIn(snapshot.locks.back(), m_stats[lock], snapshot);
        if (detailed.contains(summary.path)) {
            const std::vector<EndedHold>& holds = m_stats[lock].lastHolds;
            const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(holds.size(), kShownHolds));
            snapshot.locks.back().lastHolds.assign(holds.end() - shown, holds.end());
        }
    });
    if (m_news) {
        Waiting waiting{snapshot.locks, {}};
        for (std::size_t i = 0; i < snapshot.locks.size(); ++i)
            for (const Participant& one : snapshot.locks[i].participants)
                if (one.waits && one.session.valid())
                    waiting.in[one.session].push_back(i);
        for (std::size_t i = 0; i < snapshot.locks.size(); ++i)
            diagnose(snapshot.locks[i], m_stats[numbers[i]], waiting);
        diagnoseDeadlocks(snapshot.locks);
        nameOtherNodes(snapshot.locks);
        keepGiven(snapshot.locks);
    }
    snapshot.verdicts = m_given;
    snapshot.forgotten = m_forgotten;
    if (!everyDetail)
        for (LockStatus& row : snapshot.locks)
            if (!detailed.contains(row.path)) {
                row.participants.clear();
                row.holdsMs = row.waitsMs = {};
            }
    std::sort(snapshot.locks.begin(), snapshot.locks.end(), [](const LockStatus& a, const LockStatus& b) {
        if (a.diagnosis.has_value() != b.diagnosis.has_value())
            return a.diagnosis.has_value();
        if (a.diagnosis && a.diagnosis->kind != b.diagnosis->kind)
            return a.diagnosis->kind < b.diagnosis->kind;
        // Short waits come and go: rows sorted by them would jump about.
        const auto seconds = [](const LockStatus& row) {
            return row.longestWaitNowMs < kLongWaitMs ? 0 : row.longestWaitNowMs / 1000;
        };
        if (seconds(a) != seconds(b))
            return seconds(a) > seconds(b);
        return a.path < b.path;
    });
    snapshot.folders = m_folders;
}

} // namespace lockscope::field
