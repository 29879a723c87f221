// Rows at the edges of a list, and the order of the clients.
#include "tests/ui/tables/tables_test_fixture.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::SampleOptions;
using lockscope::tests::sampleRun;
using lockscope::tests::TablesTest;

namespace {

// Pixels of the last line of a view that are not its ground.
int marksAtLowerEdge(QAbstractItemView& view, const Theme& theme)
{
    const QImage image = view.viewport()->grab().toImage();
    int marks = 0;
    for (int x = 30; x < image.width() - 30; ++x)
        marks += image.pixelColor(x, image.height() - 1) != theme.palette().card;
    return marks;
}

TEST_F(TablesTest, ARowThatTheEdgeCutsFadesOut)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(seekToQueueOf(4));
    for (QAbstractItemView* view : std::initializer_list<QAbstractItemView*>{&findings, &clients, &queue}) {
        const int whole = view->height() - view->viewport()->height();
        for (int height = 90; height < 150; ++height) { // through titles and sentences
            view->resize(view->width(), whole + height);
            QApplication::processEvents();
            const int edge = view->viewport()->height() - 1;
            if (view->visualRect(view->indexAt({1, edge})).bottom() == edge)
                continue; // a whole row
            ASSERT_EQ(marksAtLowerEdge(*view, theme), 0)
                << view->accessibleName().toStdString() << " of " << height;
        }
    }
}

TEST_F(TablesTest, TheListOfClientsBeginsWithAWholeRow)
{
    SampleOptions options;
    options.clients = 40;
    run.openTrace(sampleRun(options));
    run.seekEvent(run.store()->count() / 2);
    for (const std::uint16_t chosen : {30, 7, 25}) {
        selection.selectClient(ClientId{chosen});
        QApplication::processEvents();
        EXPECT_EQ(clients.visualRect(clients.indexAt({1, 0})).top(), 0);
        const QRect row = clients.visualRect(clients.currentIndex());
        EXPECT_TRUE(clients.viewport()->rect().contains(row)) << chosen;
    }
}

TEST_F(TablesTest, ClientsThatNearlyAllFitAreAllSeen)
{
    run.openTrace(sampleRun());
    const int last = clients.model()->rowCount() - 1;
    ASSERT_GT(last, 2);
    const QModelIndex end = clients.model()->index(last, 0);
    const int frame = clients.height() - clients.viewport()->height();
    const int usual = clients.visualRect(end).height();
    clients.resize(clients.width(), usual * (last + 1) - 3 + frame);
    click(clients, 0);
    clients.scrollTo(end);
    EXPECT_EQ(clients.visualRect(clients.model()->index(0, 0)).top(), 0) << "the first";
    EXPECT_LE(clients.visualRect(end).bottom(), clients.viewport()->height()) << "and the last";
    clients.resize(clients.width(), usual * (last + 1) - 2 * usual + frame);
    QCoreApplication::processEvents();
    EXPECT_EQ(clients.visualRect(end).height(), usual) << "two rows are not given";
}

TEST_F(TablesTest, ClientsByPlaceBeginWithTheHolder)
{
    SampleOptions options;
    options.clients = 40;
    run.openTrace(sampleRun(options));
    ASSERT_TRUE(seekToQueueOf(12));
    const auto* nodes = qobject_cast<QueueModel*>(queue.model());
    const auto* rows = qobject_cast<ClientsModel*>(clients.model());
    clients.byPlace()->trigger();
    EXPECT_TRUE(clients.caption().startsWith("by place · 40 sessions")) << clients.caption().toStdString();
    for (int event = 0; event < 60; ++event) {
        run.stepEvents(1);
        int row = 0;
        for (int place = 0; place < nodes->rowCount(); ++place)
            if (rows->rowOf(nodes->item(place).node.owner) == row)
                ++row;
        EXPECT_GE(row, 10) << "the first of the list are the first of the queue";
        for (; row < rows->rowCount(); ++row)
            EXPECT_FALSE(rows->item(row).place.has_value()) << row;
    }
    selection.selectClient(rows->item(3).client.id);
    EXPECT_EQ(clients.currentIndex().row(), 3);
    clients.byPlace()->trigger();
    EXPECT_EQ(clients.currentIndex().row(), static_cast<int>(selection.client().value))
        << "as they were added";
}

TEST_F(TablesTest, TheCaptionSaysWhyThereAreFewerSessionsThanClients)
{
    run.openTrace(sampleRun());
    EXPECT_TRUE(clients.caption().endsWith("5 ended")) << clients.caption().toStdString();
}

} // namespace
