// The charts over time: what stands where, chain against herd, the cursor, and the numbers behind it.
#include "tests/ui/charts/charts_test_fixture.h"
#include "ui/charts/chart_canvas.h"
#include "ui/models/style/format.h"

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

// All behind the holder.
constexpr const char* kHerd =
    R"(1ms ada holds n1; 2ms bo waits n2 n1; 3ms cyd waits n3 n1; 4ms dee waits n4 n1
    10ms ada release n1; 10100us ada freed n1; 10200us bo fired n1; 10300us cyd fired n1; 10400us dee fired n1
    10500us bo takes n2)";

TEST_F(TimeChartTest, AHerdRisesBeyondOne)
{
    open(kHerd);
    const Plot herd = plot(ChartKind::wakeUps);
    EXPECT_EQ(keysOf(herd), (QStringList{"beyond one", "first woken", "one per release"}));
    EXPECT_EQ(highest(herd.layers[0]), 3.0);
    EXPECT_EQ(highest(herd.layers[1]), 1.0) << "the one that was needed";
    EXPECT_EQ(caption(ChartKind::wakeUps).toStdString(), "3.00 woken per release");
}

TEST_F(TimeChartTest, AChainStaysAtOne)
{
    open(kChain);
    const Plot chain = plot(ChartKind::wakeUps);
    EXPECT_EQ(keysOf(chain), (QStringList{"first woken", "one per release"}))
        << "no key for what is not there";
    EXPECT_EQ(highest(chain.layers[0]), 1.0);
    EXPECT_GE(chain.y.to, 2.0) << "one is no full height";
    ASSERT_TRUE(ruleOf(chain));
    EXPECT_EQ(ruleOf(chain)->points[0].y(), 1.0);
    EXPECT_EQ(caption(ChartKind::wakeUps).toStdString(), "1.00 woken per release");
}

// Requests before the first acquisition must not count for the first holders.
TEST_F(TimeChartTest, AColumnOfRequestsIsWhatItsAcquisitionsCost)
{
    openSample(1000);
    const Plot requests = plot(ChartKind::requests);
    const double mean = run.state().statistics.requestsPerAcquisition();
    EXPECT_LT(highest(requests.layers[0]), 3 * mean);
    EXPECT_FALSE(requests.y.logarithmic);
    EXPECT_FALSE(layerOf(requests, PlotLayer::Shape::cut));
    double least = 1e9;
    for (const QPointF& point : requests.layers[0].points)
        if (point.y() > 0)
            least = std::min(least, point.y());
    EXPECT_LE(least, mean);
    EXPECT_GE(highest(requests.layers[0]), mean) << "the heading lies among its columns";
    ASSERT_TRUE(ruleOf(requests));
    EXPECT_DOUBLE_EQ(ruleOf(requests)->points[0].y(), mean);
    EXPECT_EQ(caption(ChartKind::requests).toStdString(), format::ratio(mean).toStdString() + " on average");
    run.seekTime(run.endTime() / 2);
    EXPECT_TRUE(caption(ChartKind::requests).endsWith(" so far"));
    const Plot half = plot(ChartKind::requests);
    ASSERT_TRUE(ruleOf(half));
    EXPECT_EQ(ruleOf(half)->points[1].x(), half.cursor) << "the mean so far";
    EXPECT_GE(ruleOf(half)->points[0].x(), 0.0);
    EXPECT_LT(ruleOf(half)->points[0].x(), half.cursor);
}

TEST_F(TimeChartTest, TheRunStaysInSightAndTheCursorIsMarked)
{
    openSample();
    const Plot whole = plot(ChartKind::queueLength);
    EXPECT_FALSE(whole.cursor);
    run.seekTime(run.endTime() / 4);
    const Plot earlier = plot(ChartKind::queueLength);
    EXPECT_EQ(earlier.layers[0].points, whole.layers[0].points);
    EXPECT_EQ(earlier.x, whole.x);
    ASSERT_TRUE(earlier.cursor);
    EXPECT_NEAR(*earlier.cursor / earlier.x.to, 0.25, 0.01);
    EXPECT_LT(chartTable(ChartKind::queueLength, source()).rows.size(), run.series().buckets().size() / 3)
        << "a table ends where the cursor is";
}

TEST_F(TimeChartTest, TablesHaveTheNumbersOfTheWholeRun)
{
    openSample();
    const replay::Statistics& all = run.state().statistics;
    const auto sum = [&](ChartKind kind, const char* title) {
        const ChartTable table = chartTable(kind, source());
        const int column = static_cast<int>(table.titles.indexOf(title));
        EXPECT_GE(column, 0) << title;
        double total = 0;
        for (const QStringList& row : table.rows) {
            EXPECT_EQ(row.size(), table.titles.size());
            total += row.value(column).toDouble();
        }
        return total;
    };
    EXPECT_EQ(sum(ChartKind::percentiles, "handoffs"), static_cast<double>(all.handoffs));
    EXPECT_EQ(sum(ChartKind::wakeUps, "woken"), static_cast<double>(all.wakeUps));
    EXPECT_EQ(sum(ChartKind::requests, "requests"), static_cast<double>(all.acquisitionRequests));
    EXPECT_EQ(sum(ChartKind::requests, "acquired"), static_cast<double>(all.acquired));
    EXPECT_GT(sum(ChartKind::queueLength, "nodes_mean"), 0.0);
}

} // namespace
} // namespace lockscope::ui
