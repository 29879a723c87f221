// The timeline of a run: its lanes, and what lies over them.
#include "tests/trace/timeline_script.h"

#include <gtest/gtest.h>

namespace lockscope::replay {
namespace {

// ---- lanes ----

TEST(Timeline, WaitsThenHoldsUntilTheReleaseIsCalled)
{
    Script run(R"(
        0 a added
        0 b added
        1 a asks
        3 a gets n1
        5 a releases n1
        6 a released n1
        7 b asks)");
    EXPECT_EQ(run.timeline().laneCount(), 2U);
    EXPECT_EQ(run.lane('a'), "w1-3 H3-5");
    EXPECT_EQ(run.releases('a'), "r5-6") << "until the answer";
    EXPECT_EQ(run.lane('b'), "w7-");
    run.add("9 b gets n2");
    EXPECT_EQ(run.lane('b'), "w7-9 H9-");
    EXPECT_EQ(run.timeline().end(), Script::at(9));
    EXPECT_EQ(run.lane('z'), "");
}

TEST(Timeline, AWaitEndsHoweverItEnds)
{
    EXPECT_EQ(Script("1 a asks \n 4 a gives_up").lane('a'), "w1-4");
    EXPECT_EQ(Script("1 a asks \n 4 a lost").lane('a'), "w1-4");
    EXPECT_EQ(Script("1 a asks \n 4 a closed").lane('a'), "w1-4");
    EXPECT_EQ(Script("1 a asks \n 4 a removed").lane('a'), "w1-4");
    EXPECT_EQ(Script("1 a asks \n 4 a loses n1").lane('a'), "w1-4");
}

TEST(Timeline, AHoldEndsHoweverItEnds)
{
    const std::string hold = "1 a asks \n 2 a gets n1 \n";
    EXPECT_EQ(Script(hold + "4 a loses n1").lane('a'), "w1-2 H2-4");
    EXPECT_EQ(Script(hold + "4 a lost").lane('a'), "w1-2 H2-4");
    EXPECT_EQ(Script(hold + "4 a removed").lane('a'), "w1-2 H2-4");
    EXPECT_EQ(Script(hold + "4 a suspended").lane('a'), "w1-2 H2-");
}

TEST(Timeline, ReentryMakesLevelsInsideTheHold)
{
    const Script run(R"(
        1 a asks
        2 a gets n1
        3 a asks
        3 a reenters 2
        4 a reenters 3
        6 a releases n1 3
        6 a released n1 2
        7 a released n1 1
        8 a reenters 2
        9 a released n1 1
        10 a released n1)");
    EXPECT_EQ(run.lane('a'), "w1-2 H2-10");
    EXPECT_EQ(run.depths('a'), "x2:3-7 x2:8-9 x3:4-6");
    EXPECT_EQ(run.timeline().spanAt(ClientId{0}, Script::at(9)).depth, 3);
}

TEST(Timeline, OnlyTheLastReleaseEndsTheHold)
{
    const Script run(
        "2 a gets n1 \n 3 a reenters 2 \n 5 a releases n1 2 \n 5 a released n1 1 \n 7 a releases n1 1");
    EXPECT_EQ(run.lane('a'), "H2-7");
    EXPECT_EQ(run.releases('a'), "r7-") << "as long as the answer is missing";
    EXPECT_EQ(run.depths('a'), "x2:3-5");
    EXPECT_EQ(run.timeline().depthAt(ClientId{0}, Script::at(2)), 1);
    EXPECT_EQ(run.timeline().depthAt(ClientId{0}, Script::at(4)), 2);
    EXPECT_EQ(run.timeline().depthAt(ClientId{0}, Script::at(6)), 1);
}

TEST(Timeline, AReleaseLastsUntilItIsAnsweredOrTheSessionEnds)
{
    const std::string release = "0 a connected 7 \n 2 a gets n1 \n 4 a releases n1 \n 5 a asks \n";
    const Script again(release + "6 a releases n1 \n 9 a released n1");
    EXPECT_EQ(again.releases('a'), "r4-9") << "a delete that is sent again is one release";
    EXPECT_EQ(again.lane('a'), "H2-4 w5-") << "and hides no wait";
    EXPECT_EQ(Script(release + "8 - gone 7 \n 9 a lost").releases('a'), "r4-9");
    EXPECT_EQ(Script(release + "8 - gone 7 \n 9 a lost").over('a'), "") << "it believes nothing";
    EXPECT_EQ(Script(release + "9 a removed").releases('a'), "r4-9");
    EXPECT_EQ(Script("2 a gets n1 \n 4 a loses n1").releases('a'), "");
}

TEST(Timeline, LevelsEndWithTheHold)
{
    EXPECT_EQ(Script("2 a gets n1 \n 3 a reenters 2 \n 5 a lost").depths('a'), "x2:3-5");
    EXPECT_EQ(Script("2 a gets n1 \n 3 a reenters 2 \n 5 - vanished n1").depths('a'), "x2:3-5");
}

TEST(Timeline, HoldingOneLockHidesWaitingForAnother)
{
    const Script run(R"(
        1 a asks
        2 a gets n1
        4 a asks @1
        6 a released n1
        9 a gets m1 @1
        11 a released m1 @1)");
    EXPECT_EQ(run.lane('a'), "w1-2 H2-6 w6-9 H9-11");
    EXPECT_EQ(run.timeline().spanAt(ClientId{0}, Script::at(10)).lock, LockId{1});
}

TEST(Timeline, TwoHoldsOfAClientEndOneByOne)
{
    const Script run(R"(
        2 a gets n1 @2
        3 a asks @2
        3 a gets n2 @2
        5 a released n1 @2
        8 a released n2 @2)");
    EXPECT_EQ(run.lane('a'), "H2-5 H5-8");
}

TEST(Timeline, AnyOrderOfEventsIsTaken)
{
    const Script run(R"(
        1 a released n9
        2 a loses n9
        3 a reenters 7
        4 - woken n9
        5 - gone 77
        6 a releases n9
        8 a gets n1
        9 a gets n1
        3 a released n1)");
    EXPECT_EQ(run.lane('a'), "H8-9 H9-9") << "time never goes back";
}

// ---- what lies over them ----

TEST(Timeline, AHoldTurnsStaleWhenTheServerTookItAway)
{
    const std::string hold = "0 a connected 7 \n 1 a asks \n 2 a gets n1 \n";
    for (const std::string taken : {"4 - gone 7", "4 - vanished n1", "4 b woken n1"}) {
        EXPECT_EQ(Script(hold + taken).lane('a'), "w1-2 H2-4") << taken;
        EXPECT_EQ(Script(hold + taken).over('a'), "X4-") << taken;
        EXPECT_EQ(Script(hold + taken + "\n 9 a loses n1").over('a'), "X4-9") << taken;
        EXPECT_EQ(Script(hold + taken + "\n 9 a lost").over('a'), "X4-9") << taken;
        EXPECT_EQ(Script(hold + taken + "\n 8 a releases n1 \n 9 a released n1").over('a'), "X4-8") << taken;
        EXPECT_EQ(Script(hold + taken + "\n 9 a loses n1").lane('a'), "w1-2 H2-4") << taken;
    }
}

TEST(Timeline, AReleaseIsNotStale)
{
    const std::string hold = "0 a connected 7 \n 1 a asks \n 2 a gets n1 \n 3 a releases n1 \n";
    for (const std::string taken : {"4 - gone 7", "4 - vanished n1", "4 b woken n1"}) {
        EXPECT_EQ(Script(hold + taken + "\n 5 a released n1").over('a'), "") << taken;
        EXPECT_EQ(Script(hold + taken + "\n 5 a released n1").lane('a'), "w1-2 H2-3") << taken;
        EXPECT_EQ(Script(hold + taken + "\n 5 a released n1").releases('a'), "r3-5") << taken;
    }
    EXPECT_EQ(Script("2 a gets n1 \n 3 a reenters 2 \n 4 a releases n1 2 \n 5 - vanished n1").over('a'),
              "X5-")
        << "an inner release gives nothing up";
}

TEST(Timeline, OnlyItsOwnNodeAndSessionMatter)
{
    const std::string hold = "0 a connected 7 \n 2 a gets n1 \n";
    EXPECT_EQ(Script(hold + "4 - gone 8").over('a'), "");
    EXPECT_EQ(Script(hold + "4 - vanished n2").over('a'), "");
    EXPECT_EQ(Script(hold + "4 - vanished n1 @1").over('a'), "");
    EXPECT_EQ(Script("0 a connected 6 \n 1 a connected 7 \n 2 a gets n1 \n 4 - gone 6").over('a'), "")
        << "the session before";
}

TEST(Timeline, SuspendedAndFrozenLieOver)
{
    EXPECT_EQ(Script("1 a suspended \n 3 a connected").over('a'), "s1-3");
    EXPECT_EQ(Script("1 a suspended \n 2 a connecting \n 3 a lost").over('a'), "s1-3");
    EXPECT_EQ(Script("1 a suspended").over('a'), "s1-");
    EXPECT_EQ(Script("1 a command freeze \n 3 a command thaw").over('a'), "f1-3");
    EXPECT_EQ(Script("1 a command freeze \n 3 a lost").over('a'), "f1-3");
    EXPECT_EQ(Script("1 a command freeze \n 3 a removed").over('a'), "f1-3");
    EXPECT_EQ(Script("1 b command freeze").over('a'), "");
}

TEST(Timeline, TheWorstOverlayIsSeen)
{
    const Script run(R"(
        0 a connected 7
        1 a gets n1
        2 a command freeze
  gone: 4 - gone 7
        6 a command thaw
        7 a suspended
  lost: 8 a loses n1
        9 a lost)");
    EXPECT_EQ(run.over('a'), "f2-4 X4-8 s8-9");
    EXPECT_EQ(run.lane('a'), "H1-4");
    const Span stale = run.timeline().spanAt(ClientId{0}, Script::at(5), replay::LaneRow::overlays);
    EXPECT_EQ(stale.kind, SpanKind::stale);
    EXPECT_EQ(stale.beginEvent, run.label("gone"));
    EXPECT_EQ(stale.endEvent, run.label("lost"));
    EXPECT_EQ(stale.lock, LockId{0});
}

// ---- size ----

} // namespace
} // namespace lockscope::replay
