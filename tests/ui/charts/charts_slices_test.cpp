// The latencies of handoffs over time, and columns that are cut.
#include "tests/ui/charts/charts_test_fixture.h"
#include "ui/charts/plot_axis.h"

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

TEST_F(TimeChartTest, PercentilesLieInTheirOrder)
{
    openSample(20, 100'000);
    const Plot percentiles = plot(ChartKind::percentiles);
    ASSERT_EQ(percentiles.layers.size(), 4u);
    const QList<QPointF>&slowest = percentiles.layers[0].points, &p99 = percentiles.layers[1].points,
          &p95 = percentiles.layers[2].points, &p50 = percentiles.layers[3].points;
    ASSERT_FALSE(p99.isEmpty());
    ASSERT_EQ(p99.size(), p95.size());
    for (int i = 0; i < p99.size(); ++i) {
        EXPECT_GE(p99[i].y(), p95[i].y());
        const auto same = std::find_if(p50.begin(), p50.end(),
                                       [&](const QPointF& point) { return point.x() == p95[i].x(); });
        ASSERT_NE(same, p50.end()) << "where there is p95 there is p50";
        EXPECT_GE(p95[i].y(), percentiles.y.from);
    }
    ASSERT_EQ(slowest.size() * 2, p50.size()) << "one for each slice that has handoffs";
    for (int i = 0; i < slowest.size(); ++i) {
        EXPECT_GT(slowest[i].x(), p50[2 * i].x()) << "in the middle of its slice";
        EXPECT_LT(slowest[i].x(), p50[2 * i + 1].x());
        EXPECT_GE(slowest[i].y(), p50[2 * i].y());
        EXPECT_LE(slowest[i].y(), percentiles.y.to);
    }
}

// Slices with few handoffs were a heap of dots, and the slowest handoffs of the others were nowhere.
TEST_F(TimeChartTest, EverySliceShowsItsSlowestHandoffAndTheLegendSaysSo)
{
    openSample(20, 100'000);
    const Plot percentiles = plot(ChartKind::percentiles);
    EXPECT_EQ(keysOf(percentiles), (QStringList{"max", "p99", "p95", "p50"}));
    double most = 0;
    for (const QPointF& dot : percentiles.layers[0].points)
        most = std::max(most, dot.y());
    EXPECT_NEAR(most,
                inUnit(plotUnit(run.state().statistics.handoff.max()), run.state().statistics.handoff.max()),
                most * 0.05);
}

TEST_F(TimeChartTest, LatenciesThatAreFarApartHaveALogarithmicAxis)
{
    openSample();
    EXPECT_FALSE(plot(ChartKind::percentiles).y.logarithmic);
    EXPECT_EQ(plot(ChartKind::percentiles).y.title.toStdString(), "µs");
    open(
        R"(1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada release n1; 10100us ada freed n1; 10200us bo fired n1
            10300us bo takes n2; 11ms cyd waits n3 n2; 20ms bo release n2; 20100us bo freed n2; 90ms cyd fired n2
            95ms cyd takes n3)");
    const Plot apart = plot(ChartKind::percentiles);
    EXPECT_TRUE(apart.y.logarithmic);
    EXPECT_EQ(apart.y.title.toStdString(), "ms (log)") << "equal steps are not equal times";
    EXPECT_GT(apart.y.from, 0.0);
    EXPECT_GE(apart.y.to, highest(apart.layers[0]));
}

// Only the tool tip said that a column goes on above the axis.
TEST_F(TimeChartTest, AColumnThatIsCutSaysSoAndHowHighItIs)
{
    std::string script;
    for (int i = 0; i < 120; ++i) {
        const std::string at = std::to_string(10 * (i + 1)) + "ms ada ";
        const std::string node = "n" + std::to_string(i + 1);
        script += at + "calls; " + (i == 60 ? at + "watch n1; " : "");
        for (int again = 0; i == 60 && again < 200; ++again)
            script += at + "watch n1; ";
        script +=
            at + "acquired " + node + "; " + at + "release " + node + "; " + at + "freed " + node + "\n";
    }
    open(script.c_str());
    const Plot requests = plot(ChartKind::requests);
    const PlotLayer* heads = layerOf(requests, PlotLayer::Shape::cut);
    ASSERT_TRUE(heads);
    ASSERT_EQ(heads->points.size(), 1);
    EXPECT_EQ(heads->points[0].y(), requests.y.to);
    EXPECT_NEAR(heads->points[0].x() / requests.x.to, 0.5, 0.05);
    EXPECT_TRUE(heads->key.startsWith("beyond the axis: ")) << heads->key.toStdString();
    EXPECT_TRUE(requests.hint.contains("beyond the axis"));
    EXPECT_TRUE(requests.hint.contains(heads->key.section(' ', -1))) << requests.hint.toStdString();
}

// Of five handoffs p95 and p99 are both the slowest: lines of them say nothing.
TEST_F(TimeChartTest, AFewHandoffsAreDots)
{
    open(kChain);
    const Plot few = plot(ChartKind::percentiles);
    EXPECT_EQ(few.layers[0].shape, PlotLayer::Shape::dots);
    EXPECT_EQ(few.layers[0].key.toStdString(), "one handoff");
    ASSERT_EQ(few.layers[0].points.size(), 2);
    const double sum = few.layers[0].points[0].y() + few.layers[0].points[1].y();
    EXPECT_NEAR(sum, 600, 20) << "300 us each";
    EXPECT_EQ(chartTip(ChartKind::percentiles, source(), kRoom, 10.5).section(u'\n', 1).toStdString(),
              "one handoff, which took 0.30 ms");
    ASSERT_TRUE(ruleOf(few)) << "p50 of both";
    EXPECT_GT(ruleOf(few)->points[0].x(), 0.0) << "there was none at the start";
    EXPECT_EQ(ruleOf(few)->points[1].x(), few.x.to);
    run.seekTime(15ms);
    const Plot within = plot(ChartKind::percentiles);
    ASSERT_TRUE(ruleOf(within));
    EXPECT_EQ(ruleOf(within)->points[1].x(), within.cursor) << "it says nothing of what comes later";
    run.seekTime(5ms);
    EXPECT_FALSE(ruleOf(plot(ChartKind::percentiles))) << "there is none yet";
}

} // namespace
} // namespace lockscope::ui
