// The verdicts of a LockTracker. Each is given only on evidence that normal work does not make: see the notes beside the rules.
#include "core/field/lock_tracker.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <functional>

namespace lockscope::field {

namespace {

using history::LockTable;
using history::NodeRole;
using history::Recipe;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Kind = Diagnosis::Kind;
using trace::LockLibrary;

constexpr Duration kPatience = seconds(5), kPatienceWithoutHistory = seconds(120);
constexpr std::uint64_t kFewHolds = 3, kManyHolds = 20;
constexpr std::int64_t kUnwatchedAfterMs = 4'000, kDeadlockAfterMs = 4'000;
constexpr std::int64_t kCleanedAfterMs = 90'000; // ZooKeeper looks for empty containers every minute
constexpr std::uint32_t kManyEmpty = 1'000;

bool isCuratorLike(LockLibrary library) { return library == LockLibrary::curator || library == LockLibrary::goZk; }

const char* libraryName(LockLibrary library)
{
    switch (library) {
    case LockLibrary::curator:
    case LockLibrary::goZk:
        return "Curator";
    case LockLibrary::kazoo:
        return "kazoo";
    case LockLibrary::zooKeeper:
        return "ZooKeeper's C recipe";
    case LockLibrary::none:
        break;
    }
    return "";
}

Duration heldFor(const LockRow& row, std::int64_t nowMs)
{
    // The least that it can be.
    return row.holder && row.holder->heldSince ? Duration(milliseconds(std::max<std::int64_t>(nowMs - row.holder->heldSince->latestMs, 0)))
                                               : Duration{};
}

std::int64_t percentile99(std::vector<std::int64_t> values)
{
    if (values.empty())
        return 0;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>((values.size() * 99) / 100 - (values.size() * 99 % 100 == 0 ? 1 : 0));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

// What stands before the lock's name and its number: unique to one attempt to acquire.
std::string_view uniquePrefix(const std::string& node)
{
    const std::size_t key = trace::parseNodeName(node).sortKeyOffset;
    return std::string_view(node).substr(0, key);
}

} // namespace

void LockTracker::diagnose(LockRow& row, QueueStats& notes)
{
    if (row.holder && row.holder->node != notes.holderNode) {
        notes.holderNode = row.holder->node;
        const auto facts = m_sessionPoll.sessions.find(row.holder->session);
        notes.requestsBefore = facts == m_sessionPoll.sessions.end() ? 0 : facts->second.requestsSeen;
    }
    if (row.waiting > 0 && m_nowMs - notes.lastChangeMs >= kUnwatchedAfterMs)
        m_wantsWatches = true;
    row.diagnosis = diagnoseFront(row);
    if (!row.diagnosis)
        row.diagnosis = diagnoseNaming(row);
    if (!row.diagnosis)
        row.diagnosis = silent(row);
    if (!row.diagnosis)
        row.diagnosis = unwatched(row, notes);
    if (!row.diagnosis)
        row.diagnosis = diagnoseForgotten(row, notes);
    if (!row.diagnosis)
        row.diagnosis = diagnoseSlow(row, notes);
}

std::optional<Diagnosis> LockTracker::diagnoseFront(LockRow& row) const
{
    if (row.participants.empty() || row.recipe == Recipe::semaphore || row.recipe == Recipe::kazooSemaphore || row.recipe == Recipe::fixedName)
        return std::nullopt;
    const Participant& front = row.participants.front();
    // kazoo's Lock(ephemeral=False) makes persistent nodes, all of them.
    const bool ephemeralBehind = std::any_of(row.participants.begin(), row.participants.end(),
                                             [](const Participant& one) { return !one.persistent && !one.unknown; });
    if (front.persistent && (front.library != LockLibrary::kazoo || ephemeralBehind)) {
        Diagnosis diagnosis{Kind::persistentInFront};
        diagnosis.node = front.node;
        diagnosis.count = row.waiting;
        return diagnosis;
    }
    // Curator leaves no child out: one whose name has no lock's name is compared as a whole with the others' numbers.
    const auto curator = std::find_if(row.participants.begin(), row.participants.end(),
                                      [](const Participant& one) { return isCuratorLike(one.library); });
    const auto parent = m_tree.find(front.parent);
    if (curator == row.participants.end() || parent == m_tree.end() || parent->second.children <= row.participants.size())
        return std::nullopt;
    const std::string key = curator->node.substr(trace::parseNodeName(curator->node).sortKeyOffset);
    for (const std::string& child : childrenOf(front.parent)) {
        if (trace::parseNodeName(child).library != LockLibrary::none || child >= key)
            continue;
        const auto node = m_tree.find(front.parent + "/" + child);
        Diagnosis diagnosis{Kind::foreignInFront};
        diagnosis.node = child;
        diagnosis.other = curator->node;
        diagnosis.count = row.participants.size();
        Participant foreign;
        foreign.node = child;
        foreign.parent = front.parent;
        foreign.holds = true;
        if (node != m_tree.end()) {
            foreign.session = node->second.session;
            foreign.persistent = !node->second.ephemeral;
            foreign.createdMs = node->second.createdMs;
        }
        for (Participant& one : row.participants) {
            row.waiting += one.holds ? 1 : 0;
            one.holds = false;
            one.heldSince.reset();
        }
        row.holders = 1;
        row.participants.insert(row.participants.begin(), foreign);
        row.holder = row.participants.front();
        return diagnosis;
    }
    return std::nullopt;
}

std::optional<Diagnosis> LockTracker::diagnoseNaming(const LockRow& row) const
{
    const char* first = "";
    for (const Participant& one : row.participants) {
        const char* library = libraryName(one.library);
        if (*library == '\0')
            continue;
        if (*first == '\0')
            first = library;
        else if (library != first && std::string_view(library) != first) {
            Diagnosis diagnosis{Kind::namesDoNotExclude};
            diagnosis.node = first;
            diagnosis.other = library;
            return diagnosis;
        }
    }
    return std::nullopt;
}

std::optional<Diagnosis> LockTracker::silent(const LockRow& row) const
{
    if (!row.holder || !row.holder->silentAtLeast || row.holder->timeout <= Duration{})
        return std::nullopt;
    const Duration least = *row.holder->silentAtLeast, timeout = row.holder->timeout;
    if (least < silentAfter(timeout))
        return std::nullopt;
    Diagnosis diagnosis{Kind::holderSilent};
    diagnosis.node = row.holder->node;
    diagnosis.session = row.holder->session;
    diagnosis.address = row.holder->address;
    diagnosis.usual = timeout;
    diagnosis.span = std::max<Duration>(timeout - least, Duration{});
    return diagnosis;
}

std::optional<Diagnosis> LockTracker::unwatched(const LockRow& row, const QueueStats& notes) const
{
    if (notes.unwatched.empty() || notes.unwatchedPolls < 2)
        return std::nullopt;
    const auto next = std::find_if(row.participants.begin(), row.participants.end(), [](const Participant& one) { return !one.holds; });
    if (next == row.participants.end() || next->node != notes.unwatched)
        return std::nullopt;
    Diagnosis diagnosis{Kind::nextWithoutWatch};
    diagnosis.node = next->node;
    diagnosis.session = next->session;
    diagnosis.address = next->address;
    return diagnosis;
}

void LockTracker::updateMissingWatches(const SessionPoll& census)
{
    m_table.visit([&](std::uint32_t lock, const history::LockSummary& summary, const std::vector<LockTable::Queued>& nodes) {
        QueueStats& notes = m_notes[lock];
        const bool watches = summary.recipe == Recipe::mutex || summary.recipe == Recipe::readWrite ||
                             summary.recipe == Recipe::leaderLatch || summary.recipe == Recipe::kazooMutex ||
                             summary.recipe == Recipe::kazooReadWrite || summary.recipe == Recipe::zooKeeperCMutex;
        const auto next = std::find_if(nodes.begin(), nodes.end(), [](const LockTable::Queued& one) { return !one.entitled; });
        if (!watches || next == nodes.end() || !next->session.valid() || m_nowMs - notes.lastChangeMs < kUnwatchedAfterMs) {
            notes.unwatched.clear();
            notes.unwatchedPolls = 0;
            return;
        }
        const bool has = std::any_of(nodes.begin(), next, [&](const LockTable::Queued& ahead) {
            const auto watchers = census.watches->find(std::string(ahead.path));
            return watchers != census.watches->end() &&
                   std::find(watchers->second.begin(), watchers->second.end(), next->session) != watchers->second.end();
        });
        const std::string node(history::nameOf(next->path));
        if (has || notes.unwatched != node)
            notes.unwatchedPolls = 0;
        notes.unwatched = has ? std::string() : node;
        notes.unwatchedPolls += has ? 0 : 1;
    });
}

// Two nodes of one session may be two threads of one process, and a hold may be long: so a second node counts only with
// the same unique prefix (a create that was tried again as its reply was lost), and a hold only far beyond what was seen.
std::optional<Diagnosis> LockTracker::diagnoseForgotten(const LockRow& row, const QueueStats& notes) const
{
    if (!row.holder || !row.holder->session.valid() || row.waiting == 0 || row.holder->role == NodeRole::lease)
        return std::nullopt;
    const Participant& holder = *row.holder;
    const Duration held = heldFor(row, m_nowMs);
    Diagnosis diagnosis{Kind::forgottenNode};
    diagnosis.node = holder.node;
    diagnosis.session = holder.session;
    diagnosis.address = holder.address;
    diagnosis.span = held;
    bool another = false;
    for (const Participant& one : row.participants) {
        if (one.session != holder.session || one.node == holder.node)
            continue;
        another = true;
        const bool unique = isCuratorLike(one.library) || one.library == LockLibrary::kazoo;
        const std::string_view prefix = uniquePrefix(holder.node);
        if (unique && prefix.size() > 32 && prefix == uniquePrefix(one.node) && held >= kPatience) {
            diagnosis.other = one.node;
            return diagnosis;
        }
    }
    const auto facts = m_sessionPoll.sessions.find(holder.session);
    if (another || facts == m_sessionPoll.sessions.end() || !facts->second.connected)
        return std::nullopt;
    Duration patience = kPatienceWithoutHistory;
    if (notes.holdsSeen >= kFewHolds)
        patience = std::max<Duration>(kPatience, milliseconds(3 * *std::max_element(notes.holds.begin(), notes.holds.end())));
    if (held < patience || facts->second.requestsSeen < notes.requestsBefore + 2)
        return std::nullopt;
    const auto deleted = m_deletedBySession.find(holder.session.value);
    if (deleted != m_deletedBySession.end() && holder.heldSince && deleted->second >= holder.heldSince->latestMs)
        return std::nullopt;
    if (m_sessionPoll.watches)
        for (const auto& [path, watchers] : *m_sessionPoll.watches)
            if (std::find(watchers.begin(), watchers.end(), holder.session) != watchers.end() && path.starts_with(holder.parent))
                return std::nullopt;
    return diagnosis;
}

std::optional<Diagnosis> LockTracker::diagnoseSlow(const LockRow& row, const QueueStats& notes) const
{
    if (!row.holder || row.waiting == 0 || notes.holdsSeen < kManyHolds)
        return std::nullopt;
    const Duration held = heldFor(row, m_nowMs);
    const std::int64_t usual = percentile99(notes.holds);
    const std::int64_t longest = *std::max_element(notes.holds.begin(), notes.holds.end());
    if (held < seconds(2) || held < milliseconds(3 * usual) || held <= milliseconds(longest))
        return std::nullopt;
    Diagnosis diagnosis{Kind::slowerThanUsual};
    diagnosis.node = row.holder->node;
    diagnosis.session = row.holder->session;
    diagnosis.address = row.holder->address;
    diagnosis.span = held;
    diagnosis.usual = milliseconds(usual);
    diagnosis.count = notes.holdsSeen;
    diagnosis.other = std::to_string(row.waiting);
    return diagnosis;
}

// A circle of sessions each of which waits on one lock for the next one's hold. A session that waits for itself is left out:
// it may have two threads.
void LockTracker::diagnoseDeadlocks(std::vector<LockRow>& rows)
{
    struct Edge
    {
        SessionId to;
        std::size_t row;
    };
    std::map<SessionId, std::vector<Edge>> waits;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].waiting == 0 || rows[i].recipe == Recipe::semaphore || rows[i].recipe == Recipe::kazooSemaphore)
            continue;
        for (const Participant& waiter : rows[i].participants)
            if (!waiter.holds && waiter.session.valid())
                for (const Participant& holder : rows[i].participants)
                    if (holder.holds && holder.session.valid() && holder.session != waiter.session)
                        waits[waiter.session].push_back({holder.session, i});
    }
    std::map<SessionId, int> state; // 1: on the path, 2: done
    std::vector<std::pair<SessionId, std::size_t>> path;
    std::vector<std::size_t> circle;
    const std::function<bool(SessionId)> visit = [&](SessionId from) {
        state[from] = 1;
        if (const auto edges = waits.find(from); edges != waits.end())
            for (const Edge& edge : edges->second) {
                path.emplace_back(from, edge.row);
                if (state[edge.to] == 1) {
                    auto begin = std::find_if(path.begin(), path.end(), [&](const auto& step) { return step.first == edge.to; });
                    for (; begin != path.end(); ++begin)
                        circle.push_back(begin->second);
                    return true;
                }
                if (state[edge.to] == 0 && visit(edge.to))
                    return true;
                path.pop_back();
            }
        state[from] = 2;
        return false;
    };
    for (const auto& [session, edges] : waits)
        if (state[session] == 0 && visit(session))
            break;
    std::sort(circle.begin(), circle.end());
    circle.erase(std::unique(circle.begin(), circle.end()), circle.end());
    std::string seen;
    for (const std::size_t row : circle)
        seen += rows[row].path + "=" + (rows[row].holder ? rows[row].holder->node : "") + ";";
    if (circle.size() < 2)
        seen.clear();
    if (seen != m_deadlock) {
        m_deadlock = seen;
        m_deadlockSinceMs = m_nowMs;
    }
    if (seen.empty() || m_nowMs - m_deadlockSinceMs < kDeadlockAfterMs)
        return;
    std::vector<std::string> paths;
    for (const std::size_t row : circle)
        paths.push_back(rows[row].path);
    for (const std::size_t row : circle) {
        if (rows[row].diagnosis && rows[row].diagnosis->kind < Kind::deadlock)
            continue;
        Diagnosis diagnosis{Kind::deadlock};
        diagnosis.paths = paths;
        diagnosis.span = milliseconds(m_nowMs - m_deadlockSinceMs);
        if (rows[row].holder) {
            diagnosis.node = rows[row].holder->node;
            diagnosis.session = rows[row].holder->session;
            diagnosis.address = rows[row].holder->address;
        }
        rows[row].diagnosis = diagnosis;
    }
}

// Empty parents that no cleaning of containers takes away. (That a node is a container cannot be read from a Stat.)
void LockTracker::diagnoseFolders()
{
    std::map<std::string_view, std::uint32_t> empty;
    for (const auto& [path, node] : m_tree)
        if (!node.ephemeral && !node.unknown && !node.hasData && node.wasParent && node.children == 0 &&
            m_nowMs - node.emptySinceMs >= kCleanedAfterMs)
            ++empty[history::parentOf(path)];
    m_folders.clear();
    for (const auto& [path, count] : empty) {
        if (count < kManyEmpty)
            continue;
        Diagnosis diagnosis{Kind::emptyParents};
        diagnosis.count = count;
        m_folders.emplace_back(path.empty() ? "/" : std::string(path), diagnosis);
    }
}

} // namespace lockscope::field
