// The card of charts: what is drawn and when, the choice of one or all, clicks, keys and pixels.
#include "tests/support/sample_run.h"
#include "tests/ui/timeline/timeline_script.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/charts_view.h"
#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"

#include <QMenu>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

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
        script.handsOff(from, 1 - from, at, {leg, leg, leg, leg, leg});
    }
    return script.trace();
}

struct ChartsViewTest : testing::Test
{
    ChartsViewTest() { view.resize(700, 260); }
    const ChartPanel& panel(ChartKind kind = ChartKind::latency) const { return view.panel(kind); }
    void openSample()
    {
        tests::SampleOptions options;
        options.clients = 10;
        options.events = 10'000;
        run.openTrace(tests::sampleRun(options));
        while (run.opening())
            QCoreApplication::processEvents();
    }
    QPoint placeOf(ChartPanel& panel, double share) const
    {
        const QRectF area = panel.canvas().plotArea();
        const QPointF at(area.left() + share * area.width(), area.center().y());
        return panel.canvas().mapTo(&panel, at.toPoint());
    }

    RunModel run;
    Theme theme{Theme::ColourScheme::light};
    Selection selection;
    ChartsView view{&run, &selection, &theme};
};

TEST_F(ChartsViewTest, APictureAndATableSayOfWhichRunTheyAre)
{
    view.setRunNamer([](const trace::Header&) { return QString("One lock"); });
    view.show();
    run.openTrace(handoffs(40, 0.5));
    const QString when = "One lock · until " + format::axisTime(run.cursorTime(), 1ms);
    EXPECT_TRUE(view.caption().startsWith(when + " · p50 0.5")) << view.caption().toStdString();
    EXPECT_TRUE(view.caption().section(kVariantSeparator, 1, 1).startsWith("p50 0.5"))
        << "where there is less room";
    view.showChart(std::nullopt);
    EXPECT_EQ(view.caption().section(kVariantSeparator, 0, 0), when);
    for (const ChartKind kind : kCharts) {
        const ChartTable table = view.table(kind);
        const qsizetype chart = table.titles.indexOf("chart");
        ASSERT_GT(chart, 0);
        ASSERT_FALSE(table.rows.empty());
        for (const QStringList& row : table.rows) {
            ASSERT_EQ(row.size(), table.titles.size());
            EXPECT_EQ(row[chart], chartName(kind));
            EXPECT_EQ(row[table.titles.indexOf("until_us")].toDouble() * 1000,
                      static_cast<double>(run.cursorTime().count()));
        }
    }
}

// The last change of a run was not drawn when it came while the panels were redrawn one after the other.
TEST_F(ChartsViewTest, AChangeRightAfterARedrawIsDrawnToo)
{
    view.show();
    run.openTrace(handoffs(200, 0.5));
    QCoreApplication::processEvents();
    run.seekEvent(100);
    std::size_t before = panel().refreshes();
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel().refreshes() > before; }));
    before = panel().refreshes();
    run.seekEvent(600);
    EXPECT_TRUE(QTest::qWaitFor([&] { return panel().refreshes() > before; }));
    EXPECT_EQ(view.caption(), chartCaption(ChartKind::latency, chartSource(run)));
}

TEST_F(ChartsViewTest, TheTitleIsAMenuOfAllCharts)
{
    view.show();
    openSample();
    const QList<QAction*> choices = view.chooser()->menu()->actions();
    ASSERT_GE(choices.size(), 8);
    choices[2]->trigger();
    EXPECT_EQ(view.shown(), ChartKind::queueLength);
    EXPECT_EQ(view.chooser()->text().toStdString(), "Queue length");
    EXPECT_TRUE(view.caption().contains("at most")) << view.caption().toStdString();
    EXPECT_TRUE(panel(ChartKind::queueLength).isVisible());
    EXPECT_FALSE(panel().isVisible());
    EXPECT_FALSE(view.chooser()->accessibleName().isEmpty());
}

TEST_F(ChartsViewTest, AClickMovesTheCursorThere)
{
    view.showChart(ChartKind::wakeUps);
    view.show();
    openSample();
    QCoreApplication::processEvents();
    auto* chart = view.findChild<ChartPanel*>("chart.wake-ups");
    QTest::mouseClick(chart, Qt::LeftButton, {}, placeOf(*chart, 0.5));
    EXPECT_FALSE(run.following());
    const double share =
        static_cast<double>(run.cursorTime().count()) / static_cast<double>(run.endTime().count());
    EXPECT_NEAR(share, 0.5, 0.02);
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart->canvas().plot().cursor.has_value(); }));
    QTest::mouseClick(chart, Qt::LeftButton, {}, placeOf(*chart, 0.9));
    EXPECT_GT(run.cursorTime(), run.endTime() * 4 / 5)
        << "what comes after the cursor is still there to click";
}

TEST_F(ChartsViewTest, KeysMoveTheCursorByAColumn)
{
    view.showChart(ChartKind::requests);
    view.show();
    openSample();
    auto* chart = view.findChild<ChartPanel*>("chart.requests");
    run.seekTime(run.endTime() / 2);
    const TraceTime before = run.cursorTime();
    QTest::keyClick(chart, Qt::Key_Left);
    const TraceTime left = run.cursorTime();
    EXPECT_LT(left, before);
    QTest::keyClick(chart, Qt::Key_Right);
    EXPECT_EQ(run.cursorTime(), before);
}

TEST_F(ChartsViewTest, ABarOfTheHistogramSaysItsRangeAndHowMany)
{
    view.show();
    run.openTrace(handoffs(40, 0.5));
    QCoreApplication::processEvents();
    auto* chart = view.findChild<ChartPanel*>("chart.latency");
    const auto mark = [&]() -> const PlotBar* {
        const Plot& plot = chart->canvas().plot();
        return plot.mark ? &plot.bars[static_cast<std::size_t>(*plot.mark)] : nullptr;
    };
    ASSERT_FALSE(mark());
    chart->setFocus();
    quint64 counted = 0;
    const auto bars = static_cast<int>(chart->canvas().plot().bars.size());
    EXPECT_GE(bars, 15);
    for (int bar = 0; bar < bars; ++bar) {
        QTest::keyClick(chart, Qt::Key_Right);
        ASSERT_TRUE(mark()) << bar;
        counted += mark()->count;
        EXPECT_TRUE(chart->accessibleDescription().contains(chartBarText(*mark())));
        EXPECT_TRUE(chart->canvas().legendTexts().contains(chartBarText(*mark())))
            << "and it is read in the chart";
    }
    EXPECT_EQ(counted, 40u);
    QTest::keyClick(chart, Qt::Key_Left);
    const QString text = chartBarText(*mark());
    EXPECT_TRUE(text.contains(" ms to ") || text.contains(" µs to ")) << text.toStdString();
    const QPoint there = chart->canvas().mapTo(
        chart, QPoint(static_cast<int>(chart->canvas().xOf(*chart->canvas().plot().mark)),
                      static_cast<int>(chart->canvas().plotArea().center().y())));
    QTest::keyClick(chart, Qt::Key_Left);
    QTest::mouseClick(chart, Qt::LeftButton, {}, there);
    EXPECT_EQ(chartBarText(*mark()), text) << "a click leads there too";
    EXPECT_TRUE(chart->tipAt(there).startsWith(text)) << chart->tipAt(there).toStdString();
    EXPECT_TRUE(run.following()) << "and moves nothing";
}

TEST_F(ChartsViewTest, ABarOfAClientSelectsIt)
{
    view.showChart(ChartKind::fairness);
    view.show();
    openSample(); // ten clients
    QCoreApplication::processEvents();
    auto* chart = view.findChild<ChartPanel*>("chart.fairness");
    const auto client = [&](std::size_t bar) { return chart->canvas().plot().bars[bar].client; };
    EXPECT_FALSE(chart->canvas().plot().mark);
    QTest::mouseClick(chart, Qt::LeftButton, {}, placeOf(*chart, 0.35));
    const ClientId third = selection.client();
    EXPECT_EQ(third, client(3));
    ASSERT_TRUE(chart->canvas().plot().mark);
    EXPECT_TRUE(chart->canvas().legendTexts().back().contains("acquisition"));
    QTest::keyClick(chart, Qt::Key_Left);
    EXPECT_EQ(selection.client(), client(2));
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(chart, Qt::Key_Right);
    EXPECT_EQ(selection.client(), client(9)) << "and no further";
    selection.selectClient(third);
    EXPECT_EQ(chart->canvas().plot().mark, 3) << "from any view";
}

TEST_F(ChartsViewTest, AScreenReaderWalksTheBarsAndChoosesOne)
{
    view.showChart(ChartKind::fairness);
    view.show();
    openSample(); // ten clients
    QCoreApplication::processEvents();
    auto* chart = view.findChild<ChartPanel*>("chart.fairness");
    auto bars = chart->accessibleItems();
    ASSERT_EQ(bars.size(), 10u);
    for (std::size_t i = 1; i < bars.size(); ++i)
        EXPECT_GT(bars[i].rect.left(), bars[i - 1].rect.left());
    EXPECT_FALSE(bars[4].selected);
    bars[4].choose();
    EXPECT_EQ(selection.client(), chart->canvas().plot().bars[4].client);
    bars = chart->accessibleItems();
    EXPECT_TRUE(bars[4].selected);
    EXPECT_TRUE(chart->canvas().legendTexts().contains(bars[4].name));
}

TEST_F(ChartsViewTest, EveryChartHasItsKeysAndTellsItsFigures)
{
    view.showChart(std::nullopt);
    view.resize(1100, 600);
    view.show();
    openSample();
    for (const ChartKind kind : kCharts) {
        const std::string name = chartName(kind).toStdString();
        const ChartPanel& chart = panel(kind);
        EXPECT_EQ(chart.focusPolicy(), Qt::StrongFocus) << name;
        EXPECT_TRUE(chart.toolTip().contains("Left and Right keys")) << name;
        const QString spokenText = chart.accessibleName();
        EXPECT_TRUE(spokenText.startsWith(chartTitle(kind) + ": minimum ")) << spokenText.toStdString();
        EXPECT_TRUE(spokenText.contains("median") && spokenText.contains("maximum"))
            << spokenText.toStdString();
    }
    const replay::Histogram& handoff = run.state().statistics.handoff;
    EXPECT_TRUE(panel().accessibleName().endsWith("maximum " + format::duration(handoff.max())));
}

} // namespace
} // namespace lockscope::ui
