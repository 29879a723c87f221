// The table of all handoffs: its rows are those of the timeline, sorted and filtered, and a row leads to its
// moment.
#include "tests/support/trace_script.h"
#include "tests/ui/tables/tables_test_fixture.h"
#include "ui/models/rows/handoffs_model.h"
#include "ui/tables/handoffs_view.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::sampleRun;
using lockscope::tests::TablesTest;

namespace {

struct HandoffsTest : TablesTest
{
    HandoffsTest()
    {
        view.resize(900, 300);
        view.show();
    }
    void open()
    {
        run.openTrace(sampleRun());
        ASSERT_GT(run.timeline().handoffCount(), 3U);
        ASSERT_TRUE(QTest::qWaitFor(
            [this] { return model->rowCount() == static_cast<int>(run.timeline().handoffCount()); }));
    }
    QString text(int row, int column) const { return rows->index(row, column).data().toString(); }
    const replay::Handoff& handoff(int row) const
    {
        return model->handoff(rows->mapToSource(rows->index(row, 0)).row());
    }

    HandoffsView view{&run, &selection, &theme};
    QTableView* table = view.findChild<QTableView*>("handoffs");
    HandoffsModel* model = view.findChild<HandoffsModel*>();
    QSortFilterProxyModel* rows = view.findChild<QSortFilterProxyModel*>();
    QAbstractItemModelTester tester{model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(HandoffsTest, HasARowForEachSortedByAnyColumnAndFilteredByAName)
{
    EXPECT_EQ(view.caption(), "No handoff yet.");
    open();
    const int all = rows->rowCount();
    EXPECT_EQ(view.caption(), QString("%1 handoffs").arg(all));
    EXPECT_EQ(text(0, HandoffsModel::Number), QString::number(all)) << "the newest first";
    for (const int column : {HandoffsModel::Latency, HandoffsModel::Waited, HandoffsModel::Held}) {
        table->sortByColumn(column, Qt::DescendingOrder);
        const QString most = text(0, column);
        table->sortByColumn(column, Qt::AscendingOrder);
        EXPECT_EQ(text(all - 1, column), most) << column;
    }
    table->sortByColumn(HandoffsModel::Latency, Qt::AscendingOrder);
    for (int row = 1; row < all; ++row)
        EXPECT_LE(handoff(row - 1).latency(), handoff(row).latency());
    const QString who = text(0, HandoffsModel::To);
    view.findChild<QLineEdit*>()->setText(who.toUpper());
    ASSERT_GT(rows->rowCount(), 0);
    EXPECT_LT(rows->rowCount(), all);
    for (int row = 0; row < rows->rowCount(); ++row)
        EXPECT_TRUE(text(row, HandoffsModel::To) == who || text(row, HandoffsModel::From) == who);
    EXPECT_EQ(view.caption(), QString("%1 of %2 handoffs").arg(rows->rowCount()).arg(all));
}

TEST_F(HandoffsTest, ARowIsItsHandoffInAllViewsAndLeadsToItsMoment)
{
    open();
    table->setCurrentIndex(rows->index(1, HandoffsModel::To));
    const replay::Handoff one = handoff(1);
    EXPECT_EQ(selection.now().kind, Selected::Kind::handoff);
    EXPECT_EQ(selection.selectedEvent(), one.acquiredEvent);
    emit table->activated(rows->index(1, HandoffsModel::To));
    EXPECT_EQ(run.cursorTime(), one.acquired);
    table->sortByColumn(HandoffsModel::Number, Qt::AscendingOrder);
    EXPECT_EQ(handoff(table->currentIndex().row()).acquiredEvent, one.acquiredEvent)
        << "who is selected stays so";
    const replay::Handoff& other = run.timeline().handoff(0);
    selection.selectHandoff(other.acquiredEvent, other.to);
    EXPECT_EQ(table->currentIndex().row(), 0);
    selection.clear();
    EXPECT_FALSE(table->selectionModel()->hasSelection());
}

} // namespace
