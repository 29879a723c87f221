// Steps by hand in a live run: forks, breakpoints, and runs until something happens.
#include "tests/ui/shell/live_window_fixture.h"
#include "ui/chain/algorithm_view.h"
#include "ui/models/run/breakpoints.h"
#include "ui/shell/run/step_controller.h"
#include "ui/shell/window/main_window.h"
#include "ui/texts/command_text.h"

#include <QComboBox>
#include <QDialog>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

TEST_F(LiveWindowTest, StepsByKeysAreSavedAndForked)
{
    start();
    ASSERT_TRUE(waitForHandoffs(1));
    // A run that is held from its start: only its steps bring it anywhere.
    sim::Scenario scenario = *window->control().scenario();
    scenario.stepping = true;
    window->control().startScenario(scenario, "stepped");
    const auto standing = [this] {
        return std::count_if(state().clients.begin(), state().clients.end(),
                             [](const replay::ClientRow& client) { return client.heldAt.has_value(); });
    };
    // Among the events that the window shows by now.
    const auto taken = [this] {
        const trace::TraceStore& store = *window->model().store();
        std::size_t count = 0;
        for (std::size_t i = 0; i < window->model().position(); ++i)
            count += std::holds_alternative<trace::StepTaken>(store.at(i).what) ? 1U : 0U;
        return count;
    };
    ASSERT_TRUE(waitFor([&] { return standing() == 3; }));
    EXPECT_TRUE(action("stepMode")->isChecked());
    for (std::size_t step = 1; step <= 5; ++step) {
        QTest::keyClick(window.get(), Qt::Key_F8);
        ASSERT_TRUE(waitFor([&] { return taken() == step && standing() == 3; })) << step;
    }
    select(ClientId{2});
    QTest::keyClick(window.get(), Qt::Key_F7);
    ASSERT_TRUE(waitFor([&] { return taken() == 6 && standing() == 3; }));
    const auto stoodAt = state().clients[2].heldAt;

    const QString path = folder.filePath("again.toml");
    window->control().saveSteps(path);
    const auto saved = sim::loadScenario(path.toStdString());
    ASSERT_TRUE(saved.has_value()) << saved.error().text();
    EXPECT_EQ(saved->steps.size(), 6U) << "the path exists: no create is taken twice";

    const trace::TraceStore* before = window->model().store();
    QTest::keyClick(window.get(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([&] { return window->model().store() != before && taken() == 6; }));
    ASSERT_TRUE(waitFor([&] { return state().clients.size() == 3 && state().clients[2].heldAt == stoodAt; }));
    EXPECT_EQ(window->control().earlierRuns().size(), 2) << "the first run and the old one";
    action("compareWith")->trigger();
    auto* dialog = window->findChild<QDialog*>("compareDialog");
    ASSERT_TRUE(dialog);
    EXPECT_TRUE(
        dialog->findChild<QComboBox*>("compareA")->currentText().contains(window->control().sourceLabel()));
    EXPECT_NE(window->control().sourceLabel(), window->control().scenarioName())
        << "it says that it is a fork";
    dialog->close();
    QTest::keyClick(window.get(), Qt::Key_F8, Qt::ControlModifier);
    EXPECT_TRUE(waitForHandoffs(3)) << "let go, it goes on";
    EXPECT_FALSE(action("stepMode")->isChecked());
    window->control().showEarlier(1);
    EXPECT_EQ(window->model().store(), before);
    EXPECT_EQ(window->control().earlierRuns().size(), 3) << "the fork was not saved either";
}

TEST_F(LiveWindowTest, ResumeAfterStepsResumesAllClients)
{
    start();
    ASSERT_TRUE(waitForHandoffs(1));
    action("stepMode")->trigger();
    // A client behind another's node sleeps, as it would in a run without steps; all others are held.
    const auto stands = [](const auto& client) { return client.heldAt || client.asleep(); };
    ASSERT_TRUE(waitFor([&] {
        return std::ranges::all_of(state().clients, stands) &&
               std::ranges::any_of(state().clients,
                                   [](const auto& client) { return client.heldAt.has_value(); });
    }));
    EXPECT_EQ(action("runOrPause")->text(), "Resume") << "the run stands still";
    QTest::keyClick(window.get(), Qt::Key_F8);
    QTest::keyClick(window.get(), Qt::Key_Space);
    EXPECT_FALSE(action("stepMode")->isChecked());
    EXPECT_EQ(action("runOrPause")->text(), "Pause");
    EXPECT_TRUE(waitForHandoffs(3));
}

// No step leads past a killed session: from there on why stands in the command's tool tip.
TEST_F(LiveWindowTest, ForkIsOfferedUpToAFaultAndSaysWhyNotAfterIt)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    ASSERT_TRUE(waitFor([this] { return action("fork")->isEnabled(); }));
    const QString offered = action("fork")->toolTip();
    EXPECT_TRUE(offered.contains("Starts a new live run")) << offered.toStdString();
    const std::size_t before = window->model().position();
    select(ClientId{0});
    QTest::keyClick(window.get(), Qt::Key_K);
    ASSERT_TRUE(waitFor([this] { return commanded("kill_session") || commanded("kill_holder"); }));
    ASSERT_TRUE(waitFor([this] { return !action("fork")->isEnabled(); }));
    const auto blocker = window->control().stepBlocker();
    ASSERT_TRUE(blocker);
    EXPECT_EQ(blocker->kind, sim::StepBlocker::Kind::fault);
    EXPECT_TRUE(blocker->since.valid());
    const auto says = [&](const char* name) {
        return action(name)->toolTip().contains(
            commandText(blocker->what, QString::fromStdString(blocker->who)));
    };
    EXPECT_TRUE(says("fork")) << action("fork")->toolTip().toStdString();
    EXPECT_FALSE(action("fork")->toolTip().contains('_')) << "not the command's name in the trace";
    EXPECT_TRUE(says("saveOrder"));
    EXPECT_FALSE(action("saveOrder")->isEnabled());

    window->model().seekEvent(before);
    EXPECT_TRUE(action("fork")->isEnabled()) << "the moments before it";
    EXPECT_EQ(action("fork")->toolTip(), offered);
    window->model().seekEvent(blocker->since.value + std::size_t{1});
    EXPECT_FALSE(action("fork")->isEnabled());
    EXPECT_TRUE(says("fork"));
}

// A line of the algorithm of which a client takes one step or the other: it stops before both.
TEST_F(LiveWindowTest, ABreakpointOnTheLineOfTheReleaseStopsWhoDeletesItsNode)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    select(ClientId{1});
    auto* algorithm = window->findChild<AlgorithmView*>();
    const auto& rows = algorithm->rows();
    const auto line = std::find_if(rows.begin(), rows.end(),
                                   [](const auto& row) { return row.line->is(replay::Step::remove); });
    ASSERT_NE(line, rows.end());
    QTest::mouseClick(algorithm, Qt::LeftButton, {}, QPoint(10, static_cast<int>(line->rect.center().y())));
    const Breakpoints* breakpoints = window->findChild<StepController*>()->breakpoints();
    EXPECT_TRUE(breakpoints->has(ClientId{1}, GateStep::release));
    EXPECT_TRUE(breakpoints->has(ClientId{1}, GateStep::remove));
    ASSERT_TRUE(waitFor([this] { return state().clients[1].heldAt.has_value(); }));
    EXPECT_EQ(state().clients[1].heldAt, GateStep::remove) << "it never holds more than once";
    EXPECT_EQ(state().locks.at(0).queue.at(0).owner, ClientId{1}) << "its node is still there";
}

TEST_F(LiveWindowTest, RunsUntilAClientAcquiresAndPauses)
{
    RunController::Setup setup;
    setup.startPaused = true;
    start(setup);
    ASSERT_TRUE(waitUntilPaused());
    QTest::keyClick(window.get(), Qt::Key_F8, Qt::AltModifier);
    ASSERT_TRUE(waitFor([this] {
        return state().statistics.acquired > 0 && window->control().stage() == RunController::Stage::paused;
    }));
}

TEST_F(LiveWindowTest, ABreakpointHoldsOneClientAndLetsTheOthersRun)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    select(ClientId{1});
    auto* steps = window->findChild<StepController*>();
    steps->breakpoints()->set(ClientId{1}, GateStep::list, true);
    ASSERT_TRUE(waitFor([this] { return state().clients[1].heldAt == GateStep::list; }));
    EXPECT_TRUE(action("step")->text().contains("list"));
    EXPECT_TRUE(steps->breakpoints()->has(ClientId{1}, GateStep::list));
    QTest::keyClick(window.get(), Qt::Key_F7, Qt::ControlModifier);
    EXPECT_TRUE(waitForHandoffs(5));
    EXPECT_FALSE(steps->breakpoints()->has(ClientId{1}, GateStep::list));
}

TEST_F(LiveWindowTest, TheCheckMarkOfAFindingThatFailsCanBeTakenAway)
{
    start();
    ASSERT_TRUE(waitForHandoffs(1));
    const auto* steps = window->findChild<StepController*>();
    action("untilFinding")->trigger();
    EXPECT_TRUE(steps->isWatchingFindings());
    EXPECT_TRUE(action("untilFinding")->isChecked());
    action("untilFinding")->trigger();
    EXPECT_FALSE(steps->isWatchingFindings());
    EXPECT_FALSE(action("untilFinding")->isChecked());
}

} // namespace
} // namespace lockscope::ui
