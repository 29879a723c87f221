// Axes with round numbers, and the charts of what was until the cursor: the latency histogram and the
// clients.
#include "tests/ui/charts/charts_test_fixture.h"
#include "ui/charts/plot_axis.h"

#include <cmath>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

TEST(PlotAxis, EndsAtALabelAndHasFewOfThem)
{
    for (double highest = 0.3; highest < 1e7; highest *= 1.37)
        for (const int most : {1, 3, 7}) {
            const PlotAxis axis = axisUpTo(highest, most, false);
            EXPECT_GE(axis.to, highest * (1 - 1e-6));
            EXPECT_NEAR(axis.to / axis.step, std::round(axis.to / axis.step), 1e-6);
            EXPECT_LE(axis.to / axis.step, most + 1);
        }
    EXPECT_EQ(axisUpTo(4, 8, true).step, 1.0) << "there are no half nodes";
    EXPECT_EQ(axisUpTo(0, 3, true).to, 1.0);
}

TEST(PlotAxis, ALargePictureHasNoMoreStepsThanAreRead)
{
    EXPECT_EQ(stepsWithin(200), 6);
    EXPECT_EQ(stepsWithin(40), 3);
    EXPECT_EQ(stepsWithin(2000), 8);
}

TEST(PlotAxis, TimesReadInTheirUnit)
{
    EXPECT_EQ(plotUnit(300us).length, Duration(1us));
    EXPECT_EQ(plotUnit(1500ms).name.toStdString(), "ms");
    EXPECT_EQ(plotUnit(20s).name.toStdString(), "s");
    EXPECT_EQ(plotUnit(20min).name.toStdString(), "min");
    const PlotAxis axis = timeAxis(17s, plotUnit(17s), 4);
    EXPECT_EQ(axis.to, 17.0) << "to the end of the run exactly";
    EXPECT_EQ(axis.step, 5.0);
    EXPECT_EQ(timeAxis(0ns, plotUnit(0ns), 4).from, 0.0);
}

TEST(PlotAxis, ALogarithmicAxisHoldsBothEndsAndBeginsAtALabel)
{
    const PlotAxis axis = logarithmicAxis(0.24, 13);
    EXPECT_DOUBLE_EQ(axis.from, 0.1);
    EXPECT_DOUBLE_EQ(axis.to, 20.0);
    EXPECT_EQ(axis.decimals, 1);
    for (double least = 0.0013; least < 1e5; least *= 1.7) {
        EXPECT_LE(logarithmicAxis(least, least * 30).from, least * (1 + 1e-9));
        EXPECT_GE(logarithmicAxis(least, least * 30).to, least * 30 * (1 - 1e-9));
    }
    EXPECT_DOUBLE_EQ(logarithmicAxis(1, 1).to, 10.0);
}

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

// Whatever is slow, the others fill most of the axis, and the labels are round numbers at the edges of bars.
TEST_F(ChartTest, TheHistogramEndsAtARoundNumberBeyondTheSlowestHundredth)
{
    for (const int microseconds : {3, 40, 900, 1'700, 29'500, 800'000, 9'000'000}) {
        replay::RunState state;
        for (int i = 0; i < 200; ++i)
            state.statistics.handoff.add(
                std::chrono::microseconds(i == 7 ? 50 * microseconds : microseconds));
        const ChartTable table = chartTable(ChartKind::latency, {state, run.series(), {}, true});
        const double end = table.rows.back()[1].isEmpty() ? table.rows.back()[0].toDouble()
                                                          : table.rows.back()[1].toDouble();
        EXPECT_GE(end, microseconds);
        EXPECT_LE(end, std::max(20.0, 1.9 * microseconds)) << "most of the room is used";
        const Plot shown = chartPlot(ChartKind::latency, {state, run.series(), {}, true}, kRoom);
        EXPECT_GE(shown.bars.size(), 15u);
        for (const auto& [at, name] : shown.x.names)
            EXPECT_DOUBLE_EQ(at + 0.5, std::round(at + 0.5)) << name.toStdString();
        EXPECT_LT(chartPlot(ChartKind::latency, {state, run.series(), {}, true}, {120, 100}).x.names.size(),
                  shown.x.names.size())
            << "fewer labels where there is less room";
    }
}

TEST_F(ChartTest, NothingIsDrawnBeforeThereIsARun)
{
    for (const ChartKind kind : kCharts) {
        EXPECT_TRUE(plot(kind).layers.empty()) << chartName(kind).toStdString();
        EXPECT_FALSE(chartEmptyText(kind).isEmpty());
        EXPECT_LE(chartTable(kind, source()).rows.size(), 25u);
    }
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

// "p50 1.16 · p99 4.51 · m…" stood in a narrow header.
TEST_F(ChartTest, AShorterCaptionLeavesOutWhatTellsLeast)
{
    open(1000);
    for (const ChartKind kind : kCharts) {
        const QStringList variants = chartCaption(kind, source()).split(kVariantSeparator);
        ASSERT_GE(variants.size(), 2) << chartName(kind).toStdString();
        for (qsizetype i = 1; i < variants.size(); ++i)
            EXPECT_LT(variants[i].size(), variants[i - 1].size()) << variants[i].toStdString();
    }
    const QStringList latency = chartCaption(ChartKind::latency, source()).split(kVariantSeparator);
    EXPECT_TRUE(latency[1].contains("p99") && !latency[1].contains("max")) << latency[1].toStdString();
    EXPECT_TRUE(latency[1].back().isLetter()) << "the unit goes along: " << latency[1].toStdString();
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

// Its label lay on the last bars, which seemed to be lower than they were.
TEST_F(ChartTest, TheEqualShareIsInTheLegendAndTheBarsHaveRoomAbove)
{
    open(5);
    const Plot clients = plot(ChartKind::fairness);
    EXPECT_EQ(keysOf(clients), QStringList{"equal share 12.0"});
    EXPECT_GT(clients.y.to, 12.0);
}

TEST_F(ChartTest, MostAcquisitionsComeFirst)
{
    open(5);
    run.seekTime(run.endTime() / 2);
    const Plot clients = plot(ChartKind::fairness);
    for (std::size_t i = 1; i < clients.bars.size(); ++i)
        EXPECT_GE(clients.bars[i - 1].count, clients.bars[i].count);
    const ChartTable table = chartTable(ChartKind::fairness, source());
    EXPECT_EQ(table.rows.size(), 5u);
    EXPECT_EQ(table.titles.join(',').toStdString(), "rank,client,name,acquired");
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

} // namespace
} // namespace lockscope::ui
