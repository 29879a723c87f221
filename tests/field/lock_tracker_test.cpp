// What the nodes of foreign locks tell: who holds and since when, how holds ended, and the verdicts; and that
// there is none where all is well. Time is given, not waited for.
#include "core/field/lock_tracker.h"

#include <gmock/gmock.h>

#include <sys/resource.h>

namespace lockscope::field {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = Diagnosis::Kind;

const std::string kGuid = "_c_01234567-89ab-cdef-0123-456789abcdef-";
const std::string kHex = "0123456789abcdef0123456789abcdef";

class Book : public ::testing::Test
{
protected:
    Book()
    {
        tracker.beginReading();
        plain("/l");
        tracker.endReading(now, std::nullopt);
    }
    static std::string digits(int number)
    {
        const std::string text = std::to_string(number);
        return std::string(10 - text.size(), '0') + text;
    }
    static std::string curator(int number, int client = 0)
    {
        std::string guid = kGuid;
        guid[4] = static_cast<char>('a' + client % 6);
        guid[5] = static_cast<char>('0' + number % 10);
        guid[6] = static_cast<char>('0' + number / 10 % 10);
        return guid + "lock-" + digits(number);
    }
    static std::string kazoo(int number, const std::string& word = "__lock__")
    {
        std::string hex = kHex;
        hex[0] = static_cast<char>('a' + number % 6);
        hex[1] = static_cast<char>('0' + number / 6 % 10);
        return hex + word + digits(number);
    }
    NodeFacts facts(std::int64_t session, const std::string& data = {})
    {
        NodeFacts given;
        given.stat.stat.czxid = Zxid{++zxid};
        given.stat.stat.ephemeralOwner = session == 0 ? SessionId::none() : SessionId{session};
        given.stat.createdMs = now;
        given.stat.stat.mzxid = given.stat.stat.czxid;
        given.stat.stat.cversion = 2 * creations; // of children
        given.stat.dataLength = static_cast<std::int32_t>(data.size());
        given.data = data;
        return given;
    }
    void plain(const std::string& path)
    {
        const NodeFacts given = facts(0);
        tracker.isReading() ? tracker.read(path, given)
                            : static_cast<void>(tracker.created(path, &given, now));
    }
    void add(const std::string& node, std::int64_t session, const std::string& lock = "/l",
             const std::string& data = {})
    {
        const NodeFacts given = facts(session, data);
        tracker.created(lock + "/" + node, &given, now);
    }
    void remove(const std::string& node, const std::string& lock = "/l")
    {
        tracker.deleted(lock + "/" + node, now);
    }
    Snapshot look()
    {
        Snapshot snapshot;
        tracker.tick(now);
        tracker.fill(snapshot, {}, true);
        return snapshot;
    }
    LockStatus row(const std::string& lock = "/l")
    {
        for (const LockStatus& one : look().locks)
            if (one.path == lock)
                return one;
        return {};
    }
    std::optional<Kind> diagnosis(const std::string& lock = "/l")
    {
        const auto given = row(lock).diagnosis;
        if (given) {
            EXPECT_FALSE(sentence(*given).empty());
            EXPECT_FALSE(evidence(*given).empty());
            EXPECT_FALSE(remedy(*given).empty());
        }
        return given ? std::optional(given->kind) : std::nullopt;
    }
    static MonotonicTime clock() { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }
    SessionPoll poll(std::vector<std::int64_t> alive)
    {
        SessionPoll taken;
        taken.begun = taken.ended = clock();
        taken.whole = true;
        for (const std::int64_t one : alive) {
            SessionFacts& known = taken.sessions[SessionId{one}];
            known.alive = known.connected = true;
            known.address = "10.0.0." + std::to_string(one) + ":1";
            known.timeout = std::chrono::seconds(10);
        }
        return taken;
    }

    LockTracker tracker;
    std::int64_t now = 1'700'000'000'000;
    std::int64_t zxid = 0;
    std::int32_t creations = 10'000; // that a folder has had
};

TEST_F(Book, OfAHolderThatWasThereBeforeTheBeginningIsABound)
{
    LockTracker late;
    late.beginReading();
    late.read("/l", facts(0));
    const NodeFacts early = facts(1);
    late.read("/l/" + curator(0), early);
    late.endReading(now + 700, std::nullopt);
    Snapshot snapshot;
    late.fill(snapshot, {}, true);
    ASSERT_THAT(snapshot.locks, SizeIs(1));
    EXPECT_EQ(snapshot.locks[0].holder->heldSince->earliestMs, now);
    EXPECT_EQ(snapshot.locks[0].holder->heldSince->latestMs, now + 700);
}

// The newest node's creation was the last change of the list: since then at least the first one is first.
TEST_F(Book, AListThatHasNotChangedTellsSinceWhenItsHolderHolds)
{
    const std::int64_t begin = now;
    const auto sinceOf = [&](int gone, bool anotherCame, bool keepsLastChange) {
        LockTracker late;
        now = begin;
        late.beginReading();
        late.read("/l", facts(0));
        late.read("/l/" + curator(0), facts(1));
        now += 200;
        const NodeFacts newest = facts(2);
        zk::Stat list;
        list.numChildren = 2 + gone;
        list.cversion = 100; // some were deleted before
        list.pzxid = newest.stat.stat.czxid;
        late.readList("/l", list, keepsLastChange);
        late.read("/l/" + curator(1), newest);
        now += 300;
        if (anotherCame) {
            const NodeFacts third = facts(3);
            late.created("/l/" + curator(2), &third, now);
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
TEST_F(Book, AListFromWhichNothingWasDeletedTellsSinceWhenItsHolderHolds)
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

// A lease is had when its session has left the acquire mutex, which is another list.
TEST_F(Book, TheListOfLeasesTellsNothingOfTheirBeginning)
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
TEST_F(Book, ASemaphoreWithoutALeaseIsNoMutex)
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

TEST_F(Book, ReadersHoldTogetherAndAWriterWaitsForThem)
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

// A writer of Curator's that reads inside its own write lock, seen by who comes later.
TEST_F(Book, AReaderInsideItsOwnWriteLockHolds)
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
TEST_F(Book, AReaderOfKazoosBehindItsOwnWriterWaits)
{
    add(kazoo(0), 1);
    add(kazoo(1, "__rlock__"), 1);
    EXPECT_EQ(row().holders, 1u);
    EXPECT_EQ(row().waiting, 1u);
}

TEST_F(Book, TheEntriesOfKazoosQueueAreNoLock)
{
    for (int client = 1; client <= 3; ++client)
        add("entry-100-" + digits(client), client, "/queue/taken");
    EXPECT_THAT(look().locks, IsEmpty());
    add("worker-" + digits(0), 1, "/queue/taken");
    EXPECT_THAT(look().locks, SizeIs(1));
}

// In the order of their longest waits the rows of healthy locks changed places with every handoff.
TEST_F(Book, OnlyLongWaitsOrderTheLocks)
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

TEST_F(Book, HoldsEndAsFarAsItCanBeSeen)
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
TEST_F(Book, AnEndThatCannotBeSeenIsUnknown)
{
    add(curator(0), 1);
    remove(curator(0));
    SessionPoll partial = poll({});
    partial.whole = false;
    tracker.take(partial, now);
    EXPECT_EQ(row().ends.unknown, 1u);
    EXPECT_EQ(row().acquisitions, 1u);
}

TEST_F(Book, WhatHappenedInAGapIsNotKnown)
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

TEST_F(Book, ANodeThatWasGoneBeforeItWasReadCountsAllTheSame)
{
    tracker.created("/l/" + curator(0), nullptr, now);
    EXPECT_TRUE(row().holder->unknown);
    remove(curator(0));
    EXPECT_EQ(row().acquisitions, 1u);
    EXPECT_EQ(row().ends.unknown, 1u);
}

// ---- verdicts -------------------------------------------------------------------------------------------

TEST_F(Book, ABusyLockHasNone)
{
    for (int i = 0; i < 50; ++i)
        add(curator(i), i + 1);
    for (int i = 0; i < 50; ++i) {
        now += 60'000;
        tracker.take(poll({i + 1, i + 2}), now);
        EXPECT_EQ(diagnosis(), std::nullopt) << i;
        remove(curator(i));
    }
}

// kazoo's Lock(ephemeral=False) makes no others.
TEST_F(Book, APersistentHoldOfKazoosAloneIsAsItShouldBe)
{
    add(kazoo(0), 0);
    EXPECT_EQ(diagnosis(), std::nullopt);
}

// kazoo counts Curator's names if its extra_lock_patterns say so: its watch shows it.
TEST_F(Book, TwoLibrariesThatWaitForEachOther)
{
    add(curator(0), 1);
    add(kazoo(1), 2);
    SessionPoll taken = poll({1, 2});
    taken.watches = server::WatchTable{{"/l/" + curator(0), {SessionId{2}}}};
    tracker.take(taken, now);
    EXPECT_EQ(row().holders, 1u);
    EXPECT_EQ(row().waiting, 1u);
    EXPECT_EQ(row().participants.at(1).behind, curator(0));
    remove(curator(0));
    EXPECT_EQ(row().holder->node, kazoo(1));
    EXPECT_EQ(row().handoffs, 1u);
}

// Both names are Curator's, and neither of its recipes waits for the other's.
TEST_F(Book, TwoRecipesOfOneLibraryOnOnePath)
{
    std::string writer = curator(1);
    writer.replace(writer.find("lock-"), 5, "__WRIT__");
    add(curator(0), 1);
    add(writer, 2);
    EXPECT_EQ(diagnosis(), Kind::namesDoNotExclude);
    remove(curator(0));
    std::string reader = curator(2);
    add(reader.replace(reader.find("lock-"), 5, "__READ__"), 3);
    EXPECT_EQ(diagnosis(), std::nullopt);
}

TEST_F(Book, ASecondNodeOfTheSameAttempt)
{
    const std::string first = kGuid + "lock-" + digits(0), second = kGuid + "lock-" + digits(1);
    add(first, 1);
    add(second, 1);
    EXPECT_EQ(diagnosis(), std::nullopt);
    now += 6'000;
    EXPECT_EQ(diagnosis(), Kind::forgottenNode);
    EXPECT_EQ(row().diagnosis->other, second);
}

// Two threads of one process wait for each other as two processes do.
TEST_F(Book, TwoNodesOfOneSessionAreTwoThreads)
{
    add(curator(0), 1);
    add(curator(1), 1);
    now += 100'000;
    tracker.take(poll({1}), now);
    EXPECT_EQ(diagnosis(), std::nullopt);
}

TEST_F(Book, ANodeWhoseSessionWorksOnAndDoesNothingHere)
{
    for (int i = 0; i < 20; ++i) {
        add(curator(i), 9);
        now += 100;
        remove(curator(i));
    }
    add(curator(20), 1);
    add(curator(21), 2);
    SessionPoll taken = poll({1, 2});
    taken.watches.emplace();
    (*taken.watches)["/l2/other"] = {SessionId{1}}; // below another path that begins alike
    (*taken.watches)["/l/" + curator(20)] = {SessionId{2}};
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), std::nullopt);
    now += 8'000;
    taken.sessions[SessionId{1}].requestsSeen = 3;
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), Kind::forgottenNode);
    (*taken.watches)["/l/x"] = {SessionId{1}};
    tracker.take(taken, now);
    EXPECT_NE(diagnosis(), Kind::forgottenNode) << "it waits for something here";
    taken.watches.reset(); // not asked for this time
    tracker.take(taken, now);
    EXPECT_NE(diagnosis(), Kind::forgottenNode);
    taken.watches.emplace();
    taken.sessions[SessionId{1}].requestsSeen = 0; // it does nothing at all: it may be at work
    tracker.take(taken, now);
    EXPECT_NE(diagnosis(), Kind::forgottenNode);
}

// What a session did before it was watched is not known, however long its hold is proved to be.
TEST_F(Book, AHolderFromBeforeIsNotForgottenAtOnce)
{
    LockTracker late;
    const auto verdict = [&] {
        Snapshot snapshot;
        late.tick(now);
        late.fill(snapshot, {}, true);
        const auto& given = snapshot.locks.at(0).diagnosis;
        return given ? std::optional(given->kind) : std::nullopt;
    };
    late.beginReading();
    late.read("/l/" + curator(0), facts(1));
    late.read("/l/" + curator(1), facts(2));
    now += 1'000'000;
    late.endReading(now, std::nullopt);
    SessionPoll taken = poll({1, 2});
    late.take(taken, now);
    EXPECT_EQ(verdict(), std::nullopt);
    taken.sessions[SessionId{1}].requestsSeen = 9;
    late.take(taken, now);
    now += 60'000;
    EXPECT_EQ(verdict(), std::nullopt);
    now += 60'000;
    EXPECT_EQ(verdict(), Kind::forgottenNode);
}

TEST_F(Book, ASilentReaderBesideOneThatIsHeardOf)
{
    add(kazoo(0, "__rlock__"), 1);
    add(kazoo(1, "__rlock__"), 2);
    add(kazoo(2, "__lock__"), 3);
    SessionPoll taken = poll({1, 2, 3});
    taken.sessions[SessionId{2}].silence = Silence{std::chrono::seconds(9), std::chrono::seconds(11)};
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), Kind::holderSilent);
    EXPECT_EQ(row().diagnosis->session, SessionId{2});
}

TEST_F(Book, ANextInLineThatWatchesNothing)
{
    add(curator(0), 1);
    add(curator(1), 2);
    now += 5'000;
    diagnosis();
    EXPECT_TRUE(tracker.wantsWatches());
    SessionPoll taken = poll({1, 2});
    taken.watches.emplace();
    const auto takeTwice = [&] {
        tracker.take(taken, now);
        tracker.take(taken, now);
        return diagnosis();
    };
    SessionFacts& next = taken.sessions[SessionId{2}];
    EXPECT_EQ(takeTwice(), std::nullopt) << "it may have been paused since the last change";
    next.silence = Silence{std::chrono::seconds(4), std::chrono::milliseconds(4'500)};
    EXPECT_EQ(takeTwice(), std::nullopt);
    next.silence = Silence{std::chrono::seconds(1), std::chrono::seconds(2)};
    next.connected = false;
    EXPECT_EQ(takeTwice(), std::nullopt) << "its watches are on a server that is not asked";
    next.connected = true;
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), std::nullopt) << "once is a moment between two watches";
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), Kind::nextWithoutWatch);
    (*taken.watches)["/l/" + curator(0)] = {SessionId{2}};
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), std::nullopt);
}

// It watched nothing when it was the next, and does not know now.
TEST_F(Book, AHolderThatDidNotWatchIsSoonForgotten)
{
    add(curator(0), 1);
    add(curator(1), 2);
    add(curator(2), 3);
    now += 5'000;
    SessionPoll taken = poll({1, 2, 3});
    taken.sessions[SessionId{2}].silence = Silence{std::chrono::seconds(1), std::chrono::seconds(2)};
    taken.watches.emplace()["/l/" + curator(1)] = {SessionId{3}};
    const auto take = [&](std::uint32_t requests) {
        taken.sessions[SessionId{2}].requestsSeen = requests;
        tracker.take(taken, now);
    };
    diagnosis();
    take(1);
    take(1);
    EXPECT_EQ(diagnosis(), Kind::nextWithoutWatch);
    remove(curator(0));
    EXPECT_EQ(diagnosis(), std::nullopt);
    now += 5'500;
    EXPECT_EQ(diagnosis(), std::nullopt) << "its session may not work";
    take(3);
    EXPECT_EQ(diagnosis(), Kind::forgottenNode);
    EXPECT_EQ(row().diagnosis->node, curator(1));
    remove(curator(1));
    now += 60'000;
    take(9);
    EXPECT_EQ(diagnosis(), std::nullopt) << "the one behind it had a watch";
}

TEST_F(Book, AHolderThatTakesLongerThanEverBefore)
{
    for (int i = 0; i < 20; ++i) {
        add(curator(i), 9);
        now += 2'100;
        remove(curator(i));
    }
    add(curator(20), 1);
    add(curator(21), 2);
    tracker.take(poll({1, 2}), now);
    now += 6'200;
    EXPECT_EQ(diagnosis(), std::nullopt);
    now += 200;
    EXPECT_EQ(diagnosis(), Kind::slowerThanUsual);
    EXPECT_EQ(row().diagnosis->reference, std::chrono::milliseconds(2'100));
}

// Half of its timeout is no reason, and no client works while the server is away.
TEST_F(Book, APauseOrAGapIsNoSlowHolder)
{
    for (int i = 0; i < 20; ++i) {
        add(curator(i), 9);
        now += 10;
        remove(curator(i));
    }
    const std::int64_t begin = now;
    add(curator(20), 1);
    add(curator(21), 2);
    tracker.take(poll({1, 2}), now);
    now += 5'900;
    EXPECT_EQ(diagnosis(), std::nullopt);
    const std::int64_t lost = now;
    tracker.beginReading(); // which takes until there is a server again
    now += 30'000;
    EXPECT_EQ(diagnosis(), std::nullopt);
    tracker.read("/l", facts(0));
    for (const int client : {1, 2}) {
        NodeFacts known = facts(client);
        known.stat.createdMs = begin;
        tracker.read("/l/" + curator(19 + client), known);
    }
    tracker.endReading(now, lost);
    EXPECT_EQ(row().holder->heldSince->latestMs, begin);
    EXPECT_EQ(diagnosis(), std::nullopt);
    now += 59'900; // its client may still wait for its next try to connect
    EXPECT_EQ(diagnosis(), std::nullopt);
    now += 200;
    EXPECT_EQ(diagnosis(), Kind::slowerThanUsual);
}

// After two minutes each of its holders looked like one that had forgotten its node.
TEST_F(Book, ADeadlockStaysADeadlock)
{
    plain("/m");
    add(curator(0), 1, "/l");
    add(curator(1), 2, "/l");
    add(curator(0), 2, "/m");
    add(curator(1), 1, "/m");
    SessionPoll taken = poll({1, 2});
    taken.watches.emplace();
    tracker.take(taken, now);
    look();
    for (auto& [session, facts] : taken.sessions)
        facts.requestsSeen = 50;
    now += 300'000;
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis("/l"), Kind::deadlock);
    EXPECT_EQ(diagnosis("/m"), Kind::deadlock);
    EXPECT_THAT(row("/l").diagnosis->also, IsEmpty()) << "what it holds is in the circle";
}

TEST_F(Book, AHolderThatWaitsElsewhereHasForgottenNothing)
{
    for (const char* lock : {"/m", "/n", "/o"})
        plain(lock);
    add(curator(0), 1, "/l"); // is waited for, and waits at /m, whose holder waits at /n
    add(curator(1), 9, "/l");
    add(curator(0), 2, "/m");
    add(curator(1), 1, "/m");
    add(curator(0), 3, "/n");
    add(curator(1), 2, "/n");
    add(curator(0), 3, "/o");
    SessionPoll taken = poll({1, 2, 3, 9});
    taken.watches.emplace();
    tracker.take(taken, now);
    look();
    for (auto& [session, facts] : taken.sessions)
        facts.requestsSeen = 50;
    now += 130'000;
    tracker.take(taken, now);
    ASSERT_EQ(diagnosis("/l"), Kind::holderWaits);
    EXPECT_THAT(row("/l").diagnosis->paths, ElementsAre("/m", "/n"));
    EXPECT_EQ(row("/l").diagnosis->other, "10.0.0.3:1") << "who holds the last of them";
    EXPECT_EQ(diagnosis("/n"), Kind::forgottenNode) << "it waits for nothing";
    EXPECT_THAT(row("/n").diagnosis->also, ElementsAre("/o"));
    EXPECT_NE(remedy(*row("/n").diagnosis).english().find("/o"), std::string::npos);
}

TEST_F(Book, AnOwnerThatNoServerKnows)
{
    add(curator(0), 1);
    add(curator(1), 2);
    SessionPoll taken = poll({2});
    tracker.take(taken, now);
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), std::nullopt) << "no server has listed the sessions without a connection";
    taken.hasEverySession = true;
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), std::nullopt) << "it may have been made after the question";
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), Kind::ownerUnknown);
    EXPECT_EQ(row().diagnosis->session, SessionId{1});
    taken.sessions[SessionId{1}].alive = true;
    tracker.take(taken, now);
    EXPECT_EQ(diagnosis(), std::nullopt);
}

// ---- without news ---------------------------------------------------------------------------------------

TEST_F(Book, WithoutNewsThereIsNoVerdict)
{
    add(curator(0), 1);
    add(curator(1), 2);
    SessionPoll taken = poll({1, 2});
    taken.sessions[SessionId{1}].silence = Silence{std::chrono::seconds(9), std::chrono::seconds(11)};
    tracker.take(taken, now);
    tracker.setNews(false);
    EXPECT_EQ(diagnosis(), std::nullopt);
    EXPECT_THAT(look().verdicts, IsEmpty());
    tracker.setNews(true);
    EXPECT_EQ(diagnosis(), Kind::holderSilent);
}

TEST_F(Book, AVerdictThatHasPassedIsKeptWithItsTimes)
{
    add(curator(0), 1);
    add(kazoo(1), 2);
    const std::int64_t given = now;
    look();
    now += 3'000;
    look();
    EXPECT_EQ(look().verdicts.at(0).toMs, std::nullopt);
    remove(kazoo(1));
    const Snapshot snapshot = look();
    EXPECT_EQ(snapshot.locks.at(0).diagnosis, std::nullopt);
    ASSERT_THAT(snapshot.verdicts, SizeIs(1));
    EXPECT_EQ(snapshot.verdicts[0].path, "/l");
    EXPECT_EQ(snapshot.verdicts[0].diagnosis.kind, Kind::namesDoNotExclude);
    EXPECT_EQ(snapshot.verdicts[0].fromMs, given);
    EXPECT_EQ(snapshot.verdicts[0].toMs, now);
}

// The events of a link that was stalled for 9 s come all at once: nobody held for that long.
TEST_F(Book, WhatArrivesLateIsARangeAndNoLongestHold)
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

// The leader hung for a while: the release comes after the gap, and how long the hold took is not known.
TEST_F(Book, AHoldAcrossAGapIsNoLongestHold)
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
TEST_F(Book, AHoldThatBeganInAGapIsNoLongestHold)
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

TEST_F(Book, TwoDeadlocksAtOnceAreBothNamed)
{
    for (const char* lock : {"/a", "/b", "/c", "/d", "/e"})
        plain(lock);
    add(curator(0), 1, "/a");
    add(curator(0), 2, "/b");
    add(curator(0), 3, "/c");
    add(curator(0), 4, "/d");
    add(curator(0), 5, "/e");
    for (const auto& [session, lock] :
         {std::pair(1, "/b"), {2, "/a"}, {3, "/d"}, {4, "/e"}, {5, "/c"}, {6, "/a"}})
        add(curator(session), session, lock);
    EXPECT_EQ(diagnosis("/a"), std::nullopt);
    now += 4'000;
    look();
    EXPECT_THAT(row("/a").diagnosis.value().paths, ElementsAre("/a", "/b"));
    EXPECT_THAT(row("/c").diagnosis.value().paths, ElementsAre("/c", "/d", "/e"));
    EXPECT_EQ(diagnosis("/e"), Kind::deadlock);
}

// Two processes with several threads each: every hold may end by itself.
TEST_F(Book, SessionsThatWaitAtSeveralPlacesAtOnceHaveThreads)
{
    for (const char* lock : {"/a", "/b", "/c"})
        plain(lock);
    add(curator(0), 1, "/a");
    add(curator(0), 2, "/b");
    add(curator(0), 3, "/c");
    add(curator(1), 1, "/b");
    add(curator(1), 2, "/a");
    add(curator(2), 2, "/c");
    look();
    now += 60'000;
    EXPECT_EQ(diagnosis("/a"), std::nullopt);
}

// Holds as long as those that ended by themselves tell nothing.
TEST_F(Book, ACircleOnLocksThatAreHeldForLongIsWaitedFor)
{
    plain("/m");
    add(curator(0), 9, "/l");
    now += 20'000;
    remove(curator(0), "/l");
    add(curator(1), 1, "/l");
    add(curator(1), 2, "/m");
    add(curator(2), 2, "/l");
    add(curator(2), 1, "/m");
    look();
    now += 19'000;
    EXPECT_EQ(diagnosis("/l"), std::nullopt);
    now += 1'000;
    EXPECT_EQ(diagnosis("/l"), Kind::deadlock);
}

// A path for each order: the lists of a long watch would have them all.
TEST_F(Book, ALockWhosePathIsGoneLeavesTheList)
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
TEST_F(Book, LocksThatAreGoneAreForgotten)
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
TEST_F(Book, ManyWaitersOfManyHoldersTakeNoSpaceOfTheirProduct)
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
