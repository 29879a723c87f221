// The frames of a run that goes on: in each one everything that shows it is updated once and shows the same
// moment; and a live run reads as its trace.
#include "tests/ui/growing_run.h"

#include "ui/models/rows/clients_model.h"
#include "ui/models/rows/findings_model.h"
#include "ui/models/rows/queue_model.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::GrowingRun;

namespace {

std::set<ClientId> holdersIn(const ClientsModel& clients)
{
    std::set<ClientId> holders;
    for (int row = 0; row < clients.rowCount(); ++row)
        if (clients.item(row).client.phase == replay::ClientPhase::holding)
            holders.insert(clients.item(row).client.id);
    return holders;
}

std::set<ClientId> holdersIn(const QueueModel& queue)
{
    std::set<ClientId> holders;
    for (int row = 0; row < queue.rowCount(); ++row)
        if (queue.item(row).node.phase == replay::NodePhase::holds)
            holders.insert(queue.item(row).node.owner);
    return holders;
}

std::set<ClientId> holdersIn(const replay::RunState& state)
{
    std::set<ClientId> holders;
    for (const replay::ClientRow& client : state.clients)
        if (client.phase == replay::ClientPhase::holding)
            holders.insert(client.id);
    return holders;
}

std::vector<QString> words(const FindingsModel& findings, const QueueModel& queue)
{
    std::vector<QString> words;
    for (int row = 0; row < findings.rowCount(); ++row)
        words.push_back(findings.title(row) + findings.sentence(row));
    for (int row = 0; row < queue.rowCount(); ++row)
        words.push_back(queue.text(row, QueueModel::Sequence) + queue.text(row, QueueModel::State));
    return words;
}

TEST(RunModel, ReadsLiveAsItsTraceDoes)
{
    GrowingRun growing;
    Selection selection;
    RunModel live;
    FindingsModel findings(&live, nullptr);
    QueueModel queue(&live, &selection);
    growing.showIn(live);
    RunModel opened;
    FindingsModel openedFindings(&opened, nullptr);
    QueueModel openedQueue(&opened, &selection);
    opened.openTrace(tests::sampleRun());
    while (!growing.done()) {
        growing.publish(growing.total() / 7 + 1);
        opened.seekEvent(growing.published());
        ASSERT_TRUE(QTest::qWaitFor([&] {
            return words(findings, queue) == words(openedFindings, openedQueue);
        })) << "after "
            << growing.published() << " events";
    }
}

} // namespace
