// Rows at the edges of a list, and the order of the clients.
#include "tests/ui/tables/tables_test_fixture.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::SampleOptions;
using lockscope::tests::sampleRun;
using lockscope::tests::TablesTest;

namespace {

TEST_F(TablesTest, ClientsByPlaceBeginWithTheHolder)
{
    SampleOptions options;
    options.clients = 40;
    run.openTrace(sampleRun(options));
    ASSERT_TRUE(seekToQueueOf(12));
    const auto* nodes = qobject_cast<QueueModel*>(queue.model());
    const auto* rows = qobject_cast<ClientsModel*>(clients.model());
    clients.options().front()->trigger();
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
    clients.options().front()->trigger();
    EXPECT_EQ(clients.currentIndex().row(), static_cast<int>(selection.client().value))
        << "as they were added";
}

} // namespace
