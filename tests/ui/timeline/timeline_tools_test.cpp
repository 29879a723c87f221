// Measuring, snapping, the parts of a handoff, and keys that the window uses for something else, too.
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/timeline/blocker.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

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

TEST_F(TimelineToolsTest, ADragMeasuresAndOneWithShiftDoesNot)
{
    open(twoClients());
    showRange(0ms, 400ms);
    const TraceTime before = window.begin();
    drag(at(0, 50), at(0, 250));
    ASSERT_TRUE(canvas->measured());
    EXPECT_EQ(window.begin(), before) << "it does not pan";
    QTest::keyClick(canvas, Qt::Key_Escape);
    drag(at(0, 250), at(0, 50), Qt::ShiftModifier);
    EXPECT_FALSE(canvas->measured());
    EXPECT_GT(window.begin(), before);
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
    EXPECT_EQ(all.all.handoffs.count, latencies.size());
    EXPECT_EQ(all.all.handoffs.longest, latencies.back());
    EXPECT_EQ(all.all.handoffs.p99, latencies.back());
    EXPECT_EQ(all.all.handoffs.p50, latencies[(latencies.size() + 1) / 2 - 1]);
    std::map<ClientId, std::pair<std::size_t, Duration>> expected; // by walking over all of it
    for (const replay::LockHolders::Lock& lock : holders.locks())
        for (const replay::LockHolders::Track& track : lock.tracks)
            for (const replay::LockHolders::Hold& hold : track) {
                ++expected[hold.client].first;
                expected[hold.client].second += std::min(hold.end, to) - hold.begin;
            }
    ASSERT_EQ(all.clients.size(), expected.size());
    std::size_t waits = 0;
    for (const StretchShare& share : all.clients) {
        EXPECT_EQ(std::pair(share.holds.count, share.holds.total), expected[share.client]);
        EXPECT_LE(share.waits.p50, share.waits.longest);
        EXPECT_LE(share.waits.longest, share.waits.total);
        waits += share.waits.count;
    }
    EXPECT_EQ(all.all.waits.count, waits);
    EXPECT_GT(waits, 0U);
    EXPECT_GE(all.clients.front().holds.total, all.clients.back().holds.total);

    const replay::LockHolders::Hold& hold = holders.locks().front().tracks.front().front();
    const TraceTime middle = hold.begin + (hold.end - hold.begin) / 2;
    const StretchStatistics half = stretchStatistics(run.timeline(), holders, hold.begin, middle, to);
    ASSERT_FALSE(half.clients.empty());
    EXPECT_EQ(half.clients.front().client, hold.client);
    EXPECT_EQ(half.clients.front().holds.count, 1U);
    EXPECT_EQ(half.clients.front().holds.total, middle - hold.begin) << "as far as it is in it";
    EXPECT_EQ(half.all.handoffs, Spread{});
}

TEST_F(TimelineToolsTest, TheMeasuredRangeIsATableBesideTheTimeline)
{
    open(twoClients());
    showRange(0ms, 400ms);
    drag(at(0, 50), at(0, 250));
    const auto* table = view.findChild<QTableView*>("spanTable");
    EXPECT_FALSE(table->isVisible());
    view.findChild<QAction*>("timeline.table")->trigger();
    ASSERT_TRUE(table->isVisible());
    const auto cell = [table](int row, int column) {
        return table->model()->index(row, column).data().toString();
    };
    const StretchStatistics& counted = canvas->measuredStatistics();
    ASSERT_EQ(table->model()->rowCount(), 1 + static_cast<int>(counted.clients.size()));
    EXPECT_EQ(cell(0, 0), "All");
    EXPECT_EQ(cell(0, 1), QString::number(counted.all.holds.count));
    EXPECT_EQ(cell(0, 6), QString::number(counted.all.waits.count));
    EXPECT_EQ(cell(0, 10), QString::number(counted.all.handoffs.count));
    const QString first = cell(1, 0);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                      table->visualRect(table->model()->index(1, 0)).center());
    ASSERT_TRUE(selection.client().valid());
    EXPECT_EQ(canvas->names().name(selection.client()), first);
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(table->isVisible()) << "it closes with the range";
    EXPECT_FALSE(view.findChild<QAction*>("timeline.table")->isChecked());
    view.findChild<QAction*>("timeline.table")->trigger();
    EXPECT_TRUE(table->isVisible()) << "with none measured it is of what is shown";
    EXPECT_EQ(cell(0, 1), "2");
    QTest::keyClick(table->viewport(), Qt::Key_Escape);
    EXPECT_FALSE(canvas->measured()) << "Esc in the table ends the range too";
}

// Its header marked "Client", and below it were all clients, then the one that held longest.
TEST_F(TimelineToolsTest, TheTableIsSortedByTheColumnThatItMarks)
{
    open(twoClients());
    view.findChild<QAction*>("timeline.table")->trigger();
    auto* table = view.findChild<QTableView*>("spanTable");
    const auto keys = [table](int column) {
        std::vector<double> all;
        for (int row = 1; row < table->model()->rowCount(); ++row)
            all.push_back(table->model()->index(row, column).data(Qt::UserRole).toDouble());
        return all;
    };
    const QHeaderView* header = table->horizontalHeader();
    ASSERT_GE(table->model()->rowCount(), 3);
    const int marked = header->sortIndicatorSection();
    EXPECT_EQ(table->model()->headerData(marked, Qt::Horizontal).toString(), "Held");
    EXPECT_EQ(header->sortIndicatorOrder(), Qt::DescendingOrder);
    EXPECT_TRUE(std::ranges::is_sorted(keys(marked), std::greater<>()));
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        table->sortByColumn(0, order);
        EXPECT_EQ(table->model()->index(0, 0).data().toString(), "All") << "it stays above the others";
        const QString first = table->model()->index(1, 0).data().toString();
        const QString second = table->model()->index(2, 0).data().toString();
        EXPECT_EQ(first < second, order == Qt::AscendingOrder) << first.toStdString();
    }
}

TEST_F(TimelineToolsTest, PinnedLanesStayAtTheTopWhileTheOthersScroll)
{
    TimelineScript script = TimelineScript::ofClients(300);
    script.nothing(1000);
    open(script);
    selection.selectClient(ClientId{250});
    QTest::keyClick(canvas, Qt::Key_P);
    canvas->setScroll(canvas->maxScroll());
    const TimelineLayout& layout = canvas->picture().layout;
    EXPECT_EQ(canvas->rows().rowOf(ClientId{250}), 0);
    EXPECT_EQ(layout.laneTop(0), layout.plot.top());
    EXPECT_EQ(layout.lastVisibleLane(), 299) << "every other lane can be reached";
    EXPECT_EQ(layout.laneAt(layout.plot.top() + 1), 0);
    EXPECT_EQ(layout.laneAt(layout.plot.bottom() - 1), 299);
    click({20, layout.laneCentre(0)});
    EXPECT_EQ(selection.client(), ClientId{250});
    LaneFilter filter = canvas->laneFilter();
    filter.name = "no such name";
    canvas->setLaneFilter(filter);
    EXPECT_EQ(canvas->rows().shown(), std::vector{ClientId{250}});
    QTest::keyClick(canvas, Qt::Key_P);
    EXPECT_TRUE(canvas->rows().shown().empty());
}

TEST_F(TimelineToolsTest, ContentionIsHowManyWaitAndForWhom)
{
    open(twoClients());
    showRange(0ms, 400ms);
    EXPECT_FALSE(canvas->contentionShown()) << "in a low timeline";
    QTest::keyClick(canvas, Qt::Key_U);
    ASSERT_TRUE(canvas->contentionShown());
    const TimelinePicture& picture = canvas->picture();
    EXPECT_EQ(picture.mostWaiting, 1U);
    const auto drawnAt = [&](double milliseconds) {
        const int x = at(0, milliseconds).x();
        return std::ranges::any_of(
            picture.contention, [x](const QRect& step) { return step.left() <= x && x < step.right() + 1; });
    };
    for (double time = 5; time < 400; time += 10) {
        const TraceTime moment(static_cast<Duration::rep>(time * 1e6));
        bool waits = false;
        for (const ClientId lane : {ClientId{0}, ClientId{1}})
            waits = waits || run.timeline().spanAt(lane, moment).kind == replay::SpanKind::waiting;
        EXPECT_EQ(drawnAt(time), waits) << time;
    }
    const QPointF place(at(0, 150).x(), picture.layout.contention.center().y());
    EXPECT_EQ(canvas->tipAt(place).section('\n', 0, 0), "1 clients wait");
    EXPECT_TRUE(canvas->tipAt(place).contains("ada ← bo")) << canvas->tipAt(place).toStdString();
    click(place.toPoint());
    EXPECT_NEAR(inMilliseconds(run.cursorTime()), 150, millisecondsPerPixel());
}

// bo waits for ada on one lock, and ada for cyd on another.
TEST_F(TimelineToolsTest, FromABlockedClientToItsBlockerAndToTheRoot)
{
    replay::RunState state;
    const auto node = [](const char* name, std::uint32_t owner, replay::NodePhase phase,
                         const char* watches = "") {
        replay::NodeRow row;
        row.name = name;
        row.owner = ClientId{owner};
        row.phase = phase;
        row.watches = watches;
        return row;
    };
    using enum replay::NodePhase;
    state.locks.resize(2);
    state.locks[0].id = LockId{0};
    state.locks[1].id = LockId{1};
    state.locks[0].queue = {node("a-1", 0, holds), node("a-2", 1, waits), node("a-3", 3, waits, "a-1")};
    state.locks[1].queue = {node("b-1", 2, holds), node("b-2", 0, waits)};
    EXPECT_EQ(blockerOf(state, ClientId{1}), ClientId{0});
    EXPECT_EQ(blockerOf(state, ClientId{3}), ClientId{0}) << "the one whose node it watches";
    EXPECT_EQ(blockerOf(state, ClientId{0}), ClientId{2}) << "on the other lock";
    EXPECT_EQ(rootBlockerOf(state, ClientId{1}), ClientId{2});
    EXPECT_FALSE(blockerOf(state, ClientId{2}).valid());
    EXPECT_FALSE(rootBlockerOf(state, ClientId{2}).valid());
    state.locks[1].queue = {node("b-1", 1, holds), node("b-2", 0, waits)};
    EXPECT_EQ(rootBlockerOf(state, ClientId{1}), ClientId{0}) << "a deadlock ends where it began";

    open(twoClients());
    run.seekTime(150ms);
    selection.selectClient(ClientId{1});
    ASSERT_EQ(blockerOf(run.state(), ClientId{1}), ClientId{0}) << "its node is not there yet";
    QTest::keyClick(canvas, Qt::Key_BracketLeft);
    EXPECT_EQ(selection.client(), ClientId{0});
    QTest::keyClick(canvas, Qt::Key_BracketLeft);
    EXPECT_EQ(selection.client(), ClientId{0}) << "it waits for nobody";
    selection.selectClient(ClientId{1});
    QTest::keyClick(canvas, Qt::Key_BracketRight);
    EXPECT_EQ(selection.client(), ClientId{0});
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
