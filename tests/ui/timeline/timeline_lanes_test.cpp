// Which lanes are shown, what the folded ones come to, and a client that holds one lock and waits for
// another.
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/timeline/timeline_menu.h"

#include <QAction>
#include <QLineEdit>

namespace lockscope::ui::test {
namespace {

struct TimelineLanesTest : TimelineFixture
{
    QAction* contenders()
    {
        for (QAction* action : view.menu()->menu()->actions())
            if (action->text().contains("Contenders"))
                return action;
        return nullptr;
    }
};

std::vector<unsigned> numbers(const std::vector<ClientId>& lanes)
{
    std::vector<unsigned> result;
    for (const ClientId lane : lanes)
        result.push_back(lane.value);
    return result;
}

// ada holds from 100, bo waits from 120, cyd does nothing, dee freezes at 500.
TimelineScript fourClients()
{
    TimelineScript script({"ada", "bo", "cyd", "dee"});
    script.waits(0, 99);
    script.acquires(0, 100);
    script.waits(1, 120);
    script.handsOff(0, 1, 200, {10, 120, 80, 20, 80});
    script.releases(1, 300);
    script.freezes(3, 500);
    script.nothing(1000);
    return script;
}

TEST_F(TimelineLanesTest, AFilterByStateKeepsTheLanesThatDoItInTheStretchShown)
{
    open(fourClients());
    showRange(0ms, 1000ms);
    canvas->setLaneFilter({.state = LaneFilter::State::holds});
    EXPECT_EQ(numbers(canvas->rows().shown()), (std::vector<unsigned>{0, 1}));
    canvas->setLaneFilter({.state = LaneFilter::State::trouble});
    EXPECT_EQ(numbers(canvas->rows().shown()), (std::vector<unsigned>{3}));
    EXPECT_EQ(canvas->picture().layout.laneCount, 2) << "one more row for those that are folded";
    showRange(105ms, 110ms);
    canvas->setLaneFilter({.state = LaneFilter::State::waits});
    EXPECT_TRUE(canvas->rows().shown().empty());
    showRange(110ms, 130ms);
    EXPECT_TRUE(QTest::qWaitFor([this] {
        return numbers(canvas->rows().shown()) == std::vector<unsigned>{1};
    })) << "a lane comes when it begins to wait in what is shown";
}

TEST_F(TimelineLanesTest, AFoldedLaneIsCondensedAndNotHidden)
{
    open(fourClients());
    showRange(0ms, 400ms);
    canvas->setLaneFilter({.name = "cyd"});
    ASSERT_EQ(numbers(canvas->rows().shown()), (std::vector<unsigned>{2}));
    const auto folded = canvas->picture().barsOf(ClientId::none());
    ASSERT_FALSE(folded.empty());
    const auto covering = [&](double milliseconds) {
        for (const TimelineBar& bar : folded)
            if (bar.rect.left() <= at(0, milliseconds).x() && at(0, milliseconds).x() <= bar.rect.right())
                return bar.span.kind;
        return replay::SpanKind::none;
    };
    EXPECT_EQ(covering(50), replay::SpanKind::none);
    EXPECT_EQ(covering(150), replay::SpanKind::holding) << "the hold wins over the wait of another";
    EXPECT_EQ(covering(350), replay::SpanKind::none);
    click({20, canvas->picture().layout.laneCentre(1)});
    EXPECT_EQ(canvas->rows().shown().size(), 4u) << "a click on the folded ones shows them again";
}

TEST_F(TimelineLanesTest, HFoldsTheSelectedLaneAndArrowsStayAttached)
{
    open(fourClients());
    showRange(0ms, 400ms);
    ASSERT_EQ(canvas->picture().arrows.size(), 1u);
    selection.selectClient(ClientId{1});
    QTest::keyClick(canvas, Qt::Key_H);
    EXPECT_EQ(numbers(canvas->rows().shown()), (std::vector<unsigned>{0, 2, 3}));
    ASSERT_EQ(canvas->picture().arrows.size(), 1u);
    const int folded = canvas->picture().layout.laneTop(3);
    EXPECT_GE(canvas->picture().arrows.front().to.y(), folded) << "it ends in the row of the folded lanes";
    QTest::keyClick(canvas, Qt::Key_H);
    EXPECT_EQ(canvas->rows().shown().size(), 4u);
}

TEST_F(TimelineLanesTest, TheMenuFiltersByNameAndByLockAndSaysHowManyAreShown)
{
    open(fourClients());
    showRange(0ms, 400ms);
    TimelineMenu* menu = view.menu();
    EXPECT_TRUE(menu->text().startsWith("Lanes"));
    QTest::keyClicks(menu->nameEdit(), "D");
    EXPECT_EQ(numbers(canvas->rows().shown()), (std::vector<unsigned>{0, 2, 3}))
        << "part of a name, any case";
    EXPECT_TRUE(menu->text().startsWith("3 of 4")) << menu->text().toStdString();
    menu->nameEdit()->clear();
    contenders()->trigger();
    EXPECT_EQ(numbers(canvas->rows().shown()), (std::vector<unsigned>{0, 1})) << "of the selected lock";
}

// The lanes of watched clients kept the names that they had before their addresses were known.
TEST_F(TimelineLanesTest, ALaneHasTheNameThatBecomesKnownLater)
{
    const auto store = std::make_shared<trace::TraceStore>();
    const auto add = [&](TraceTime at, unsigned client, const char* name) {
        store->append({at, EventIndex::none(), ClientId{client}, LockId::none(), trace::ClientAdded{name}});
    };
    add(1ms, 0, "session 1");
    add(2ms, 1, "session 2");
    add(3ms, 0, "10.0.0.1:4711");
    run.openTrace(store);
    const auto name = [this](int lane) {
        return canvas->tipAt(QPointF(20, canvas->picture().layout.laneCentre(lane)));
    };
    EXPECT_EQ(name(0), "10.0.0.1:4711");
    EXPECT_EQ(name(1), "session 2");
    run.setGrowing(true);
    LaneFilter byName;
    byName.name = "session";
    canvas->setLaneFilter(byName);
    ASSERT_EQ(canvas->rows().shown(), std::vector<ClientId>{ClientId{1}});
    add(4ms, 1, "10.0.0.2:4711");
    EXPECT_TRUE(QTest::qWaitFor([&] { return canvas->rows().shown().empty(); })) << "it has another name now";
    canvas->setLaneFilter({});
    EXPECT_EQ(name(1), "10.0.0.2:4711");
}

// Part of a name turned it into a filter by the lock that was selected meanwhile.
TEST_F(TimelineLanesTest, TheLockOfTheFilterStaysWhenAnotherIsSelected)
{
    open(fourClients());
    contenders()->trigger();
    ASSERT_EQ(canvas->laneFilter().lock, LockId{0});
    selection.selectLock(LockId{1});
    QTest::keyClicks(view.menu()->nameEdit(), "a");
    EXPECT_EQ(canvas->laneFilter().name, "a");
    EXPECT_EQ(canvas->laneFilter().lock, LockId{0}) << "the one that the menu names";
}

TEST_F(TimelineLanesTest, ALockThatTheRunDoesNotHaveHidesNoLane)
{
    TimelineScript twoLocks({"ada", "bo"});
    twoLocks.acquires(0, 100);
    twoLocks.acquiresElsewhere(1, 100);
    twoLocks.nothing(1000);
    open(twoLocks);
    showRange(0ms, 1000ms);
    LaneFilter filter;
    filter.lock = LockId{1};
    canvas->setLaneFilter(filter);
    ASSERT_EQ(numbers(canvas->rows().shown()), std::vector<unsigned>{1});
    open(fourClients());
    EXPECT_EQ(canvas->rows().shown().size(), 4u);
    EXPECT_TRUE(QTest::qWaitFor([this] { return view.menu()->text().startsWith("Lanes"); }));
    open(twoLocks);
    EXPECT_EQ(canvas->laneFilter().lock, LockId{1}) << "the same scenario once more";
    showRange(0ms, 1000ms);
    EXPECT_TRUE(
        QTest::qWaitFor([this] { return numbers(canvas->rows().shown()) == std::vector<unsigned>{1}; }));
}

TEST_F(TimelineLanesTest, TheMenuNamesALockWithAnAmpersand)
{
    const auto store = std::make_shared<trace::TraceStore>();
    store->append(
        {{}, EventIndex::none(), ClientId::none(), LockId{0}, trace::LockAdded{"/a&b", "mutex", "curator"}});
    store->append({{}, EventIndex::none(), ClientId{0}, LockId::none(), trace::ClientAdded{"ada"}});
    run.openTrace(store);
    QStringList texts;
    for (const QAction* action : view.menu()->menu()->actions())
        texts << action->text();
    EXPECT_TRUE(texts.contains("Only &Contenders of /a&&b")) << texts.join(u'\n').toStdString();
}

// What tells the sessions of one process apart was cut from the middle: ":4…0".
TEST_F(TimelineLanesTest, ANarrowTimelineNamesSessionsByTheirWholePorts)
{
    TimelineScript script({"vm 2870 lockscope-cli :43440", "vm 2627 lockscope-cli :56266"});
    script.acquires(0, 100);
    script.nothing(1000);
    open(script);
    view.resize(322, 300);
    QApplication::processEvents();
    ASSERT_EQ(canvas->picture().labels.size(), 2U);
    EXPECT_EQ(canvas->picture().labels[0].name, ":43440");
    EXPECT_EQ(canvas->picture().labels[1].name, ":56266");
}

// Clients in a circle each hold one lock and wait for the next: they were drawn as holding alone.
TEST_F(TimelineLanesTest, AWaitOfAHolderIsDrawnWithTheHold)
{
    TimelineScript script({"ada"});
    script.acquires(0, 100);
    script.waitsElsewhere(0, 200);
    script.nothing(400);
    open(script);
    showRange(0ms, 400ms);
    ASSERT_EQ(canvas->picture().bars.size(), 1u);
    EXPECT_EQ(canvas->picture().bars.front().span.kind, replay::SpanKind::holding);
    ASSERT_EQ(canvas->picture().behind.size(), 1u);
    const TimelineBar wait = canvas->picture().behind.front();
    EXPECT_EQ(wait.span.lock, LockId{1});
    EXPECT_NEAR(wait.rect.left(), at(0, 200).x(), 1);
    const QImage image = drawn();
    EXPECT_GT(count(image, wait.rect, theme.palette().waits), wait.rect.width());
    EXPECT_EQ(image.pixelColor(at(0, 300)), theme.palette().holds) << "the hold is still seen above it";
    EXPECT_TRUE(canvas->tipAt(at(0, 300)).contains("waits for another lock meanwhile"));
    EXPECT_FALSE(canvas->tipAt(at(0, 150)).contains("waits for another lock"));
    canvas->setLaneFilter({.state = LaneFilter::State::waits});
    EXPECT_EQ(canvas->rows().shown().size(), 1u) << "it counts as one that waits";
}

TEST_F(TimelineLanesTest, ALockOfAFormerRunIsNotTickedAndStaysUntilAnotherIsChosen)
{
    LaneFilter filter;
    filter.lock = LockId{7};
    open(fourClients());
    canvas->setLaneFilter(filter);
    selection.selectLock(LockId{0});
    QTest::keyClicks(view.menu()->nameEdit(), "a");
    EXPECT_EQ(canvas->laneFilter().name, "a");
    EXPECT_EQ(canvas->laneFilter().lock, LockId{7});
    EXPECT_FALSE(contenders()->isChecked());
    contenders()->trigger();
    EXPECT_EQ(canvas->laneFilter().lock, LockId{0});
    run.seekEvent(0);
    emit view.menu()->menu()->aboutToShow();
    EXPECT_TRUE(contenders()->isChecked()) << "the run has it, if not at this moment";
}

} // namespace
} // namespace lockscope::ui::test
