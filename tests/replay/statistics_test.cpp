// Latencies and counters.
#include "core/base/random.h"
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using replay::Histogram;

TEST(Histogram, PercentilesAreWithinOneStepOfTheTruth)
{
    Random random(7);
    Histogram histogram;
    std::vector<std::int64_t> values;
    for (int i = 0; i < 20'000; ++i) {
        // From a microsecond to minutes, evenly over the powers of two.
        values.push_back(static_cast<std::int64_t>(1'000 * std::exp2(random.unit() * 28)));
        histogram.add(Duration(values.back()));
    }
    std::sort(values.begin(), values.end());
    for (const double p : {1.0, 10.0, 50.0, 90.0, 99.0, 99.9}) {
        const auto rank =
            static_cast<std::size_t>(std::ceil(p / 100 * static_cast<double>(values.size()))) - 1;
        const auto truth = static_cast<double>(values[rank]);
        EXPECT_NEAR(static_cast<double>(histogram.percentile(p).count()), truth, truth / 64) << "p" << p;
    }
    EXPECT_EQ(histogram.percentile(100).count(), values.back());
    EXPECT_EQ(histogram.max().count(), values.back());
    EXPECT_EQ(histogram.count(), values.size());
}

TEST(Histogram, OfOneValueEveryPercentileIsTheValue)
{
    Histogram histogram;
    histogram.add(std::chrono::microseconds(79'412));
    for (const double p : {1.0, 50.0, 99.0})
        EXPECT_EQ(histogram.percentile(p), histogram.max()) << "p" << p;
}

TEST(Histogram, CountsWhatLiesOutsideInTheOuterSteps)
{
    Histogram histogram;
    histogram.add(-5ns);
    histogram.add(1ns);
    histogram.add(std::chrono::hours(1000));
    EXPECT_EQ(histogram.count(), 3u);
    EXPECT_LE(histogram.percentile(50), 2us);
    EXPECT_GT(histogram.percentile(99), std::chrono::minutes(60));
    EXPECT_EQ(histogram.max(), std::chrono::hours(1000));
}

TEST(Histogram, IsEmptyAtFirst)
{
    const Histogram histogram;
    EXPECT_EQ(histogram.percentile(50), 0ns);
    EXPECT_THAT(histogram.bins(1ms, 4), testing::Each(0u));
    EXPECT_TRUE(histogram.bins(1ms, 0).empty());
}

TEST(Histogram, IsCutIntoBins)
{
    Histogram histogram;
    for (int i = 0; i < 3; ++i)
        histogram.add(100us);
    histogram.add(600us);
    histogram.add(5ms); // beyond the last bin
    EXPECT_THAT(histogram.bins(1ms, 4), testing::ElementsAre(3, 0, 1, 0));
}

TEST(Statistics, MeasureAHandoffFromReleaseToGrant)
{
    const Replayed run(R"(1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada release n1; 10300us bo fired n1
                          10400us ada freed n1; 10500us bo takes n2)");
    const replay::Statistics& s = run.state.statistics;
    EXPECT_EQ(s.handoffs, 1u);
    EXPECT_EQ(s.handoff.max(), 500us);
    EXPECT_EQ(s.wait.max(), 8500us);
    EXPECT_EQ(s.acquired, 2u);
    EXPECT_EQ(s.releases, 1u);
    EXPECT_EQ(s.wakeUps, 1u);
    EXPECT_EQ(s.watchedGone, 1u);
    EXPECT_DOUBLE_EQ(s.wakeUpsPerRelease(), 1.0);
    EXPECT_EQ(s.ops.create, 2u);
    EXPECT_EQ(s.ops.remove, 1u);
    EXPECT_EQ(s.ops.getChildren, 3u);
    EXPECT_EQ(s.ops.getData, 1u);
}

TEST(Statistics, MeasureAHandoffFromTheEndOfAKilledSession)
{
    const Replayed run("1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada killed; 11ms bo fired n1; 12ms bo "
                       "takes n2; 90ms ada holdlost n1");
    EXPECT_EQ(run.state.statistics.handoffs, 1u);
    EXPECT_EQ(run.state.statistics.handoff.max(), 2ms);
    EXPECT_EQ(run.state.statistics.releases, 0u);
}

// Its length would be the pause's.
TEST(Statistics, DoNotMeasureAHandoffInWhichTheRunWasPaused)
{
    const Replayed run(
        R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 3ms cyd waits n3 n2; 10ms ada release n1
                          11ms - paused; 5000ms - running; 5001ms bo fired n1; 5002ms ada freed n1
                          5003ms bo takes n2; 5010ms bo release n2; 5011ms cyd fired n2; 5012ms bo freed n2
                          5013ms cyd takes n3)");
    const replay::Statistics& s = run.state.statistics;
    EXPECT_EQ(s.handoffs, 2u);
    EXPECT_EQ(s.handoff.count(), 1u);
    EXPECT_EQ(s.handoff.max(), 3ms);
}

TEST(Statistics, DoNotMeasureAHandoffThatIsDoneWhileTheRunIsPaused)
{
    const Replayed run(R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada release n1; 11ms - paused
                          900ms bo fired n1; 901ms ada freed n1; 902ms bo takes n2)");
    EXPECT_EQ(run.state.statistics.handoffs, 1u);
    EXPECT_EQ(run.state.statistics.handoff.count(), 0u);
}

TEST(Statistics, DoNotCallItAHandoffWhenNoClientWaited)
{
    const Replayed run("ada holds n1; ada release n1; ada freed n1; bo holds n2");
    EXPECT_EQ(run.state.statistics.handoffs, 0u);
    EXPECT_EQ(run.state.statistics.acquired, 2u);
}

// Its length would be that of the foreign client's hold.
TEST(Statistics, DoNotCallItAHandoffWhenAForeignNodeWasInBetween)
{
    const Replayed run(R"(1ms ada holds n1; 2ms - seen n2 foreign; 3ms bo waits n3 n2; 10ms ada release n1
                          11ms ada freed n1; 900ms bo fired n2; 901ms - vanished n2; 902ms bo takes n3)");
    EXPECT_EQ(run.state.statistics.handoffs, 0u);
    EXPECT_EQ(run.state.statistics.handoff.count(), 0u);
}

TEST(Statistics, CountTheHandoffOfEachLease)
{
    const Replayed run(
        R"(- lock pool semaphore; 1ms ada@pool holds l1; 1ms bo@pool holds l2; 2ms cyd@pool waits l3 l1
                          2ms dee@pool waits l4 l2; 10ms ada@pool release l1; 11ms bo@pool release l2
                          12ms ada@pool freed l1; 12ms bo@pool freed l2; 13ms cyd@pool fired l1
                          14ms cyd@pool takes l3; 15ms dee@pool fired l2; 18ms dee@pool takes l4)");
    EXPECT_EQ(run.state.statistics.handoffs, 2u);
    EXPECT_EQ(run.state.statistics.handoff.count(), 2u);
    EXPECT_EQ(run.state.statistics.handoff.max(), 7ms);
}

TEST(Statistics, DoNotCallItAHandoffToWhomNobodyStoodInTheWay)
{
    const Replayed run(
        "1ms ada holds r1; 1ms bo holds r2; 3ms ada release r1; 4ms cyd holds r3; 5ms ada freed r1");
    EXPECT_EQ(run.state.statistics.handoffs, 0u);
}

TEST(Statistics, CountWaitersOfAKilledWaiterAsWakeUps)
{
    const Replayed run("ada holds n1; bo waits n2 n1; cyd waits n3 n2; bo killed; cyd fired n2");
    EXPECT_EQ(run.state.statistics.wakeUps, 1u);
    EXPECT_EQ(run.state.statistics.handoffs, 0u);
}

TEST(Statistics, DoNotExpectAWakeUpFromAWatchThatHadFired)
{
    // bo's watch fires for ada's announcement; ada's node has gone before bo can watch it again.
    const Replayed run(
        R"(ada holds n1; bo waits n2 n1; ada announce n1; ada release n1; ada freed n1; bo changed n1
                          bo watch n1; bo nonode n1; bo takes n2)");
    EXPECT_EQ(run.state.statistics.watchedGone, 0u);
    EXPECT_EQ(run.state.statistics.wakeUps, 0u);
    EXPECT_EQ(run.state.statistics.handoffs, 1u);
    EXPECT_EQ(violatedFindings(run.state), 0u);
}

TEST(Statistics, DoNotExpectAWakeUpOfWhoGivesUp)
{
    const Replayed run(
        "ada holds n1; bo waits n2 n1; bo delete n2; ada release n1; ada freed n1; bo deleted n2");
    EXPECT_EQ(run.state.statistics.watchedGone, 0u);
}

TEST(Statistics, TellHowOftenOneWasOvertaken)
{
    // bo sleeps when cyd and dee call, and gets it after both.
    const std::string script =
        R"(ada holds n1; bo waits n2 n1; cyd joins n3; dee joins n4; ada release n1; ada freed n1
                                  cyd takes n3; cyd release n3; cyd freed n3; dee takes n4)";
    const Replayed waiting(script);
    EXPECT_EQ(waiting.state.statistics.longestOvertaking, 2u) << "the longest wait counts while it lasts";
    const Replayed run(script + "; dee release n4; dee freed n4; bo takes n2");
    EXPECT_EQ(run.state.statistics.longestOvertaking, 2u);
}

TEST(Statistics, NoClientIsOvertakenInTheOrderOfTheirCalls)
{
    // cyd gives up in between, and dee was never behind it.
    const Replayed run(
        R"(ada holds n1; bo waits n2 n1; cyd waits n3 n2; dee waits n4 n3; ada release n1; ada freed n1
                          bo takes n2; cyd delete n3; cyd deleted n3; cyd failed timedOut; bo release n2; bo freed n2
                          dee takes n4)");
    EXPECT_EQ(run.state.statistics.longestOvertaking, 0u);
}

// Who called first and is not in line yet has no place that another could take.
TEST(Statistics, NoClientIsOvertakenBeforeItStandsInLine)
{
    const Replayed run("ada holds n1; bo calls; cyd joins n2; ada release n1; ada freed n1; cyd takes n2");
    EXPECT_EQ(run.state.statistics.longestOvertaking, 0u);
}

TEST(Statistics, OvertakingIsCountedOnEachLockAlone)
{
    const Replayed run("- lock left; bo calls; ada@left holds n1; cyd@left waits n2 n1; ada@left release n1; "
                       "ada@left freed n1; cyd@left takes n2");
    EXPECT_EQ(run.state.statistics.longestOvertaking, 0u);
}

TEST(Statistics, FairnessIsJainsIndexOfWhoHasAsked)
{
    EXPECT_DOUBLE_EQ(Replayed("- running").state.statistics.fairness(), 1.0);
    const Replayed fair(
        "ada holds n1; ada release n1; ada freed n1; bo holds n2; bo release n2; bo freed n2");
    EXPECT_DOUBLE_EQ(fair.state.statistics.fairness(), 1.0);
    // Three times ada, once bo, cyd asks in vain: 16 / (3 * 10).
    const Replayed unfair(
        R"(ada holds n1; ada release n1; ada freed n1; ada holds n2; ada release n2; ada freed n2
                             ada holds n3; ada release n3; ada freed n3; bo holds n4; cyd calls)");
    EXPECT_DOUBLE_EQ(unfair.state.statistics.fairness(), 16.0 / 30.0);
    EXPECT_EQ(unfair.client("ada").acquired, 3u);
    EXPECT_DOUBLE_EQ(unfair.state.statistics.requestsPerAcquisition(), 11.0 / 4.0);
}

// A crowd that still waits was charged to those few who had it.
TEST(Statistics, CountTheRequestsOfAnAcquisitionAndOfNothingElse)
{
    const Replayed run(R"(ada holds n1; bo waits n2 n1; cyd waits n3 n2; dee waits n4 n3; eli waits n5 n4
                          ada release n1; bo fired n1; ada freed n1; bo takes n2)");
    // ada: create, list, delete. bo: create, list, watch, list. The others have nothing yet.
    EXPECT_EQ(run.state.statistics.acquisitionRequests, 7u);
    EXPECT_DOUBLE_EQ(run.state.statistics.requestsPerAcquisition(), 3.5);
    EXPECT_EQ(run.state.statistics.ops.sum(), 16u);
}

TEST(Statistics, CountNoRequestsOfAnAcquireThatCameToNothing)
{
    const Replayed run(R"(ada holds n1; bo waits n2 n1; bo failed timedOut; ada release n1; ada freed n1
                          bo holds n3; bo release n3; bo freed n3)");
    EXPECT_EQ(run.state.statistics.acquisitionRequests, 6u);
}

TEST(Statistics, TellTheRequestsOfTwoLocksApart)
{
    const Replayed run(R"(- lock right; ada holds n1; ada@right waits n2 n1; ada release n1; ada freed n1)");
    EXPECT_EQ(run.state.statistics.acquisitionRequests, 3u) << "what it waits for is not had yet";
}

TEST(Statistics, AgreeWithAWholeRun)
{
    SampleOptions options;
    options.cycles = 40;
    const auto store = sampleRun(options);
    const replay::Statistics s = folded(*store).statistics;
    EXPECT_EQ(s.acquired, 200u);
    EXPECT_EQ(s.releases, 200u);
    EXPECT_EQ(s.ops.create, 200u);
    EXPECT_EQ(s.ops.remove, 200u);
    EXPECT_EQ(s.wakeUps, s.watchedGone) << "with the curator policy a node that goes wakes its one waiter";
    EXPECT_GT(s.handoffs, 150u);
    EXPECT_GT(s.reentered, 0u);
    EXPECT_LT(s.handoff.percentile(50), s.wait.percentile(50));
}

} // namespace
} // namespace lockscope::tests
