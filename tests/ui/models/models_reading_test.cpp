// A live run reads as its trace.
#include "tests/ui/growing_run.h"

#include "ui/models/rows/findings_model.h"
#include "ui/models/rows/queue_model.h"

#include <gtest/gtest.h>

#include <vector>

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::GrowingRun;

namespace {

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
