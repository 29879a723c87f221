// What the timeline shows before anybody chooses: a span that suits the run, and of many lanes those at turn.
#include "tests/support/trace_script.h"
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/texts/timeline_text.h"
#include "ui/timeline/default_span.h"
#include "ui/timeline/timeline_menu.h"

#include <QAction>

namespace lockscope::ui::test {
namespace {

struct TimelineTurnsTest : TimelineFixture
{
    // The client that gets the lock as the n-th: all over the lanes.
    static unsigned nth(std::size_t n, std::size_t clients)
    {
        return static_cast<unsigned>((n * 37 + 11) % clients);
    }
    // The lock goes on every `interval` milliseconds.
    static TimelineScript handoffChain(std::size_t clients, std::size_t holds, double interval)
    {
        TimelineScript script = TimelineScript::ofClients(clients);
        for (std::size_t i = 0; i < clients; ++i)
            script.waits(nth(i, clients), 1 + 0.001 * static_cast<double>(i));
        script.acquires(nth(0, clients), 10);
        for (std::size_t i = 1; i < holds; ++i)
            script.handsOff(nth(i - 1, clients), nth(i, clients), 10 + interval * static_cast<double>(i),
                            {10, 40, 20, 10, 20});
        script.nothing(10 + interval * static_cast<double>(holds));
        return script;
    }
    std::vector<int> rowsOfHolds()
    {
        std::vector<std::pair<TraceTime, int>> holds;
        for (const TimelineBar& bar : canvas->picture().bars)
            if (bar.span.kind == replay::SpanKind::holding)
                holds.emplace_back(bar.span.begin, bar.row);
        std::sort(holds.begin(), holds.end());
        std::vector<int> rows;
        for (const auto& [begin, row] : holds)
            rows.push_back(row);
        return rows;
    }
    bool inSight(unsigned client)
    {
        const TimelineLayout& layout = canvas->picture().layout;
        const QRect lane = layout.laneRect(canvas->rows().rowOf(ClientId{client}));
        return lane.top() >= layout.plot.top() && lane.bottom() <= layout.plot.bottom();
    }
    // A run that grows as a live one does.
    std::shared_ptr<trace::TraceStore> grown = std::make_shared<trace::TraceStore>();
    bool growUntil(const trace::TraceStore& whole, TraceTime until)
    {
        while (grown->count() < whole.count() && whole.at(grown->count()).at <= until)
            grown->append(whole.at(grown->count()));
        return QTest::qWaitFor([&] { return run.drained() == grown->count(); });
    }
};

TEST_F(TimelineTurnsTest, ShowsAboutADozenHoldsAtFirst)
{
    for (const auto& [interval, length] :
         {std::pair(3.0, 50ms), std::pair(16.0, 200ms), std::pair(0.9, 10ms)}) {
        open(handoffChain(40, 400, interval));
        EXPECT_EQ(window.length(), Duration(length)) << "the lock goes on every " << interval << " ms";
        EXPECT_TRUE(window.following());
    }
    open(handoffChain(5, 60, 50));
    EXPECT_EQ(window.length(), TimeWindow::kDefaultLength) << "few clients, long holds";
    open(handoffChain(5, 60, 800));
    EXPECT_EQ(window.length(), Duration(10s)) << "a dozen also at a slow pace";
    open(handoffChain(5, 60, 8000));
    EXPECT_EQ(window.length(), Duration(20s)) << "at most";
}

TEST_F(TimelineTurnsTest, ReadersWhoAreLetInTogetherTakeOneTurn)
{
    constexpr unsigned kReaders = 8;
    TimelineScript script = TimelineScript::ofClients(1 + kReaders); // the first one writes
    script.acquires(0, 10);
    for (double turn = 10; turn < 1000; turn += 20) {
        for (unsigned reader = 1; reader <= kReaders; ++reader)
            script.waits(reader, turn + 1);
        script.handsOffToAll(0, 1, kReaders, turn + 10);
        script.waits(0, turn + 11);
        for (unsigned reader = 2; reader <= kReaders; ++reader)
            script.releases(reader, turn + 18);
        script.handsOff(1, 0, turn + 19, {10, 40, 20, 10, 20});
    }
    open(script);
    EXPECT_EQ(window.length(), Duration(100ms)) << "ten turns, and not twelve readers of one";
}

TEST_F(TimelineTurnsTest, ASpanThatWasChosenStays)
{
    open(handoffChain(40, 400, 3));
    window.zoom(1.25, window.end());
    const Duration chosen = window.length();
    run.seekTime(TraceTime(300ms));
    run.follow();
    EXPECT_EQ(window.length(), chosen);
    open(handoffChain(40, 400, 3));
    EXPECT_EQ(window.length(), Duration(50ms)) << "in this run";
}

// A minute at a slow pace still showed the half second that suited the fast one before.
TEST_F(TimelineTurnsTest, TheSpanFollowsThePaceOfTheRun)
{
    constexpr double kFast = 40, kSlow = 2400; // milliseconds a turn
    std::vector<double> intervals;
    const auto pass = [&](std::size_t turns, double interval) {
        intervals.insert(intervals.end(), turns, interval);
    };
    const auto spanNow = [&] {
        TimelineScript script = TimelineScript::ofClients(5);
        for (unsigned client = 0; client < 5; ++client)
            script.waits(client, 1 + 0.001 * client);
        double now = 10;
        unsigned turn = 0;
        script.acquires(0, now);
        for (const double interval : intervals) {
            script.handsOff(turn % 5, (turn + 1) % 5, now += interval, {10, 40, 20, 10, 20});
            ++turn;
        }
        script.nothing(now + 1);
        RunModel shown;
        shown.openTrace(script.trace());
        return defaultSpan(shown.timeline(), shown.endTime(), window.length());
    };
    pass(600, kFast);
    window.setDefaultLength(spanNow());
    EXPECT_EQ(window.length(), Duration(500ms));
    pass(3, kSlow);
    EXPECT_GE(spanNow(), Duration(2 * 2400ms)) << "two turns are in sight after three of them";
    pass(22, kSlow);
    window.setDefaultLength(spanNow());
    EXPECT_EQ(window.length(), Duration(20s));
    pass(14, kFast);
    EXPECT_EQ(spanNow(), Duration(500ms)) << "and back";
}

// While clients were stepped by hand, the range of a run at full speed showed bars without an end and a
// beginning.
TEST_F(TimelineTurnsTest, TheLastHandoffStaysInSightWhileClientsAreStepped)
{
    const auto spanAfter = [this](double quiet) {
        TimelineScript script = handoffChain(5, 60, 50); // the last handoff is at 2960 ms
        script.nothing(2960 + quiet);
        RunModel shown;
        shown.openTrace(script.trace());
        return defaultSpan(shown.timeline(), shown.endTime(), window.length());
    };
    for (const double quiet : {1500.0, 2500.0, 4000.0, 9000.0, 30'000.0, 100'000.0}) {
        window.setDefaultLength(spanAfter(quiet));
        EXPECT_GE(window.length(), Duration(static_cast<Duration::rep>(quiet * 1e6))) << quiet;
        EXPECT_LE(window.length(), Duration(static_cast<Duration::rep>(quiet * 6e6))) << quiet;
    }
    const Duration longest = window.length();
    EXPECT_EQ(spanAfter(101'000), longest) << "it does not change with every step";
    EXPECT_EQ(spanAfter(60), Duration(500ms)) << "and back, when the clients run on";
}

// After a pause of 50 s the timeline showed the last 1 min 40 s, in which every hold was two pixels wide.
TEST_F(TimelineTurnsTest, APauseOfTheRunDoesNotMakeTheSpanLonger)
{
    const auto spanOf = [this](const TimelineScript& script) {
        RunModel shown;
        shown.openTrace(script.trace());
        return defaultSpan(shown.timeline(), shown.endTime(), window.length());
    };
    TimelineScript script = handoffChain(5, 60, 50); // the last handoff is at 2960 ms
    window.setDefaultLength(spanOf(script));
    const Duration before = window.length();
    script.pauses(2970);
    script.nothing(52'970);
    EXPECT_EQ(spanOf(script), before) << "while it lasts";
    script.resumes(52'980);
    for (unsigned turn = 59; turn < 72; ++turn)
        script.handsOff(nth(turn, 5), nth(turn + 1, 5), 53'000 + 50.0 * (turn - 59), {10, 40, 20, 10, 20});
    EXPECT_LE(spanOf(script), before) << "after it";
}

TEST_F(TimelineTurnsTest, TheHoldsOfManyClientsMakeAStaircase)
{
    open(handoffChain(200, 400, 3));
    run.seekTime(TraceTime(400ms));
    const std::vector<int> rows = rowsOfHolds();
    ASSERT_GE(rows.size(), 8u);
    for (std::size_t i = 1; i < rows.size(); ++i)
        EXPECT_EQ(rows[i], rows[i - 1] + 1) << "each below the one before it";
    EXPECT_TRUE(inSight(nth(130, 200))) << "who holds at the cursor";
    EXPECT_TRUE(inSight(nth(131, 200))) << "and who is next";
    const int x = canvas->picture().scale.pixelAt(TraceTime(400ms));
    const QRect& plot = canvas->picture().layout.plot;
    EXPECT_GT(x, plot.left() + plot.width() / 5) << "what came before the cursor is in sight too";
    EXPECT_LT(x, plot.center().x());
    for (const TimelineArrow& arrow : canvas->picture().arrows)
        EXPECT_LT(std::abs(arrow.to.y() - arrow.from.y()), 2 * canvas->picture().layout.laneHeight);
}

// The number of its node counts, and not who asked first.
TEST_F(TimelineTurnsTest, WhoWaitsComesInTheOrderOfTheQueue)
{
    run.openTrace(tests::traceScript("1ms ada holds n1; 2ms bo waits n3 n1; 3ms cyd waits n2 n1"));
    view.menu()->setOrder("turn");
    const LaneRows& rows = *canvas->picture().rows;
    EXPECT_EQ(rows.rowOf(ClientId{0}), 0);
    EXPECT_EQ(rows.rowOf(ClientId{2}), 1) << "cyd";
    EXPECT_EQ(rows.rowOf(ClientId{1}), 2) << "bo";
}

// The lanes of a moment depended on where the user came from.
TEST_F(TimelineTurnsTest, OneMomentHasOneOrderHoweverOneComesThere)
{
    open(handoffChain(60, 400, 3));
    run.seekTime(TraceTime(400ms));
    const std::vector<ClientId> order = canvas->rows().shown();
    for (int milliseconds = 100; milliseconds <= 400; milliseconds += 7) {
        run.seekTime(TraceTime(std::chrono::milliseconds(milliseconds)));
        canvas->picture();
    }
    run.seekTime(TraceTime(400ms));
    EXPECT_EQ(canvas->rows().shown(), order) << "in small steps";
    window.pan(-window.length() / 5);
    EXPECT_EQ(canvas->rows().shown(), order) << "with more of what came before";
    canvas->setScroll(canvas->maxScroll());
    run.seekTime(TraceTime(800ms));
    canvas->picture();
    run.seekTime(TraceTime(400ms));
    EXPECT_EQ(canvas->rows().shown(), order) << "after scrolling by hand";
}

TEST_F(TimelineTurnsTest, FewClientsKeepTheirPlaces)
{
    open(handoffChain(12, 100, 3));
    for (unsigned client = 0; client < 12; ++client)
        EXPECT_EQ(canvas->rows().rowOf(ClientId{client}), static_cast<int>(client));
}

TEST_F(TimelineTurnsTest, AKeyAndTheMenuChooseTheOrderAndItIsShown)
{
    open(handoffChain(12, 100, 3));
    EXPECT_TRUE(view.menu()->order().isEmpty()) << "not chosen yet";
    QTest::keyClick(canvas, Qt::Key_T);
    EXPECT_EQ(view.menu()->order(), "turn");
    EXPECT_NE(canvas->rows().rowOf(ClientId{0}), 0);
    QAction* order = canvas->command("timeline.order");
    ASSERT_TRUE(view.menu()->menu()->actions().contains(order));
    EXPECT_TRUE(order->isChecked());
    order->trigger();
    EXPECT_FALSE(order->isChecked());
    EXPECT_EQ(view.menu()->order(), "added");
    EXPECT_EQ(canvas->rows().rowOf(ClientId{0}), 0);
    view.menu()->setOrder("turn");
    EXPECT_EQ(canvas->laneOrder(), LaneOrder::byAcquisition) << "as it was kept";
}

TEST_F(TimelineTurnsTest, WhileTheRunGoesOnLanesMoveOnlyWhenTheHolderWouldLeave)
{
    const auto whole = handoffChain(200, 300, 20).trace();
    run.openTrace(grown);
    run.setGrowing(true);
    ASSERT_TRUE(growUntil(*whole, TraceTime(1015ms)));
    int moves = 0;
    std::vector<ClientId> order = canvas->rows().shown();
    for (int hold = 51; hold < 151; ++hold) {
        ASSERT_TRUE(growUntil(*whole, TraceTime(15ms + hold * 20ms)));
        EXPECT_TRUE(inSight(nth(static_cast<std::size_t>(hold), 200))) << "who holds, hold " << hold;
        moves += canvas->rows().shown() != order;
        order = canvas->rows().shown();
    }
    EXPECT_GT(moves, 0);
    EXPECT_LT(moves, 100 / 3) << "several handoffs in between";
}

TEST_F(TimelineTurnsTest, WhatWasScrolledToStaysUntilFollowIsTurnedOn)
{
    const auto whole = handoffChain(200, 300, 20).trace();
    run.openTrace(grown);
    run.setGrowing(true);
    ASSERT_TRUE(growUntil(*whole, TraceTime(1015ms)));
    canvas->setScroll(canvas->maxScroll());
    const std::vector<ClientId> order = canvas->rows().shown();
    ASSERT_TRUE(growUntil(*whole, TraceTime(2015ms)));
    EXPECT_EQ(canvas->rows().shown(), order);
    EXPECT_EQ(canvas->scroll(), canvas->maxScroll());
    run.follow();
    EXPECT_TRUE(inSight(nth(100, 200)));
}

// The lanes of a run that was opened again, with its holder in sight, stayed as they were added.
TEST_F(TimelineTurnsTest, EachRunBeginsInTheOrderOfItsHolds)
{
    TimelineScript script = TimelineScript::ofClients(60);
    script.acquires(5, 100);
    for (unsigned turn = 1; turn < 5; ++turn)
        script.handsOff(6 - turn, 5 - turn, 100 + 100 * turn, {10, 120, 80, 20, 80});
    script.nothing(600);
    for (const char* time : {"first", "second"}) {
        open(script);
        for (unsigned client = 1; client <= 5; ++client)
            EXPECT_EQ(canvas->rows().rowOf(ClientId{client}), static_cast<int>(5 - client)) << time;
        window.pan(300ms); // the next run is not ordered for that
    }
}

TEST_F(TimelineTurnsTest, TheCaptionTellsWhereTheWindowStandsAtOnce)
{
    open(handoffChain(40, 400, 3));
    run.seekTime(TraceTime(200ms));
    for (int page = 0; page < 3; ++page) {
        window.pan(window.length());
        const QString begin = TimelineText::caption(window.begin(), window.length(), false, {});
        EXPECT_TRUE(view.caption().startsWith(begin.left(begin.indexOf(QChar(0x00B7)))))
            << view.caption().toStdString();
    }
}

} // namespace
} // namespace lockscope::ui::test
