// Two runs side by side: both values, the ratio where there is one, and which run is better.
#include "core/replay/compare/comparison.h"
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using replay::Better;
using replay::Comparison;
using replay::Measure;
using replay::WholeRun;

WholeRun whole(std::string_view script)
{
    static std::vector<std::shared_ptr<trace::TraceStore>> kept; // the states' texts point into them
    kept.push_back(traceScript(script));
    return replay::wholeRun(*kept.back(), kept.back()->count());
}

// Two wait for ada's one node; its end wakes both, bo is first.
const char* const kHerd =
    R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 2ms cyd waits n3 n1; 10ms ada release n1
                            10300us bo fired n1; 10310us cyd fired n1; 10400us ada freed n1; 14ms bo takes n2)";
// Each waits for its predecessor: one wake-up.
const char* const kChain =
    R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 2ms cyd waits n3 n2; 10ms ada release n1
                             10300us bo fired n1; 10400us ada freed n1; 10500us bo takes n2)";

TEST(Comparison, ShowsBothValuesTheirRatioAndTheBetterOne)
{
    const Comparison both = compare(whole(kHerd), whole(kChain));
    const replay::ComparisonRow& woken = both.of(Measure::wakeUpsPerRelease);
    EXPECT_EQ(woken.a, 2.0);
    EXPECT_EQ(woken.b, 1.0);
    EXPECT_EQ(woken.ratio, 2.0);
    EXPECT_EQ(woken.better, Better::b);
    const replay::ComparisonRow& handoff = both.of(Measure::handoffP50);
    EXPECT_NEAR(*handoff.a, 4e6, 1e5);
    EXPECT_NEAR(*handoff.b, 0.5e6, 1e4);
    EXPECT_NEAR(*handoff.ratio, 8.0, 0.3);
    EXPECT_EQ(handoff.better, Better::b);
}

// The server does not say what requests the clients sent, nor which of them ran out of time.
TEST(Comparison, DoesNotCountWhatAWatchedLockDoesNotSay)
{
    WholeRun watched = whole(kHerd);
    for (replay::LockRow& lock : watched.state.locks)
        lock.watched = true;
    const Comparison both = compare(watched, whole(kChain));
    EXPECT_FALSE(both.of(Measure::requestsPerAcquisition).a);
    EXPECT_TRUE(both.of(Measure::requestsPerAcquisition).b);
    EXPECT_FALSE(both.of(Measure::timedOut).a);
    EXPECT_TRUE(both.of(Measure::acquisitions).a);
}

TEST(Comparison, IsTheOtherWayRoundWhenTheRunsAreExchanged)
{
    const Comparison there = compare(whole(kHerd), whole(kChain));
    const Comparison back = compare(whole(kChain), whole(kHerd));
    for (std::size_t i = 0; i < replay::kMeasures; ++i) {
        const replay::ComparisonRow& one = there.rows[i];
        const replay::ComparisonRow& other = back.rows[i];
        EXPECT_EQ(one.measure, static_cast<Measure>(i));
        EXPECT_EQ(one.a, other.b) << measureName(one.measure);
        EXPECT_EQ(one.better == Better::a, other.better == Better::b) << measureName(one.measure);
        ASSERT_EQ(one.ratio.has_value(), other.ratio.has_value());
        if (one.ratio) {
            EXPECT_DOUBLE_EQ(*one.ratio * *other.ratio, 1.0);
        }
    }
    EXPECT_EQ(there.violatedA, back.violatedB);
}

TEST(Comparison, NamesTheFindingsThatAreViolated)
{
    const Comparison both = compare(whole(kHerd), whole(kChain));
    EXPECT_THAT(both.violatedA, testing::ElementsAre(replay::FindingKind::noHerd));
    EXPECT_THAT(both.violatedB, testing::IsEmpty());
    EXPECT_EQ(both.of(Measure::findings).a, 1.0);
    EXPECT_EQ(both.of(Measure::findings).better, Better::b);
    EXPECT_FALSE(both.of(Measure::findings).ratio);
}

TEST(Comparison, HasNoValueWhereNothingWasMeasured)
{
    const Comparison both = compare(whole("- running; ada calls"), whole(kChain));
    for (const Measure measure : {Measure::wakeUpsPerRelease, Measure::requestsPerAcquisition,
                                  Measure::handoffP50, Measure::waitP99, Measure::fairness}) {
        const replay::ComparisonRow& row = both.of(measure);
        EXPECT_FALSE(row.a) << measureName(measure);
        EXPECT_TRUE(row.b) << measureName(measure);
        EXPECT_FALSE(row.ratio);
        EXPECT_EQ(row.better, Better::neither);
    }
    EXPECT_EQ(both.of(Measure::acquisitions).a, 0.0);
    EXPECT_FALSE(both.of(Measure::acquisitions).ratio) << "nothing is a multiple of 0";
}

TEST(Comparison, CallsTimesEqualThatDifferByNoise)
{
    const WholeRun slow =
        whole("- running; 1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada release n1; 10300us bo "
              "fired n1; 10400us ada freed n1; 10520us bo takes n2");
    const Comparison both = compare(slow, whole(kChain));
    EXPECT_GT(*both.of(Measure::handoffP50).a, *both.of(Measure::handoffP50).b);
    EXPECT_EQ(both.of(Measure::handoffP50).better, Better::neither);
}

TEST(Comparison, CallsEqualWhateverHasARatioAndDiffersByLessThanATenth)
{
    WholeRun a = whole(kChain), b = whole(kChain);
    a.state.statistics.acquired = 147;
    b.state.statistics.acquired = 146;
    EXPECT_EQ(compare(a, b).of(Measure::acquisitions).better, Better::neither);
    b.state.statistics.acquired = 100;
    EXPECT_EQ(compare(a, b).of(Measure::acquisitions).better, Better::a);
}

// 58.6 ms against 153 ms was 2.60 x: of figures that were not shown.
TEST(Comparison, TheRatioIsOfTheFiguresThatAreShown)
{
    EXPECT_EQ(shown(Measure::waitP50, 58.6449e6), (replay::DisplayValue{58.6, 1, "ms"}));
    EXPECT_EQ(shown(Measure::waitP50, 999.7e6), (replay::DisplayValue{1.0, 2, "s"}));
    EXPECT_EQ(shown(Measure::waitP50, 0.35449e6), (replay::DisplayValue{0.354, 3, "ms"}));
    EXPECT_EQ(shown(Measure::acquisitions, 12345), (replay::DisplayValue{12345, 0, {}}));
    EXPECT_EQ(shown(Measure::fairness, 0.996), (replay::DisplayValue{1, 2, {}}));
    WholeRun a = whole(kChain), b = whole(kChain);
    a.state.statistics.wait = {};
    b.state.statistics.wait = {};
    a.state.statistics.wait.add(Duration(58'644'900));
    b.state.statistics.wait.add(Duration(152'660'000));
    const replay::ComparisonRow row = compare(a, b).of(Measure::waitP50);
    const auto read = [](std::optional<double> value) { return shown(Measure::waitP50, *value).value; };
    EXPECT_DOUBLE_EQ(*row.ratio, read(row.a) / read(row.b));
}

TEST(Comparison, WhatTheLoadDecidesHasNoWinner)
{
    const Comparison both = compare(whole(kHerd), whole(kChain));
    replay::WorkloadMatch load;
    EXPECT_EQ(withoutWorkloadEffects(both, load), both);
    load.same = false;
    EXPECT_EQ(withoutWorkloadEffects(both, load).of(Measure::handoffP50).better, Better::neither);
    EXPECT_FALSE(withoutWorkloadEffects(both, load).of(Measure::handoffP50).ratio);
    EXPECT_EQ(withoutWorkloadEffects(both, load).of(Measure::wakeUpsPerRelease).better, Better::b)
        << "the recipe's doing";
    load.sameClients = false;
    EXPECT_EQ(withoutWorkloadEffects(both, load).of(Measure::wakeUpsPerRelease).better, Better::neither);
    EXPECT_EQ(withoutWorkloadEffects(both, load).of(Measure::findings).better, Better::b);
}

TEST(Comparison, DoesNotPraiseARunThatDidLessForBeingSooner)
{
    SampleOptions few, many;
    few.cycles = 2;
    many.cycles = 20;
    const auto a = sampleRun(few);
    const auto b = sampleRun(many);
    const WholeRun lazy = replay::wholeRun(*a, a->count());
    const WholeRun busy = replay::wholeRun(*b, b->count());
    ASSERT_LT(lazy.took, busy.took);
    EXPECT_GT(lazy.took, 0ns);
    EXPECT_EQ(compare(lazy, busy).of(Measure::duration).better, Better::neither);
    EXPECT_EQ(compare(lazy, busy).of(Measure::acquisitions).better, Better::b);
}

TEST(Comparison, MeasuresTheTimeFromTheFirstRunningState)
{
    EXPECT_EQ(whole("7ms - running; 8ms ada calls; 19ms ada create").took, 12ms);
    EXPECT_EQ(whole("ada calls").took, 0ns);
}

} // namespace
} // namespace lockscope::tests
