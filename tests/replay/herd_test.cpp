// Which watches on the list of children tell of the same change.
#include "tests/replay/replayed.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

using replay::FindingKind;

// A trace says which change was asked for last when a watch fired, not which one it fired for.
TEST(Herd, AWatchThatWasAskedForAfterTheFirstHadFiredTellsOfAnotherChange)
{
    const Replayed run(
        R"(ada holds n1; bo joins n2; bo listwatch; bo listed 2; bo decided n2 1/2; ada release n1
                          bo childrenchanged n1; cyd joins n3; cyd listwatch; cyd listed 2; cyd decided n3 1/2
                          cyd childrenchanged n1)");
    EXPECT_EQ(run.finding(FindingKind::noHerd).violated, 0u);
    EXPECT_EQ(run.finding(FindingKind::noHerd).checked, 2u);
    EXPECT_EQ(run.state.statistics.watchedGone, 2u);
}

TEST(Herd, WatchesThatWereAskedForBeforeTellOfOne)
{
    const Replayed run(R"(ada holds n1; bo joins n2; bo listwatch; bo listed 2; bo decided n2 1/3
                          cyd joins n3; cyd listwatch; cyd listed 2; cyd decided n3 2/3; ada release n1
                          bo childrenchanged n1; cyd childrenchanged n1)");
    EXPECT_EQ(run.finding(FindingKind::noHerd).violated, 1u);
    EXPECT_EQ(run.state.statistics.watchedGone, 1u);
}

// The one node of a herd has the same name each time.
TEST(Herd, AWatchThatIsHeardOfAfterTheNextNodeWasMadeTellsOfTheOneBefore)
{
    const Replayed run(
        "ada holds lock; bo calls; bo exists lock; bo there lock; cyd calls; cyd exists lock; cyd there "
        "lock; "
        "ada release lock; ada freed lock; bo fired lock; bo create; bo created lock; cyd fired lock");
    EXPECT_EQ(run.state.statistics.wakeUps, 2u);
    EXPECT_EQ(run.state.statistics.watchedGone, 1u) << "one node went";
    EXPECT_EQ(run.state.locks[0].lastWakeUp.woken, 2u);
}

TEST(Herd, AWatchThatFiresBeforeTheEndOfItsNodeIsReportedIsOfThatNode)
{
    const Replayed run("ada holds lock; bo calls; bo exists lock; bo there lock; cyd calls; cyd exists lock; "
                       "cyd there lock; "
                       "ada release lock; ada freed lock; bo fired lock; cyd fired lock; bo create; bo "
                       "created lock; bo takes lock; "
                       "cyd exists lock; cyd there lock; dee calls; dee exists lock; dee there lock; "
                       "cyd fired lock; dee fired lock; bo killed");
    EXPECT_EQ(run.state.statistics.wakeUps, 4u);
    EXPECT_EQ(run.state.statistics.watchedGone, 2u) << "two nodes went";
    EXPECT_EQ(run.state.locks[0].lastWakeUp.woken, 2u);
}

} // namespace
} // namespace lockscope::tests
