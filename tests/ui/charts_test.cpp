// The latency histogram: what it counts, where its axis ends, and when it is drawn.
#include "tests/ui/timeline_test_script.h"
#include "ui/charts/latency_chart.h"
#include "ui/charts/latency_scale.h"
#include "ui/charts/latency_view.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <numeric>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

TEST(LatencyScale, EndsAtARoundNumberBeyondTheSlowestHundredth)
{
    for (Duration p99 = 1us; p99 < 60s; p99 = p99 * 17 / 16 + 1us) {
        const LatencyScale scale = latencyScale(p99);
        EXPECT_GE(scale.upTo, std::max<Duration>(p99, 10us));
        EXPECT_LE(scale.upTo, std::max<Duration>(p99 * 2, 20us)) << "most of the room is used";
        EXPECT_EQ(scale.bars % (scale.labels - 1), 0) << "labels stand at the edges of bars";
    }
    EXPECT_EQ(latencyScale(900us).upTo, Duration(1ms));
    EXPECT_EQ(latencyUnit(latencyScale(900us)).toStdString(), "ms");
    EXPECT_EQ(latencyDecimals(latencyScale(900us)), 1);
    EXPECT_EQ(latencyDecimals(latencyScale(17ms)), 0);
}

TEST(LatencyScale, FewerLabelsWhereThereIsLessRoom)
{
    const LatencyScale five = latencyScale(400us); // 0 to 0.5 ms in five parts
    EXPECT_EQ(latencyLabelsWithin(five, 500, 60), 6);
    EXPECT_EQ(latencyLabelsWithin(five, 200, 60), 2);
    const LatencyScale four = latencyScale(1700us); // 0 to 2 ms in four parts
    EXPECT_EQ(latencyLabelsWithin(four, 300, 60), 5);
    EXPECT_EQ(latencyLabelsWithin(four, 200, 60), 3);
    EXPECT_EQ(latencyLabelsWithin(four, 10, 60), 2);
}

// Hands the lock on this many times; each handoff takes `milliseconds`.
std::shared_ptr<trace::TraceStore> handoffs(int count, double milliseconds)
{
    test::TimelineScript script({"ada", "bo"});
    script.waits(0, 1);
    script.acquires(0, 2);
    for (int i = 0; i < count; ++i) {
        const unsigned from = i % 2;
        const double at = 10.0 * (i + 1);
        script.waits(1 - from, at - 2);
        const double leg = milliseconds * 1000 / 5;
        script.handsOn(from, 1 - from, at, {leg, leg, leg, leg, leg});
    }
    return script.trace();
}

struct LatencyViewTest : testing::Test
{
    RunModel run;
    Look look{Look::Theme::light};
    LatencyView view{&run, &look};
};

TEST_F(LatencyViewTest, SaysThatThereIsNothingYet)
{
    view.show();
    EXPECT_FALSE(view.showsChart());
    EXPECT_TRUE(view.caption().isEmpty());
}

TEST_F(LatencyViewTest, CountsEveryHandoffOnce)
{
    view.show();
    QSignalSpy told(&view, &LatencyView::captionChanged);
    run.openTrace(handoffs(40, 0.5), {});
    ASSERT_TRUE(view.showsChart());
    EXPECT_EQ(told.count(), 1);
    const std::vector<double> bars = view.chart().shownBars();
    EXPECT_EQ(std::accumulate(bars.begin(), bars.end(), 0.0), 40.0);
    EXPECT_TRUE(view.caption().startsWith("p50 0.5")) << view.caption().toStdString();
    EXPECT_TRUE(view.caption().contains("p99 0.5")) << view.caption().toStdString();
    run.openTrace(std::make_shared<trace::TraceStore>(), {});
    EXPECT_FALSE(view.showsChart());
}

TEST_F(LatencyViewTest, IsNotDrawnWhileHidden)
{
    run.openTrace(handoffs(40, 0.5), {});
    EXPECT_EQ(view.refreshes(), 0u);
    EXPECT_FALSE(view.caption().isEmpty());
    view.show();
    EXPECT_EQ(view.refreshes(), 1u);
}

TEST_F(LatencyViewTest, ManyChangesAreDrawnOnce)
{
    view.show();
    run.openTrace(handoffs(200, 0.5), {});
    const std::size_t before = view.refreshes();
    for (int i = 0; i < 50; ++i)
        run.seekEvent(100 + static_cast<std::size_t>(i) * 5);
    EXPECT_EQ(view.refreshes(), before);
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.refreshes() == before + 1; }));
    const std::vector<double> bars = view.chart().shownBars();
    EXPECT_LT(std::accumulate(bars.begin(), bars.end(), 0.0), 200.0) << "it shows the run at the cursor";
}

TEST_F(LatencyViewTest, LabelsThinOutWhenItGetsNarrow)
{
    view.resize(700, 160);
    view.show();
    run.openTrace(handoffs(40, 0.42), {});
    const int wide = view.chart().shownLabels();
    view.resize(160, 160);
    QCoreApplication::processEvents();
    EXPECT_LT(view.chart().shownLabels(), wide);
}

TEST_F(LatencyViewTest, FollowsTheLook)
{
    view.resize(400, 160);
    view.show();
    run.openTrace(handoffs(40, 0.5), {});
    look.setTheme(Look::Theme::dark);
    QImage image = view.grab().toImage();
    int bars = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            bars += image.pixelColor(x, y) == look.palette().client(0) ? 1 : 0;
    EXPECT_GT(bars, 100);
}

} // namespace
} // namespace lockscope::ui
