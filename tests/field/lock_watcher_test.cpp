// Following locks on a real server: nothing is missed, a loss of contact is a gap and what there is
// afterwards is right, and a server without persistent watches is followed by listing. The clients are
// sessions that make nodes of locks' names.
#include "core/base/host_port.h"
#include "core/field/lock_watcher.h"
#include "core/field/session_answers.h"
#include "core/field/wall_clock.h"
#include "core/history/history.h"
#include "core/server/probe/four_letter.h"
#include "core/server/process/managed_server.h"
#include "core/server/relay/link.h"
#include "tests/support/fake_server.h"
#include "tests/support/lossy_relay.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace lockscope::tests {
namespace {

using field::LockStatus;
using field::LockWatcher;
using field::PathStatus;
using field::SnapshotPtr;
using field::WatchOptions;
using field::WatchState;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using zk::Code;
using zk::CreateMode;

class Following : public ZkTest
{
protected:
    void SetUp() override
    {
        ZkTest::SetUp();
        client = world->connect();
    }
    void TearDown() override
    {
        if (watcher)
            watcher->stop();
        watcher.reset();
        scheduler.cancelAll();
        io.restart();
        io.run_for(std::chrono::seconds(5));
        client.reset();
        ZkTest::TearDown();
    }
    void follow(std::vector<std::string> paths, bool persistentWatches = true,
                Duration timeout = std::chrono::seconds(10), const std::string& hosts = {},
                Duration cleanedAfter = field::kCleanedAfter)
    {
        WatchOptions options;
        options.hosts = hosts.empty() ? server().address() : hosts;
        options.paths = std::move(paths);
        options.persistentWatches = persistentWatches;
        options.everyDetail = true;
        options.sessionTimeout = timeout;
        options.cleanedAfter = cleanedAfter;
        watcher = std::make_shared<LockWatcher>(scheduler, options);
        watcher->onSnapshot([this](SnapshotPtr snapshot) { last = std::move(snapshot); });
        watcher->onFailure([](const Error& error) { ADD_FAILURE() << error.text(); });
        watcher->start();
        EXPECT_THAT(watcher->snapshot()->paths, IsEmpty()) << "nothing is known of them yet";
        until(
            [&] {
                return last &&
                       (last->watching == WatchState::everyChange || last->watching == WatchState::byListing);
            },
            "the first look");
    }
    bool until(const std::function<bool()>& reached, std::string_view what)
    {
        return world->runUntil(
            [&] {
                io.restart();
                io.run_one_for(std::chrono::milliseconds(1));
                io.poll();
                return reached();
            },
            what);
    }
    // Of this moment.
    LockStatus row(const std::string& lock)
    {
        last = watcher->snapshot();
        for (const LockStatus& one : last->locks)
            if (one.path == lock)
                return one;
        return {};
    }
    std::string make(zk::Session& session, const std::string& lock)
    {
        const zk::Created made =
            world->create(session, lock + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-", "10.9.8.7",
                          CreateMode::ephemeralSequential);
        EXPECT_EQ(made.code, Code::ok);
        return made.path.substr(lock.size() + 1);
    }
    std::vector<std::string> queueOf(const std::string& lock)
    {
        std::vector<std::string> names;
        for (const field::Participant& one : row(lock).participants)
            names.push_back(one.node);
        return names;
    }
    // So many nodes, of which every tenth stays; no answer is waited for.
    void startBurst(int times)
    {
        for (int i = 0; i < times; ++i) {
            const std::string node =
                path() + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-" + std::to_string(1'000'000'000 + i);
            client->create(node, "", CreateMode::ephemeral, [](const zk::Created&) {});
            if (i % 10 != 0)
                client->remove(node, [](Code) {});
        }
    }
    // So many holds, one after the other, without waiting for any answer.
    void burst(const std::string& lock, std::size_t times)
    {
        std::size_t done = 0;
        for (std::size_t i = 0; i < times; ++i) {
            std::string number = std::to_string(i + 1'000'000'000);
            const std::string node = lock + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-" + number;
            client->create(node, "", CreateMode::ephemeral, [](const zk::Created&) {});
            client->remove(node, [&](Code) { ++done; });
        }
        until([&] { return done == times; }, "the burst");
    }

    boost::asio::io_context io{1};
    zk::wire::IoScheduler scheduler{io};
    HubSessionPtr client;
    std::shared_ptr<LockWatcher> watcher;
    SnapshotPtr last;
};

// How many packets the server has had of the watcher's session.
std::int64_t received(const std::string& server, SessionId session)
{
    const auto cons = lockscope::server::sendFourLetterWord(server, "cons", std::chrono::seconds(10));
    EXPECT_TRUE(cons);
    for (const field::ConnectionLine& line : field::parseConnections(cons ? *cons : ""))
        if (line.session == session)
            return line.received;
    return 0;
}

TEST_F(Following, ReadsTheNodesOfALongQueueTogether)
{
    constexpr int kNodes = 60;
    world->create(*client, path(), "");
    follow({path()});
    const std::int64_t before = received(server().address(), last->session);
    int made = 0;
    for (int i = 0; i < kNodes; ++i)
        client->create(path() + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-" +
                           std::to_string(1'000'000'000 + i),
                       "10.9.8.7", CreateMode::ephemeral, [&](const zk::Created&) { ++made; });
    until([&] { return made == kNodes && row(path()).participants.size() == kNodes; }, "the queue");
    for (const field::Participant& one : row(path()).participants)
        EXPECT_EQ(one.session, client->id());
    EXPECT_EQ(last->statUnknown, 0u);
    EXPECT_LT(received(server().address(), last->session) - before, kNodes / 3);
}

TEST_F(Following, CountsWhatHadHappenedWhenItEnds)
{
    world->create(*client, path(), "");
    follow({path()});
    int done = 0;
    for (int i = 0; i < 300; ++i) {
        const std::string node =
            path() + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-" + std::to_string(1'000'000'000 + i);
        client->create(node, "", CreateMode::ephemeral, [](const zk::Created&) {});
        client->remove(node, [&](Code) { ++done; });
    }
    world->runUntil([&] { return done == 300; }, "the burst, while the watcher does nothing");
    std::uint64_t created = 0, deleted = 0;
    bool settled = false;
    watcher->settle([&] {
        settled = true;
        created = watcher->snapshot()->nodesCreated;
        deleted = watcher->snapshot()->nodesDeleted;
    });
    until([&] { return settled; }, "the end");
    EXPECT_EQ(created, 300u);
    EXPECT_EQ(deleted, 300u);
}

TEST_F(Following, EmptyParentsPileUp)
{
    constexpr int kParents = 1000;
    world->create(*client, path(), "");
    follow({path()}, true, std::chrono::seconds(10), {}, std::chrono::milliseconds(1));
    int done = 0;
    for (int i = 0; i < kParents; ++i) {
        const std::string parent = path() + "/" + std::to_string(i);
        const std::string node = parent + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000000";
        client->create(parent, "", CreateMode::persistent, [](const zk::Created&) {});
        client->create(node, "", CreateMode::ephemeral, [](const zk::Created&) {});
        client->remove(node, [&](Code) { ++done; });
    }
    until([&] { return done == kParents; }, "the locks");
    until([&] { return last && !last->folders.empty() && last->folders[0].second.count == kParents; },
          "the verdict");
    EXPECT_EQ(last->folders[0].first, path());
}

TEST_F(Following, ASessionThatEndsWithItsHold)
{
    world->create(*client, path(), "");
    follow({path()});
    const HubSessionPtr holder = world->connect();
    make(*holder, path());
    until([&] { return row(path()).holder.has_value(); }, "the holder");
    until([&] { return last->sessionPolls > 1; }, "a poll with it");
    ASSERT_TRUE(world->kill(*holder));
    until(
        [&] {
            return row(path()).ends.sessionGone + row(path()).ends.unknown == 1 &&
                   row(path()).ends.open == 0 && last->sessionPolls > 2;
        },
        "its end");
    EXPECT_EQ(row(path()).holder, std::nullopt);
    EXPECT_EQ(row(path()).acquisitions, 1u);
    EXPECT_EQ(row(path()).ends.deletedSessionAlive, 0u);
}

TEST_F(Following, WaitsForAPathThatIsNotThere)
{
    follow({path()});
    ASSERT_THAT(last->paths, SizeIs(1));
    EXPECT_EQ(last->paths[0].kind, PathStatus::Kind::missing);
    world->create(*client, path(), "");
    const std::string node = make(*client, path());
    until([&] { return row(path()).holder.has_value(); }, "the holder");
    EXPECT_EQ(last->paths[0].kind, PathStatus::Kind::there);
    EXPECT_EQ(row(path()).holder->node, node);
    EXPECT_EQ(last->nodesCreated, 1u) << "the lock's own path is none of its nodes";
}

TEST_F(Following, ATreeIsAsManyLocks)
{
    world->create(*client, path(), "");
    follow({path()});
    for (const std::string& lock : {path() + "/a", path() + "/b", path() + "/deeper", path() + "/deeper/c"})
        world->create(*client, lock, "");
    for (const std::string& lock : {path() + "/a", path() + "/b", path() + "/deeper/c"})
        make(*client, lock);
    until([&] { return row(path() + "/deeper/c").holder.has_value(); }, "the last one");
    EXPECT_THAT(last->locks, SizeIs(3));
}

TEST_F(Following, TheServersEndInTheMiddleOfABurst)
{
    world->create(*client, path(), "");
    follow({path()});
    startBurst(2000);
    until([&] { return row(path()).acquisitions >= 1; }, "the burst to begin");
    ASSERT_TRUE(server().killNow());
    until(
        [&] {
            return last->watching == WatchState::outOfContact &&
                   client->phase() == zk::SessionPhase::suspended;
        },
        "the loss to be seen by both");
    ASSERT_TRUE(server().restart());
    until(
        [&] {
            return client->phase() == zk::SessionPhase::connected &&
                   last->watching == WatchState::everyChange;
        },
        "both to be back");
    world->settle(*client);
    const std::vector<std::string> there = world->children(path());
    EXPECT_FALSE(there.empty());
    until([&] { return queueOf(path()) == there; }, "the queue to be as it is");
    ASSERT_THAT(last->gaps, SizeIs(1));
    EXPECT_TRUE(last->gaps[0].toMs);
    EXPECT_EQ(row(path()).holder->node, there.front());
}

// The silence of a server is noticed late: until then the hold that was open seems to go on.
TEST_F(Following, AHoldIsNoLongerThanItWasSeen)
{
    world->create(*client, path(), "");
    make(*client, path());
    follow({path()});
    until([&] { return row(path()).longestHoldMs > 0; }, "a hold of some length");
    ASSERT_TRUE(server().suspend());
    until([&] { return !last->gaps.empty(); }, "the silence to be noticed");
    const LockStatus lock = row(path());
    EXPECT_LE(lock.longestHoldMs,
              std::max<std::int64_t>(0, last->gaps[0].fromMs - lock.holder->heldSince->latestMs));
    ASSERT_TRUE(server().resume());
    until([&] { return last->gaps[0].toMs && last->watching == WatchState::everyChange; }, "contact again");
}

// A new session goes on where the old one was.
TEST_F(Following, TheEndOfTheObserversSessionIsAGapToo)
{
    world->create(*client, path(), "");
    const std::string node = make(*client, path());
    follow({path()}, true, std::chrono::seconds(1));
    const SessionId before = watcher->snapshot()->session;
    ASSERT_TRUE(server().killNow());
    until([&] { return last->watching == WatchState::connecting; }, "the session to be lost");
    ASSERT_TRUE(server().restart());
    until([&] { return last->watching == WatchState::everyChange; }, "the watch to be set again");
    EXPECT_NE(watcher->snapshot()->session, before);
    EXPECT_THAT(queueOf(path()), ElementsAre(node));
    until([&] { return client->phase() == zk::SessionPhase::connected; }, "the client");
    world->remove(*client, path() + "/" + node);
    until([&] { return !row(path()).holder; }, "the release to be seen");
}

// Sessions of all members are known, and the end of the observer's member is a gap.
TEST_F(Following, AMemberOfThreeIsKilledInTheMiddleOfABurst)
{
    auto ensemble = server::ManagedServer::start({.members = 3});
    ASSERT_TRUE(ensemble) << ensemble.error().text();
    const std::string hosts = (*ensemble)->hosts();
    follow({path()}, true, std::chrono::seconds(10), hosts);
    std::vector<std::string> others = splitHosts(hosts);
    const auto own = std::find(others.begin(), others.end(), last->server);
    ASSERT_NE(own, others.end()) << last->server;
    const auto member = static_cast<std::size_t>(own - others.begin());
    others.erase(own);
    const Duration longest = std::chrono::minutes(1); // that a server grants
    client = world->connect(longest, others[0]);
    const HubSessionPtr second = world->connect(longest, others[1]);
    world->create(*client, path(), "");
    make(*second, path());
    make(*client, path());
    until(
        [&] {
            const LockStatus lock = row(path());
            return lock.participants.size() == 2 && !lock.participants[0].address.empty() &&
                   !lock.participants[1].address.empty();
        },
        "the addresses of both, each by its own member");

    startBurst(500);
    until([&] { return row(path()).deepestQueue >= 3; }, "the burst to begin");
    ASSERT_TRUE((*ensemble)->killNow(member));
    until([&] { return !last->gaps.empty(); }, "the loss to be seen");
    // Seen with ZooKeeper 3.8, on a busy machine: the two that are left find no leader for minutes. The third
    // one comes back before the sessions are over, which have one server each.
    const MonotonicTime alone = monotonicNow() + longest / 4;
    bool isThird = false;
    // The second session, too: else its close is not sent, and it has to expire.
    const auto both = [&](auto&& phase) { return phase(client->phase()) && phase(second->phase()); };
    const auto isConnected = [](zk::SessionPhase phase) { return phase == zk::SessionPhase::connected; };
    const auto isAlive = [](zk::SessionPhase phase) { return !isOver(phase); };
    until(
        [&] {
            if (!isThird && monotonicNow() > alone)
                isThird = static_cast<bool>((*ensemble)->restart(member));
            return !both(isAlive) || (both(isConnected) && last->watching == WatchState::everyChange);
        },
        "all to be back");
    ASSERT_TRUE(both(isAlive)) << "the members found no leader in the time of a session";
    // A member that has just lost its leader hangs up: a session that looks connected may not be.
    Children listed;
    until(
        [&] {
            return world->settle(*client) == Code::ok &&
                   (listed = world->children(*client, path())).code == Code::ok;
        },
        "the children of this moment");
    std::vector<std::string> there = listed.names;
    std::sort(there.begin(), there.end());
    until([&] { return queueOf(path()) == there; }, "the queue to be as it is");
    EXPECT_TRUE(isThird || last->server != splitHosts(hosts)[member]) << last->server;
    for (const field::WatchGap& gap : last->gaps)
        EXPECT_TRUE(gap.toMs);
    second->close();
    until([&] { return row(path()).holder && row(path()).holder->session == client->id(); }, "the handoff");
    EXPECT_TRUE(row(path()).holder->heldSince->exact());
    client.reset();
}

TEST_F(Following, ByListingWhereThereAreNoPersistentWatches)
{
    world->create(*client, path(), "");
    const std::string first = make(*client, path());
    follow({path()}, false);
    EXPECT_EQ(last->watching, WatchState::byListing);
    EXPECT_FALSE(last->whyByListing.empty());
    const std::string second = make(*client, path());
    until([&] { return row(path()).waiting == 1; }, "the second one");
    world->remove(*client, path() + "/" + first);
    until([&] { return queueOf(path()) == std::vector{second}; }, "the handoff");
    EXPECT_EQ(row(path()).holder->node, second);
    // A lock made later, below a folder that is watched.
    world->create(*client, path() + "/folder", "");
    make(*client, path() + "/folder");
    until([&] { return row(path() + "/folder").holder.has_value(); }, "the lock in the folder");
}

// As a server before 3.6 does: it does not know the request and hangs up.
TEST_F(Following, AServerThatRefusesTheWatchIsFollowedByListing)
{
    FakeServer old(
        [](const FakeRequest& request) {
            return request.op == 106 ? reply(request.xid, -6) : defaultReply(request);
        },
        {"127.0.0.1", 6'000, true});
    WatchOptions options;
    options.hosts = old.address();
    options.paths = {"/l"};
    watcher = std::make_shared<LockWatcher>(scheduler, options);
    watcher->onSnapshot([this](SnapshotPtr snapshot) { last = std::move(snapshot); });
    watcher->start();
    until([&] { return last && last->watching == WatchState::byListing; }, "the listing");
    EXPECT_FALSE(last->whyByListing.empty());
}

// The link of the watcher alone is slow for a while; the clients work on.
TEST_F(Following, AStalledLinkIsAGapFromTheLastThingHeard)
{
    world->create(*client, path(), "");
    auto link = lockscope::server::Link::open(io, {server().address()}, 1);
    ASSERT_TRUE(link) << link.error().text();
    follow({path()}, true, std::chrono::seconds(30), (*link)->hosts());
    burst(path(), 5);
    until([&] { return row(path()).acquisitions == 5; }, "the burst before");
    const std::int64_t begun = field::wallMs();
    (*link)->set({.latency = std::chrono::seconds(4)});
    until([&] { return last && !last->gaps.empty(); }, "the stall to be seen");
    EXPECT_LE(last->gaps[0].fromMs, begun + 1'000);
    EXPECT_GE(last->gaps[0].fromMs, begun - 3'000);
    const SnapshotPtr stalled = watcher->snapshot();
    EXPECT_EQ(stalled->knownMs(), stalled->noNewsSinceMs);
    burst(path(), 20);
    (*link)->set({});
    until([&] { return row(path()).acquisitions == 25 && last->gaps.size() == 1 && last->gaps[0].toMs; },
          "the rest");
    EXPECT_FALSE(last->noNewsSinceMs);
    EXPECT_LT(row(path()).longestHoldMs, 1'000) << "what came late did not hold for so long";
    EXPECT_THAT(last->verdicts, IsEmpty());
    link->reset();
}

// The first holder works; the second one loses its connection; then the server is stopped for a while.
TEST_F(Following, TellsWhereALongWaitWent)
{
    using queue::WaitPart;
    auto stopped = server::ManagedServer::start({});
    ASSERT_TRUE(stopped) << stopped.error().text();
    const std::string address = (*stopped)->hosts();
    LossyRelay relay(address);
    client = world->connect(std::chrono::seconds(40), address);
    // Between a silence that is too long for a pause and the end of the session a look has to come in time.
    HubSessionPtr frozen = world->connect(std::chrono::seconds(20), relay.address());
    HubSessionPtr waiter = world->connect(std::chrono::seconds(40), address);
    world->create(*client, path(), "");
    const std::string first = make(*client, path()), second = make(*frozen, path()),
                      third = make(*waiter, path());
    follow({path()}, true, std::chrono::seconds(20), address);
    const auto partOf = [&](WaitPart part) {
        const auto wait = row(path()).longWait;
        return wait && wait->node == third ? wait->split.of(part) : std::nullopt;
    };
    until([&] { return row(path()).longWait.has_value(); }, "a wait of a second");
    world->remove(*client, path() + "/" + first);
    until([&] { return row(path()).holder && row(path()).holder->node == second; }, "the second holder");
    relay.cut();
    until([&] { return partOf(WaitPart::silentHolder).value_or(0) > 15'000; }, "its silence");
    const auto wait = row(path()).longWait;
    ASSERT_TRUE(wait);
    ASSERT_THAT(wait->holders, SizeIs(2));
    EXPECT_EQ(wait->holders[1].session, frozen->id());
    EXPECT_GT(wait->split.of(WaitPart::held).value_or(0), 900);
    EXPECT_EQ(wait->split.of(WaitPart::handoff), std::nullopt) << "who waits does not say when it knew";
    ASSERT_TRUE((*stopped)->suspend());
    const std::int64_t begun = field::wallMs();
    until([&] { return field::wallMs() - begun >= 4'000; }, "a stop of four seconds");
    ASSERT_TRUE((*stopped)->resume());
    until([&] { return !row(path()).longWait || partOf(WaitPart::noServer).value_or(0) > 2'000; }, "the gap");
    if (const auto after = row(path()).longWait) { // the session of the second holder may have expired
        std::int64_t sum = 0;
        for (const auto& part : after->split.parts)
            sum += part.value_or(0);
        EXPECT_EQ(sum, after->split.whole);
    }
    watcher->stop();
    watcher.reset();
    frozen.reset();
    waiter.reset();
    client.reset();
}

// What stands still for a while, seen by a watch through a follower: a gap from the last thing heard to the
// first one after it. The clients of another follower hold and wait. (LOCKSCOPE_STALL_SECONDS: for how long;
// a short stall is no gap.)
TEST_F(Following, WhatStandsStillIsAGapAndNoVerdict)
{
    const char* const given = std::getenv("LOCKSCOPE_STALL_SECONDS");
    const std::int64_t lastsMs = given ? std::atoi(given) * 1'000 : 4'000;
    auto ensemble = server::ManagedServer::start({.members = 3});
    ASSERT_TRUE(ensemble) << ensemble.error().text();
    const std::vector<std::string> hosts = splitHosts((*ensemble)->hosts());
    ASSERT_TRUE(world->runUntil(
        [&] {
            (*ensemble)->status();
            return (*ensemble)->hasQuorum();
        },
        "a leader"));
    const std::size_t leader = *(*ensemble)->leader(), watched = (leader + 1) % 3, used = (leader + 2) % 3;
    auto link = lockscope::server::Link::open(io, {hosts[watched]}, 1);
    ASSERT_TRUE(link) << link.error().text();
    const HubSessionPtr other = world->connect(std::chrono::seconds(40), hosts[used]);
    client = world->connect(std::chrono::seconds(40), hosts[used]);
    world->create(*client, path(), "");
    const auto remove = [&](zk::Session& session, const std::string& node) {
        Code code{};
        for (int i = 0; i < 100 && code != Code::noNode; ++i) // a leader may have to be elected
            code = world->remove(session, path() + "/" + node);
        EXPECT_EQ(code, Code::noNode);
    };
    for (const std::string what : {"link", "follower", "leader"}) {
        SCOPED_TRACE(what);
        const std::string holder = make(*client, path()), waiter = make(*other, path());
        follow({path()}, true, std::chrono::seconds(40), (*link)->hosts());
        const std::int64_t begun = field::wallMs();
        if (what == "link")
            (*link)->set({.latency = std::chrono::seconds(100)});
        else
            ASSERT_TRUE((*ensemble)->suspend(what == "leader" ? leader : watched));
        until([&] { return field::wallMs() - begun >= lastsMs; }, "a stall of that length");
        if (what == "link")
            (*link)->set({});
        else
            ASSERT_TRUE((*ensemble)->resume(what == "leader" ? leader : watched));
        until(
            [&] {
                return (lastsMs < 3'000 || (!last->gaps.empty() && last->gaps.back().toMs)) &&
                       !last->noNewsSinceMs && last->watching == WatchState::everyChange;
            },
            "news again");
        if (const std::vector<field::WatchGap> gaps = last->gaps; !gaps.empty()) {
            EXPECT_LE(gaps.front().fromMs, begun + 1'000);
            EXPECT_GE(gaps.front().fromMs, begun - 3'000);
            EXPECT_TRUE(what == "leader" || gaps.back().toMs.value_or(0) >= begun + lastsMs - 1'000)
                << "instead of the leader, another one may be elected before";
        }
        remove(*client, holder);
        until([&] { return row(path()).holder && row(path()).holder->node == waiter; }, "the waiter's turn");
        EXPECT_LT(row(path()).longestHoldMs, last->gaps.empty() ? 10'000 : 2'000)
            << "the hold was across a gap";
        EXPECT_THAT(last->verdicts, IsEmpty());
        remove(*other, waiter);
        watcher->stop();
        last.reset();
    }
    client.reset();
}

// A list that the server does not give is not an empty list.
TEST_F(Following, AListThatIsRefusedForAWhileIsReadAgain)
{
    world->create(*client, path(), "");
    const std::string node = make(*client, path());
    for (const std::int32_t error : {LossyRelay::kThrottled, -1, LossyRelay::kUnimplemented}) {
        LossyRelay relay(server().address());
        relay.refuse(LossyRelay::Op::list, error, 2);
        bool told = false;
        WatchOptions options;
        options.hosts = relay.address();
        options.paths = {path()};
        watcher = std::make_shared<LockWatcher>(scheduler, options);
        watcher->onSnapshot([&](SnapshotPtr snapshot) {
            told = told || snapshot->trouble;
            EXPECT_TRUE(snapshot->watching != WatchState::everyChange || !snapshot->locks.empty());
            last = std::move(snapshot);
        });
        watcher->start();
        until([&] { return last && last->watching == WatchState::everyChange; }, "the list");
        EXPECT_EQ(row(path()).holder->node, node) << error;
        EXPECT_TRUE(told) << error;
        EXPECT_FALSE(last->trouble) << error;
        EXPECT_EQ(relay.refusals(), 2) << error;
        watcher->stop();
        last.reset();
    }
}

// Three connections that are lost at this request by chance show nothing of the server.
TEST_F(Following, LostConnectionsAreNoLackOfPersistentWatches)
{
    constexpr auto kAddWatch = static_cast<LossyRelay::Op>(106);
    world->create(*client, path(), "");
    LossyRelay relay(server().address());
    relay.loseRequest(kAddWatch);
    WatchOptions options;
    options.hosts = relay.address();
    options.paths = {path()};
    watcher = std::make_shared<LockWatcher>(scheduler, options);
    watcher->onSnapshot([this](SnapshotPtr snapshot) { last = std::move(snapshot); });
    watcher->start();
    for (int losses = 1; losses < 3; ++losses) {
        until([&] { return relay.losses() == losses; }, "a loss");
        relay.loseRequest(kAddWatch);
    }
    until([&] { return relay.losses() == 3; }, "the last loss");
    until([&] { return last && last->watching == WatchState::everyChange; }, "the watch");
    burst(path(), 20);
    until([&] { return row(path()).acquisitions == 20; }, "each hold");
}

// ClickHouse Keeper's events carry the watched path.
TEST_F(Following, EventsThatDoNotNameTheNodeAreListedAfter)
{
    const auto answer = [](const FakeRequest& request) {
        return request.op == 106 ? reply(request.xid, 0, int32(0)) : defaultReply(request);
    };
    FakeServer keeper(answer, {"127.0.0.1", 6'000, true});
    WatchOptions options;
    options.hosts = keeper.address();
    options.paths = {"/l"};
    watcher = std::make_shared<LockWatcher>(scheduler, options);
    watcher->onSnapshot([this](SnapshotPtr snapshot) { last = std::move(snapshot); });
    watcher->start();
    until([&] { return last && last->watching == WatchState::everyChange; }, "the watch");
    keeper.send(watchEvent(1, "/l"));
    until([&] { return last->watching == WatchState::byListing; }, "the listing");
    EXPECT_THAT(last->whyByListing, ::testing::HasSubstr("ClickHouse Keeper"));
}

// The server's own log has nothing of the observer but that its session opened and closed.
TEST_F(Following, ChangesNothing)
{
    world->create(*client, path(), "");
    follow({path()});
    burst(path(), 50);
    until([&] { return row(path()).acquisitions == 50; }, "the burst");
    const SessionId observer = watcher->snapshot()->session;
    watcher->stop();
    scheduler.cancelAll();
    io.restart();
    io.run_for(std::chrono::seconds(5));
    world->settle(*client);

    struct Reader : history::HistoryReader::Consumer
    {
        bool onTransaction(const history::Transaction& transaction) override
        {
            if (transaction.session == session)
                types.push_back(transaction.type);
            return true;
        }
        void onGap(const history::Gap&) override {}
        void onNodes(const std::vector<history::SnapshotNode>&, Zxid, std::int64_t) override {}
        SessionId session;
        std::vector<OpCode> types;
    } consumer;
    consumer.session = observer;
    const std::vector<std::filesystem::path> folder{server().directory() / "data" / "version-2"};
    auto files = history::findHistoryFiles(folder);
    ASSERT_TRUE(files) << files.error().text();
    history::HistoryReader reader(std::move(*files), folder, false, consumer);
    while (reader.read(1U << 30) == history::HistoryReader::State::more) {
    }
    EXPECT_THAT(consumer.types, ElementsAre(OpCode::createSession, OpCode::closeSession));
}

} // namespace
} // namespace lockscope::tests
