// The row models follow a growing run and seeks by precise steps, watched by Qt's model tester.
#include "tests/support/trace_script.h"
#include "tests/ui/growing_run.h"
#include "tests/ui/models/log_checks.h"
#include "ui/models/rows/clients_model.h"
#include "ui/models/rows/findings_model.h"
#include "ui/models/rows/log_model.h"
#include "ui/models/rows/queue_model.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using lockscope::tests::eventsInLog;
using lockscope::tests::GrowingRun;
using lockscope::tests::kStrict;
using lockscope::tests::SampleOptions;
using lockscope::tests::sampleRun;
using lockscope::tests::settled;
using lockscope::tests::Tester;

namespace {

struct AllModels
{
    explicit AllModels(RunModel& run)
        : clients(&run)
        , queue(&run, &selection)
        , findings(&run)
        , log(&run)
        , t1(&clients, kStrict)
        , t2(&queue, kStrict)
        , t3(&findings, kStrict)
        , t4(&log, kStrict)
    {}
    Selection selection;
    ClientsModel clients;
    QueueModel queue;
    FindingsModel findings;
    LogModel log;
    Tester t1, t2, t3, t4;
};

std::vector<std::string> names(const QueueModel& queue)
{
    std::vector<std::string> names;
    for (int row = 0; row < queue.rowCount(); ++row)
        names.emplace_back(queue.item(row).node.name);
    return names;
}

std::vector<std::string> names(const replay::RunState& state)
{
    std::vector<std::string> names;
    if (!state.locks.empty()) {
        for (const replay::NodeRow& node : state.locks[0].queue)
            names.emplace_back(node.name);
    }
    return names;
}

std::vector<std::uint32_t> eventsShown(const LogModel& log)
{
    std::vector<std::uint32_t> events;
    for (int row = 0; row < log.rowCount(); ++row)
        events.push_back(log.eventAt(row).value);
    return events;
}

SampleOptions busyRun()
{
    SampleOptions options;
    options.clients = 7;
    options.killHolderAtGrant = 9;
    options.freezeHolderAtGrant = 21;
    options.suspendWaiterAtGrant = 30;
    options.foreignAtGrant = 15;
    return options;
}

TEST(RowModels, FollowARunThatGrows)
{
    GrowingRun growing(busyRun());
    RunModel run;
    AllModels models(run);
    growing.showIn(run);
    QSignalSpy reset(&models.clients, &QAbstractItemModel::modelReset);
    QSignalSpy queueReset(&models.queue, &QAbstractItemModel::modelReset);
    QSignalSpy logReset(&models.log, &QAbstractItemModel::modelReset);
    while (!growing.done()) {
        ASSERT_TRUE(growing.publishAndDrain(run, 61));
        ASSERT_EQ(names(models.queue), names(run.state()));
        ASSERT_TRUE(settled(models.log));
    }
    EXPECT_EQ(eventsShown(models.log), eventsInLog(growing.source(), growing.total()));
    EXPECT_EQ(models.clients.rowCount(), 7);
    EXPECT_EQ(reset.size() + queueReset.size() + logReset.size(), 0) << "a reset loses selection and place";
}

TEST(RowModels, FollowRandomSeeks)
{
    const auto store = sampleRun(busyRun());
    RunModel run;
    AllModels models(run);
    run.openTrace(store);
    Random random(7);
    for (int i = 0; i < 150; ++i) {
        run.seekEvent(static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(store->count()))));
        ASSERT_EQ(names(models.queue), names(run.state()));
        ASSERT_EQ(models.clients.rowCount(), static_cast<int>(run.state().clients.size()));
        ASSERT_TRUE(settled(models.log));
        ASSERT_EQ(models.log.rowCount(), static_cast<int>(eventsInLog(*store, run.position()).size()));
    }
}

TEST(RowModels, AnotherRunReplacesTheRows)
{
    RunModel run;
    AllModels models(run);
    run.openTrace(sampleRun(busyRun()));
    EXPECT_EQ(models.clients.rowCount(), 7);
    SampleOptions two;
    two.clients = 2;
    run.openTrace(sampleRun(two));
    EXPECT_EQ(models.clients.rowCount(), 2);
    EXPECT_EQ(models.findings.rowCount(), static_cast<int>(replay::kFindingKinds));
    run.openTrace(nullptr);
    EXPECT_EQ(models.clients.rowCount(), 0);
    EXPECT_EQ(models.log.rowCount(), 0);
    EXPECT_EQ(models.findings.rowCount(), 0);
}

TEST(ClientsModel, SaysWhoHoldsAndWhoIsNext)
{
    const auto store = sampleRun();
    RunModel run;
    ClientsModel clients(&run);
    run.openTrace(store);
    bool held = false;
    bool next = false;
    for (std::size_t at = 0; at < store->count(); ++at) {
        run.seekEvent(at);
        for (int row = 0; row < clients.rowCount(); ++row) {
            const TonedText status = clients.status(row);
            if (status.text == "holds ×2") {
                held = true;
                ASSERT_EQ(clients.item(row).client.depth, 2);
            }
            if (status.text == "waits · next") {
                next = true;
                ASSERT_EQ(clients.item(row).place, (QueuePlace{1, true}));
            }
        }
    }
    EXPECT_TRUE(held);
    EXPECT_TRUE(next);
    EXPECT_EQ(clients.status(0).text, "done");
    EXPECT_TRUE(clients.detail(0).text.endsWith("10 acquired")) << clients.detail(0).text.toStdString();
}

// The rows of two clients, as a view that repaints only changed rows has them.
void expectRepainted(const std::shared_ptr<const trace::TraceStore>& store)
{
    RunModel run;
    ClientsModel clients(&run);
    run.openTrace(store);
    std::size_t at = 0;
    for (run.seekEvent(at); clients.rowCount() < 2; run.seekEvent(at))
        ASSERT_LT(at++, store->count());
    const auto words = [&](int row) {
        return clients.data(clients.index(row), Qt::AccessibleTextRole).toString().toStdString();
    };
    std::vector<std::string> painted{words(0), words(1)};
    QObject::connect(&clients, &QAbstractItemModel::dataChanged,
                     [&](const QModelIndex& first, const QModelIndex& last) {
                         for (int row = first.row(); row <= last.row(); ++row)
                             painted[static_cast<std::size_t>(row)] = words(row);
                     });
    for (; at <= store->count(); ++at) {
        run.seekEvent(at);
        ASSERT_EQ(painted, (std::vector<std::string>{words(0), words(1)})) << at;
    }
}

TEST(ClientsModel, HasARowRepaintedWhoseWatchFiredAfterItWasFirst)
{
    expectRepainted(lockscope::tests::traceScript(
        "10ms ada holds n1; 20ms bo waits n2 n1; 30ms ada release n1; 31ms ada freed n1; 35ms bo fired n1"));
}

TEST(ClientsModel, HasARowRepaintedWhoseSessionNeedsMoreDigits)
{
    const auto store = std::make_shared<trace::TraceStore>();
    for (const std::uint32_t id : {0U, 1U}) {
        const SessionId session{id == 0 ? 0x100000000000011 : 0x100000000000111};
        store->append({1ms, {}, ClientId{id}, LockId::none(), trace::ClientAdded{id == 0 ? "ada" : "bo", 0}});
        store->append({1ms,
                       {},
                       ClientId{id},
                       LockId::none(),
                       trace::SessionState{trace::SessionPhase::connected, session, 10s}});
    }
    expectRepainted(store);
}

TEST(FindingsModel, TellsViolatedFromKeptFromUnchecked)
{
    SampleOptions options;
    options.freezeHolderAtGrant = 5;
    RunModel run;
    FindingsModel findings(&run);
    run.openTrace(sampleRun(options));
    // What is violated comes first.
    EXPECT_EQ(findings.title(0), "Belief matches the server");
    EXPECT_EQ(findings.verdict(0), FindingStatus::violated);
    EXPECT_FALSE(findings.violations(0).empty());
    EXPECT_EQ(findings.title(1), "One holder at a time");
    EXPECT_EQ(findings.verdict(1), FindingStatus::kept);
    EXPECT_TRUE(findings.violations(1).empty());
    EXPECT_EQ(findings.violatedCount(), 1);
    run.seekEvent(0);
    EXPECT_EQ(findings.title(0), "One holder at a time");
    for (int row = 0; row < findings.rowCount(); ++row)
        EXPECT_EQ(findings.verdict(row), FindingStatus::open);
}

TEST(Rows, HostileNamesArePlainAndCapped)
{
    trace::TraceStore store;
    const std::string evil = "<b>x</b>\n\u202E" + std::string(10'000, 'z');
    const ClientId client{0};
    store.append({0ns, {}, ClientId::none(), LockId{0}, trace::LockAdded{evil, "mutex", "curator"}});
    store.append({1ns, {}, client, LockId::none(), trace::ClientAdded{evil, 0}});
    store.append({2ns, {}, client, LockId{0}, trace::NodeSeen{evil, SessionId{1}, Zxid{1}, true}});
    store.append({3ns, {}, client, LockId{0}, trace::Request{Operation::create, evil, true, true}});
    store.append({4ns,
                  {},
                  client,
                  LockId{0},
                  trace::AcquireFailed{trace::FailReason::error, OwnerId{0}, MessageView(evil)}});
    RunModel run;
    AllModels models(run);
    run.openTrace(std::shared_ptr<const trace::TraceStore>(&store, [](const auto*) {}));
    ASSERT_TRUE(settled(models.log));
    ASSERT_EQ(models.clients.rowCount(), 1);
    EXPECT_LE(models.clients.name(0).size(), 40);
    EXPECT_FALSE(models.clients.name(0).contains(u'\n'));
    ASSERT_GE(models.log.rowCount(), 2);
    for (int row = 0; row < models.log.rowCount(); ++row) {
        EXPECT_LE(models.log.line(row).text.size(), 260);
        EXPECT_FALSE(models.log.line(row).text.contains(QChar(0x202e)));
    }
    ASSERT_EQ(models.queue.rowCount(), 1);
    EXPECT_LE(models.queue.text(0, QueueModel::Sequence).size(), 40);
    EXPECT_TRUE(models.queue.data(models.queue.index(0, QueueModel::Sequence), Qt::ToolTipRole)
                    .toString()
                    .contains("&lt;b&gt;"));
    run.openTrace(nullptr);
}

} // namespace
