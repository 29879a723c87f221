// Other people's folders, as their programs make them: who holds and who waits is said where the recipe shows
// it, and nothing is claimed where it does not. Times are given, not waited for.
#include "core/field/lock_tracker.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <limits>
#include <random>

namespace lockscope::field {
namespace {

using history::Recipe;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kProtection = "_c_01234567-89ab-cdef-0123-456789abcde";
const std::string kLeaseName = "0123456789abcdef0123456789abcd0";

// The nodes of a server, told to a tracker as a watch tells them.
class Server
{
public:
    Server() { m_tracker.beginReading(); }
    // Nodes that are there when the watch begins; afterwards, those that are created.
    Server& make(const std::string& path, std::int64_t session = 0, const std::string& data = {})
    {
        const std::string parent(queue::parentOf(path));
        if (!parent.empty() && !m_nodes.contains(parent))
            make(parent);
        if (!parent.empty()) {
            m_nodes[parent].creations = sum(m_nodes[parent].creations, 1);
            m_nodes[parent].facts.stat.stat.pzxid = Zxid{m_zxid + 1};
        }
        Node& node = m_nodes[path];
        node.facts.stat.stat.czxid = node.facts.stat.stat.mzxid = Zxid{++m_zxid};
        node.facts.stat.stat.ephemeralOwner = session == 0 ? SessionId::none() : SessionId{session};
        node.facts.stat.createdMs = now;
        node.facts.stat.dataLength = static_cast<std::int32_t>(data.size());
        node.facts.data = data;
        if (m_read)
            m_tracker.created(path, &node.facts, now);
        return *this;
    }
    // With the number that the server gives. Returns the path.
    std::string sequential(const std::string& path, std::int64_t session, const std::string& data = {})
    {
        const std::string parent(queue::parentOf(path));
        if (!m_nodes.contains(parent))
            make(parent);
        std::array<char, 12> digits{};
        std::snprintf(digits.data(), digits.size(), "%010d", m_nodes[parent].creations);
        const std::string whole = path + digits.data();
        make(whole, session, data);
        return whole;
    }
    void remove(const std::string& path)
    {
        m_nodes.erase(path);
        if (const auto parent = m_nodes.find(std::string(queue::parentOf(path))); parent != m_nodes.end())
            parent->second.facts.stat.stat.pzxid = Zxid{++m_zxid};
        if (m_read)
            m_tracker.deleted(path, now);
    }
    void write(const std::string& path, const std::string& data)
    {
        m_nodes[path].facts.stat.stat.mzxid = Zxid{++m_zxid};
        m_nodes[path].facts.data = data;
    }
    Server& hadChildren(const std::string& path, std::int32_t creations)
    {
        make(path);
        m_nodes[path].creations = creations;
        return *this;
    }
    Server& watch(bool keepsLastChange = false)
    {
        for (auto& [path, node] : m_nodes) {
            zk::Stat& stat = node.facts.stat.stat;
            stat.numChildren = 0;
            for (const auto& [other, facts] : m_nodes)
                stat.numChildren += queue::parentOf(other) == path ? 1 : 0;
            stat.cversion = sum(sum(node.creations, node.creations), -stat.numChildren);
            m_tracker.read(path, node.facts);
            m_tracker.readList(path, stat, keepsLastChange);
        }
        m_tracker.endReading(now, std::nullopt);
        m_read = true;
        return *this;
    }
    Snapshot look()
    {
        Snapshot snapshot;
        m_tracker.tick(now);
        m_tracker.fill(snapshot, {}, true);
        return snapshot;
    }
    LockStatus row(const std::string& path)
    {
        for (const LockStatus& one : look().locks)
            if (one.path == path)
                return one;
        ADD_FAILURE() << "no row of " << path;
        return {};
    }
    // "hhw" for two that hold and one that waits; "." for one of which neither is known.
    std::string places(const std::string& path)
    {
        std::string all;
        for (const Participant& one : row(path).participants)
            all += one.holds ? 'h' : one.waits ? 'w' : '.';
        return all;
    }
    // All sessions are connected and active.
    void poll(std::optional<server::WatchTable> watches = {})
    {
        SessionPoll taken;
        taken.begun = taken.ended = std::chrono::time_point_cast<Duration>(MonotonicClock::now());
        taken.whole = true;
        ++m_polls;
        for (const auto& [path, node] : m_nodes)
            if (const SessionId session = node.facts.stat.stat.ephemeralOwner; session.valid()) {
                SessionFacts& known = taken.sessions[session];
                known.alive = known.connected = true;
                known.address = "10.0.0.1:" + std::to_string(session.value);
                known.timeout = std::chrono::seconds(10);
                known.requestsSeen = m_polls;
                known.silence = Silence{std::chrono::milliseconds(10), std::chrono::milliseconds(20)};
            }
        taken.watches = std::move(watches);
        m_tracker.take(taken, now);
    }
    PathStatus status(const std::string& path) const
    {
        return m_tracker.statusOf(path, PathStatus::Kind::there);
    }
    LockTracker& tracker() { return m_tracker; }
    const std::vector<std::string> paths() const
    {
        std::vector<std::string> all;
        for (const auto& [path, node] : m_nodes)
            all.push_back(path);
        return all;
    }

    std::int64_t now = 1'795'000'000'000;

private:
    struct Node
    {
        NodeFacts facts;
        std::int32_t creations = 0;
    };
    static std::int32_t sum(std::int32_t a, std::int32_t b) // as in Java
    {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
    }

    LockTracker m_tracker;
    std::map<std::string, Node> m_nodes;
    std::int64_t m_zxid = 0;
    std::uint32_t m_polls = 0;
    bool m_read = false;
};

std::optional<Diagnosis::Kind> verdict(const LockStatus& row)
{
    return row.diagnosis ? std::optional(row.diagnosis->kind) : std::nullopt;
}

TEST(ForeignFolders, HivesReadersHoldTogetherAndNobodyGivesUp)
{
    Server server;
    const std::string table = "/hive/default/orders";
    server.watch();
    server.make("/hive").make("/hive/default").make(table);
    server.sequential(table + "/LOCK-SHARED-", 1);
    const std::string second = server.sequential(table + "/LOCK-SHARED-", 2);
    server.sequential(table + "/LOCK-SHARED-", 3);
    server.sequential(table + "/LOCK-EXCLUSIVE-", 4);
    EXPECT_EQ(server.places(table), "hhhw");
    server.remove(second);
    EXPECT_EQ(server.row(table).ends.gaveUp, 0u);
    server.now += 600'000;
    for (int answers = 0; answers < 4; ++answers) {
        server.poll(server::WatchTable{});
        EXPECT_EQ(server.row(table).diagnosis, std::nullopt) << "who waits tries again, without a watch";
    }
}

TEST(ForeignFolders, AccumulosPersistentLocksAreHeldByDesign)
{
    Server server;
    const std::string table = "/accumulo/i/table_locks/2a";
    server.sequential(table + "/lock-", 0, "READ:00000000000000a1");
    server.sequential(table + "/lock-", 0, "READ:00000000000000a2");
    server.sequential(table + "/lock-", 0, "WRITE:00000000000000a3");
    server.watch();
    EXPECT_EQ(server.places(table), "hhw");
    EXPECT_TRUE(server.row(table).holder->persistentByDesign);
    EXPECT_EQ(server.row(table).diagnosis, std::nullopt);
}

TEST(ForeignFolders, RegistrationsAreNoLocks)
{
    Server server;
    for (int i = 0; i < 4; ++i) {
        server.make("/hbase/rs/rs" + std::to_string(i) + ",16020,179053219172" + std::to_string(i), i + 1);
        server.make("/workers/etl-179576100" + std::to_string(i), i + 1);
    }
    server.watch();
    server.now += 300'000;
    server.poll();
    EXPECT_THAT(server.look().locks, IsEmpty());
    EXPECT_EQ(server.status("/hbase/rs").registrations, 4u);
    EXPECT_EQ(server.status("/workers").numbered, 0u) << "the digits are a clock's";
}

TEST(ForeignFolders, MembersNeitherHoldNorWait)
{
    Server server;
    for (const char* service : {"/d/search/member_", "/d/index/member_"})
        for (const int session : {1, 2})
            server.sequential(service, session, R"({"host":"a"})");
    for (const int session : {1, 2, 3})
        server.sequential("/mesos/log_replicas/", session);
    server.sequential("/mesos/json.info_", 1);
    server.sequential("/mesos/json.info_", 2);
    server.watch();
    server.now += 300'000;
    server.poll();
    for (const char* path : {"/d/search", "/d/index", "/mesos/log_replicas"}) {
        EXPECT_EQ(server.row(path).state, HoldState::noLock) << path;
        EXPECT_EQ(server.row(path).waiting, 0u) << path;
        EXPECT_EQ(verdict(server.row(path)), std::nullopt) << path;
    }
    EXPECT_EQ(server.row("/mesos").recipe, Recipe::election);
    EXPECT_EQ(server.places("/mesos"), "hw") << "the lowest leads";
}

TEST(ForeignFolders, AnUnknownSequenceIsAQueueOnlyOnceWaitingWasSeen)
{
    Server server;
    const std::string first = server.sequential("/app/turn-", 1), second = server.sequential("/app/turn-", 2),
                      third = server.sequential("/app/turn-", 3);
    server.sequential("/app/turn-", 4);
    server.watch();
    server.now += 300'000;
    EXPECT_EQ(server.places("/app"), "....");
    EXPECT_EQ(server.row("/app").state, HoldState::notKnown);
    EXPECT_TRUE(server.tracker().wantsWatches());
    server.poll(server::WatchTable{{first, {SessionId{2}, SessionId{3}}}, {second, {SessionId{1}}}});
    EXPECT_EQ(server.places("/app"), "....") << "members that watch all others";
    server.poll(server::WatchTable{{first, {SessionId{2}}}, {second, {SessionId{3}}}});
    EXPECT_EQ(server.places("/app"), "....") << "one waits for nobody";
    server.poll(
        server::WatchTable{{first, {SessionId{2}}}, {second, {SessionId{3}}}, {third, {SessionId{4}}}});
    EXPECT_EQ(server.places("/app"), "hwww");
    EXPECT_EQ(server.row("/app").participants[2].behind, queue::nameOf(second));
    server.remove(first);
    EXPECT_EQ(server.row("/app").handoffs, 1u);
}

// One watch may be chance.
TEST(ForeignFolders, TwoNodesOfAnUnknownSequenceAreAQueueAfterSomeHandoffs)
{
    Server server;
    std::string front = server.sequential("/app/turn-", 1);
    server.watch();
    for (int session = 2; session <= 4; ++session) {
        const std::string next = server.sequential("/app/turn-", session);
        for (int answers = 0; answers < 5; ++answers) {
            EXPECT_EQ(server.row("/app").waiting, 0u) << session;
            if (session < 4)
                server.poll(server::WatchTable{{front, {SessionId{session}}}});
        }
        if (session < 4) {
            server.remove(front);
            front = next;
        }
    }
    server.poll(server::WatchTable{{front, {SessionId{4}}}});
    EXPECT_EQ(server.places("/app"), "hw");
}

// Nodes of a program that forgot to make them ephemeral, in front of two that did not.
TEST(ForeignFolders, PersistentNodesOfAnUnknownRecipeAreNotOverlooked)
{
    Server server;
    for (int i = 0; i < 6; ++i)
        server.sequential("/app/n-", 0);
    server.watch();
    EXPECT_THAT(server.look().locks, IsEmpty());
    EXPECT_EQ(server.status("/app").numbered, 6u) << "not free";
    const std::string sixth = server.sequential("/app/n-", 1), seventh = server.sequential("/app/n-", 2);
    server.sequential("/app/n-", 3);
    EXPECT_EQ(server.row("/app").state, HoldState::notKnown);
    EXPECT_EQ(server.row("/app").holders, 0u);
    server.poll(server::WatchTable{
        {"/app/n-0000000005", {SessionId{1}}}, {sixth, {SessionId{2}}}, {seventh, {SessionId{3}}}});
    EXPECT_EQ(server.places("/app"), "hwwwwwwww");
    EXPECT_EQ(verdict(server.row("/app")), Diagnosis::Kind::persistentInFront);
    EXPECT_THAT(remedy(*server.row("/app").diagnosis).english(),
                ::testing::Not(::testing::HasSubstr("delete")));
}

TEST(ForeignFolders, NobodyHoldsBehindAForeignNode)
{
    Server server;
    server.make("/l/.meta", 0, "x");
    server.sequential("/l/" + kProtection + "f-lock-", 1, "h 1 a");
    server.watch();
    EXPECT_FALSE(server.row("/l").holder);
    EXPECT_EQ(server.row("/l").state, HoldState::free);
    EXPECT_EQ(server.places("/l"), ".w") << "it holds nothing either";
    EXPECT_EQ(verdict(server.row("/l")), Diagnosis::Kind::foreignInFront);
    server.remove("/l/.meta");
    EXPECT_EQ(server.places("/l"), "h");
    server.make("/l/.meta", 0, "x");
    EXPECT_EQ(server.places("/l"), "h") << "it was first already";
}

// After 2147483647 comes -2147483648, which sorts before it: its client holds, and so does the one that was
// first until then.
TEST(ForeignFolders, ANumberThatHasWrappedIsInFront)
{
    constexpr std::int32_t kLast = std::numeric_limits<std::int32_t>::max();
    for (const std::string& kind : {kProtection + "1-lock-", std::string("n_")}) {
        const auto take = [&kind](Server& server, int session) {
            return server.sequential("/l/" + kind, session);
        };
        Server seen, read, unchanged;
        seen.hadChildren("/l", kLast).watch();
        take(seen, 1);
        take(seen, 2);
        EXPECT_EQ(seen.places("/l"), "hh") << kind;

        unchanged.hadChildren("/l", kLast);
        take(unchanged, 1);
        take(unchanged, 2);
        unchanged.watch(true);
        EXPECT_EQ(unchanged.places("/l"), "hh") << kind << ": nothing was deleted since the second came";

        read.hadChildren("/l", kLast - 1);
        const std::string before = take(read, 3);
        take(read, 1);
        const std::string wrapped = take(read, 2);
        read.remove(before);
        read.watch(true);
        EXPECT_EQ(read.places("/l"), "h.") << kind << ": it may have waited for another one";
        EXPECT_EQ(verdict(read.row("/l")), std::nullopt);
        read.now += 1000;
        read.remove(wrapped);
        EXPECT_EQ(read.places("/l"), "h") << kind;
        EXPECT_FALSE(read.row("/l").holder->heldSince->exact()) << kind;
    }
}

TEST(ForeignFolders, AForeignNodeThatCameLaterMayStandInFrontOfAHolder)
{
    Server server;
    const std::string before = server.sequential("/l/" + kProtection + "1-lock-", 1);
    server.sequential("/l/" + kProtection + "2-lock-", 2);
    server.make("/l/.meta", 0, "x");
    server.remove(before);
    server.watch(true);
    EXPECT_EQ(server.row("/l").state, HoldState::notKnown) << "the second held only if .meta came after that";
    EXPECT_EQ(verdict(server.row("/l")), std::nullopt);
    server.remove("/l/.meta");
    EXPECT_EQ(server.places("/l"), "h");
}

TEST(ForeignFolders, AFixedNameMayBeALockOrARegistration)
{
    Server server;
    server.watch().make("/w/slot-1", 1);
    server.remove("/w/slot-1");
    server.make("/w/slot-1", 2);
    EXPECT_EQ(server.row("/w/slot-1").state, HoldState::notKnown);
    EXPECT_EQ(server.row("/w/slot-1").acquisitions, 0u);
    Server asked;
    asked.tracker().request("/w/slot-1");
    asked.watch().make("/w/slot-1", 1);
    EXPECT_EQ(asked.row("/w/slot-1").state, HoldState::held) << "who asks for it says that it is a lock";
}

TEST(ForeignFolders, WhatMayBeALockInAFolder)
{
    Server server;
    server.make("/a/locks/x").sequential("/a/locks/y/" + kProtection + "1-lock-", 1);
    server.make("/a/rs/rs0.example,16020,1790532191725", 1).make("/zookeeper/config", 0, "server.1=a");
    server.watch();
    EXPECT_EQ(server.tracker().statusOf("/", PathStatus::Kind::there, true).mayBeLocks, 0u);
    server.make("/a/leader", 2);
    server.make("/a/nightly", 0, "until tomorrow");
    server.make("/a/b/" + kLeaseName + "1", 3);
    server.sequential("/a/jobs/lock-", 0);
    EXPECT_EQ(server.tracker().statusOf("/", PathStatus::Kind::there, true).mayBeLocks, 4u);
    EXPECT_EQ(server.tracker().statusOf("/", PathStatus::Kind::there, true).mayBeLock,
              "/a/b/" + kLeaseName + "1");
}

TEST(ForeignFolders, AZombieInTheEntranceOfASemaphore)
{
    Server server;
    server.make("/app/shard");
    for (const int session : {1, 2, 3})
        server.sequential("/app/shard-__lock__/" + kLeaseName + std::to_string(session) + "__lock__",
                          session);
    server.watch();
    LockStatus row = server.row("/app/shard");
    EXPECT_EQ(row.recipe, Recipe::kazooSemaphore);
    EXPECT_EQ(row.holders, 0u);
    EXPECT_EQ(row.waiting, 3u);
    EXPECT_EQ(verdict(row), std::nullopt);
    server.now += 6'000;
    row = server.row("/app/shard");
    EXPECT_EQ(verdict(row), Diagnosis::Kind::entranceBlocked);
    EXPECT_EQ(row.diagnosis->session, SessionId{1});
    EXPECT_THAT(server.look().locks, SizeIs(1)) << "the entrance is no lock of its own";
}

// A lease that was there before the folder of the entrance, seen live.
TEST(ForeignFolders, ALeaseIsKnownOnceItsEntranceIsThere)
{
    Server server;
    server.watch();
    server.make("/testlock").make("/testlock/" + kLeaseName + "1", 0, "minion1.example");
    EXPECT_THAT(server.look().locks, IsEmpty());
    server.now += 5'000;
    server.make("/testlock-__lock__");
    const LockStatus row = server.row("/testlock");
    EXPECT_EQ(row.holders, 1u);
    ASSERT_TRUE(row.holder);
    EXPECT_EQ(row.holder->heldSince->latestMs, server.now - 5'000) << "since its creation";
    server.remove("/testlock/" + kLeaseName + "1");
    EXPECT_EQ(server.row("/testlock").state, HoldState::free);
}

TEST(ForeignFolders, APersistentLeaseIsHeld)
{
    Server server;
    server.make("/testlock-__lock__");
    server.make("/testlock/" + kLeaseName + "1", 0, "minion1.example");
    server.sequential("/testlock-__lock__/" + kLeaseName + "2__lock__", 2, "minion2.example");
    server.watch();
    const LockStatus row = server.row("/testlock");
    EXPECT_EQ(row.recipe, Recipe::kazooSemaphore);
    EXPECT_EQ(row.holders, 1u);
    ASSERT_TRUE(row.holder);
    EXPECT_TRUE(row.holder->persistent);
    EXPECT_EQ(nameOf(*row.holder), "minion1.example");
    EXPECT_TRUE(row.holder->heldSince->exact());
}

// The session works on, and neither deletes nor watches anything here for two minutes.
TEST(ForeignFolders, AnOrphanLeaseIsForgotten)
{
    Server server;
    server.sequential("/s/leases/" + kProtection + "1-lease-", 1);
    server.sequential("/s/locks/" + kProtection + "2-lock-", 2);
    server.sequential("/s/leases/" + kProtection + "2-lease-", 2);
    server.sequential("/s/locks/" + kProtection + "3-lock-", 3);
    server.watch();
    server.poll();
    server.now += 60'000;
    server.poll();
    EXPECT_EQ(verdict(server.row("/s")), std::nullopt);
    server.poll();
    server.now += 61'000;
    server.poll();
    EXPECT_EQ(verdict(server.row("/s")), Diagnosis::Kind::forgottenNode);
    EXPECT_EQ(server.row("/s").diagnosis->session, SessionId{1});
}

TEST(ForeignFolders, TheFoldersOfEmptySemaphoresPileUp)
{
    Server server;
    server.watch();
    server.make("/sems");
    for (int i = 0; i < 1000; ++i) {
        const std::string semaphore = "/sems/" + std::to_string(i);
        server.make(semaphore);
        for (const char* folder : {"/leases", "/locks"}) {
            server.make(semaphore + folder);
            server.remove(server.sequential(semaphore + folder + "/" + kProtection + "1-lock-", 1));
        }
    }
    server.now += 91'000;
    server.look();
    const Snapshot snapshot = server.look();
    ASSERT_THAT(snapshot.folders, SizeIs(1));
    EXPECT_EQ(snapshot.folders[0].first, "/sems");
    EXPECT_EQ(snapshot.folders[0].second.count, 1000u) << "one for each semaphore";
}

TEST(ForeignFolders, WhatAnotherClientWroteIsNotTheOwnersName)
{
    Server server;
    server.make("/cfg/leader", 1, "node-7:8080");
    server.sequential("/l/" + kProtection + "1-lock-", 1, "application_1795760000000_0042");
    server.write("/cfg/leader", "node-8:8080");
    server.watch();
    server.poll();
    const Participant leader = server.status("/cfg/leader").node.value();
    EXPECT_FALSE(leader.dataIsOwners);
    EXPECT_EQ(nameOf(leader), "10.0.0.1:1") << "its address";
    EXPECT_EQ(leader.data, "node-8:8080");
    const Participant holder = server.row("/l").holder.value();
    EXPECT_TRUE(holder.dataIsOwners);
    EXPECT_EQ(holder.data, "application_1795760000000_0042");
}

TEST(ForeignFolders, AnOwnerWithATopByteOfOnesIsASession)
{
    Server server;
    server.sequential("/l/" + kProtection + "1-lock-", static_cast<std::int64_t>(0xff000012ab340001));
    server.watch();
    EXPECT_FALSE(server.row("/l").holder->persistent);
}

// A hundred random folders of what is no queue, whose nodes come and go for ten minutes: no verdict, no
// waiter.
TEST(ForeignFolders, OfNoKindOfRegistrationAnythingIsClaimed)
{
    std::mt19937 random(20261128);
    const auto below = [&random](std::uint32_t limit) { return random() % limit; };
    const std::vector<std::string> kinds = {
        "member_", "",      "worker-",   "host:",   "etl-clock-", "svc_",
        "block-",  "node-", "instance_", "session", "p.",         "queue-"};
    Server server;
    server.watch();
    struct Folder
    {
        std::string path, prefix;
        bool clock = false;
        std::vector<std::pair<std::string, std::int64_t>> live;
    };
    std::vector<Folder> folders;
    for (int i = 0; i < 100; ++i) {
        Folder folder;
        folder.path = "/f" + std::to_string(i);
        folder.prefix = kinds[below(static_cast<std::uint32_t>(kinds.size()))];
        folder.clock = below(3) == 0;
        server.make(folder.path);
        folders.push_back(folder);
    }
    std::int64_t session = 0;
    for (int second = 0; second < 600; second += 5) {
        server.now += 5'000;
        for (Folder& folder : folders) {
            if (folder.live.size() > 1 && below(2) == 0) {
                const std::size_t gone = below(static_cast<std::uint32_t>(folder.live.size()));
                server.remove(folder.live[gone].first);
                folder.live.erase(folder.live.begin() + static_cast<std::ptrdiff_t>(gone));
            }
            if (folder.live.size() < 6 && below(2) == 0) {
                const std::int64_t owner =
                    below(4) == 0 ? 7 : ++session + 1000; // one has several nodes everywhere
                const std::string path = folder.path + "/" + folder.prefix;
                if (folder.clock)
                    server.make(path + std::to_string(server.now / 1000 + session), owner);
                folder.live.emplace_back(folder.clock ? path + std::to_string(server.now / 1000 + session)
                                                      : server.sequential(path, owner),
                                         owner);
            }
        }
        server::WatchTable watches; // some members watch others, whichever they are
        for (const Folder& folder : folders)
            for (std::size_t i = 0; i + 1 < folder.live.size(); ++i) {
                if (&folder - folders.data() < 50) { // one of them looks at another one now and then
                    if (below(20) == 0)
                        watches[folder.live[below(static_cast<std::uint32_t>(folder.live.size()))].first] = {
                            SessionId{folder.live[i + 1].second}};
                    continue;
                }
                watches[folder.live[i].first] = {SessionId{folder.live[i + 1].second}};
                watches[folder.live[i + 1].first] = {SessionId{folder.live[i].second}};
            }
        server.poll(std::move(watches));
        for (const LockStatus& row : server.look().locks) {
            ASSERT_EQ(row.waiting, 0u) << row.path << " after " << second << " s";
            ASSERT_EQ(row.holders, 0u) << row.path;
            ASSERT_EQ(row.diagnosis, std::nullopt) << row.path;
            ASSERT_EQ(row.ends.gaveUp, 0u) << row.path;
        }
    }
}

} // namespace
} // namespace lockscope::field
