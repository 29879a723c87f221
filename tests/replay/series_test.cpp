// The run over time: what lies in which stretch, what joining keeps, and that it does not depend on the
// cursor.
#include "core/replay/state/series.h"

#include "core/base/random.h"
#include "core/replay/fold/trace_cursor.h"
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using replay::Increment;
using replay::Series;
using Bucket = Series::Bucket;

Series seriesOf(const trace::TraceStore& store)
{
    replay::RunState state;
    Series series;
    for (std::size_t i = 0; i < store.count(); ++i)
        series.add(replay::apply(state, store, i));
    return series;
}

Bucket sumOf(const Series& series)
{
    Bucket sum;
    for (const Bucket& each : series.buckets())
        sum.join(each);
    return sum;
}

// ada hands on to bo, 8 ms later bo without a successor.
constexpr const char* kTwo = R"(1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada release n1; 10300us bo fired n1
                                10400us ada freed n1; 10500us bo takes n2; 18ms bo release n2; 18200us bo freed n2)";

TEST(Series, PutsWhatHappensWhereItHappens)
{
    const auto store = traceScript(kTwo);
    const Series series = seriesOf(*store);
    ASSERT_EQ(series.width(), Duration(1ms));
    ASSERT_EQ(series.buckets().size(), 19u);
    EXPECT_EQ(series.buckets()[10].handoffs, 1u);
    EXPECT_EQ(series.joinedHandoffs(1)[10].max(), 500us);
    EXPECT_EQ(series.buckets()[10].watchedGone, 1);
    EXPECT_EQ(series.buckets()[10].wakeUps, 1u);
    EXPECT_DOUBLE_EQ(series.buckets()[10].wakeUpsPerRelease(), 1.0);
    EXPECT_EQ(series.buckets()[1].acquired, 1u);
    EXPECT_EQ(series.buckets()[10].acquired, 1u);
    EXPECT_EQ(sumOf(series).acquired, 2u);
}

TEST(Series, PutsRequestsWhereTheLockWasGrantedThatTheyAreFor)
{
    const auto store = traceScript(kTwo);
    const Series series = seriesOf(*store);
    EXPECT_EQ(series.buckets()[1].requests, 3u) << "ada's create and list, and the delete 9 ms later";
    EXPECT_EQ(series.buckets()[10].requests, 5u) << "bo's, which began at 2 ms and ended at 18 ms";
    EXPECT_EQ(sumOf(series).requests, 8u);
}

TEST(Series, MeasuresTheQueueByTime)
{
    const auto store = traceScript(kTwo);
    const Series series = seriesOf(*store);
    const Bucket& both = series.buckets()[5];
    EXPECT_EQ(both.longestQueue, 2u);
    EXPECT_DOUBLE_EQ(series.meanQueue(both, 5ms, 1ms), 2.0)
        << "nothing happened meanwhile, and two stood in line";
    const Bucket& one = series.buckets()[14];
    EXPECT_DOUBLE_EQ(series.meanQueue(one, 14ms, 1ms), 1.0);
    EXPECT_EQ(folded(*store).statistics.queued, 0u);
    EXPECT_EQ(folded(*store).statistics.longestQueue, 2u);
    // Over everything: nodes x time is the same, however many are joined.
    const std::vector<Bucket> all = series.joined(32);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_DOUBLE_EQ(all[0].queueTime, sumOf(series).queueTime);
}

TEST(Series, CountsALateWakeUpWhereItsNodeWent)
{
    // The herd of three learns of it 30 ms and more after the node went.
    const auto store = traceScript(
        R"(1ms ada holds n1; 2ms bo waits n2 n1; 3ms cyd waits n3 n1; 4ms dee waits n4 n1; 10ms ada release n1
           10100us ada freed n1; 40ms bo fired n1; 41ms cyd fired n1; 60ms dee fired n1)");
    const Series series = seriesOf(*store);
    EXPECT_EQ(series.buckets()[10].watchedGone, 1);
    EXPECT_EQ(series.buckets()[10].wakeUps, 3u);
    EXPECT_DOUBLE_EQ(series.buckets()[10].wakeUpsPerRelease(), 3.0);
    EXPECT_EQ(series.buckets()[40].wakeUps, 0u);
}

TEST(Series, AgreesWithTheStatisticsOfAWholeRun)
{
    for (const bool announced : {false, true}) {
        SampleOptions options;
        options.clients = 12;
        options.cycles = 60;
        options.killHolderAtGrant = 40;
        options.killWaiterAtGrant = 90;
        options.handoff = announced ? SampleHandoff::announced : SampleHandoff::curator;
        const auto store = sampleRun(options);
        const Series series = seriesOf(*store);
        const replay::Statistics& all = folded(*store).statistics;
        const Bucket sum = sumOf(series);
        EXPECT_EQ(sum.acquired, all.acquired);
        EXPECT_EQ(sum.requests, all.acquisitionRequests);
        EXPECT_EQ(sum.handoffs, all.handoffs);
        EXPECT_EQ(sum.wakeUps, all.wakeUps);
        EXPECT_EQ(sum.watchedGone, static_cast<std::int64_t>(all.watchedGone));
        EXPECT_EQ(sum.longestQueue, all.longestQueue);
        ASSERT_EQ(series.joinedHandoffs(Series::kMaxBuckets).size(), 1u);
        EXPECT_EQ(series.joinedHandoffs(Series::kMaxBuckets)[0], all.handoff);
    }
}

TEST(Series, JoinsNeighboursAndKeepsEveryTotal)
{
    Series series;
    Random random(7);
    Increment sum;
    double queueTime = 0;
    TraceTime before{};
    for (std::uint32_t i = 0; i < 5'000; ++i) {
        Increment one;
        one.at = before + Duration(random.uniform(0, 9'000'000));
        one.requests = i % 3;
        one.acquired = i % 2;
        one.queued = i % 7;
        if (i % 5 == 0)
            one.handoff = Duration(random.uniform(1'000, 50'000'000));
        queueTime += static_cast<double>((i + 6) % 7) *
                     (i == 0 ? 0.0 : static_cast<double>((one.at - before).count()));
        before = one.at;
        sum.requests += one.requests;
        sum.acquired += one.acquired;
        series.add(one);
        ASSERT_LE(series.buckets().size(), Series::kMaxBuckets);
    }
    EXPECT_GT(series.width(), Series::kFirstWidth) << "it has been joined";
    EXPECT_EQ(series.width() % Series::kFirstWidth, Duration::zero());
    EXPECT_GT(series.buckets().size(), Series::kMaxBuckets / 4) << "and not more than it takes";
    const Bucket all = sumOf(series);
    EXPECT_EQ(all.requests, sum.requests);
    EXPECT_EQ(all.acquired, sum.acquired);
    EXPECT_EQ(all.handoffs, 1'000u);
    EXPECT_EQ(series.joinedHandoffs(Series::kMaxBuckets)[0].count(), 1'000u);
    EXPECT_NEAR(all.queueTime, queueTime, queueTime * 1e-9);
    EXPECT_EQ(series.end(), before);
}

TEST(Series, JoinsNoMoreThanAsked)
{
    Series series;
    Increment one;
    one.at = 299ms;
    series.add(one);
    EXPECT_EQ(series.neighboursFor(300), 1u);
    EXPECT_EQ(series.neighboursFor(299), 2u);
    EXPECT_EQ(series.joined(series.neighboursFor(80)).size(), 75u);
    EXPECT_EQ(series.neighboursFor(0), 512u);
}

TEST(Series, SurvivesTimesThatMakeNoSense)
{
    Series series;
    for (const TraceTime at : {TraceTime(5ms), TraceTime(-1h), kForever, TraceTime(2ms)}) {
        Increment one;
        one.at = at;
        one.acquired = 1;
        one.wakeUps = 1;
        one.wentAt = TraceTime(-3s);
        series.add(one);
        EXPECT_LE(series.buckets().size(), Series::kMaxBuckets);
    }
    EXPECT_EQ(sumOf(series).acquired, 4u);
    EXPECT_EQ(series.end(), kForever);
}

TEST(Series, IsTheSameLiveAndAfterAnySeek)
{
    SampleOptions options;
    options.clients = 20;
    options.events = 30'000;
    const auto store = sampleRun(options);
    const Series expected = seriesOf(*store);
    Random random(11);
    replay::TraceCursor cursor(store);
    std::size_t far = 0;
    while (far < store->count()) {
        far = std::min(store->count(), far + 4'000);
        cursor.seek(far); // as a live run grows
        cursor.seek(static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(far))));
    }
    EXPECT_EQ(cursor.series(), expected);
    cursor.seek(0);
    EXPECT_EQ(cursor.series(), expected) << "it is of all events that were ever passed";
}

TEST(Series, StaysSmall)
{
    SampleOptions options;
    options.clients = 50;
    options.events = 100'000;
    const auto store = sampleRun(options);
    EXPECT_LE(seriesOf(*store).memoryBytes(), 8u << 20U);
}

} // namespace
} // namespace lockscope::tests
