// Measuring, snapping, the parts of a handoff, and keys that the window uses for something else, too.
#include "tests/ui/timeline/timeline_test_fixture.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>
#include <map>

namespace lockscope::ui::test {
namespace {

using TimelineToolsTest = TimelineFixture;

TEST_F(TimelineToolsTest, ADragWithControlMeasures)
{
    open(twoClients());
    showRange(0ms, 400ms);
    const TraceTime before = window.begin();
    drag(at(0, 50), at(0, 250), Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(canvas->measured());
    EXPECT_NEAR(inMilliseconds(canvas->measured()->length()), 200, 2 * millisecondsPerPixel());
    EXPECT_EQ(canvas->measured()->handoffs, 1u);
    std::size_t events = 0;
    for (std::size_t i = 0; i < run.store()->count(); ++i)
        events += run.store()->at(i).at >= canvas->measured()->from &&
                  run.store()->at(i).at <= canvas->measured()->to;
    EXPECT_EQ(canvas->measured()->events, events);
    EXPECT_EQ(window.begin(), before) << "it does not pan";
    EXPECT_TRUE(run.following()) << "nor travel";
    view.findChild<QAction*>("timeline.copy")->trigger();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains("1 handoff"))
        << QGuiApplication::clipboard()->text().toStdString();
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(canvas->measured());
    EXPECT_FALSE(view.findChild<QAction*>("timeline.copy")->isEnabled());
}

TEST_F(TimelineToolsTest, WhatIsMeasuredHasItsStatistics)
{
    open(twoClients());
    const TraceTime from(0), to = run.endTime();
    const replay::LockHolders& holders = run.timeline().holders();
    const StretchStatistics all = stretchStatistics(run.timeline(), holders, from, to, run.endTime());
    std::vector<Duration> latencies;
    for (std::size_t i = 0; i < run.timeline().handoffCount(); ++i)
        latencies.push_back(run.timeline().handoff(i).latency());
    std::sort(latencies.begin(), latencies.end());
    EXPECT_EQ(all.handoffs, latencies.size());
    EXPECT_EQ(all.longest, latencies.back());
    EXPECT_EQ(all.p99, latencies.back());
    EXPECT_EQ(all.p50, latencies[(latencies.size() + 1) / 2 - 1]);
    std::map<ClientId, HeldShare> expected; // by walking over all of it
    for (const replay::LockHolders::Lock& lock : holders.locks())
        for (const replay::LockHolders::Track& track : lock.tracks)
            for (const replay::LockHolders::Hold& hold : track) {
                HeldShare& share = expected[hold.client];
                share.client = hold.client;
                ++share.holds;
                share.held += std::min(hold.end, to) - hold.begin;
            }
    ASSERT_EQ(all.holders.size(), expected.size());
    for (const HeldShare& share : all.holders)
        EXPECT_EQ(share, expected[share.client]);
    EXPECT_GE(all.holders.front().held, all.holders.back().held);

    const replay::LockHolders::Hold& hold = holders.locks().front().tracks.front().front();
    const TraceTime middle = hold.begin + (hold.end - hold.begin) / 2;
    const StretchStatistics half = stretchStatistics(run.timeline(), holders, hold.begin, middle, to);
    ASSERT_EQ(half.holders.size(), 1U);
    EXPECT_EQ(half.holders.front(), (HeldShare{hold.client, 1, middle - hold.begin}))
        << "as far as it is in it";
    EXPECT_EQ(half.handoffs, 0U);
    EXPECT_EQ(half.p99, Duration(0));
}

TEST_F(TimelineToolsTest, MMeasuresFromTheCursorToWhereItGoes)
{
    open(twoClients());
    showRange(0ms, 400ms);
    run.seekTime(50ms);
    QTest::keyClick(canvas, Qt::Key_M);
    ASSERT_TRUE(canvas->measured());
    EXPECT_EQ(canvas->measured()->length(), Duration(0));
    run.seekTime(350ms);
    EXPECT_EQ(canvas->measured()->length(), Duration(300ms));
    QTest::keyClick(canvas, Qt::Key_M);
    run.seekTime(10ms);
    EXPECT_EQ(canvas->measured()->length(), Duration(300ms)) << "it stays until Esc";
    selection.selectClient(ClientId{1});
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(canvas->measured());
    EXPECT_TRUE(selection.client().valid()) << "one thing at a time";
}

// A click in the lanes did nothing after M.
TEST_F(TimelineToolsTest, AClickGoesOnMeasuringToTheCursor)
{
    open(twoClients());
    showRange(0ms, 400ms);
    run.seekTime(50ms);
    QTest::keyClick(canvas, Qt::Key_M);
    click(at(0, 350));
    EXPECT_NEAR(inMilliseconds(run.cursorTime()), 350, millisecondsPerPixel());
    ASSERT_TRUE(canvas->measured());
    EXPECT_NEAR(inMilliseconds(canvas->measured()->length()), 300, millisecondsPerPixel());
    drag(at(0, 350), at(0, 250));
    EXPECT_NEAR(inMilliseconds(canvas->measured()->length()), 100, 2 * millisecondsPerPixel());
    EXPECT_NEAR(inMilliseconds(run.cursorTime()), 350, millisecondsPerPixel()) << "a drag measures anew";
}

TEST_F(TimelineToolsTest, EndsSnapToEdgesOfTheLaneAndAltKeepsThemFree)
{
    open(twoClients());
    showRange(0ms, 400ms);
    drag(at(0, 100) + QPoint(4, 0), at(0, 200) - QPoint(4, 0), Qt::ControlModifier);
    ASSERT_TRUE(canvas->measured());
    EXPECT_EQ(canvas->measured()->from, TraceTime(100ms));
    EXPECT_NEAR(inMilliseconds(canvas->measured()->to), 200, 0.01) << "where ada let go";
    drag(at(0, 100) + QPoint(4, 0), at(0, 300), Qt::ControlModifier | Qt::AltModifier);
    EXPECT_GT(canvas->measured()->from, TraceTime(101ms));
}

TEST_F(TimelineToolsTest, ADragOnTheRulerMovesTheCursorAndSnaps)
{
    open(twoClients());
    showRange(0ms, 400ms);
    const int y = canvas->picture().layout.axis.center().y();
    drag({at(0, 350).x(), y}, {at(0, 100).x() + 5, y});
    EXPECT_FALSE(run.following());
    EXPECT_EQ(run.cursorTime(), TraceTime(100ms));
    EXPECT_EQ(window.begin(), TraceTime(0)) << "the ruler does not pan";
    drag({at(0, 350).x(), y}, {at(0, 100).x() + 5, y}, Qt::ShiftModifier);
    EXPECT_NE(run.cursorTime(), TraceTime(100ms));
}

TEST_F(TimelineToolsTest, ReturnZoomsToWhatIsMeasuredOrSelected)
{
    open(twoClients());
    showRange(0ms, 800ms);
    click(at(1, 250));
    QTest::keyClick(canvas, Qt::Key_Return);
    EXPECT_NEAR(inMilliseconds(window.length()), 150, 2);
    showRange(0ms, 800ms);
    drag(at(0, 400), at(0, 480), Qt::ControlModifier);
    QTest::keyClick(canvas, Qt::Key_Return);
    EXPECT_NEAR(inMilliseconds(window.length()), 120, 4);
}

// A window's shortcut for plus or minus never lets the timeline's zoom have them.
TEST_F(TimelineToolsTest, PlusAndMinusZoomAlsoWhereTheWindowHasThemForSomethingElse)
{
    open(twoClients());
    showRange(400ms, 600ms);
    canvas->setFocus();
    QAction plus;
    plus.setShortcut(QKeySequence("+"));
    view.addAction(&plus);
    int added = 0;
    QObject::connect(&plus, &QAction::triggered, &plus, [&] { ++added; });
    view.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&view));
    QTest::keyClick(view.windowHandle(), Qt::Key_Plus);
    EXPECT_LT(window.length(), Duration(200ms));
    EXPECT_EQ(added, 0);
    view.removeAction(&plus);
}

} // namespace
} // namespace lockscope::ui::test
