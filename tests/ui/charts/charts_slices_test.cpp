// The latencies of handoffs over time, and columns that are cut.
#include "tests/ui/charts/charts_test_fixture.h"
#include "ui/charts/overflow_labels.h"
#include "ui/charts/plot_axis.h"
#include "ui/charts/plot_overlay.h"

#include <QImage>
#include <QPainter>

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
    QStringList keys;
    for (const PlotLayer& layer : percentiles.layers)
        keys << layer.key;
    EXPECT_EQ(keys, (QStringList{"max", "p99", "p95", "p50"}));
    double most = 0;
    for (const QPointF& dot : percentiles.layers[0].points)
        most = std::max(most, dot.y());
    EXPECT_NEAR(most,
                inUnit(plotUnit(run.state().statistics.handoff.max()), run.state().statistics.handoff.max()),
                most * 0.05);
}

// Of five handoffs p95 and p99 are both the slowest: lines of them say nothing.
TEST_F(TimeChartTest, AFewHandoffsAreDots)
{
    open(kChain);
    const Plot few = plot(ChartKind::percentiles);
    ASSERT_EQ(few.layers.size(), 1u);
    EXPECT_EQ(few.layers[0].shape, PlotLayer::Shape::dots);
    EXPECT_EQ(few.layers[0].key.toStdString(), "one handoff");
    ASSERT_EQ(few.layers[0].points.size(), 2);
    const double sum = few.layers[0].points[0].y() + few.layers[0].points[1].y();
    EXPECT_NEAR(sum, 600, 20) << "300 us each";
    EXPECT_EQ(chartTip(ChartKind::percentiles, source(), kRoom, 10.5).section(u'\n', 1).toStdString(),
              "one handoff, which took 0.30 ms");
    ASSERT_EQ(few.rules.size(), 1u) << "p50 of both";
    EXPECT_GT(few.rules[0].from, 0.0) << "there was none at the start";
    EXPECT_EQ(few.rules[0].to, std::numeric_limits<double>::infinity());
    run.seekTime(15ms);
    const Plot within = plot(ChartKind::percentiles);
    ASSERT_EQ(within.rules.size(), 1u);
    EXPECT_EQ(within.rules[0].to, within.cursor) << "it says nothing of what comes later";
    run.seekTime(5ms);
    EXPECT_TRUE(plot(ChartKind::percentiles).rules.empty()) << "there is none yet";
}

TEST_F(TimeChartTest, ASliceHasEnoughHandoffsForItsPercentiles)
{
    openSample(20, 100'000);
    const double count = static_cast<double>(run.state().statistics.handoffs);
    const Plot percentiles = plot(ChartKind::percentiles);
    const auto slices = static_cast<double>(percentiles.layers[0].points.size());
    EXPECT_GE(count / slices, 80);
    EXPECT_TRUE(percentiles.x.name.contains("from 100 handoffs")) << percentiles.x.name.toStdString();
    EXPECT_TRUE(percentiles.hint.contains("100 handoffs"));
}

TEST_F(TimeChartTest, LatenciesThatAreFarApartHaveALogarithmicAxis)
{
    openSample();
    EXPECT_FALSE(plot(ChartKind::percentiles).y.logarithmic);
    EXPECT_EQ(plot(ChartKind::percentiles).measure.toStdString(), "µs");
    open(
        R"(1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada release n1; 10100us ada freed n1; 10200us bo fired n1
            10300us bo takes n2; 11ms cyd waits n3 n2; 20ms bo release n2; 20100us bo freed n2; 90ms cyd fired n2
            95ms cyd takes n3)");
    const Plot apart = plot(ChartKind::percentiles);
    EXPECT_TRUE(apart.y.logarithmic);
    EXPECT_EQ(apart.measure.toStdString(), "ms (log)") << "equal steps are not equal times";
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
    ASSERT_EQ(requests.overflow.size(), 1u);
    EXPECT_GT(requests.overflow[0].value, requests.y.to);
    EXPECT_NEAR(requests.overflow[0].at / requests.x.to, 0.5, 0.05);
    EXPECT_TRUE(requests.hint.contains("beyond the axis"));

    const Theme theme(Theme::ColourScheme::light);
    QImage image(400, 200, QImage::Format_RGB32);
    const PlotFrame frame(requests, image.size(), theme); // of both: it leaves room for the heads
    const auto head = [&](const Plot& shown) {
        image.fill(Qt::white);
        QPainter painter(&image);
        drawOverlay(painter, shown, frame, theme);
        painter.end();
        return image.pixelColor(qRound(frame.xAt(requests.overflow[0].at)), qRound(frame.area().top()) - 2);
    };
    Plot plain = requests;
    plain.overflow.clear();
    EXPECT_EQ(head(requests), theme.palette().text);
    EXPECT_NE(head(plain), theme.palette().text);
}

// Of two columns side by side the second one's number was left out.
TEST_F(TimeChartTest, NeighboursThatAreCutSayBothNumbersAndManySayFromWhichToWhich)
{
    const Theme theme(Theme::ColourScheme::light);
    Plot plot;
    plot.x.to = 400;
    plot.y.to = 4;
    plot.overflow = {{104, 20, "20.0"}, {100, 8, "8.0"}, {300, 5, "5.0"}};
    const PlotFrame frame(plot, {400, 200}, theme);
    const auto texts = [&] {
        QStringList all;
        for (const OverflowLabel& label : overflowLabels(plot, frame, theme)) {
            EXPECT_TRUE(frame.area().contains(label.box)) << label.text.toStdString();
            all << label.text;
        }
        return all;
    };
    EXPECT_EQ(texts(), (QStringList{"8.0, 20.0", "5.0"}));
    plot.overflow = {{100, 9, "9.0"}, {130, 8, "8.0"}, {399, 7, "7.0"}};
    EXPECT_EQ(texts(), (QStringList{"9.0", "8.0", "7.0"})) << "each has its place";
    plot.overflow.clear();
    for (int i = 0; i < 20; ++i)
        plot.overflow.push_back({100.0 + 4 * i, 9.0 - i * 0.1, QString::number(9.0 - i * 0.1, 'f', 1)});
    EXPECT_EQ(texts(), QStringList{"7.1 to 9.0"});
}

} // namespace
} // namespace lockscope::ui
