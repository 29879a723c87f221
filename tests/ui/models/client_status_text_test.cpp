// A client's state and its place in words, and the durations beside them.
#include "tests/support/trace_script.h"
#include "tests/ui/growing_run.h"
#include "ui/models/rows/clients_model.h"
#include "ui/models/rows/queue_model.h"
#include "ui/models/style/format.h"

#include <gtest/gtest.h>

using namespace lockscope;
using namespace lockscope::ui;

namespace {

TEST(ClientPhrase, NamesEveryPhase)
{
    replay::ClientRow client;
    client.session = trace::SessionPhase::connected;
    const auto text = [&](std::optional<QueuePlace> place = {}) { return clientStatus(client, place).text; };
    client.phase = replay::ClientPhase::connecting;
    EXPECT_EQ(text(), "connects");
    client.phase = replay::ClientPhase::thinking;
    EXPECT_EQ(text(), "thinks");
    client.phase = replay::ClientPhase::joining;
    EXPECT_EQ(text(), "joins");
    client.phase = replay::ClientPhase::waiting;
    EXPECT_EQ(text(), "waits");
    EXPECT_EQ(text(QueuePlace{1, true}), "waits · next");
    EXPECT_EQ(text(QueuePlace{1, false}), "waits · 1 ahead");
    EXPECT_EQ(text(QueuePlace{2, false}), "waits · 2 ahead");
    EXPECT_EQ(text(QueuePlace{1112, false}), "waits · 1,112 ahead");
    EXPECT_EQ(text(QueuePlace{0, false}), "woken");
    client.watches = "lock-7";
    EXPECT_EQ(text(QueuePlace{0, false}), "waits · first");
    client.phase = replay::ClientPhase::holding;
    client.depth = 1;
    EXPECT_EQ(text(), "holds");
    client.depth = 2;
    EXPECT_EQ(text(), "holds ×2");
    client.session = trace::SessionPhase::suspended;
    EXPECT_EQ(text(), "holds? · suspended") << "it cannot know";
    client.frozen = true;
    EXPECT_EQ(text(), "holds · frozen");
    client.phase = replay::ClientPhase::waiting;
    EXPECT_EQ(text(QueuePlace{2, false}), "frozen");
    client.node = "lock-8";
    EXPECT_EQ(text(QueuePlace{2, false}), "frozen");
    EXPECT_EQ(text(), "believes it waits") << "its node is in no queue any more";
    EXPECT_EQ(clientStatus(client, {}).tone, Tone::stale);
    client.isStale = true;
    EXPECT_EQ(text(), "believes it holds");
    EXPECT_EQ(clientStatus(client, {}).tone, Tone::stale);
    client = {};
    client.phase = replay::ClientPhase::lost;
    EXPECT_EQ(text(), "session lost");
}

// "worker-4.production.exa…" and "worker-4.production.exa…" are two clients.
TEST(ClientName, KeepsInATextWhatDiffers)
{
    const auto names = [](std::vector<replay::Text> all) {
        replay::RunState state;
        for (const replay::Text name : all) {
            replay::ClientRow row;
            row.id = ClientId{static_cast<ClientId::Value>(state.clients.size())};
            row.name = name;
            row.addedBy = EventIndex{row.id.value};
            state.clients.push_back(row);
        }
        QStringList shown;
        for (const replay::ClientRow& row : state.clients)
            shown << clientName(state, row.id);
        return shown;
    };
    EXPECT_EQ(names({"worker-4.production.example.org", "worker-5.production.example.org"}),
              (QStringList{"worker-4", "worker-5"}));
    EXPECT_EQ(names({"worker-4.production.example.org"}), QStringList{"worker-4"});
    EXPECT_EQ(names({"web-1.example.org 186 app-run :3501", "web-2.example.org 186 app-run :3501"}),
              (QStringList{"web-1 186 app-run :3501", "web-2 186 app-run :3501"}))
        << "the last words are the same";
    EXPECT_EQ(names({"worker-4.production.example.org", "worker-4.production.example.com"}),
              (QStringList{"worker-4.pro…example.org", "worker-4.pro…example.com"}));
    EXPECT_EQ(names({"ada", "bo"}), (QStringList{"ada", "bo"}));
}

// "next" beside "# 2" of the queue is true only while the first one holds.
TEST(ClientPhrase, OnlyWhoComesAfterTheHoldersIsNext)
{
    const auto script = [](const std::string& more) {
        return tests::traceScript("10ms ada holds n1; 20ms bo waits n2 n1; 30ms cyd waits n3 n2" + more);
    };
    RunModel run;
    Selection selection;
    ClientsModel clients(&run);
    QueueModel queue(&run, &selection);
    const auto says = [&] {
        QStringList all;
        for (int row = 0; row < clients.rowCount(); ++row)
            all << clients.status(row).text;
        return all;
    };
    run.openTrace(script({}));
    EXPECT_EQ(says(), QStringList({"holds", "waits · next", "waits · 2 ahead"}));
    run.openTrace(script("; 40ms ada release n1"));
    EXPECT_EQ(says(), QStringList({"releases", "waits · next", "waits · 2 ahead"}));
    run.openTrace(script("; 40ms ada release n1; 45ms bo fired n1; 46ms ada freed n1"));
    EXPECT_EQ(says().mid(1), QStringList({"woken", "waits · 1 ahead"})) << "no client holds";
    EXPECT_EQ(queue.text(0, QueueModel::State), "woken");
    EXPECT_EQ(queue.status(0).tone, Tone::wake);
    EXPECT_EQ(queue.text(1, QueueModel::State), "waits");
    EXPECT_EQ(queue.data(queue.index(1, QueueModel::Place), Qt::AccessibleTextRole), "2");
}

TEST(ClientsModel, APlaceIsInTheQueueOfTheLockThatIsWaitedFor)
{
    RunModel run;
    ClientsModel clients(&run);
    run.openTrace(tests::traceScript("- lock right; cyd holds n1; ada@right holds n2; ada waits n2 n1"));
    ASSERT_EQ(clients.name(1), "ada");
    EXPECT_EQ(clients.status(1).text, "waits · next") << "its node on the other lock has the same name";
}

// The chain beside it shows the cursor's own moment: when that stands still, so do all.
TEST(ShownTime, CatchesUpWithACursorThatRests)
{
    tests::GrowingRun growing;
    RunModel run;
    growing.showIn(run);
    ShownTime shown(&run, nullptr);
    ASSERT_TRUE(growing.publishAndDrain(run, growing.total() / 2));
    for (int step = 0; step < 20; ++step) {
        ASSERT_TRUE(growing.publishAndDrain(run, 3));
        EXPECT_LE(run.cursorTime() - shown.now(), std::chrono::milliseconds(100)) << "it follows";
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return shown.now() == run.cursorTime(); }));
}

TEST(ClientPhrase, NamesTheLocksWhenThereAreSeveral)
{
    replay::RunState state;
    for (const char* path : {"/locks/left", "/locks/right", "/locks/pool/leases", "/locks/pool/locks"}) {
        replay::LockRow lock;
        lock.id = LockId{static_cast<LockId::Value>(state.locks.size())};
        lock.path = path;
        lock.recipe = state.locks.size() == 2 ? "semaphore" : "mutex";
        state.locks.push_back(lock);
    }
    replay::ClientRow client;
    client.lock = LockId{1};
    client.phase = replay::ClientPhase::waiting;
    EXPECT_TRUE(lockUseText(state, client).isEmpty()) << "one lock needs no name";
    replay::LockUse held;
    held.lock = LockId{0};
    held.phase = replay::ClientPhase::holding;
    client.otherUses.push_back(held);
    EXPECT_EQ(lockUseText(state, client), "holds left, waits for right");
    state.locks[0].path = "/locks/a%2Fb";
    client.otherUses.push_back(held);
    EXPECT_EQ(lockUseText(state, client), "holds a%2Fb ×2, waits for right");
    EXPECT_EQ(lockLabel(state, LockId{2}), "pool");
    EXPECT_EQ(lockLabel(state, LockId{3}), "pool entrance");
}

} // namespace
