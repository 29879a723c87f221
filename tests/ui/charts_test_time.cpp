// The charts over time: what stands where, chain against herd, the cursor, and the numbers behind it.
#include "tests/support/sample_run.h"
#include "tests/support/trace_script.h"
#include "ui/charts/beyond_labels.h"
#include "ui/charts/charts.h"
#include "ui/charts/plot_overlay.h"
#include "ui/models/run_model.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

constexpr QSize kRoom(600, 200);

struct TimeChartTest : testing::Test
{
    ChartSource source() const { return {run.state(), run.series(), run.cursorTime(), run.following()}; }
    Plot plot(ChartKind kind) const { return chartPlot(kind, source(), kRoom); }
    void open(const char* script) { run.openTrace(tests::traceScript(script), {}); }
    void openSample(int clients = 20)
    {
        tests::SampleOptions options;
        options.clients = static_cast<decltype(options.clients)>(clients);
        options.events = 20'000;
        run.openTrace(tests::sampleRun(options), {});
        while (run.opening())
            QCoreApplication::processEvents();
    }
    RunModel run;
};

double highest(const PlotLayer& layer)
{
    double found = 0;
    for (const QPointF& point : layer.points)
        found = std::max(found, point.y());
    return found;
}

// Who waits behind whom: each behind the one in front, or all behind the holder.
constexpr const char* kChain =
    R"(1ms ada holds n1; 2ms bo waits n2 n1; 3ms cyd waits n3 n2; 4ms dee waits n4 n3
    10ms ada release n1; 10100us ada freed n1; 10200us bo fired n1; 10300us bo takes n2; 20ms bo release n2
    20100us bo freed n2; 20200us cyd fired n2; 20300us cyd takes n3)";
constexpr const char* kHerd =
    R"(1ms ada holds n1; 2ms bo waits n2 n1; 3ms cyd waits n3 n1; 4ms dee waits n4 n1
    10ms ada release n1; 10100us ada freed n1; 10200us bo fired n1; 10300us cyd fired n1; 10400us dee fired n1
    10500us bo takes n2)";

TEST_F(TimeChartTest, AHerdRisesBeyondOne)
{
    open(kHerd);
    const Plot herd = plot(ChartKind::wakeUps);
    ASSERT_EQ(herd.layers.size(), 2u);
    EXPECT_EQ(highest(herd.layers[0]), 3.0);
    EXPECT_EQ(highest(herd.layers[1]), 1.0) << "the one that was needed";
    EXPECT_EQ(chartCaption(ChartKind::wakeUps, source()).toStdString(), "3.00 woken per release");
}

TEST_F(TimeChartTest, AChainStaysAtOne)
{
    open(kChain);
    const Plot chain = plot(ChartKind::wakeUps);
    EXPECT_EQ(highest(chain.layers[0]), 1.0);
    EXPECT_EQ(highest(chain.layers[1]), 1.0);
    EXPECT_GE(chain.y.to, 2.0) << "one is no full height";
    ASSERT_EQ(chain.rules.size(), 1u);
    EXPECT_EQ(chain.rules[0].at, 1.0);
    EXPECT_EQ(chartCaption(ChartKind::wakeUps, source()).toStdString(), "1.00 woken per release");
}

TEST_F(TimeChartTest, TheQueueIsTold)
{
    open(kChain);
    const Plot queue = plot(ChartKind::queueLength);
    EXPECT_EQ(highest(queue.layers[1]), 4.0);
    EXPECT_EQ(queue.y.to, 4.0);
    EXPECT_EQ(chartCaption(ChartKind::queueLength, source()).toStdString(), "2 nodes now, 4 at most");
    EXPECT_EQ(chartTip(ChartKind::queueLength, source(), kRoom, 5.5).toStdString(),
              "0.005 000 to 0.006 000 s\n4.00 nodes on average, 4 at most");
}

TEST_F(TimeChartTest, PercentilesLieInTheirOrder)
{
    openSample();
    const Plot percentiles = plot(ChartKind::percentiles);
    ASSERT_EQ(percentiles.layers.size(), 3u);
    for (const PlotLayer& layer : percentiles.layers)
        ASSERT_EQ(layer.points.size(), percentiles.layers[0].points.size());
    for (int i = 0; i < percentiles.layers[0].points.size(); ++i) {
        EXPECT_GE(percentiles.layers[0].points[i].y(), percentiles.layers[1].points[i].y()) << "p99 over p95";
        EXPECT_GE(percentiles.layers[1].points[i].y(), percentiles.layers[2].points[i].y()) << "p95 over p50";
        EXPECT_GE(percentiles.layers[2].points[i].y(), percentiles.y.from);
        EXPECT_LE(percentiles.layers[0].points[i].y(), percentiles.y.to);
    }
}

TEST_F(TimeChartTest, LatenciesThatAreFarApartHaveALogarithmicAxis)
{
    openSample();
    EXPECT_FALSE(plot(ChartKind::percentiles).y.logarithmic);
    EXPECT_EQ(plot(ChartKind::percentiles).measure.toStdString(), "handoff, µs");
    open(
        R"(1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada release n1; 10100us ada freed n1; 10200us bo fired n1
            10300us bo takes n2; 11ms cyd waits n3 n2; 20ms bo release n2; 20100us bo freed n2; 90ms cyd fired n2
            95ms cyd takes n3)");
    const Plot apart = plot(ChartKind::percentiles);
    EXPECT_TRUE(apart.y.logarithmic);
    EXPECT_EQ(apart.measure.toStdString(), "handoff, ms (log)") << "equal steps are not equal times";
    EXPECT_GT(apart.y.from, 0.0);
    EXPECT_GE(apart.y.to, highest(apart.layers[0]));
}

// A start in which everybody asks and nobody has it yet would press all others down.
TEST_F(TimeChartTest, ACrowdedStartDoesNotSetTheScaleOfRequests)
{
    openSample();
    const Plot requests = plot(ChartKind::requests);
    EXPECT_LT(requests.y.to, 3 * run.state().statistics.requestsPerAcquisition());
    EXPECT_LE(highest(requests.layers[0]), requests.y.to);
}

// But where it is out of all proportion to them, it is not cut off either.
TEST_F(TimeChartTest, AStartOutOfAllProportionIsOnTheAxisToo)
{
    openSample(1000);
    double most = 0;
    for (const auto& bucket : run.series().buckets())
        if (bucket.acquired > 0)
            most = std::max(most, bucket.requestsPerAcquisition());
    ASSERT_GT(most, 100.0);
    const Plot requests = plot(ChartKind::requests);
    EXPECT_TRUE(requests.y.logarithmic);
    EXPECT_GE(requests.y.from, 1) << "no client needs a tenth of a request";
    EXPECT_GE(requests.y.to, highest(requests.layers[0]));
    EXPECT_GT(highest(requests.layers[0]), 100.0);
    EXPECT_TRUE(requests.hint.isEmpty()) << requests.hint.toStdString();
}

// As many as 1,000 clients in 300 pixels: one among them that had the lock is not flattened by the others.
TEST_F(TimeChartTest, TheOneClientThatHadTheLockIsAsHighAsItsCount)
{
    open("1ms ada holds n1; 2ms bo waits n2 n1; 3ms cyd waits n3 n2; 4ms dee waits n4 n3");
    const Plot clients = chartPlot(ChartKind::fairness, source(), {2, 200});
    ASSERT_EQ(clients.layers.size(), 1u);
    EXPECT_EQ(highest(clients.layers[0]), 1.0);
}

TEST_F(TimeChartTest, PicturesCostWhatTheyCanShow)
{
    openSample();
    for (const ChartKind kind : kCharts)
        for (const PlotLayer& layer : plot(kind).layers)
            EXPECT_LE(layer.points.size(), kRoom.width()) << chartName(kind).toStdString();
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

TEST_F(TimeChartTest, APlaceOfTheAxisIsAMomentOfTheRun)
{
    openSample();
    const PlotAxis axis = plot(ChartKind::requests).x;
    const auto middle = chartTime(source(), axis.to / 2);
    ASSERT_TRUE(middle);
    EXPECT_NEAR(static_cast<double>(middle->count()), static_cast<double>(run.endTime().count()) / 2, 1e3);
    EXPECT_FALSE(chartTime(source(), -0.1));
    EXPECT_FALSE(chartTime(source(), axis.to * 1.01));
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
    EXPECT_EQ(sum(ChartKind::requests, "requests"), static_cast<double>(all.ops.sum()));
    EXPECT_EQ(sum(ChartKind::requests, "acquired"), static_cast<double>(all.acquired));
    EXPECT_GT(sum(ChartKind::queueLength, "nodes_mean"), 0.0);
}

// Only the tool tip said that a column goes on above the axis.
TEST_F(TimeChartTest, AColumnThatIsCutSaysSoAndHowHighItIs)
{
    openSample();
    const Plot requests = plot(ChartKind::requests);
    double most = 0;
    std::size_t cut = 0;
    for (const auto& bucket : run.series().buckets()) {
        most = std::max(most, bucket.acquired > 0 ? bucket.requestsPerAcquisition() : 0.0);
        cut += bucket.acquired > 0 && bucket.requestsPerAcquisition() > requests.y.to ? 1U : 0U;
    }
    ASSERT_GT(most, requests.y.to);
    ASSERT_FALSE(requests.beyond.empty());
    EXPECT_LE(requests.beyond.size(), cut); // neighbours are joined where there are too many to draw
    for (const PlotBeyond& column : requests.beyond) {
        EXPECT_GT(column.value, requests.y.to);
        EXPECT_GE(column.at, requests.x.from);
        EXPECT_LE(column.at, requests.x.to);
    }
    EXPECT_GE(requests.beyond.front().value, requests.beyond.back().value);

    const Look look(Look::Theme::light);
    QImage image(400, 200, QImage::Format_RGB32);
    const auto drawn = [&](const Plot& shown) {
        image.fill(Qt::white);
        QPainter painter(&image);
        drawOverlay(painter, shown, PlotFrame(shown, image.size(), look), look);
        return image.copy();
    };
    Plot plain = requests;
    plain.beyond.clear();
    EXPECT_NE(drawn(requests), drawn(plain));
}

// Of two columns side by side the second one's number was left out.
TEST_F(TimeChartTest, NeighboursThatAreCutSayBothNumbersAndManySayFromWhichToWhich)
{
    const Look look(Look::Theme::light);
    Plot plot;
    plot.x.to = 400;
    plot.y.to = 4;
    plot.beyond = {{104, 20, "20.0"}, {100, 8, "8.0"}, {300, 5, "5.0"}};
    const PlotFrame frame(plot, {400, 200}, look);
    const auto texts = [&] {
        QStringList all;
        for (const BeyondLabel& label : beyondLabels(plot, frame, look)) {
            EXPECT_TRUE(frame.area().contains(label.box)) << label.text.toStdString();
            all << label.text;
        }
        return all;
    };
    EXPECT_EQ(texts(), (QStringList{"8.0, 20.0", "5.0"}));
    plot.beyond = {{100, 9, "9.0"}, {130, 8, "8.0"}, {399, 7, "7.0"}};
    EXPECT_EQ(texts(), (QStringList{"9.0", "8.0", "7.0"})) << "each has its place";
    plot.beyond.clear();
    for (int i = 0; i < 20; ++i)
        plot.beyond.push_back({100.0 + 4 * i, 9.0 - i * 0.1, QString::number(9.0 - i * 0.1, 'f', 1)});
    EXPECT_EQ(texts(), QStringList{"7.1 to 9.0"});
}

TEST_F(TimeChartTest, ColumnsThatFitAreNotMarked)
{
    open(kHerd);
    EXPECT_TRUE(plot(ChartKind::wakeUps).beyond.empty());
}

} // namespace
} // namespace lockscope::ui
