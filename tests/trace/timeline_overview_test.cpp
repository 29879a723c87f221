// The timeline from afar: the marks of what was done to the run, and the shares of each step.
#include "tests/trace/timeline_script.h"

#include <gtest/gtest.h>

namespace lockscope::replay {
namespace {

TEST(Timeline, MarksWhatWasDoneToTheRun)
{
    const Script run(R"(
        0 - server ready
        0 a connected 7
        1 - command set_pace
        2 a command kill_session
        3 - gone 7
        4 - command pause
        5 - server down
        6 - server down
        7 - server starting
        8 - server ready
        9 b command freeze
        9 b connected 8
        9 b closed
        9 - gone 8)");
    EXPECT_EQ(run.marks(), "2 kill_session a, 3 session_gone a, 5 server_down, 8 server_ready, 9 freeze b");
}

TEST(Timeline, KnowsWhenTheServerDidNotAnswer)
{
    const Script run(R"(
        0 - server ready
        5 - server down
        6 - server down
        7 - server starting
        8 - server ready
        9 - server down
        10 - command pause)");
    std::vector<Stretch> found;
    run.timeline().outages(Script::at(0), Script::at(20), 9, found);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].begin, Script::at(5));
    EXPECT_EQ(found[0].end, Script::at(8));
    EXPECT_EQ(found[1].begin, Script::at(9));
    EXPECT_EQ(found[1].end, kForever) << "it lasts";
    const auto touching = [&](int begin, int end) {
        found.clear();
        run.timeline().outages(Script::at(begin), Script::at(end), 9, found);
        return found.size();
    };
    EXPECT_EQ(touching(6, 7), 1U) << "around what is asked";
    EXPECT_EQ(touching(8, 9), 0U);
    EXPECT_EQ(touching(0, 5), 0U);
    EXPECT_EQ(touching(100, 200), 1U);
}

TEST(Timeline, MarksAreThinnedEvenly)
{
    std::ostringstream lines;
    for (int i = 0; i < 1000; ++i)
        lines << i << " - command delete_node\n";
    const Script run(lines.str());
    std::vector<Mark> found;
    run.timeline().marks(Script::at(100), Script::at(900), 10, found);
    ASSERT_LE(found.size(), 10U);
    ASSERT_GE(found.size(), 5U);
    for (std::size_t i = 1; i < found.size(); ++i)
        EXPECT_EQ(found[i].at - found[i - 1].at, found[1].at - found[0].at);
    found.clear();
    run.timeline().marks(Script::at(100), Script::at(105), 10, found);
    EXPECT_EQ(found.size(), 5U);
    found.clear();
    run.timeline().marks(Script::at(100), Script::at(105), 0, found);
    run.timeline().marks(Script::at(2000), Script::at(3000), 10, found);
    EXPECT_TRUE(found.empty());
}

TEST(Timeline, OverviewTellsSharesOfEachStep)
{
    const Script run(R"(
        0 a asks
        10 a gets n1
        15 b asks
        20 a releases n1
        20 a released n1
        25 b gets n2
        35 - vanished n2
        38 b loses n2
        40 - server ready)");
    const auto overview = run.timeline().overview(4);
    ASSERT_EQ(overview.size(), 4U);
    EXPECT_FLOAT_EQ(overview[0].held, 0);
    EXPECT_FLOAT_EQ(overview[0].waiting, 1);
    EXPECT_FLOAT_EQ(overview[1].held, 1);
    EXPECT_FLOAT_EQ(overview[1].waiting, 0.5);
    EXPECT_FLOAT_EQ(overview[2].held, 0.5);
    EXPECT_FLOAT_EQ(overview[2].waiting, 0.5);
    EXPECT_FLOAT_EQ(overview[3].held, 0.5) << "a stale hold is none";
    EXPECT_FALSE(overview[2].stale);
    EXPECT_TRUE(overview[3].stale);
    EXPECT_TRUE(run.timeline().overview(0).empty());
}

TEST(Timeline, OverviewCountsTheLockAndNotItsHolders)
{
    const Script run(
        "0 a gets r1 \n 5 b gets r2 \n 10 a released r1 \n 20 b released r2 \n 40 - server ready");
    const auto overview = run.timeline().overview(2);
    EXPECT_FLOAT_EQ(overview[0].held, 1);
    EXPECT_FLOAT_EQ(overview[1].held, 0);
}

} // namespace
} // namespace lockscope::replay
