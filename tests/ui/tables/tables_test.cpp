// The tables as a person meets them: what is selected in one is selected in all, rows that come and go choose
// nothing, findings lead to their proof, and text from outside stays text.
#include "tests/ui/tables/tables_test_fixture.h"
#include "ui/tables/queue_delegate.h"
#include "ui/widgets/table_tools.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>

#include <algorithm>
#include <functional>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using lockscope::tests::GrowingRun;
using lockscope::tests::SampleOptions;
using lockscope::tests::sampleRun;
using lockscope::tests::TablesTest;

namespace {

TEST_F(TablesTest, RowsAreCopiedTogetherAsTextCsvAndMarkdown)
{
    run.openTrace(sampleRun());
    run.seekEvent(run.store()->count() / 2);
    ASSERT_GE(queue.model()->rowCount(), 3);
    const auto& tools = *queue.findChild<TableTools*>();
    queue.selectionModel()->clear();
    EXPECT_EQ(tools.selectedRows(TableTools::Format::csv), "") << "no row is chosen";
    QTest::mouseClick(queue.viewport(), Qt::LeftButton, {},
                      queue.visualRect(queue.model()->index(0, QueueModel::Owner)).center());
    QTest::mouseClick(queue.viewport(), Qt::LeftButton, Qt::ShiftModifier,
                      queue.visualRect(queue.model()->index(1, QueueModel::Owner)).center());
    const QStringList text = tools.selectedRows(TableTools::Format::text).split('\n');
    ASSERT_EQ(text.size(), 2) << text.join('|').toStdString();
    EXPECT_TRUE(text[0].startsWith("1\t")) << text[0].toStdString();
    EXPECT_TRUE(text[1].contains(queue.model()->index(1, QueueModel::Owner).data().toString()));
    const QStringList csv = tools.selectedRows(TableTools::Format::csv).split('\n');
    ASSERT_EQ(csv.size(), 3);
    EXPECT_EQ(csv[0], "#,Sequence,Owner,State,Watches,Depth,Wait");
    const QStringList markdown = tools.selectedRows(TableTools::Format::markdown).split('\n');
    ASSERT_EQ(markdown.size(), 4);
    EXPECT_TRUE(markdown[0].startsWith("| # | Sequence | ")) << markdown[0].toStdString();
    EXPECT_TRUE(markdown[1].startsWith("| --- | --- | ")) << markdown[1].toStdString();
    queue.show();
    queue.activateWindow();
    queue.setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return queue.hasFocus(); }));
    QTest::keySequence(&queue, QKeySequence::Copy);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), text.join('\n'));
}

TEST_F(TablesTest, ColumnsAreChosenMovedAndKept)
{
    run.openTrace(sampleRun());
    queue.resize(700, 300);
    auto* tools = queue.findChild<TableTools*>();
    tools->setShown(QueueModel::Watches, false);
    tools->setShown(QueueModel::Owner, false);
    queue.resize(720, 300);
    EXPECT_TRUE(queue.isColumnHidden(QueueModel::Watches)) << "at any width";
    EXPECT_FALSE(queue.isColumnHidden(QueueModel::Owner)) << "without it no row can be told from another";
    queue.horizontalHeader()->moveSection(queue.horizontalHeader()->visualIndex(QueueModel::State), 0);
    EXPECT_EQ(queue.firstColumn(), QueueModel::State);
    QueueView other(&run, &selection, &theme);
    other.resize(720, 300);
    auto* others = other.findChild<TableTools*>();
    others->restore({"nonsense"});
    EXPECT_FALSE(other.isColumnHidden(QueueModel::Watches)) << "as before";
    others->restore(tools->saved());
    EXPECT_TRUE(other.isColumnHidden(QueueModel::Watches));
    EXPECT_EQ(other.firstColumn(), QueueModel::State);
    tools->setShown(QueueModel::Watches, true);
    EXPECT_FALSE(queue.isColumnHidden(QueueModel::Watches));
}

TEST_F(TablesTest, AColumnThatIsResizedKeepsItsWidthUntilAllAreToFitAgain)
{
    run.openTrace(sampleRun());
    queue.resize(700, 300);
    auto* tools = queue.findChild<TableTools*>();
    const int fitted = queue.columnWidth(QueueModel::State);
    queue.resize(900, 300);
    EXPECT_GT(queue.columnWidth(QueueModel::State), fitted) << "as long as nobody has set it";
    const QHeaderView* titles = queue.horizontalHeader();
    const QPoint edge(titles->sectionViewportPosition(QueueModel::State) +
                          titles->sectionSize(QueueModel::State) - 1,
                      titles->height() / 2);
    QTest::mousePress(titles->viewport(), Qt::LeftButton, {}, edge);
    QTest::mouseMove(titles->viewport(), edge + QPoint(60, 0));
    QTest::mouseRelease(titles->viewport(), Qt::LeftButton, {}, edge + QPoint(60, 0));
    const int chosen = queue.columnWidth(QueueModel::State);
    EXPECT_GT(chosen, fitted + 50);
    queue.resize(420, 300);
    EXPECT_EQ(queue.columnWidth(QueueModel::State), chosen);
    EXPECT_GT(queue.horizontalScrollBar()->maximum(), 0) << "what has no room can be scrolled to";
    QueueView other(&run, &selection, &theme);
    other.findChild<TableTools*>()->restore(tools->saved());
    other.resize(800, 300);
    EXPECT_EQ(other.columnWidth(QueueModel::State), chosen);
    QMenu menu;
    tools->addColumns(&menu);
    menu.actions().back()->trigger();
    EXPECT_NE(queue.columnWidth(QueueModel::State), chosen);
    EXPECT_LE(titles->length(), queue.viewport()->width());
}

// Its order is what the queue means: it comes back with one click.
TEST_F(TablesTest, TheQueueIsSortedByATitleAndAClickGivesItsOrderBack)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(seekToQueueOf(4));
    queue.resize(900, 300);
    const QAbstractItemModelTester tester(queue.model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto clickTitle = [&](int column) {
        const QHeaderView* titles = queue.horizontalHeader();
        QTest::mouseClick(titles->viewport(), Qt::LeftButton, {},
                          {titles->sectionViewportPosition(column) + 12, titles->height() / 2});
    };
    const auto column = [&](int which) {
        QStringList texts;
        for (int row = 0; row < queue.model()->rowCount(); ++row)
            texts << queue.model()->index(row, which).data(Qt::AccessibleTextRole).toString();
        return texts;
    };
    click(queue, 2);
    const QString node = selection.node();
    clickTitle(QueueModel::Owner);
    QStringList sorted = column(QueueModel::Owner);
    sorted.sort();
    EXPECT_EQ(column(QueueModel::Owner), sorted);
    clickTitle(QueueModel::Owner);
    std::reverse(sorted.begin(), sorted.end());
    EXPECT_EQ(column(QueueModel::Owner), sorted);
    EXPECT_EQ(selection.node(), node) << "what is selected stays so";
    EXPECT_TRUE(queue.caption().startsWith("sorted by Owner; a click on #")) << queue.caption().toStdString();
    for (std::size_t at = run.position(); at < run.store()->count(); at += 7) {
        run.seekEvent(at); // while the queue goes on
        sorted = column(QueueModel::Owner);
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        EXPECT_EQ(column(QueueModel::Owner), sorted) << at;
    }
    ASSERT_TRUE(seekToQueueOf(4));
    EXPECT_NE(column(QueueModel::Place), (QStringList{"1", "2", "3", "4"}));
    clickTitle(QueueModel::Place);
    EXPECT_EQ(column(QueueModel::Place), (QStringList{"1", "2", "3", "4"}));
    EXPECT_FALSE(queue.caption().contains("sorted"));
    for (int clicks = 0; clicks < 3; ++clicks)
        clickTitle(QueueModel::Waited);
    EXPECT_EQ(column(QueueModel::Place), (QStringList{"1", "2", "3", "4"})) << "and with a third one";
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

} // namespace
