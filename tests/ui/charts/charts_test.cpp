// Axes with round numbers, and the charts of what was until the cursor: the latency histogram and the
// clients.
#include "tests/ui/charts/charts_test_fixture.h"
#include "ui/charts/plot_axis.h"

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

struct ChartTest : TimeChartTest
{
    void open(std::uint32_t clients)
    {
        tests::SampleOptions options;
        options.clients = clients;
        options.cycles = 12;
        run.openTrace(tests::sampleRun(options));
        while (run.opening())
            QCoreApplication::processEvents();
    }
};

double heightOfAll(const PlotLayer& bars)
{
    double sum = 0;
    for (const QPointF& bar : bars.points)
        sum += bar.y();
    return sum;
}

TEST_F(ChartTest, TheHistogramCountsEveryHandoffOnce)
{
    open(5);
    const auto& handoff = run.state().statistics.handoff;
    const Plot histogram = plot(ChartKind::latency);
    double drawn = 0;
    for (const PlotLayer& bars : histogram.layers)
        drawn += heightOfAll(bars);
    EXPECT_EQ(drawn, static_cast<double>(handoff.count()));
    double listedTotal = 0;
    for (const QStringList& row : chartTable(ChartKind::latency, source()).rows)
        listedTotal += row[2].toDouble();
    EXPECT_EQ(listedTotal, static_cast<double>(handoff.count()))
        << "what lies beyond the axis is in the table";
    EXPECT_TRUE(caption(ChartKind::latency).startsWith("p50 "));
    ASSERT_LT(handoff.count(), 100u);
    EXPECT_FALSE(caption(ChartKind::latency).contains("p99")) << "it would be the slowest";
}

// The three slowest of 618 were not in the picture at all.
TEST_F(ChartTest, WhatLiesFarBeyondTheOthersHasABarOfItsOwn)
{
    std::string script = "1ms ada holds n1; 2ms bo waits n2 n1\n";
    double at = 10;
    for (int i = 1; i <= 200; ++i, at += 10) {
        const std::string from = i % 2 ? "ada " : "bo ", to = i % 2 ? "bo " : "ada ";
        const std::string node = "n" + std::to_string(i), next = "n" + std::to_string(i + 1);
        const auto say = [&](double when, const std::string& what) {
            script += std::to_string(static_cast<int>(when * 1000)) + "us " + what + "; ";
        };
        say(at, from + "release " + node);
        say(at + 0.1, from + "freed " + node);
        at += i == 50 ? 150 : 0; // one took long
        say(at + 0.2, to + "fired " + node);
        say(at + 0.5, to + "takes " + next);
        say(at + 1, from + "waits n" + std::to_string(i + 2) + " " + next);
        script += "\n";
    }
    run.openTrace(tests::traceScript(script));
    const Plot histogram = plot(ChartKind::latency);
    ASSERT_EQ(histogram.layers.size(), 2u);
    EXPECT_EQ(heightOfAll(histogram.layers[0]), 199.0);
    EXPECT_EQ(heightOfAll(histogram.layers[1]), 1.0);
    EXPECT_GT(histogram.layers[1].points[0].x(), histogram.layers[0].points.back().x());
    EXPECT_LT(histogram.layers[1].points[0].x(), histogram.x.to);
    EXPECT_TRUE(histogram.layers[1].key.startsWith("longer than ")) << histogram.layers[1].key.toStdString();
    EXPECT_TRUE(histogram.layers[1].key.endsWith(": 1")) << "it is too low to be seen";
    EXPECT_EQ(caption(ChartKind::latency).toStdString(), "p50 0.50 \302\267 p99 0.50 \302\267 max 151 ms");
}

TEST_F(ChartTest, TheHistogramIsOfWhatWasUntilTheCursor)
{
    open(5);
    const double all = heightOfAll(plot(ChartKind::latency).layers[0]);
    run.seekTime(run.endTime() / 3);
    EXPECT_LT(heightOfAll(plot(ChartKind::latency).layers[0]), all);
}

TEST_F(ChartTest, AFewClientsHaveBarsWithTheirNames)
{
    open(5);
    const Plot clients = plot(ChartKind::fairness);
    ASSERT_EQ(clients.bars.size(), 5u);
    ASSERT_EQ(clients.x.names.size(), 5u) << "names stand where numbers would";
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(heightOfAll(clients.layers[i]), 12.0);
        EXPECT_EQ(clients.x.names[i].second, clients.bars[i].label);
    }
    EXPECT_EQ(caption(ChartKind::fairness).toStdString(), "fairness (Jain) 1.00 \302\267 12 each");
}

// Jain's index of a round that is not over reads as unfair.
TEST_F(ChartTest, TheIndexWaitsUntilEachCouldHaveHadItOnce)
{
    run.openTrace(
        tests::traceScript("1ms ada holds n1; 2ms bo waits n2 n1; 3ms cyd waits n3 n2; 10ms ada release n1; "
                           "11ms ada freed n1; 12ms bo fired n1; 13ms bo takes n2"));
    EXPECT_EQ(caption(ChartKind::fairness).toStdString(), "2 of 3 clients had it so far");
}

TEST_F(ChartTest, ManyClientsAreAProfile)
{
    open(1000);
    const Plot wide = plot(ChartKind::fairness, {400, 200});
    ASSERT_EQ(wide.layers[0].shape, PlotLayer::Shape::area);
    EXPECT_EQ(wide.bars.size(), 1000u) << "each can be chosen";
    EXPECT_EQ(wide.x.names.front().second, "1") << "the ranks";
    EXPECT_EQ(wide.x.names.back().second, "1,000");
    EXPECT_LE(wide.layers[0].points.size(), 400) << "what the pixels can show, not what there is";
    EXPECT_EQ(wide.x.to - wide.x.from, 1000.0);
    double acquisitions = 0;
    for (int i = 0; i + 1 < wide.layers[0].points.size(); i += 2)
        acquisitions +=
            wide.layers[0].points[i].y() * (wide.layers[0].points[i + 1].x() - wide.layers[0].points[i].x());
    EXPECT_NEAR(acquisitions, 12'000.0, 1.0) << "condensed, and nothing lost";
    EXPECT_EQ(chartTable(ChartKind::fairness, source()).rows.size(), 1000u);
}

TEST(PlotAxis, OfTimesMovesInStepsWhileTheRunGoesOn)
{
    EXPECT_EQ(timeAxis(17s, plotUnit(17s), 4).to, 17.0) << "to the end of the run exactly";
    for (const Duration end : {Duration(17s), Duration(17'400ms)})
        EXPECT_EQ(timeAxis(end, plotUnit(17s), 4, true).to, 17.5);
}

} // namespace
} // namespace lockscope::ui
