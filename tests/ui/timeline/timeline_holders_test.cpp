// Who holds, where not all lanes are in sight: the rows above the lanes, and the way from there to a lane.
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/texts/protocol_text.h"
#include "ui/timeline/timeline_menu.h"

#include <QAction>

namespace lockscope::ui::test {
namespace {

using TimelineHoldersTest = TimelineFixture;

// c150 holds from 100, hands on to c151 at 200, which holds until 300.
TimelineScript twoHundredClients()
{
    TimelineScript script = TimelineScript::ofClients(200);
    script.waits(150, 99);
    script.acquires(150, 100);
    script.waits(151, 120);
    script.handsOff(150, 151, 200, {10, 120, 80, 20, 80});
    script.releases(151, 300);
    script.nothing(1000);
    return script;
}

std::vector<std::string> textsIn(const TimelinePicture& picture, int row = 0)
{
    std::vector<std::string> names;
    for (const TimelineHolder& holder : picture.holders)
        if (holder.row == row)
            names.push_back(holder.label.isEmpty() ? std::string() : holder.name.toStdString());
    return names;
}

TEST_F(TimelineHoldersTest, AreNamedAboveTheLanesWhenTheirLanesAreOutOfSight)
{
    open(twoHundredClients());
    showRange(0ms, 400ms);
    const TimelinePicture& picture = canvas->picture();
    ASSERT_LT(picture.layout.lastVisibleLane(), 150) << "the lanes of those who hold are not in sight";
    EXPECT_EQ(textsIn(picture), (std::vector<std::string>{"c150", "c151"}));
    ASSERT_EQ(picture.holders.size(), 2u);
    const QRect first = picture.holders[0].bar.rect;
    EXPECT_NEAR(first.left(), at(0, 100).x(), 1);
    EXPECT_NEAR(first.right(), at(0, 200).x(), 2);
    EXPECT_LT(picture.layout.holders.bottom(), picture.layout.plot.top());
    EXPECT_GT(count(drawn(), first, theme.palette().client(150)), first.width())
        << "in the colour of its owner";
    canvas->setScroll(canvas->maxScroll());
    EXPECT_EQ(canvas->picture().holders[0].bar.rect, first) << "and stays when the lanes scroll";
}

TEST_F(TimelineHoldersTest, AreNotSaidTwiceWhenAllLanesAreInSight)
{
    open(twoClients());
    showRange(0ms, 400ms);
    EXPECT_TRUE(canvas->picture().layout.holders.isEmpty());
    EXPECT_TRUE(canvas->picture().holders.empty());
}

TEST_F(TimelineHoldersTest, AClickGoesToTheLaneAndTheHold)
{
    open(twoHundredClients());
    showRange(0ms, 400ms);
    canvas->setLaneOrder(LaneOrder::added);
    const QRect second = canvas->picture().holders[1].bar.rect;
    EXPECT_TRUE(canvas->tipAt(second.center()).startsWith("c151: holds"));
    click(second.center());
    EXPECT_EQ(selection.client(), ClientId{151});
    EXPECT_EQ(canvas->tipAt(at(151, 250)), canvas->tipAt(second.center())) << "the same hold as in its lane";
    const TimelineLayout& layout = canvas->picture().layout;
    EXPECT_TRUE(layout.plot.contains(layout.laneRect(151).center())) << "in sight";
    EXPECT_NEAR(layout.laneCentre(151), layout.plot.center().y(), 2 * layout.laneHeight)
        << "with its neighbours";
    EXPECT_EQ(selection.selectedEvent(), canvas->picture().holders[1].bar.span.beginEvent);
}

TEST_F(TimelineHoldersTest, AKeyAndTheMenuGoToWhoHoldsAtTheCursor)
{
    open(twoHundredClients());
    showRange(0ms, 400ms);
    canvas->setLaneOrder(LaneOrder::added);
    run.seekTime(TraceTime(150ms));
    QTest::keyClick(canvas, Qt::Key_G);
    EXPECT_EQ(selection.client(), ClientId{150});
    EXPECT_TRUE(canvas->picture().layout.plot.contains(QPoint(at(150, 150))));
    run.seekTime(TraceTime(250ms));
    ASSERT_TRUE(view.menu()->menu()->actions().contains(canvas->command("timeline.holder")));
    canvas->command("timeline.holder")->trigger();
    EXPECT_EQ(selection.client(), ClientId{151});
    selection.clear();
    run.seekTime(TraceTime(900ms));
    QTest::keyClick(canvas, Qt::Key_G);
    EXPECT_EQ(selection.client(), ClientId{151}) << "no holder: the last one";
}

TEST_F(TimelineHoldersTest, ThoseWhoHoldAtOnceHaveARowEach)
{
    TimelineScript script = TimelineScript::ofClients(200);
    script.acquires(20, 100);
    script.acquires(30, 150);
    script.releases(20, 200);
    script.acquires(40, 210);
    script.releases(30, 300);
    script.releases(40, 300);
    script.nothing(400);
    open(script);
    showRange(0ms, 400ms);
    ASSERT_EQ(canvas->picture().holderRows.size(), 2u);
    EXPECT_EQ(textsIn(canvas->picture(), 0), (std::vector<std::string>{"c20", "c40"}));
    EXPECT_EQ(textsIn(canvas->picture(), 1), (std::vector<std::string>{"c30"}));
    run.seekTime(TraceTime(250ms));
    QTest::keyClick(canvas, Qt::Key_G);
    const ClientId one = selection.client();
    QTest::keyClick(canvas, Qt::Key_G);
    EXPECT_NE(selection.client(), one) << "again: the next one";
    QTest::keyClick(canvas, Qt::Key_G);
    EXPECT_EQ(selection.client(), one);
}

TEST_F(TimelineHoldersTest, AHoldEndsWhereItsReleaseIsCalledAndItsArrowBeginsThere)
{
    TimelineScript script = TimelineScript::ofClients(200);
    script.acquires(20, 100);
    script.callsRelease(20, 190);
    script.handsOff(20, 21, 190, {10, 20'000, 10'000, 10'000, 10'000});
    script.nothing(400);
    open(script);
    showRange(0ms, 400ms);
    const TimelinePicture& picture = canvas->picture();
    ASSERT_EQ(picture.arrows.size(), 1u);
    const auto bars = picture.barsOf(ClientId{20});
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_EQ(bars[0].span.kind, replay::SpanKind::holding);
    EXPECT_EQ(bars[0].rect.right() + 1, picture.arrows.front().from.x());
    EXPECT_EQ(picture.holders.front().bar.rect.right() + 1, picture.arrows.front().from.x()) << "held by";
    EXPECT_EQ(bars[1].span.kind, replay::SpanKind::releasing);
    EXPECT_LT(bars[1].rect.height(), bars[0].rect.height());
    const QPoint beside(bars[1].rect.right() - 1, bars[0].rect.top() - 1); // not on the arrow
    EXPECT_TRUE(canvas->tipAt(beside).contains("releasing"));
}

TEST_F(TimelineHoldersTest, EachLockHasItsRowWithItsName)
{
    TimelineScript script = TimelineScript::ofClients(200);
    script.acquires(20, 100);
    script.acquiresElsewhere(30, 100);
    script.nothing(400);
    open(script);
    showRange(0ms, 400ms);
    ASSERT_EQ(canvas->picture().holderRows.size(), 2u);
    EXPECT_EQ(canvas->picture().holderRows[0].name, "well");
    EXPECT_EQ(textsIn(canvas->picture(), 0), (std::vector<std::string>{"c20"}));
    EXPECT_EQ(textsIn(canvas->picture(), 1), (std::vector<std::string>{"c30"}));
}

TEST_F(TimelineHoldersTest, ABeliefThatTheServerDoesNotShareIsNoHold)
{
    TimelineScript script = TimelineScript::ofClients(200);
    script.acquires(20, 100);
    script.sessionGone(20, 150);
    script.acquires(30, 160);
    script.noticesLoss(20, 300);
    script.acquires(40, 320);
    script.sessionGone(40, 350);
    script.nothing(400);
    open(script);
    showRange(0ms, 400ms);
    const TimelinePicture& picture = canvas->picture();
    ASSERT_GE(picture.holders.size(), 2u);
    EXPECT_NEAR(picture.holders[0].bar.rect.right(), at(0, 150).x(), 2);
    EXPECT_EQ(picture.holders[1].bar.lane, ClientId{30});
    EXPECT_EQ(picture.holders[1].row, 0) << "not beside who lost it";
    EXPECT_NEAR(picture.holders.back().bar.rect.right(), at(0, 350).x(), 2) << "also one that it still has";
}

TEST_F(TimelineHoldersTest, ARunThatGrowsSaysWhatAnOpenedOneSays)
{
    const auto whole = twoHundredClients().trace();
    run.openTrace(whole);
    showRange(0ms, 400ms);
    // The scroll bar takes its room after a first picture.
    const auto settle = [this] {
        canvas->picture();
        QApplication::processEvents();
    };
    settle();
    const auto names = textsIn(canvas->picture());
    const QRect rows = canvas->picture().layout.holders;
    auto store = std::make_shared<trace::TraceStore>();
    const auto grow = [&](bool enough(const trace::Event&)) {
        do
            store->append(whole->at(store->count()));
        while (store->count() < whole->count() && !enough(whole->at(store->count() - 1)));
        return QTest::qWaitFor([&] { return run.drained() == store->count(); });
    };
    run.openTrace(store);
    run.setGrowing(true);
    ASSERT_TRUE(grow([](const trace::Event& event) { return event.at >= TraceTime(99ms); }));
    showRange(0ms, 400ms);
    settle();
    EXPECT_EQ(canvas->picture().layout.holders, rows) << "nothing moves when a client acquires";
    EXPECT_TRUE(canvas->picture().holders.empty());
    ASSERT_TRUE(grow([](const trace::Event& event) { return event.at >= TraceTime(150ms); }));
    ASSERT_EQ(canvas->picture().holders.size(), 1u) << "one that goes on";
    ASSERT_TRUE(grow([](const trace::Event&) { return false; }));
    EXPECT_EQ(textsIn(canvas->picture()), names);
}

// The next one has the lock before the answer to the delete arrives.
TEST_F(TimelineHoldersTest, WhoWaitsForTheAnswerToItsReleaseDoesNotTakeARow)
{
    TimelineScript script = TimelineScript::ofClients(200);
    script.acquires(20, 100);
    script.callsRelease(20, 199);
    script.acquires(30, 199.5);
    script.releases(20, 200);
    script.nothing(400);
    open(script);
    showRange(0ms, 400ms);
    EXPECT_EQ(canvas->picture().holderRows.size(), 1u);
    EXPECT_EQ(textsIn(canvas->picture()), (std::vector<std::string>{"c20", "c30"}));
}

TEST(TimelineTextTest, WhileItConnectsNobodyIsAdvisedToStartARun)
{
    RunModel run;
    EXPECT_TRUE(TimelineText::emptyText(run).contains("start one"));
    run.setConnecting(true);
    EXPECT_EQ(TimelineText::emptyText(run).toStdString(), "Connecting to ZooKeeper…");
    EXPECT_EQ(ProtocolText::emptyText(run).toStdString(), "Connecting to ZooKeeper…");
}

// The number stood in the name of a lock with an escaped slash, which has a place marker of its own.
TEST(TimelineTextTest, TheNameOfALockMayHaveAPercentSign)
{
    EXPECT_EQ(TimelineText::moreHolderRows("zk%2Fwell", 3).toStdString(), "zk%2Fwell +3");
    EXPECT_EQ(TimelineText::moreHolderRows("zk%1", 3).toStdString(), "zk%1 +3");
}

} // namespace
} // namespace lockscope::ui::test
