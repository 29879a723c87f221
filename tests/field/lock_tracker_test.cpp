// What the nodes of foreign locks tell: who holds and since when, how holds ended, and which locks are kept.
#include "tests/field/lock_tracker_fixture.h"

#include <gmock/gmock.h>

#include <sys/resource.h>

namespace lockscope::field {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(LockTrackerTest, OfAHolderThatWasThereBeforeTheBeginningIsABound)
{
    LockTracker late;
    late.beginReading();
    late.read("/l", facts(0));
    const NodeFacts early = facts(1);
    late.read("/l/" + curator(50), early);
    late.endReading(now + 700, std::nullopt);
    Snapshot snapshot;
    late.fill(snapshot, {}, true);
    ASSERT_THAT(snapshot.locks, SizeIs(1));
    EXPECT_EQ(snapshot.locks[0].holder->heldSince->earliestMs, now);
    EXPECT_EQ(snapshot.locks[0].holder->heldSince->latestMs, now + 700);
}

// The newest node's creation was the last change of the list: since then at least the first one is first.
TEST_F(LockTrackerTest, AListThatHasNotChangedTellsSinceWhenItsHolderHolds)
{
    const std::int64_t begin = now;
    const auto sinceOf = [&](int gone, bool anotherCame, bool keepsLastChange) {
        LockTracker late;
        now = begin;
        late.beginReading();
        late.read("/l", facts(0));
        late.read("/l/" + curator(50), facts(1));
        now += 200;
        const NodeFacts newest = facts(2);
        zk::Stat list;
        list.numChildren = 2 + gone;
        list.cversion = 100; // some were deleted before
        list.pzxid = newest.stat.stat.czxid;
        late.readList("/l", list, keepsLastChange);
        late.read("/l/" + curator(51), newest);
        now += 300;
        if (anotherCame) {
            const NodeFacts third = facts(3);
            late.created("/l/" + curator(52), &third, now);
        }
        late.endReading(begin + 700, std::nullopt);
        Snapshot snapshot;
        late.fill(snapshot, {}, true);
        return snapshot.locks.at(0).holder->heldSince.value();
    };
    EXPECT_EQ(sinceOf(0, false, true).earliestMs, begin);
    EXPECT_EQ(sinceOf(0, false, true).latestMs, begin + 200);
    EXPECT_EQ(sinceOf(1, false, true).latestMs, begin + 700)
        << "one of the list was gone before it was read: it may have been first";
    EXPECT_EQ(sinceOf(0, true, true).latestMs, begin + 700);
    EXPECT_EQ(sinceOf(0, false, false).latestMs, begin + 700)
        << "the server does not tell when one was deleted";
}

// If no child was ever deleted, the first one has been first since it was created: every server counts the
// creations.
TEST_F(LockTrackerTest, AListFromWhichNothingWasDeletedTellsSinceWhenItsHolderHolds)
{
    const std::int64_t begin = now;
    const auto sinceOf = [&](int deleted) {
        LockTracker late;
        now = begin;
        creations = 2 + deleted;
        NodeFacts folder = facts(0);
        folder.stat.stat.cversion = 2 * creations - 2;
        folder.stat.stat.numChildren = 2;
        late.beginReading();
        late.read("/l", folder);
        late.readList("/l", folder.stat.stat);
        late.read("/l/" + curator(deleted), facts(1));
        now += 200;
        late.read("/l/" + curator(deleted + 1), facts(2));
        late.endReading(begin + 700, std::nullopt);
        Snapshot snapshot;
        late.fill(snapshot, {}, true);
        return snapshot.locks.at(0).holder->heldSince.value();
    };
    EXPECT_TRUE(sinceOf(0).exact());
    EXPECT_EQ(sinceOf(0).latestMs, begin);
    EXPECT_EQ(sinceOf(1).earliestMs, begin);
    EXPECT_EQ(sinceOf(1).latestMs, begin + 700);
}

// Whatever was deleted since: no child was ever in front of it.
TEST_F(LockTrackerTest, TheFirstNumberOfAFolderTellsSinceWhenItsHolderHolds)
{
    const auto sinceOf = [&](const std::string& name) {
        LockTracker late;
        creations = 3;
        NodeFacts folder = facts(0);
        folder.stat.stat.cversion = 4; // three came, one has gone
        folder.stat.stat.numChildren = 2;
        late.beginReading();
        late.read("/l", folder);
        late.readList("/l", folder.stat.stat);
        late.read("/l/LOCK-SHARED-" + name, facts(1));
        late.read("/l/LOCK-EXCLUSIVE-" + digits(2), facts(2));
        late.endReading(now + 700, std::nullopt);
        Snapshot snapshot;
        late.fill(snapshot, {}, true);
        return snapshot.locks.at(0).holder->heldSince.value();
    };
    EXPECT_TRUE(sinceOf(digits(0)).exact());
    EXPECT_EQ(sinceOf(digits(0)).latestMs, now);
    EXPECT_FALSE(sinceOf(digits(1)).exact()) << "the first may have been an exclusive lock";
}

// A lease is had when its session has left the acquire mutex, which is another list.
TEST_F(LockTrackerTest, TheListOfLeasesTellsNothingOfTheirBeginning)
{
    LockTracker late;
    late.beginReading();
    const NodeFacts lease = facts(1);
    std::string name = curator(0);
    late.read("/s/leases/" + name.replace(name.find("lock-"), 5, "lease-"), lease);
    late.endReading(now + 700, std::nullopt);
    Snapshot snapshot;
    late.fill(snapshot, {}, true);
    ASSERT_THAT(snapshot.locks, SizeIs(1));
    EXPECT_EQ(snapshot.locks[0].holder->heldSince->latestMs, now + 700);
}

// Between two leases the acquire mutex alone has nodes: who was asked then said that a mutex is below the
// path.
TEST_F(LockTrackerTest, ASemaphoreWithoutALeaseIsNoMutex)
{
    LockTracker late;
    late.beginReading();
    for (const char* folder : {"/s", "/s/leases", "/s/locks"})
        late.read(folder, facts(0));
    late.read("/s/locks/" + curator(0), facts(1));
    late.endReading(now, std::nullopt);
    Snapshot snapshot;
    late.fill(snapshot, {}, true);
    ASSERT_THAT(snapshot.locks, SizeIs(1));
    EXPECT_EQ(snapshot.locks[0].path, "/s");
    EXPECT_EQ(snapshot.locks[0].recipe, history::Recipe::semaphore);
    EXPECT_FALSE(snapshot.locks[0].holder) << "it has no lease yet";

    plain("/l/leases"); // a folder comes to be while it is watched
    const NodeFacts entering = facts(1);
    tracker.created("/l/locks/" + curator(1), &entering, now);
    EXPECT_EQ(row().path, "/l");
    EXPECT_EQ(row().recipe, history::Recipe::semaphore);
}

TEST_F(LockTrackerTest, ReadersHoldTogetherAndAWriterWaitsForThem)
{
    add(kazoo(0, "__rlock__"), 1);
    add(kazoo(1, "__rlock__"), 2);
    add(kazoo(2, "__lock__"), 3);
    add(kazoo(3, "__rlock__"), 4);
    const LockStatus lock = row();
    EXPECT_EQ(lock.recipe, history::Recipe::kazooReadWrite);
    EXPECT_EQ(lock.holders, 2u);
    EXPECT_EQ(lock.waiting, 2u);
    EXPECT_EQ(lock.participants[3].behind, kazoo(2, "__lock__"));
}

// The readers do not wait for one another.
TEST_F(LockTrackerTest, ReadersBehindANodeOfNoLockWaitForThatNode)
{
    const auto reader = [](int number) {
        std::string name = curator(number);
        return name.replace(name.find("lock-"), 5, "__READ__");
    };
    add("00", 9);
    add(reader(0), 1);
    add(reader(1), 2);
    const LockStatus lock = row();
    ASSERT_THAT(lock.participants, SizeIs(3)) << "the node of no lock, too";
    EXPECT_EQ(lock.waiting, 2u);
    EXPECT_EQ(lock.participants[1].behind, "00");
    EXPECT_EQ(lock.participants[2].behind, "00");
}

TEST_F(LockTrackerTest, WhoEntersASemaphoreWaitsForAnyOfSeveralLeases)
{
    plain("/s");
    plain("/s/leases");
    plain("/s/locks");
    const auto lease = [](int number) {
        std::string name = curator(number);
        return name.replace(name.find("lock-"), 5, "lease-");
    };
    add(lease(0), 1, "/s/leases");
    add(lease(1), 2, "/s/leases");
    add(curator(5), 3, "/s/locks");
    LockStatus lock = row("/s");
    ASSERT_THAT(lock.participants, SizeIs(3));
    EXPECT_EQ(lock.holders, 2u);
    EXPECT_TRUE(lock.participants[2].waits);
    EXPECT_EQ(lock.participants[2].behind, "");
    remove(lease(1), "/s/leases");
    lock = row("/s");
    ASSERT_THAT(lock.participants, SizeIs(2));
    EXPECT_EQ(lock.participants[1].behind, lease(0)) << "there is one";
}

TEST_F(LockTrackerTest, TellsWhereALongWaitWent)
{
    using queue::WaitPart;
    add(curator(0), 1, "/l", "first");
    add(curator(1), 2);
    add(curator(2), 3);
    now += 900;
    EXPECT_FALSE(row().longWait) << "it is short";
    now += 1'100;
    LockStatus lock = row();
    ASSERT_TRUE(lock.longWait);
    EXPECT_EQ(lock.longWait->node, curator(1));
    EXPECT_EQ(lock.longWait->split.whole, 2'000);
    EXPECT_EQ(lock.longWait->split.of(WaitPart::held), 2'000);
    EXPECT_EQ(lock.longWait->split.of(WaitPart::silentHolder), std::nullopt) << "no server was asked";
    EXPECT_EQ(lock.longWait->split.of(WaitPart::handoff), std::nullopt);
    EXPECT_EQ(lock.longWait->split.of(WaitPart::noServer), 0);
    remove(curator(0));
    now += 500;
    SessionPoll silent = poll({1, 2, 3});
    silent.sessions[SessionId{2}].silence = Silence{std::chrono::seconds(2), std::chrono::seconds(3)};
    tracker.take(silent, now);
    lock = row();
    ASSERT_TRUE(lock.longWait);
    EXPECT_EQ(lock.longWait->node, curator(2));
    EXPECT_EQ(lock.longWait->split.of(WaitPart::held), 2'500);
    ASSERT_THAT(lock.longWait->holders, SizeIs(2));
    EXPECT_EQ(lock.longWait->holders[0].session, SessionId{1});
    EXPECT_EQ(lock.longWait->split.of(WaitPart::silentHolder), 0) << "a client that works may be as silent";
    now += 9'500;
    silent = poll({1, 2, 3});
    silent.sessions[SessionId{2}].silence = Silence{std::chrono::seconds(9), std::chrono::seconds(9)};
    tracker.take(silent, now);
    const auto wait = row().longWait;
    ASSERT_TRUE(wait);
    EXPECT_EQ(wait->split.whole, 12'000);
    EXPECT_NEAR(static_cast<double>(wait->split.of(WaitPart::silentHolder).value()), 9'000, 200);
    EXPECT_EQ(wait->split.of(WaitPart::silentHolder).value() + wait->split.of(WaitPart::held).value(),
              12'000);
    remove(curator(1));
    add(curator(3), 4);
    now += 1'500;
    EXPECT_EQ(row().longWait->split.of(WaitPart::held), 1'500) << "of its own time only";
}

// More holds are kept than are shown, while somebody waits since before them.
TEST_F(LockTrackerTest, ALongWaitBehindManyHoldsKnowsThemAll)
{
    for (int i = 0; i < 100; ++i)
        add(curator(i, i), 1 + i);
    now += 10;
    for (int i = 0; i < 60; ++i) {
        row();
        now += 100;
        remove(curator(i, i));
    }
    const auto wait = row().longWait;
    ASSERT_TRUE(wait);
    EXPECT_EQ(wait->split.whole, 6'010);
    EXPECT_EQ(wait->split.of(queue::WaitPart::held), 6'010);
    EXPECT_THAT(wait->holders, SizeIs(61));
    Snapshot snapshot;
    tracker.fill(snapshot, {"/l"}, true);
    EXPECT_THAT(snapshot.locks.at(0).lastHolds, SizeIs(LockTracker::kShownHolds));
}

// A writer of Curator's that reads inside its own write lock, seen by who comes later.
TEST_F(LockTrackerTest, AReaderInsideItsOwnWriteLockHolds)
{
    std::string writer = curator(0), reader = curator(1), next = curator(2);
    for (std::string* one : {&writer, &next})
        one->replace(one->find("lock-"), 5, "__WRIT__");
    reader.replace(reader.find("lock-"), 5, "__READ__");
    LockTracker late;
    late.beginReading();
    late.read("/l", facts(0));
    late.read("/l/" + writer, facts(1));
    late.read("/l/" + reader, facts(1));
    late.read("/l/" + next, facts(2));
    late.endReading(now, std::nullopt);
    Snapshot snapshot;
    late.fill(snapshot, {}, true);
    EXPECT_EQ(snapshot.locks.at(0).holders, 2u);
    EXPECT_EQ(snapshot.locks[0].waiting, 1u);
}

// kazoo's writer that reads waits for itself.
TEST_F(LockTrackerTest, AReaderOfKazoosBehindItsOwnWriterWaits)
{
    add(kazoo(0), 1);
    add(kazoo(1, "__rlock__"), 1);
    EXPECT_EQ(row().holders, 1u);
    EXPECT_EQ(row().waiting, 1u);
}

TEST_F(LockTrackerTest, TheEntriesOfKazoosQueueAreNoLock)
{
    for (int client = 1; client <= 3; ++client)
        add("entry-100-" + digits(client), client, "/queue/taken");
    EXPECT_THAT(look().locks, IsEmpty());
    add("worker-" + digits(0), 1, "/queue/taken");
    EXPECT_THAT(look().locks, SizeIs(1));
}

// In the order of their longest waits the rows of healthy locks changed places with every handoff.
TEST_F(LockTrackerTest, OnlyLongWaitsOrderTheLocks)
{
    for (const char* lock : {"/b", "/a", "/c"}) {
        plain(lock);
        add(curator(0), 1, lock);
        add(curator(1), 2, lock);
        now += 1'500;
    }
    const auto order = [this] {
        std::vector<std::string> paths;
        for (const LockStatus& one : look().locks)
            paths.push_back(one.path);
        return paths;
    };
    EXPECT_THAT(order(), ElementsAre("/a", "/b", "/c"));
    now += 1'000; // the waiter of /b: 5.5 s
    EXPECT_THAT(order(), ElementsAre("/b", "/a", "/c"));
}

TEST_F(LockTrackerTest, HoldsEndAsFarAsItCanBeSeen)
{
    add(curator(0), 1);
    remove(curator(0)); // and makes another node: it lives
    add(curator(1), 1);
    remove(curator(1)); // and is connected when polled
    tracker.take(poll({1}), now);
    add(curator(2), 2);
    remove(curator(2)); // and is gone at once
    tracker.take(poll({1}), now);
    add(curator(3), 3);
    add(curator(4), 4);
    remove(curator(4)); // while it waits
    const LiveEnds ends = row().ends;
    EXPECT_EQ(ends.deletedSessionAlive, 2u);
    EXPECT_EQ(ends.sessionGone, 1u);
    EXPECT_EQ(ends.gaveUp, 1u);
    EXPECT_EQ(ends.open, 1u);
    EXPECT_EQ(ends.unknown, 0u);
}

// Without an answer of the servers nothing is guessed.
TEST_F(LockTrackerTest, AnEndThatCannotBeSeenIsUnknown)
{
    add(curator(0), 1);
    remove(curator(0));
    SessionPoll partial = poll({});
    partial.whole = false;
    tracker.take(partial, now);
    EXPECT_EQ(row().ends.unknown, 1u);
    EXPECT_EQ(row().acquisitions, 1u);
}

TEST_F(LockTrackerTest, WhatHappenedInAGapIsNotKnown)
{
    add(curator(0), 1);
    add(curator(1), 2);
    const std::int64_t lost = now;
    now += 1000;
    tracker.beginReading();
    NodeFacts second = facts(2);
    second.stat.createdMs = lost;
    tracker.read("/l", facts(0));
    tracker.read("/l/" + curator(1), second);
    tracker.endReading(now, lost);
    const LockStatus lock = row();
    EXPECT_EQ(lock.holder->session, SessionId{2});
    EXPECT_EQ(lock.holder->heldSince->earliestMs, lost);
    EXPECT_EQ(lock.holder->heldSince->latestMs, now);
    EXPECT_EQ(lock.ends.unknown, 1u);
    EXPECT_EQ(lock.ends.open, 1u);
    EXPECT_THAT(lock.participants, SizeIs(1));
}

TEST_F(LockTrackerTest, ANodeThatWasGoneBeforeItWasReadCountsAllTheSame)
{
    tracker.created("/l/" + curator(0), nullptr, now);
    EXPECT_TRUE(row().holder->unknown);
    remove(curator(0));
    EXPECT_EQ(row().acquisitions, 1u);
    EXPECT_EQ(row().ends.unknown, 1u);
}

// The events of a link that was stalled for 9 s come all at once: nobody held for that long.
TEST_F(LockTrackerTest, WhatArrivesLateIsARangeAndNoLongestHold)
{
    add(curator(0), 1);
    add(curator(1), 2);
    const std::int64_t stalled = now + 100;
    now += 9'000;
    const std::int64_t arrived = now;
    tracker.deleted("/l/" + curator(0), now, stalled);
    EXPECT_EQ(row().holder->heldSince->earliestMs, stalled);
    EXPECT_EQ(row().holder->heldSince->latestMs, arrived);
    EXPECT_EQ(row().longestHoldMs, 0);
    EXPECT_THAT(row().holdsMs, IsEmpty());
    tracker.newsAgain(stalled, now);
    now += 20;
    remove(curator(1));
    EXPECT_EQ(row().longestHoldMs, 0) << "it began at an unknown time";
    add(curator(2), 3);
    now += 30;
    remove(curator(2));
    EXPECT_EQ(row().longestHoldMs, 30);
    EXPECT_EQ(row().acquisitions, 3u);
}

TEST_F(LockTrackerTest, TheLastHoldsSayWhatWasSeenOfThem)
{
    const auto lastHolds = [this] {
        Snapshot snapshot;
        tracker.fill(snapshot, {"/l"}, false);
        return snapshot.locks.at(0).lastHolds;
    };
    add(curator(0), 1, "/l", "10.1.2.3");
    add(curator(1), 2);
    EXPECT_THAT(lastHolds(), IsEmpty()) << "the first one is not over";
    now += 70;
    remove(curator(0));
    const std::int64_t turn = now;
    now += 5;
    remove(curator(1));
    ASSERT_EQ(lastHolds().size(), 2u);
    EXPECT_EQ(lastHolds()[0].client, "10.1.2.3");
    EXPECT_EQ(lastHolds()[0].waitedMs, 0);
    EXPECT_EQ(lastHolds()[0].endedMs, turn);
    EXPECT_EQ(lastHolds()[1].session, SessionId{2});
    EXPECT_EQ(lastHolds()[1].waitedMs, 70);
    EXPECT_EQ(lastHolds()[1].since.latestMs, turn);
    add(curator(2), 1);
    add(curator(3), 2);
    now += 9'000;
    tracker.deleted("/l/" + curator(2), now, now - 8'000); // it arrived late
    now += 20;
    remove(curator(3));
    EXPECT_EQ(lastHolds()[2].endedMs, std::nullopt);
    EXPECT_FALSE(lastHolds()[3].since.exact());
    EXPECT_EQ(lastHolds()[3].waitedMs, std::nullopt);
    EXPECT_EQ(lastHolds()[3].endedMs, now);
    for (int i = 4; i < 100; ++i) {
        add(curator(i), 1);
        remove(curator(i));
    }
    EXPECT_EQ(lastHolds().size(), 20u);
    EXPECT_THAT(row().lastHolds, IsEmpty()) << "only of a lock that is asked for";
}

// The leader hung for a while: the release comes after the gap, and how long the hold took is not known.
TEST_F(LockTrackerTest, AHoldAcrossAGapIsNoLongestHold)
{
    add(curator(0), 1);
    add(curator(1), 2);
    now += 5'000;
    tracker.newsAgain(now - 5'000, now);
    now += 10;
    EXPECT_EQ(row().longestHoldMs, 0);
    remove(curator(0));
    EXPECT_EQ(row().longestHoldMs, 0);
    EXPECT_THAT(row().holdsMs, IsEmpty());
    now += 30;
    remove(curator(1));
    EXPECT_EQ(row().longestHoldMs, 30);
}

// A hold that ended in a loss of contact took at most until then.
TEST_F(LockTrackerTest, AHoldThatBeganInAGapIsNoLongestHold)
{
    add(curator(0), 1);
    add(curator(1), 2);
    const std::int64_t lost = now;
    tracker.beginReading();
    now += 60'000;
    NodeFacts second = facts(2);
    second.stat.createdMs = lost;
    tracker.read("/l", facts(0));
    tracker.read("/l/" + curator(1), second);
    tracker.endReading(now, lost);
    now += 5'000;
    EXPECT_EQ(row().longestHoldMs, 0);
    remove(curator(1));
    EXPECT_EQ(row().longestHoldMs, 0);
}

// A path for each order: the lists of a long watch would have them all.
TEST_F(LockTrackerTest, ALockWhosePathIsGoneLeavesTheList)
{
    const auto paths = [this](LockTracker::Rows rows) {
        Snapshot snapshot;
        tracker.tick(now);
        tracker.fill(snapshot, {}, true, rows);
        std::vector<std::string> all;
        for (const LockStatus& one : snapshot.locks)
            all.push_back(one.path);
        return all;
    };
    using Rows = LockTracker::Rows;
    for (const char* path : {"/l/gone", "/l/stays"}) {
        plain(path);
        add(curator(0), 1, path);
        remove(curator(0), path);
    }
    add("leader", 1); // a lock of a fixed name
    remove("leader");
    add("leader", 2);
    remove("leader");
    tracker.deleted("/l/gone", now);
    EXPECT_THAT(paths(Rows::present), ElementsAre("/l/gone", "/l/leader", "/l/stays"));
    now += LockTracker::kShownWhenGone / std::chrono::milliseconds(1) - 1;
    EXPECT_THAT(paths(Rows::present), ElementsAre("/l/gone", "/l/leader", "/l/stays"));
    ++now;
    EXPECT_THAT(paths(Rows::present), ElementsAre("/l/leader", "/l/stays"));
    EXPECT_THAT(paths(Rows::all), ElementsAre("/l/gone", "/l/leader", "/l/stays"));
    plain("/l/gone");
    add(curator(1), 2, "/l/gone");
    EXPECT_THAT(paths(Rows::present), ElementsAre("/l/gone", "/l/leader", "/l/stays"));
    EXPECT_EQ(row("/l/gone").acquisitions, 2u);
}

// A path for each job: the oldest locks that are gone are forgotten, and counted together.
TEST_F(LockTrackerTest, LocksThatAreGoneAreForgotten)
{
    constexpr int kJobs = 3'000;
    for (int i = 0; i < kJobs; ++i) {
        const std::string path = "/l/" + std::to_string(i);
        plain(path);
        add(curator(0), 1, path);
        now += 100;
        remove(curator(0), path);
        tracker.deleted(path, now);
        tracker.tick(now);
    }
    now += 5'000;
    Snapshot snapshot = look();
    EXPECT_EQ(snapshot.locks.size(), LockTracker::kMostGone);
    EXPECT_EQ(snapshot.forgotten.locks, kJobs - LockTracker::kMostGone);
    EXPECT_EQ(snapshot.forgotten.acquisitions, snapshot.forgotten.locks);
    plain("/l/0"); // again: a new lock
    add(curator(1), 2, "/l/0");
    EXPECT_EQ(row("/l/0").acquisitions, 1u);
    now += LockTracker::kForgottenAfter / std::chrono::milliseconds(1) + 5'000;
    look();
    EXPECT_THAT(look().locks, SizeIs(1)) << "the one that is there";
}

// Each waiter with each holder was a pair: 3,000 of both took 450 MB.
TEST_F(LockTrackerTest, ManyWaitersOfManyHoldersTakeNoSpaceOfTheirProduct)
{
    constexpr int kMany = 3'000;
    for (int i = 0; i < kMany; ++i)
        add(kazoo(i, "__rlock__"), i + 1);
    for (int i = kMany; i < 2 * kMany; ++i)
        add(kazoo(i, "__lock__"), i + 1);
    const auto most = [] {
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss; // KiB
    };
    const long before = most();
    const LockStatus lock = row();
    EXPECT_EQ(lock.holders, static_cast<std::uint32_t>(kMany));
    EXPECT_EQ(lock.waiting, static_cast<std::uint32_t>(kMany));
    EXPECT_LT(most() - before, 64 * 1024);
}

} // namespace
} // namespace lockscope::field
