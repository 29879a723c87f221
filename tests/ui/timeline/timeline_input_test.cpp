// Mouse, wheel and keys of the timeline, sent as real events.
#include "tests/ui/timeline/timeline_test_fixture.h"

#include <QScrollBar>

namespace lockscope::ui::test {
namespace {

using TimelineInputTest = TimelineFixture;

TEST_F(TimelineInputTest, WheelWithControlZoomsAroundTheMouse)
{
    open(twoClients());
    showRange(0ms, 800ms);
    const QPoint mouse = at(0, 200);
    const TraceTime under = timeUnder(mouse.x());
    wheel(mouse, {0, 120}, Qt::ControlModifier);
    EXPECT_LT(window.length(), Duration(800ms));
    EXPECT_NEAR(canvas->picture().scale.xAt(under), mouse.x(), 1.5);
    for (int i = 0; i < 10; ++i)
        wheel(mouse, {0, 120}, Qt::ControlModifier);
    EXPECT_NEAR(canvas->picture().scale.xAt(under), mouse.x(), 12) << "a pixel a notch at most";
    for (int i = 0; i < 40; ++i)
        wheel(mouse, {0, -120}, Qt::ControlModifier);
    EXPECT_EQ(window.begin(), TraceTime(0));
}

TEST_F(TimelineInputTest, WheelScrollsThroughTimeWhereAllLanesAreInSight)
{
    open(twoClients());
    showRange(400ms, 600ms);
    wheel(at(0, 500), {0, 120});
    EXPECT_LT(window.begin(), TraceTime(400ms));
    EXPECT_EQ(window.length(), Duration(200ms));
    showRange(400ms, 600ms);
    wheel(at(0, 500), {0, 120}, Qt::ShiftModifier);
    EXPECT_LT(window.begin(), TraceTime(400ms));
    EXPECT_EQ(window.length(), Duration(200ms));
    wheel(at(0, 500), {-240, 0});
    EXPECT_GT(window.begin(), TraceTime(400ms));
}

TEST_F(TimelineInputTest, ADragWithShiftTakesTheTimeUnderTheMouseAlong)
{
    open(twoClients());
    showRange(400ms, 600ms);
    const QPoint from = at(1, 500);
    const TraceTime held = timeUnder(from.x());
    drag(from, from + QPoint(120, 0), Qt::ShiftModifier);
    EXPECT_NEAR(canvas->picture().scale.xAt(held), from.x() + 120, 2);
    EXPECT_TRUE(run.following()) << "a drag is not a click: the cursor stays";
    EXPECT_FALSE(window.following());
}

TEST_F(TimelineInputTest, ClickOnABarSelectsItsClientAndEvent)
{
    open(twoClients());
    showRange(0ms, 400ms);
    click(at(1, 250));
    EXPECT_EQ(selection.client(), ClientId{1});
    EXPECT_TRUE(selection.node().contains("lock-1000000001")) << selection.node().toStdString();
    ASSERT_TRUE(selection.selectedEvent().valid());
    EXPECT_TRUE(std::holds_alternative<trace::Acquired>(run.store()->at(selection.selectedEvent()).what));
    EXPECT_TRUE(run.following()) << "selecting does not travel";
    click(at(1, 150));
    ASSERT_TRUE(selection.selectedEvent().valid());
    EXPECT_TRUE(
        std::holds_alternative<trace::AcquireCalled>(run.store()->at(selection.selectedEvent()).what));
    EXPECT_TRUE(selection.node().contains("lock-1000000001")) << "a wait is for the node that got the lock";
}

TEST_F(TimelineInputTest, AClickMeansWhatTheButtonWentDownOn)
{
    open(twoClients());
    showRange(0ms, 400ms);
    const QPoint bar = at(1, 250);
    QTest::mousePress(canvas, Qt::LeftButton, Qt::NoModifier, bar);
    showRange(1000ms, 1400ms); // as a live picture moves on
    canvas->grab();
    QTest::mouseRelease(canvas, Qt::LeftButton, Qt::NoModifier, bar);
    EXPECT_EQ(selection.client(), ClientId{1});
    EXPECT_TRUE(run.following());
}

TEST_F(TimelineInputTest, ClickOnAnEmptyPlaceTravelsThere)
{
    open(twoClients());
    showRange(0ms, 400ms);
    click(at(0, 350));
    EXPECT_FALSE(run.following());
    EXPECT_NEAR(static_cast<double>(run.cursorTime().count()) / 1e6, 350, millisecondsPerPixel());
    const QImage image = drawn();
    EXPECT_EQ(image.pixelColor(at(1, 350)), theme.palette().primary) << "the cursor's line";
    run.follow();
    EXPECT_TRUE(run.following());
    EXPECT_TRUE(window.following());
}

TEST_F(TimelineInputTest, ClickOnAnArrowSelectsTheHandoff)
{
    open(twoClients());
    showRange(0ms, 400ms);
    ASSERT_EQ(canvas->picture().arrows.size(), 1u);
    const TimelineArrow arrow = canvas->picture().arrows.front();
    click(((arrow.from + arrow.to) / 2).toPoint());
    EXPECT_EQ(selection.selectedEvent(), run.timeline().handoff(0).acquiredEvent);
    EXPECT_EQ(selection.client(), ClientId{1});
}

TEST_F(TimelineInputTest, DoubleClickZoomsToTheBar)
{
    open(twoClients());
    showRange(0ms, 800ms);
    QTest::mouseDClick(canvas, Qt::LeftButton, Qt::NoModifier, at(1, 250));
    EXPECT_NEAR(static_cast<double>(window.length().count()) / 1e6, 150, 2);
    EXPECT_LT(window.begin(), TraceTime(201ms));
    EXPECT_GT(window.end(), TraceTime(299ms));
}

TEST_F(TimelineInputTest, ANameSelectsItsLane)
{
    open(twoClients());
    click({20, canvas->picture().layout.laneCentre(1)});
    EXPECT_EQ(selection.client(), ClientId{1});
    QTest::keyClick(canvas, Qt::Key_Up);
    EXPECT_EQ(selection.client(), ClientId{0});
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(selection.client().valid());
}

// All views went back to the first lock.
TEST_F(TimelineInputTest, EscapeSelectsNothingAndLeavesTheLock)
{
    open(twoClients());
    selection.selectLock(LockId{1});
    selection.selectClient(ClientId{1});
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(selection.client().valid());
    EXPECT_EQ(selection.lock(), LockId{1});
}

TEST_F(TimelineInputTest, KeysZoomPanAndFit)
{
    open(twoClients());
    showRange(400ms, 600ms);
    QTest::keyClick(canvas, Qt::Key_W);
    EXPECT_LT(window.length(), Duration(200ms));
    QTest::keyClick(canvas, Qt::Key_S);
    EXPECT_NEAR(static_cast<double>(window.length().count()), 200e6, 1e3);
    const TraceTime before = window.begin();
    QTest::keyClick(canvas, Qt::Key_A);
    EXPECT_LT(window.begin(), before);
    QTest::keyClick(canvas, Qt::Key_Right);
    EXPECT_NEAR(static_cast<double>(window.begin().count()), static_cast<double>(before.count()), 1e6);
    run.seekEvent(0);
    EXPECT_EQ(window.begin(), TraceTime(0));
    EXPECT_FALSE(window.following());
    run.follow();
    EXPECT_TRUE(window.following());
    EXPECT_EQ(window.end(), run.endTime());
    QTest::keyClick(canvas, Qt::Key_0);
    EXPECT_TRUE(window.showsAll());
    EXPECT_EQ(window.length(), run.endTime());
}

TEST_F(TimelineInputTest, TheOverviewMovesTheWindow)
{
    TimelineScript script = twoClients();
    script.nothing(10'000);
    open(script);
    showRange(0ms, 1000ms);
    drawn();
    const QRect strip = canvas->picture().layout.overview;
    click({strip.center().x(), strip.center().y()});
    EXPECT_NEAR(static_cast<double>(window.begin().count()) / 1e6, 4500, 100);
    EXPECT_EQ(window.length(), Duration(1000ms));
    drag(strip.center(), strip.center() + QPoint(strip.width() / 4, 0));
    EXPECT_NEAR(static_cast<double>(window.begin().count()) / 1e6, 7000, 150);
    EXPECT_TRUE(run.following());
}

TEST_F(TimelineInputTest, TheOverviewGivesItsRoomToTheTimeWithClientsAndLosesNone)
{
    TimelineScript script({"ada"});
    script.startsAt(4000); // a server took its time
    script.acquires(0, 4000);
    script.releases(0, 9999);
    script.nothing(10'000);
    open(script);
    showRange(9000ms, 9500ms);
    const QImage image = drawn();
    const QRect strip = canvas->picture().layout.overview;
    const int held = count(image, strip, theme.palette().holdsSoft);
    const int heldAtLeft = count(image, QRect(strip.left(), strip.top(), strip.width() / 3, strip.height()),
                                 theme.palette().holdsSoft);
    EXPECT_GT(heldAtLeft, held / 5) << "the first third is not empty";
    click(strip.center());
    EXPECT_NEAR(inMilliseconds(window.begin()), 6750, 100) << "the middle of the time with clients";
    click({strip.left(), strip.center().y()});
    EXPECT_EQ(window.begin(), TraceTime::zero()) << "the time before can be reached";
    EXPECT_TRUE(canvas->tipAt(QPointF(strip.left() + 2, strip.center().y())).contains("before any client"));
}

TEST_F(TimelineInputTest, FollowingKeepsTheEndInViewWhileTheRunGrows)
{
    const auto store = twoClients().trace();
    run.openTrace(store);
    run.setGrowing(true);
    ASSERT_TRUE(window.following());
    for (int i = 1; i <= 20; ++i) {
        trace::Event event{1s + i * 100ms, EventIndex::none(), ClientId{0}, LockId{0}, trace::Thinks{}};
        store->append(event);
    }
    ASSERT_TRUE(QTest::qWaitFor([this] { return run.endTime() == TraceTime(3s); }));
    EXPECT_GE(window.end(), TraceTime(3s));
    EXPECT_LT(window.begin(), TraceTime(3s));
    showRange(100ms, 400ms);
    store->append({4s, EventIndex::none(), ClientId{0}, LockId{0}, trace::Thinks{}});
    ASSERT_TRUE(QTest::qWaitFor([this] { return run.endTime() == TraceTime(4s); }));
    EXPECT_EQ(window.begin(), TraceTime(100ms)) << "who looks at the past is left alone";
}

TEST_F(TimelineInputTest, WheelScrollsTheLanes)
{
    TimelineScript script = TimelineScript::ofClients(300);
    script.nothing(1000);
    open(script);
    wheel({400, 100}, {0, -120});
    EXPECT_GT(canvas->scroll(), 0);
    ASSERT_TRUE(QTest::qWaitFor([this] { return canvas->scrollBar()->value() == canvas->scroll(); }));
    canvas->scrollBar()->setValue(canvas->scrollBar()->maximum());
    EXPECT_EQ(canvas->picture().layout.lastVisibleLane(), 299);
}

TEST_F(TimelineInputTest, AStepOutsideTheWindowPullsItAlong)
{
    TimelineScript script = twoClients();
    script.nothing(10'000);
    open(script);
    showRange(5s, 6s);
    run.seekTime(250ms);
    EXPECT_LE(window.begin(), TraceTime(250ms));
    EXPECT_GE(window.end(), TraceTime(250ms));
    EXPECT_EQ(window.length(), Duration(1s));
}

TEST_F(TimelineInputTest, AViewThatStandsStillWhileTheRunGoesOnSaysSoAndLeadsBack)
{
    open(twoClients());
    EXPECT_TRUE(view.followButton()->isHidden());
    const QPoint early(canvas->picture().layout.plot.left() + 40, canvas->picture().layout.plot.center().y());
    wheel(early, QPoint(0, 120), Qt::ControlModifier);
    ASSERT_FALSE(window.following());
    EXPECT_TRUE(view.followButton()->isVisible());
    EXPECT_TRUE(canvas->rect().contains(view.followButton()->geometry()));
    EXPECT_FALSE(view.followButton()->text().isEmpty());
    QTest::mouseClick(view.followButton(), Qt::LeftButton);
    EXPECT_TRUE(window.following());
    EXPECT_TRUE(view.followButton()->isHidden());
    wheel(early, QPoint(0, 120), Qt::ControlModifier);
    ASSERT_TRUE(view.followButton()->isVisible());
    run.seekTime(TraceTime(100ms)); // the cursor itself shows the move into the past
    EXPECT_TRUE(view.followButton()->isHidden());
}

TEST_F(TimelineInputTest, OnlyARunThatGoesOnCanBeFollowed)
{
    trace::Header header;
    header.monotonicNanoseconds = 1; // it was recorded while it went on
    run.openTrace(twoClients().trace(header));
    const QString ofAnEndedRun = view.followButton()->text();
    run.setGrowing(true);
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.followButton()->text() != ofAnEndedRun; }));
    run.setGrowing(false);
    EXPECT_EQ(view.followButton()->text(), ofAnEndedRun);
}

} // namespace
} // namespace lockscope::ui::test
