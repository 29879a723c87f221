// The main job as its user sees it: the window on a real ZooKeeper, five clients on one lock, the holder's
// session killed from the menu, and every view telling the same story.
#include "tests/integration/child.h"
#include "tests/integration/window_live_limit.h"
#include "tests/ui/shown_window.h"
#include "ui/chain/chain_view.h"
#include "ui/models/rows/clients_model.h"
#include "ui/models/rows/findings_model.h"
#include "ui/models/rows/log_model.h"
#include "ui/models/rows/queue_model.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/main_window.h"
#include "ui/tables/clients_view.h"
#include "ui/tables/findings_view.h"
#include "ui/tables/log_view.h"
#include "ui/tables/queue_view.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QFile>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

sim::Scenario longHolds()
{
    sim::Scenario scenario;
    scenario.name = "long-holds";
    scenario.title = "Five clients, long holds";
    scenario.clients = 5;
    scenario.work.cycles = 0;
    scenario.work.hold = {std::chrono::seconds(60), std::chrono::seconds(60)};
    return scenario;
}

struct WindowLiveTest : testing::Test
{
    WindowLiveTest() { window = shownWindow({}, QSize(1680, 1050)); }

    const replay::RunState& state() { return window->model().state(); }

    const replay::ClientRow* holder()
    {
        for (const replay::ClientRow& client : state().clients)
            if (client.phase == replay::ClientPhase::holding && !client.isStale)
                return &client;
        return nullptr;
    }

    std::ptrdiff_t waiting()
    {
        return std::count_if(state().clients.begin(), state().clients.end(),
                             [](const auto& client) { return client.phase == replay::ClientPhase::waiting; });
    }

    template <class View>
    View* view()
    {
        return window->findChild<View*>();
    }

    // All texts of a log, top to bottom.
    QString logText()
    {
        const auto* model = window->findChild<LogModel*>();
        QString text;
        for (int row = 0; model && row < model->rowCount(); ++row)
            for (int column = 0; column < model->columnCount(); ++column)
                text += model->index(row, column).data().toString() +
                        (column + 1 < model->columnCount() ? " " : "\n");
        return text;
    }

    std::unique_ptr<MainWindow> window;
};

TEST_F(WindowLiveTest, KillingTheHoldersSessionFromTheMenuIsSeenInEveryView)
{
    window->control().startScenario(longHolds(), "long holds");
    ASSERT_TRUE(QTest::qWaitFor([&] { return holder() && waiting() == 4; }, kLimit))
        << window->messages().shownTexts().join('\n').toStdString();
    const ClientId victim = holder()->id;
    const std::string victimNode(state().locks[0].queue.at(0).name);
    const std::string heirNode(state().locks[0].queue.at(1).name);
    const ClientId heir = state().ownerOf(LockId{0}, heirNode);
    const std::uint64_t wakeUps = state().statistics.wakeUps;

    auto* menu = window->findChild<QMenu*>("whatIfMenu");
    ASSERT_NE(menu, nullptr);
    QAction* kill = menu->actions().value(0);
    ASSERT_NE(kill, nullptr);
    EXPECT_EQ(kill->shortcut(), QKeySequence(Qt::Key_K));
    EXPECT_FALSE(kill->toolTip().isEmpty());
    ASSERT_TRUE(kill->isEnabled());
    kill->trigger();

    // The next in line holds, the victim has learnt it and queues up again at the end.
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return state().client(heir)->phase == replay::ClientPhase::holding && waiting() == 4; },
        kLimit));
    EXPECT_EQ(holder()->id, heir);
    EXPECT_EQ(state().statistics.wakeUps, wakeUps + 1) << "exactly one client was woken";
    EXPECT_EQ(state().locks[0].lastWakeUp.to, heir);
    EXPECT_EQ(state().locks[0].lastWakeUp.woken, 1U);

    // Clients
    auto* clients = qobject_cast<ClientsModel*>(view<ClientsView>()->model());
    ASSERT_NE(clients, nullptr);
    EXPECT_TRUE(clients->status(clients->rowOf(heir)).text.startsWith("holds"));
    EXPECT_TRUE(clients->status(clients->rowOf(victim)).text.startsWith("waits"));

    // Lock children
    QAbstractItemModel* queue = view<QueueView>()->model();
    ASSERT_EQ(queue->rowCount(), 5);
    const auto* nodes = qobject_cast<QueueModel*>(queue);
    ASSERT_NE(nodes, nullptr);
    EXPECT_TRUE(queue->index(0, 2).data().toString().contains(QString::fromUtf8(
        state().client(heir)->name.data(), static_cast<int>(state().client(heir)->name.size()))));

    // Watch chain
    const chain::ChainScene& scene = view<ChainView>()->scene();
    const chain::ChainNode* head = scene.nodeOf(heirNode);
    ASSERT_NE(head, nullptr);
    EXPECT_EQ(head->state, chain::NodeState::holds);
    EXPECT_EQ(head->place, 0);
    const chain::ChainNode* gone = scene.nodeOf(victimNode);
    EXPECT_TRUE(!gone || gone->state == chain::NodeState::gone);

    // Timeline: the victim's lane has a stretch of belief that was not true, and an arrow leads to the heir.
    std::vector<replay::Span> overlays;
    window->model().timeline().spans(victim, TraceTime{}, kForever, Duration{1}, overlays,
                                     replay::LaneRow::overlays);
    EXPECT_TRUE(std::any_of(overlays.begin(), overlays.end(),
                            [](const replay::Span& span) { return span.kind == replay::SpanKind::stale; }));
    const replay::Timeline& timeline = window->model().timeline();
    ASSERT_GT(timeline.handoffCount(), 0U);
    const replay::Handoff& handoff = timeline.handoff(timeline.handoffCount() - 1);
    EXPECT_EQ(handoff.from, victim);
    EXPECT_EQ(handoff.to, heir);

    // Findings: the stale belief is reported, everything else holds.
    EXPECT_FALSE(state().findings.of(replay::FindingKind::beliefMatchesServer).ok());
    EXPECT_TRUE(state().findings.of(replay::FindingKind::oneHolder).ok());
    EXPECT_TRUE(state().findings.of(replay::FindingKind::noHerd).ok());
    EXPECT_TRUE(view<FindingsView>()->caption().contains("1"))
        << view<FindingsView>()->caption().toStdString();

    // Log
    ASSERT_TRUE(QTest::qWaitFor([&] { return logText().contains("lost"); }, kLimit))
        << logText().toStdString();
    EXPECT_TRUE(logText().contains("NodeDeleted"));
}

TEST_F(WindowLiveTest, WhatIsTracedLiveOpensAgainAndTellsTheSame)
{
    sim::Scenario scenario = longHolds();
    scenario.work.cycles = 3;
    scenario.work.hold = {};
    window->control().startScenario(scenario, "short");
    ASSERT_TRUE(QTest::qWaitFor([&] { return state().phase == trace::RunPhase::finished; }, kLimit));
    const std::uint64_t acquired = state().statistics.acquired;
    EXPECT_EQ(acquired, 15U);
    QTemporaryDir folder;
    const QString file = folder.filePath("run.jsonl");
    window->control().saveTrace(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(file); }, kLimit));
    window->control().openPath(file);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return window->control().stage() == RunController::Stage::trace && !window->model().opening();
        },
        kLimit));
    EXPECT_EQ(state().statistics.acquired, acquired);
    for (const replay::Finding& finding : state().findings.all)
        EXPECT_TRUE(finding.ok()) << finding.detail();
}

TEST_F(WindowLiveTest, AServerThatDiesIsSaidAndGoesAwayByItselfWhenItIsBack)
{
    sim::Scenario scenario = longHolds();
    scenario.work.hold = {std::chrono::milliseconds(1), std::chrono::milliseconds(5)};
    scenario.sessionTimeout = std::chrono::seconds(30);
    window->control().startScenario(scenario, "forever");
    ASSERT_TRUE(QTest::qWaitFor([&] { return state().statistics.acquired > 5; }, kLimit));
    // Java is our grandchild: its parent is the supervisor.
    const std::vector<int> family = test::descendants(getpid());
    ASSERT_GE(family.size(), 2U);
    ::kill(family.back(), SIGKILL);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return window->messages().shownTexts().join('\n').contains("does not answer"); }, kLimit))
        << window->messages().shownTexts().join('\n').toStdString();
    const std::uint64_t acquired = state().statistics.acquired;
    ASSERT_TRUE(QTest::qWaitFor([&] { return state().statistics.acquired > acquired + 5; }, kLimit))
        << "LockScope starts its ZooKeeper again";
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return !window->messages().shownTexts().join('\n').contains("does not answer"); }, kLimit));
    EXPECT_TRUE(state().findings.of(replay::FindingKind::oneHolder).ok());
}

} // namespace
} // namespace lockscope::ui
