// The tables as a person meets them: what is selected in one is selected in all, rows that come and go choose
// nothing, findings lead to their proof, and text from outside stays text.
#include "tests/support/trace_script.h"
#include "tests/ui/tables/tables_test_fixture.h"
#include "ui/models/format.h"
#include "ui/tables/drawing.h"
#include "ui/tables/queue_delegate.h"

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using lockscope::tests::GrowingRun;
using lockscope::tests::SampleOptions;
using lockscope::tests::sampleRun;
using lockscope::tests::TablesTest;

namespace {

TEST_F(TablesTest, EmptyOnesSayWhatToDoAndHaveNames)
{
    EXPECT_FALSE(clients.grab().isNull());
    EXPECT_FALSE(queue.grab().isNull());
    EXPECT_FALSE(findings.grab().isNull());
    EXPECT_FALSE(log.grab().isNull());
    EXPECT_EQ(clients.caption(), "");
    EXPECT_EQ(log.caption(), "");
    for (const QWidget* view : std::initializer_list<const QWidget*>{&clients, &queue, &findings, &log})
        EXPECT_FALSE(view->accessibleName().isEmpty());
}

TEST_F(TablesTest, ChoosingAClientSelectsItsNodeEverywhere)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(seekToQueueOf(4));
    const auto* model = qobject_cast<QueueModel*>(queue.model());
    const ClientId second = model->item(1).node.owner;
    click(clients, static_cast<int>(second.value));
    EXPECT_EQ(selection.client(), second);
    EXPECT_EQ(selection.node().toStdString(), std::string(model->item(1).node.name));
    EXPECT_EQ(queue.currentIndex().row(), 1);
}

TEST_F(TablesTest, ChoosingANodeSelectsItsClient)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(seekToQueueOf(4));
    click(queue, 2);
    const auto* model = qobject_cast<QueueModel*>(queue.model());
    EXPECT_EQ(selection.client(), model->item(2).node.owner);
    EXPECT_EQ(clients.currentIndex().row(), static_cast<int>(selection.client().value));
}

TEST_F(TablesTest, ASelectionFromElsewhereTakesNoFocus)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(seekToQueueOf(3));
    clients.activateWindow();
    clients.setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return clients.hasFocus(); }));
    click(clients, 0);
    selection.selectClient(ClientId{3});
    EXPECT_EQ(clients.currentIndex().row(), 3);
    EXPECT_TRUE(clients.hasFocus());
    selection.clear();
    EXPECT_FALSE(clients.selectionModel()->hasSelection());
    EXPECT_FALSE(queue.selectionModel()->hasSelection());
}

TEST_F(TablesTest, TheKeyboardChoosesToo)
{
    run.openTrace(sampleRun());
    click(clients, 1);
    QTest::keyClick(&clients, Qt::Key_Down);
    EXPECT_EQ(selection.client(), ClientId{2});
    QTest::keyClick(&clients, Qt::Key_Home);
    EXPECT_EQ(selection.client(), ClientId{0});
}

TEST_F(TablesTest, WhoComesByWithTheTabKeyChoosesNothing)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(seekToQueueOf(3));
    selection.selectEvent(EventIndex{5}, ClientId{2});
    for (QAbstractItemView* view : std::initializer_list<QAbstractItemView*>{&queue, &clients, &lines()}) {
        view->activateWindow();
        view->setFocus(Qt::TabFocusReason);
        ASSERT_TRUE(QTest::qWaitFor([&] { return view->hasFocus(); }));
        EXPECT_EQ(selection.selectedEvent(), EventIndex{5});
        EXPECT_EQ(selection.client(), ClientId{2});
    }
}

TEST_F(TablesTest, RowsThatComeAndGoChooseNothing)
{
    GrowingRun growing;
    growing.showIn(run);
    ASSERT_TRUE(growing.publishAndDrain(run, 120));
    selection.selectClient(ClientId{2});
    QSignalSpy changed(&selection, &Selection::changed);
    while (!growing.done()) {
        ASSERT_TRUE(growing.publishAndDrain(run, 23));
        ASSERT_EQ(clients.currentIndex().row(), 2);
        const int row = queue.currentIndex().row();
        if (queue.selectionModel()->hasSelection()) {
            ASSERT_EQ(qobject_cast<QueueModel*>(queue.model())->item(row).node.owner, ClientId{2});
        }
    }
    EXPECT_EQ(changed.size(), 0);
}

// With room for three rows the holder, selected when it was the last, was above the first row in sight.
TEST_F(TablesTest, ASelectedNodeThatMovesUpStaysInSight)
{
    queue.resize(460, 120);
    const auto& model = *qobject_cast<QueueModel*>(queue.model());
    GrowingRun growing;
    growing.showIn(run);
    while (model.rowCount() < 5)
        ASSERT_TRUE(!growing.done() && growing.publishAndDrain(run, 3));
    selection.selectClient(model.item(4).node.owner);
    int row = model.rowOf(selection.client());
    ASSERT_EQ(row, 4);
    while (row > 0) {
        ASSERT_TRUE(!growing.done() && growing.publishAndDrain(run, 3));
        row = model.rowOf(selection.client());
        EXPECT_TRUE(queue.viewport()->rect().contains(queue.visualRect(model.index(row, 0)))) << row;
    }
    EXPECT_EQ(row, 0);
}

TEST_F(TablesTest, AViolatedFindingLeadsToItsProof)
{
    SampleOptions options;
    options.freezeHolderAtGrant = 5;
    run.openTrace(sampleRun(options));
    EXPECT_EQ(findings.caption(), "1 of 9 violated");
    click(findings, 1);
    EXPECT_TRUE(run.following()) << "nothing to prove";
    const auto kind = replay::FindingKind::beliefMatchesServer;
    const replay::Violation proof = run.state().findings.of(kind).violations.back();
    click(findings, 0); // what is violated comes first
    EXPECT_EQ(run.position(), proof.at.value + 1);
    EXPECT_EQ(selection.selectedEvent(), proof.at);
    EXPECT_EQ(selection.client(), proof.client);
    run.follow();
    findings.setFocus();
    QTest::keyClick(&findings, Qt::Key_Return);
    EXPECT_FALSE(run.following());
}

TEST_F(TablesTest, HostileNamesFitTheirRows)
{
    const std::string evil = "<img src=x><b>" + std::string(10'000, 'W') + "\u202E";
    auto store = std::make_shared<trace::TraceStore>();
    const ClientId client{0};
    store->append({0ns, {}, ClientId::none(), LockId{0}, trace::LockAdded{evil, "mutex", "curator"}});
    store->append({1ns, {}, client, LockId::none(), trace::ClientAdded{evil, 0}});
    store->append({2ns, {}, client, LockId{0}, trace::NodeSeen{evil, SessionId{1}, Zxid{1}, true}});
    store->append({3ns, {}, client, LockId{0}, trace::Request{Operation::create, evil, true, true}});
    run.openTrace(store);
    ASSERT_TRUE(logSettled());
    for (const int width : {90, 160, 270, 900}) {
        for (QWidget* view : std::initializer_list<QWidget*>{&clients, &queue, &findings, &log}) {
            view->resize(width, 200);
            EXPECT_EQ(view->grab().width(), width);
        }
        EXPECT_LE(clients.visualRect(clients.model()->index(0, 0)).width(), width);
    }
    EXPECT_LE(queue.caption().section(kVariantSeparator, 0, 0).size(), 80);
}

} // namespace
