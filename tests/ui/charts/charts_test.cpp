// Axes with round numbers, and the charts of what was until the cursor: the latency histogram and the
// clients.
#include "tests/ui/charts/charts_test_fixture.h"
#include "ui/charts/latency_scale.h"
#include "ui/charts/plot_axis.h"

#include <cmath>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

TEST(LatencyScale, EndsAtARoundNumberBeyondTheSlowestHundredth)
{
    for (Duration p99 = 1us; p99 < 60s; p99 = p99 * 17 / 16 + 1us) {
        const LatencyScale scale = latencyScale(p99);
        EXPECT_GE(scale.axisEnd, std::max<Duration>(p99, 10us));
        EXPECT_LE(scale.axisEnd, std::max<Duration>(p99 * 19 / 10, 20us)) << "most of the room is used";
        EXPECT_EQ(scale.bars % (scale.labels - 1), 0) << "labels stand at the edges of bars";
    }
    EXPECT_EQ(latencyScale(900us).axisEnd, Duration(1ms));
    EXPECT_EQ(latencyUnit(latencyScale(900us)).toStdString(), "ms");
    EXPECT_EQ(latencyDecimals(latencyScale(900us)), 1);
    EXPECT_EQ(latencyDecimals(latencyScale(17ms)), 0);
    EXPECT_EQ(latencyScale(29500us).axisEnd, Duration(40ms));
}

TEST(LatencyScale, FewerLabelsWhereThereIsLessRoom)
{
    const LatencyScale five = latencyScale(400us); // 0 to 0.5 ms in five parts
    EXPECT_EQ(latencyLabelEvery(five, 500, 60), 1);
    EXPECT_EQ(latencyLabelEvery(five, 200, 60), 2) << "0, 0.2 and 0.4, not the ends alone";
    const LatencyScale four = latencyScale(1700us); // 0 to 2 ms in four parts
    EXPECT_EQ(latencyLabelEvery(four, 300, 60), 1);
    EXPECT_EQ(latencyLabelEvery(four, 200, 60), 2);
    EXPECT_EQ(latencyLabelEvery(four, 10, 60), 4) << "the ends";
}

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

TEST(PlotAxis, DecadesHoldBothEnds)
{
    const PlotAxis axis = logarithmicAxis(0.24, 13);
    EXPECT_DOUBLE_EQ(axis.from, 0.2) << "no empty half";
    EXPECT_DOUBLE_EQ(axis.to, 20.0);
    for (double least = 0.0013; least < 1e5; least *= 1.7) {
        EXPECT_LE(logarithmicAxis(least, least * 30).from, least * (1 + 1e-9));
        EXPECT_GE(logarithmicAxis(least, least * 30).from, least / 2.6);
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

double heightOfAll(const PlotLayer& bars) // four points a bar
{
    double sum = 0;
    for (int i = 1; i < bars.points.size(); i += 4)
        sum += bars.points[i].y();
    return sum;
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
    EXPECT_LT(histogram.layers[1].points[3].x(), histogram.x.to);
    ASSERT_EQ(histogram.names.size(), 1u);
    ASSERT_EQ(histogram.notes.size(), 1u);
    EXPECT_EQ(histogram.notes[0].text.toStdString(), "1");
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
    ASSERT_EQ(clients.layers.size(), 5u);
    ASSERT_EQ(clients.names.size(), 5u);
    for (const PlotLayer& bar : clients.layers)
        EXPECT_EQ(bar.points[1].y(), 12.0);
    EXPECT_FALSE(clients.x.labelled) << "names stand where numbers would";
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
    ASSERT_EQ(clients.rules.size(), 1u);
    EXPECT_EQ(clients.rules[0].key.toStdString(), "equal share 12.0");
    EXPECT_GT(clients.y.to, 12.0);
}

TEST_F(ChartTest, MostAcquisitionsComeFirst)
{
    open(5);
    run.seekTime(run.endTime() / 2);
    const Plot clients = plot(ChartKind::fairness);
    for (std::size_t i = 1; i < clients.layers.size(); ++i)
        EXPECT_GE(clients.layers[i - 1].points[1].y(), clients.layers[i].points[1].y());
    const ChartTable table = chartTable(ChartKind::fairness, source());
    EXPECT_EQ(table.rows.size(), 5u);
    EXPECT_EQ(table.titles.join(',').toStdString(), "rank,client,name,acquired");
}

// Each of the bars that a screen reader asked for sorted all clients again.
TEST_F(ChartTest, AllBarsTogetherAreThoseOfEach)
{
    open(20);
    EXPECT_EQ(chartMarks(ChartKind::fairness, source(), kRoom).size(), 20u);
    for (const ChartKind kind : {ChartKind::latency, ChartKind::fairness}) {
        const std::vector<PlotMark> all = chartMarks(kind, source(), kRoom);
        const int count = static_cast<int>(all.size());
        for (int bar = 0; bar < count; ++bar) {
            const auto one = chartMark(kind, source(), kRoom, bar);
            ASSERT_TRUE(one);
            EXPECT_EQ(all[static_cast<std::size_t>(bar)].text, one->text);
            EXPECT_EQ(all[static_cast<std::size_t>(bar)].from, one->from);
        }
        EXPECT_FALSE(chartMark(kind, source(), kRoom, count));
    }
}

TEST_F(ChartTest, ManyClientsAreAProfile)
{
    open(1000);
    const Plot wide = plot(ChartKind::fairness, {400, 200});
    ASSERT_EQ(wide.layers.size(), 1u);
    EXPECT_TRUE(wide.names.empty());
    EXPECT_FALSE(wide.x.name.isEmpty()) << "0 to 1,000 needs a unit";
    EXPECT_LE(wide.layers[0].points.size(), 400) << "what the pixels can show, not what there is";
    EXPECT_EQ(wide.x.to, 1000.0);
    double acquisitions = 0;
    for (int i = 0; i + 1 < wide.layers[0].points.size(); i += 2)
        acquisitions +=
            wide.layers[0].points[i].y() * (wide.layers[0].points[i + 1].x() - wide.layers[0].points[i].x());
    EXPECT_NEAR(acquisitions, 12'000.0, 1.0) << "condensed, and nothing lost";
    EXPECT_EQ(chartTable(ChartKind::fairness, source()).rows.size(), 1000u);
}

} // namespace
} // namespace lockscope::ui
