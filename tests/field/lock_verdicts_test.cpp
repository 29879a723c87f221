// The verdicts on foreign locks; and that there is none where all is well, or where nothing is known.
#include "tests/field/lock_tracker_fixture.h"

#include <gmock/gmock.h>

namespace lockscope::field {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = Diagnosis::Kind;

TEST_F(LockTrackerTest, ABusyLockHasNone)
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
TEST_F(LockTrackerTest, APersistentHoldOfKazoosAloneIsAsItShouldBe)
{
    add(kazoo(0), 0);
    EXPECT_EQ(diagnosis(), std::nullopt);
}

// kazoo counts Curator's names if its extra_lock_patterns say so: its watch shows it.
TEST_F(LockTrackerTest, TwoLibrariesThatWaitForEachOther)
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
TEST_F(LockTrackerTest, TwoRecipesOfOneLibraryOnOnePath)
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

TEST_F(LockTrackerTest, ASecondNodeOfTheSameAttempt)
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
TEST_F(LockTrackerTest, TwoNodesOfOneSessionAreTwoThreads)
{
    add(curator(0), 1);
    add(curator(1), 1);
    now += 100'000;
    tracker.take(poll({1}), now);
    EXPECT_EQ(diagnosis(), std::nullopt);
}

TEST_F(LockTrackerTest, ANodeWhoseSessionWorksOnAndDoesNothingHere)
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
TEST_F(LockTrackerTest, AHolderFromBeforeIsNotForgottenAtOnce)
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

TEST_F(LockTrackerTest, ASilentReaderBesideOneThatIsHeardOf)
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

TEST_F(LockTrackerTest, ANextInLineThatWatchesNothing)
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
TEST_F(LockTrackerTest, AHolderThatDidNotWatchIsSoonForgotten)
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

TEST_F(LockTrackerTest, AHolderThatTakesLongerThanEverBefore)
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
TEST_F(LockTrackerTest, APauseOrAGapIsNoSlowHolder)
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
TEST_F(LockTrackerTest, ADeadlockStaysADeadlock)
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

TEST_F(LockTrackerTest, AHolderThatWaitsElsewhereHasForgottenNothing)
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

TEST_F(LockTrackerTest, AnOwnerThatNoServerKnows)
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

TEST_F(LockTrackerTest, TwoDeadlocksAtOnceAreBothNamed)
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
TEST_F(LockTrackerTest, SessionsThatWaitAtSeveralPlacesAtOnceHaveThreads)
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
TEST_F(LockTrackerTest, ACircleOnLocksThatAreHeldForLongIsWaitedFor)
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

TEST_F(LockTrackerTest, WithoutNewsThereIsNoVerdict)
{
    add(curator(0), 1);
    add(curator(1), 2);
    SessionPoll taken = poll({1, 2});
    taken.sessions[SessionId{1}].silence = Silence{std::chrono::seconds(9), std::chrono::seconds(11)};
    tracker.take(taken, now);
    tracker.setNews(false, std::nullopt);
    EXPECT_EQ(diagnosis(), std::nullopt);
    EXPECT_THAT(look().verdicts, IsEmpty());
    tracker.setNews(true, std::nullopt);
    EXPECT_EQ(diagnosis(), Kind::holderSilent);
}

TEST_F(LockTrackerTest, AVerdictThatHasPassedIsKeptWithItsTimes)
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

} // namespace
} // namespace lockscope::field
