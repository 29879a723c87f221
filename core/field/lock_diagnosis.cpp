// The verdicts of a LockTracker. Each is given only on evidence that normal operation does not produce: see
// the comments at the rules.
#include "core/field/lock_tracker.h"

#include "core/base/numbers.h"
#include "core/history/history.h"
#include "core/queue/words.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockscope::field {

namespace {

using history::LockTable;
using history::NodeRole;
using history::Recipe;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Kind = Diagnosis::Kind;
using queue::Library;

constexpr Duration kPatience = seconds(5), kPatienceWithoutHistory = seconds(120),
                   kDeadlockAfter = seconds(4), kHeardAfter = seconds(1), kPollAge = seconds(7);
constexpr std::uint64_t kFewHolds = 3, kManyHolds = 20; // needed to judge what is usual
constexpr std::int64_t kUnwatchedAfterMs = 2'000;
constexpr std::uint32_t kManyEmpty = 1'000;
constexpr std::uint32_t kRoundsUnknown = 2;
constexpr std::size_t kMaxGiven = 1'000, kMaxNamed = 5;

bool isCuratorLike(Library library) { return queue::countsEveryChild(library); }

// Nodes of one scheme exclude each other; those of two do not.
const char* schemeName(const Participant& one)
{
    switch (one.library) {
    case Library::curator:
    case Library::goZk:
        return one.role == NodeRole::reader || one.role == NodeRole::writer
                   ? "Curator (InterProcessReadWriteLock)"
               : one.role == NodeRole::leader ? "Curator (LeaderLatch)"
                                              : "Curator";
    case Library::kazoo:
        return "kazoo";
    case Library::zooKeeper:
        return "ZooKeeper";
    default:
        return queue::isOfLock(one.role) ? queue::name(one.library) : "";
    }
}

Diagnosis diagnosisOf(Kind kind, const Participant& one)
{
    return {.kind = kind,
            .node = one.node,
            .session = one.session,
            .address = one.address,
            .recipeKnown = one.library != Library::none};
}

// The meaning of its nodes is known, and that a node in front holds.
bool isKnownRecipe(Recipe recipe) { return recipe != Recipe::sequential && recipe != Recipe::mixed; }

// A node that is known to wait, so that the holder keeps a client waiting.
bool hasWaiter(const LockStatus& row)
{
    return row.waiting > 0 && std::any_of(row.participants.begin(), row.participants.end(),
                                          [](const Participant& one) { return one.waits && !one.unknown; });
}

Duration spanBetween(std::int64_t fromMs, std::int64_t toMs)
{
    return milliseconds(std::max<std::int64_t>(toMs - fromMs, 0));
}

// A lower bound.
Duration heldFor(const LockStatus& row, std::int64_t nowMs)
{
    return row.holder && row.holder->heldSince ? spanBetween(row.holder->heldSince->latestMs, nowMs)
                                               : Duration{};
}

// A process may pause for half of its session's timeout and continue; 60 % leaves a margin.
Duration longestPause(Duration timeout)
{
    constexpr Duration kLongestTimeout = seconds(40); // with the default settings of a server
    return (timeout > Duration{} ? timeout : kLongestTimeout) * 6 / 10;
}

std::int64_t longestOf(const std::vector<std::int64_t>& values)
{
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

std::int64_t percentile99(std::vector<std::int64_t> values)
{
    if (values.empty())
        return 0;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>((values.size() * 99 + 99) / 100 - 1);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

// Who waits for whom, as a graph with an edge for each participant: from a session to each row in which it
// waits, and from a row to the sessions that hold it. Linear in the number of participants.
class WaitGraph
{
public:
    explicit WaitGraph(const std::vector<LockStatus>& rows)
    {
        m_next.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].waiting == 0 || rows[i].recipe == Recipe::semaphore ||
                rows[i].recipe == Recipe::kazooSemaphore)
                continue;
            for (const Participant& one : rows[i].participants) {
                if (!one.session.valid())
                    continue;
                const std::size_t session = placeOf(one.session, rows.size());
                if (one.holds)
                    m_next[i].push_back(session);
                else if (one.waits && queue::waitsByWatch(one.library))
                    m_next[session].push_back(i);
            }
        }
    }

    struct Circle
    {
        std::set<std::size_t> rows;
        std::set<SessionId> sessions;
        bool hasThreads = false; // a session in it waits in several places
    };
    // The strongly connected parts with several sessions and several rows: Tarjan's algorithm, without
    // recursion.
    std::vector<Circle> circles(std::size_t rowCount) const
    {
        constexpr std::size_t kNew = ~std::size_t{0};
        std::vector<Circle> found;
        std::vector<std::size_t> number(m_next.size(), kNew), low(m_next.size()), stack;
        std::vector<bool> onStack(m_next.size());
        std::size_t count = 0;
        struct Visit
        {
            std::size_t at = 0, edge = 0;
        };
        for (std::size_t root = 0; root < m_next.size(); ++root) {
            if (number[root] != kNew)
                continue;
            std::vector<Visit> open{{root}};
            while (!open.empty()) {
                auto& [at, edge] = open.back();
                if (edge == 0 && number[at] == kNew) {
                    number[at] = low[at] = count++;
                    stack.push_back(at);
                    onStack[at] = true;
                }
                if (edge < m_next[at].size()) {
                    const std::size_t to = m_next[at][edge++];
                    if (number[to] == kNew)
                        open.push_back({to});
                    else if (onStack[to])
                        low[at] = std::min(low[at], number[to]);
                    continue;
                }
                const std::size_t done = at;
                open.pop_back();
                if (!open.empty())
                    low[open.back().at] = std::min(low[open.back().at], low[done]);
                if (low[done] != number[done])
                    continue;
                Circle circle;
                for (std::size_t last = kNew; last != done;) {
                    last = stack.back();
                    stack.pop_back();
                    onStack[last] = false;
                    if (last < rowCount) {
                        circle.rows.insert(last);
                    } else {
                        circle.sessions.insert(m_sessions[last - rowCount]);
                        circle.hasThreads = circle.hasThreads || m_next[last].size() > 1;
                    }
                }
                if (circle.rows.size() > 1 && circle.sessions.size() > 1)
                    found.push_back(std::move(circle));
            }
        }
        return found;
    }

private:
    std::size_t placeOf(SessionId session, std::size_t rowCount)
    {
        const auto [place, isNew] = m_places.try_emplace(session.value, rowCount + m_sessions.size());
        if (isNew) {
            m_sessions.push_back(session);
            m_next.emplace_back();
        }
        return place->second;
    }

    std::vector<std::vector<std::size_t>> m_next; // rows, then sessions
    std::vector<SessionId> m_sessions;
    boost::unordered_flat_map<std::int64_t, std::size_t> m_places;
};

// The part before the number. Curator's and kazoo's contains an id that is unique to one attempt to acquire.
std::string_view uniquePrefix(const std::string& node)
{
    const std::size_t key = queue::parse(node).keyOffset;
    return std::string_view(node).substr(0, key);
}

} // namespace

void LockTracker::diagnose(LockStatus& row, QueueStats& stats, const Waiting& waiting)
{
    if (row.holder && row.holder->node != stats.holderNode) {
        stats.holderNode = row.holder->node;
        const auto facts = m_sessionPoll.sessions.find(row.holder->session);
        stats.requestsBefore = facts == m_sessionPoll.sessions.end() ? 0 : facts->second.requestsSeen;
    }
    // The first client in the entrance of a semaphore of which no lease is taken.
    const auto& all = row.participants;
    const bool noLease = !all.empty() && all.front().inAcquireMutex;
    if (!noLease || stats.entrance != all.front().node) {
        stats.entrance = noLease ? all.front().node : std::string();
        stats.entranceSinceMs = std::max(m_nowMs, m_readMs);
    }
    if (row.waiting > 0 && m_nowMs - stats.lastChangeMs >= kUnwatchedAfterMs)
        m_wantsWatches = true;
    if (row.state == HoldState::notKnown || row.state == HoldState::noLock)
        return; // no client is known to hold or to wait
    row.diagnosis = diagnoseFront(row);
    if (!row.diagnosis)
        row.diagnosis = diagnoseEntrance(row, stats);
    if (!row.diagnosis)
        row.diagnosis = diagnoseNaming(row);
    if (!row.diagnosis)
        row.diagnosis = diagnoseOwner(row);
    if (!row.diagnosis)
        row.diagnosis = silent(row);
    if (!row.diagnosis)
        row.diagnosis = unwatched(row, stats);
    if (!row.diagnosis)
        row.diagnosis = diagnoseForgotten(row, stats);
    if (!row.diagnosis)
        row.diagnosis = diagnoseSlow(row, stats);
    // A session that waits elsewhere has forgotten nothing and is not slow: it cannot go on.
    if (row.diagnosis && (row.diagnosis->kind == Kind::slowerThanUsual ||
                          (row.diagnosis->kind == Kind::forgottenNode && row.diagnosis->other.empty())))
        if (auto elsewhere = waitsElsewhere(row, waiting))
            row.diagnosis = std::move(elsewhere);
    if (row.diagnosis)
        row.diagnosis->recipeKnown = row.diagnosis->recipeKnown && isKnownRecipe(row.recipe);
}

bool LockTracker::isSettling() const { return m_reading || m_nowMs < m_settledMs; }

// The locks for which the holder waits, from one to the next.
std::optional<Diagnosis> LockTracker::waitsElsewhere(const LockStatus& row, const Waiting& waiting) const
{
    Diagnosis diagnosis = diagnosisOf(Kind::holderWaits, *row.holder);
    diagnosis.span = heldFor(row, m_nowMs);
    std::set<std::string> seen{row.path};
    for (SessionId at = row.holder->session; at.valid() && diagnosis.paths.size() < kMaxNamed;) {
        const auto in = waiting.in.find(at);
        if (in == waiting.in.end())
            break;
        const auto next = std::find_if(in->second.begin(), in->second.end(), [&](std::size_t each) {
            return !seen.contains(waiting.rows[each].path);
        });
        if (next == in->second.end())
            break;
        const LockStatus& lock = waiting.rows[*next];
        seen.insert(lock.path);
        diagnosis.paths.push_back(lock.path);
        diagnosis.other = lock.holder ? nameOf(*lock.holder) : std::string();
        if (diagnosis.other.empty() && lock.holder && lock.holder->session.valid())
            diagnosis.other = hexText(lock.holder->session);
        at = lock.holder ? lock.holder->session : SessionId::none();
    }
    return diagnosis.paths.empty() ? std::nullopt : std::optional(diagnosis);
}

// An ephemeral node whose session no server knows will not go by itself.
std::optional<Diagnosis> LockTracker::diagnoseOwner(const LockStatus& row) const
{
    if (!row.holder || !hasWaiter(row))
        return std::nullopt;
    const auto unknown = m_unknownOwners.find(row.holder->session);
    if (unknown == m_unknownOwners.end() || unknown->second < kRoundsUnknown)
        return std::nullopt;
    Diagnosis diagnosis = diagnosisOf(Kind::ownerUnknown, *row.holder);
    diagnosis.count = row.waiting;
    return diagnosis;
}

void LockTracker::noteUnknownOwners(const SessionPoll& poll)
{
    if (!poll.hasEverySession || !m_news)
        return;
    std::map<SessionId, std::uint32_t> unknown;
    m_table.visit(
        [&](std::uint32_t, const history::LockSummary&, const std::vector<LockTable::Queued>& nodes) {
            for (const LockTable::Queued& one : nodes) {
                if (!one.entitled || !one.session.valid() || unknown.contains(one.session))
                    continue;
                const auto facts = poll.sessions.find(one.session);
                if (facts != poll.sessions.end() && facts->second.alive)
                    continue;
                const auto before = m_unknownOwners.find(one.session);
                unknown[one.session] = before == m_unknownOwners.end() ? 1 : before->second + 1;
            }
        });
    m_unknownOwners = std::move(unknown);
}

// What else ends with a session: for the remedies.
void LockTracker::nameOtherNodes(std::vector<LockStatus>& rows) const
{
    std::set<SessionId> named;
    for (const LockStatus& row : rows)
        if (row.diagnosis && row.diagnosis->session.valid())
            named.insert(row.diagnosis->session);
    if (named.empty())
        return;
    std::map<SessionId, std::vector<std::string>> holds;
    for (const LockStatus& row : rows)
        for (const Participant& one : row.participants)
            if (one.holds && named.contains(one.session))
                if (auto& paths = holds[one.session]; paths.empty() || paths.back() != row.path)
                    paths.push_back(row.path);
    for (LockStatus& row : rows) {
        if (!row.diagnosis)
            continue;
        const auto also = holds.find(row.diagnosis->session);
        if (also == holds.end())
            continue;
        for (const std::string& path : also->second)
            if (path != row.path && row.diagnosis->also.size() < kMaxNamed)
                row.diagnosis->also.push_back(path);
    }
}

void LockTracker::keepGiven(const std::vector<LockStatus>& rows)
{
    const auto rowAt = [&](const GivenVerdict& given) {
        return std::find_if(rows.begin(), rows.end(), [&](const LockStatus& row) {
            return row.path == given.path && row.diagnosis && row.diagnosis->kind == given.diagnosis.kind &&
                   row.diagnosis->node == given.diagnosis.node;
        });
    };
    std::set<std::string_view> standing;
    for (GivenVerdict& given : m_given) {
        if (given.toMs)
            continue;
        const auto row = rowAt(given);
        if (row == rows.end()) {
            given.toMs = m_nowMs;
        } else {
            given.diagnosis = *row->diagnosis;
            standing.insert(row->path);
        }
    }
    for (const LockStatus& row : rows)
        if (row.diagnosis && !standing.contains(row.path))
            m_given.push_back({row.path, *row.diagnosis, m_nowMs});
    if (m_given.size() > kMaxGiven)
        m_given.erase(m_given.begin(), m_given.end() - static_cast<std::ptrdiff_t>(kMaxGiven));
}

std::optional<Diagnosis> LockTracker::diagnoseFront(const LockStatus& row) const
{
    if (row.participants.empty() || row.recipe == Recipe::semaphore || row.recipe == Recipe::kazooSemaphore ||
        row.recipe == Recipe::fixedName)
        return std::nullopt;
    const Participant& front = row.participants.front();
    // With kazoo's Lock(ephemeral=False) all nodes are persistent.
    const bool ephemeralBehind =
        std::any_of(row.participants.begin(), row.participants.end(),
                    [](const Participant& one) { return !one.persistent && !one.unknown; });
    if (front.persistent && !front.foreign && !front.persistentByDesign && hasWaiter(row) &&
        (front.library != Library::kazoo || ephemeralBehind))
        return Diagnosis{.kind = Kind::persistentInFront,
                         .node = front.node,
                         .count = row.waiting,
                         .recipeKnown = front.library != Library::none};
    const auto curator = std::find_if(row.participants.begin(), row.participants.end(),
                                      [](const Participant& one) { return isCuratorLike(one.library); });
    if (front.foreign && curator != row.participants.end())
        return Diagnosis{.kind = Kind::foreignInFront,
                         .node = front.node,
                         .other = curator->node,
                         .count = row.participants.size() - 1};
    return std::nullopt;
}

// Puts the node of no lock that the clients wait for in front of them.
void LockTracker::addForeign(LockStatus& row, std::string_view name) const
{
    if (name.empty())
        return;
    Participant foreign;
    foreign.node = name;
    foreign.parent = row.participants.front().parent;
    foreign.foreign = true;
    if (const auto node = m_tree.find(foreign.parent + "/" + foreign.node); node != m_tree.end()) {
        foreign.session = node->second.session;
        foreign.persistent = !node->second.ephemeral && !node->second.unknown;
        foreign.unknown = node->second.unknown;
        foreign.created = node->second.czxid;
        foreign.createdMs = node->second.createdMs;
    }
    row.participants.insert(row.participants.begin(), std::move(foreign));
}

std::optional<Diagnosis> LockTracker::diagnoseNaming(const LockStatus& row) const
{
    std::string_view first;
    for (const Participant& one : row.participants) {
        if (one.role == NodeRole::lease || one.inAcquireMutex)
            continue;
        const std::string_view scheme = schemeName(one);
        if (first.empty())
            first = scheme;
        else if (!scheme.empty() && scheme != first)
            return Diagnosis{
                .kind = Kind::namesDoNotExclude, .node = std::string(first), .other = std::string(scheme)};
    }
    return std::nullopt;
}

std::optional<Diagnosis> LockTracker::silent(const LockStatus& row) const
{
    if (!hasWaiter(row) || monotonicNow() - m_sessionPoll.ended > kPollAge)
        return std::nullopt;
    const auto isSilent = [](const Participant& one) {
        return one.holds && one.silentAtLeast && one.timeout > Duration{} &&
               *one.silentAtLeast >= silentAfter(one.timeout);
    };
    const auto holder = std::find_if(row.participants.begin(), row.participants.end(), isSilent);
    if (holder == row.participants.end())
        return std::nullopt;
    Diagnosis diagnosis = diagnosisOf(Kind::holderSilent, *holder);
    diagnosis.reference = holder->timeout;
    diagnosis.span = std::max<Duration>(holder->timeout - *holder->silentAtLeast, Duration{});
    return diagnosis;
}

std::optional<Diagnosis> LockTracker::unwatched(const LockStatus& row, const QueueStats& stats) const
{
    if (stats.unwatched.empty() || stats.unwatchedPolls < 2)
        return std::nullopt;
    const auto next = std::find_if(row.participants.begin(), row.participants.end(),
                                   [](const Participant& one) { return !one.holds; });
    if (next == row.participants.end() || next->node != stats.unwatched)
        return std::nullopt;
    return diagnosisOf(Kind::nextWithoutWatch, *next);
}

void LockTracker::updateMissingWatches(const SessionPoll& poll)
{
    m_table.visit([&](std::uint32_t lock, const history::LockSummary& summary,
                      const std::vector<LockTable::Queued>& nodes) {
        QueueStats& stats = m_stats[lock];
        const bool watches = summary.recipe == Recipe::mutex || summary.recipe == Recipe::readWrite ||
                             summary.recipe == Recipe::leaderLatch || summary.recipe == Recipe::kazooMutex ||
                             summary.recipe == Recipe::kazooReadWrite ||
                             summary.recipe == Recipe::zooKeeperCMutex;
        if (summary.recipe == Recipe::mixed
                ? countEachOther(nodes, *poll.watches)
                : !summary.showsHolders && isWaitingSeen(nodes, *poll.watches, stats))
            m_table.noteWaiting(lock);
        const auto next =
            std::find_if(nodes.begin(), nodes.end(), [](const LockTable::Queued& one) { return one.waits; });
        // Only the server that a session is connected to knows its watches, and that server may not be among
        // those asked. A process that pauses sets its watch later: it must have been heard from well after
        // the last change.
        const auto couldHave = [&](SessionId session) {
            const auto facts = poll.sessions.find(session);
            return facts != poll.sessions.end() && facts->second.connected && facts->second.silence &&
                   spanBetween(stats.lastChangeMs, m_nowMs) - facts->second.silence->most >= kHeardAfter;
        };
        if (!watches || next == nodes.end() || !queue::waitsByWatch(next->library) ||
            m_nowMs - stats.lastChangeMs < kUnwatchedAfterMs || !couldHave(next->session)) {
            stats.unwatched.clear();
            stats.unwatchedPolls = 0;
            return;
        }
        // A session that holds here by another node may not have to wait, as with a reader inside its own
        // write lock.
        const bool holdsHere = std::any_of(nodes.begin(), nodes.end(), [&](const LockTable::Queued& one) {
            return one.entitled && one.session == next->session;
        });
        const bool has = holdsHere || std::any_of(nodes.begin(), next, [&](const LockTable::Queued& ahead) {
                             const auto watchers = poll.watches->find(std::string(ahead.path));
                             return watchers != poll.watches->end() &&
                                    std::find(watchers->second.begin(), watchers->second.end(),
                                              next->session) != watchers->second.end();
                         });
        const std::string node(history::nameOf(next->path));
        if (has || stats.unwatched != node)
            stats.unwatchedPolls = 0;
        stats.unwatched = has ? std::string() : node;
        stats.unwatchedPolls += has ? 0 : 1;
        if (stats.unwatchedPolls >= 2)
            stats.unaware = node;
    });
}

// Clients that wait for each other: the session of each node but the first watches the node in front of its
// own, and no other one. (Members that watch all others are none.) A watch or two may be chance, as of
// members that look at each other: then it is a queue once the same was seen behind different first nodes.
bool LockTracker::isWaitingSeen(const std::vector<LockTable::Queued>& nodes,
                                const server::WatchTable& watches, QueueStats& stats)
{
    constexpr std::size_t kSurelyWait = 3;
    constexpr std::uint32_t kSureChains = 3;
    const auto watchersOf = [&](const LockTable::Queued& node) {
        const auto found = watches.find(std::string(node.path));
        return found == watches.end() ? nullptr : &found->second;
    };
    std::size_t waiting = 0, expected = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i > 0 && nodes[i].session.valid() && nodes[i].session != nodes[i - 1].session)
            ++expected;
        const auto* watchers = watchersOf(nodes[i]);
        for (std::size_t j = 0; watchers && j < nodes.size(); ++j) {
            if (nodes[j].session == nodes[i].session || !nodes[j].session.valid() ||
                std::find(watchers->begin(), watchers->end(), nodes[j].session) == watchers->end())
                continue;
            if (j != i + 1) {
                stats.chains = 0;
                return false;
            }
            ++waiting;
        }
    }
    if (expected == 0)
        return false;
    if (waiting < expected)
        stats.chains -= std::min(stats.chains, 1U);
    else if (stats.chainFront != nodes.front().path || stats.chains == 0)
        ++stats.chains;
    stats.chainFront = nodes.front().path;
    return waiting == expected && (waiting >= kSurelyWait || stats.chains >= kSureChains);
}

// A client watches a node of another library that is in front of its own.
bool LockTracker::countEachOther(const std::vector<LockTable::Queued>& nodes,
                                 const server::WatchTable& watches)
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto watchers = watches.find(std::string(nodes[i].path));
        for (std::size_t j = i + 1; watchers != watches.end() && j < nodes.size(); ++j)
            if (queue::familyOf(nodes[j].library, nodes[j].role) !=
                    queue::familyOf(nodes[i].library, nodes[i].role) &&
                queue::isContender(nodes[j].role) && nodes[j].session.valid() &&
                nodes[j].session != nodes[i].session &&
                std::find(watchers->second.begin(), watchers->second.end(), nodes[j].session) !=
                    watchers->second.end())
                return true;
    }
    return false;
}

// A client that is first in a semaphore's entrance creates a lease at once if none is taken.
std::optional<Diagnosis> LockTracker::diagnoseEntrance(const LockStatus& row, const QueueStats& stats) const
{
    const auto first = std::find_if(row.participants.begin(), row.participants.end(),
                                    [](const Participant& one) { return one.inAcquireMutex; });
    const Duration span = spanBetween(stats.entranceSinceMs, m_nowMs);
    if (stats.entrance.empty() || first == row.participants.end() || isSettling() || span < kPatience)
        return std::nullopt;
    Diagnosis diagnosis = diagnosisOf(Kind::entranceBlocked, *first);
    diagnosis.span = span;
    diagnosis.count = row.waiting;
    return diagnosis;
}

// A holder that works looks like one that has forgotten its node: neither does anything here. A forgotten
// node shows by
// - a second node of the session with the same unique prefix: a create that was retried because its reply was
// lost (two
//   nodes with different prefixes may belong to two threads of one process);
// - the lack of a watch while it was the next in line, so that the client does not know that its turn has
// come;
// - otherwise, a hold far longer than those seen here, or longer than two minutes if hardly any were seen.
std::optional<Diagnosis> LockTracker::diagnoseForgotten(const LockStatus& row, const QueueStats& stats) const
{
    if (!row.holder || !row.holder->session.valid() || !hasWaiter(row) || row.holder->persistentByDesign ||
        row.recipe == Recipe::leaderLatch || row.recipe == Recipe::election)
        return std::nullopt;
    const Participant& holder = *row.holder;
    // What the session did before the watch began is unknown.
    const Duration held = std::min(heldFor(row, m_nowMs), spanBetween(m_readMs, m_nowMs));
    Diagnosis diagnosis = diagnosisOf(Kind::forgottenNode, holder);
    diagnosis.span = held;
    bool another = false;
    for (const Participant& one : row.participants) {
        if (one.session != holder.session || one.node == holder.node)
            continue;
        another = true;
        const bool unique = isCuratorLike(one.library) || one.library == Library::kazoo;
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
    if (holder.node == stats.unaware)
        patience = kPatience;
    else if (stats.holds.seen >= kManyHolds)
        patience = std::max<Duration>(kPatience, milliseconds(3 * longestOf(row.holdsMs)));
    else if (stats.holds.seen >= kFewHolds)
        patience = std::max<Duration>(kPatience * 2, milliseconds(5 * longestOf(row.holdsMs)));
    if (held < patience || isSettling() || facts->second.requestsSeen < stats.requestsBefore + 2)
        return std::nullopt;
    const auto deleted = m_deletedBySession.find(holder.session.value);
    if (deleted != m_deletedBySession.end() && holder.heldSince &&
        deleted->second >= holder.heldSince->latestMs)
        return std::nullopt;
    if (m_sessionPoll.watches)
        for (const auto& [path, watchers] : *m_sessionPoll.watches)
            if (std::find(watchers.begin(), watchers.end(), holder.session) != watchers.end() &&
                history::isAtOrBelow(path, holder.parent))
                return std::nullopt;
    return diagnosis;
}

std::optional<Diagnosis> LockTracker::diagnoseSlow(const LockStatus& row, const QueueStats& stats) const
{
    if (!row.holder || !hasWaiter(row) || stats.holds.seen < kManyHolds || isSettling())
        return std::nullopt;
    const Duration held = heldFor(row, m_nowMs);
    const std::int64_t reference = percentile99(stats.holds.ms);
    if (held < std::max<Duration>(seconds(2), longestPause(row.holder->timeout)) ||
        held < milliseconds(3 * reference) || held <= milliseconds(longestOf(row.holdsMs)))
        return std::nullopt;
    Diagnosis diagnosis = diagnosisOf(Kind::slowerThanUsual, *row.holder);
    diagnosis.span = held;
    diagnosis.reference = milliseconds(reference);
    diagnosis.count = stats.holds.seen;
    diagnosis.other = std::to_string(row.waiting);
    return diagnosis;
}

// Finds circles of sessions, each of which waits for a hold of the next one. Circles can occur in normal
// operation and resolve themselves: if a session waits in several places, and so has several threads, or if
// locks are held for long.
void LockTracker::diagnoseDeadlocks(std::vector<LockStatus>& rows)
{
    std::map<std::string, std::int64_t> seen; // since when
    for (const WaitGraph::Circle& circle : WaitGraph(rows).circles(rows.size())) {
        Duration patience = circle.hasThreads ? kPatienceWithoutHistory : kDeadlockAfter;
        std::vector<std::string> paths;
        std::string key;
        for (const std::size_t row : circle.rows) {
            key += rows[row].path + "=" + (rows[row].holder ? rows[row].holder->node : "") + ";";
            paths.push_back(rows[row].path);
            patience = std::max<Duration>(patience, milliseconds(longestOf(rows[row].holdsMs)));
        }
        const auto before = m_deadlocks.find(key);
        const std::int64_t since = seen[key] = before == m_deadlocks.end() ? m_nowMs : before->second;
        const Duration span = milliseconds(m_nowMs - since);
        if (span < patience)
            continue;
        for (const std::size_t row : circle.rows) {
            if (!rows[row].holder)
                continue;
            Diagnosis& diagnosis =
                rows[row].diagnosis.emplace(diagnosisOf(Kind::deadlock, *rows[row].holder));
            diagnosis.recipeKnown = diagnosis.recipeKnown && isKnownRecipe(rows[row].recipe);
            diagnosis.span = span;
            diagnosis.paths = paths;
        }
    }
    m_deadlocks = std::move(seen);
}

// Finds empty parents that the server does not remove as containers. (A Stat does not show whether a node is
// a container.)
void LockTracker::diagnoseFolders()
{
    std::map<std::string_view, std::uint32_t> empty;
    const auto isEmpty = [this](const Node& node) {
        return !node.ephemeral && !node.unknown && !node.hasData && node.wasParent && node.children == 0 &&
               spanBetween(node.emptySinceMs, m_nowMs) >= m_cleanedAfter;
    };
    for (const auto& [path, node] : m_tree) {
        if (!isEmpty(node))
            continue;
        // Of a semaphore, its own folder counts, once: for the entrance if there are no leases.
        const std::string_view name = history::nameOf(path), parent = history::parentOf(path);
        const bool isLeases = queue::kLeasesSuffix.substr(1) == name,
                   isEntrance = queue::kMutexSuffix.substr(1) == name;
        if (!isLeases && !isEntrance) {
            ++empty[parent];
            continue;
        }
        const auto beside =
            m_tree.find(std::string(parent).append(isLeases ? queue::kMutexSuffix : queue::kLeasesSuffix));
        const auto semaphore = m_tree.find(parent);
        if (beside == m_tree.end() || semaphore == m_tree.end() || semaphore->second.children > 2)
            ++empty[parent];
        else if (isEntrance && beside->second.children == 0)
            ++empty[history::parentOf(parent)];
    }
    m_folders.clear();
    for (const auto& [path, count] : empty) {
        if (count < kManyEmpty)
            continue;
        m_folders.emplace_back(path.empty() ? "/" : std::string(path),
                               Diagnosis{.kind = Kind::emptyParents, .count = count});
    }
}

} // namespace lockscope::field
