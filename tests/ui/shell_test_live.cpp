// The window with a live run on a real ZooKeeper: everything that is done to a run is done by its keys and
// buttons.
#include "core/server/managed_server.h"
#include "tests/ui/endless_run.h"
#include "ui/shell/dock_area.h"
#include "ui/shell/main_window.h"
#include "ui/shell/message_bar.h"
#include "ui/shell/step_control.h"
#include "ui/tables/clients_view.h"

#include <QAction>
#include <QDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

constexpr int kPatience = 60'000;

struct LiveWindowTest : testing::Test
{
    void start(RunControl::Setup runs = {})
    {
        MainWindow::Setup setup;
        setup.theme = Look::Theme::light;
        setup.runs = std::move(runs);
        window = std::make_unique<MainWindow>(setup);
        window->show();
        sim::Scenario scenario = endlessRun("three", 3, {1ms, 2ms});
        scenario.sessionTimeout = 4s;
        window->control().startScenario(scenario, "three");
    }
    const replay::RunState& state() { return window->model().state(); }
    bool waitFor(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kPatience); }
    bool waitForHandoffs(std::uint64_t more)
    {
        const auto goal = state().statistics.handoffs + more;
        return waitFor([this, goal] { return state().statistics.handoffs >= goal; });
    }
    // On the screen: the engine is there a moment earlier, and the keys do nothing until then.
    bool waitUntilPaused()
    {
        return waitFor([this] { return action("runOrPause")->text() == "Resume"; });
    }
    // How many events of a kind the run has recorded so far.
    template <class What>
    std::size_t recorded()
    {
        const trace::TraceStore& store = *window->model().store();
        std::size_t count = 0;
        for (std::size_t i = 0; i < store.count(); ++i) {
            count += std::holds_alternative<What>(store.at(i).what) ? 1 : 0;
        }
        return count;
    }
    bool commanded(std::string_view verb)
    {
        const trace::TraceStore& store = *window->model().store();
        for (std::size_t i = 0; i < store.count(); ++i) {
            const auto* command = std::get_if<trace::Command>(&store.at(i).what);
            if (command && command->verb == verb)
                return true;
        }
        return false;
    }
    // As a click on its row does.
    void select(ClientId client)
    {
        auto* list = window->findChild<ClientsView*>();
        const QModelIndex row = list->model()->index(static_cast<int>(client.value), 0);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier, list->visualRect(row).center());
    }
    QAction* action(const char* name) { return window->findChild<QAction*>(name); }
    QString messages() { return window->messages().shownTexts().join('\n'); }

    std::unique_ptr<MainWindow> window;
};

TEST_F(LiveWindowTest, PausesAndResumesByTheSpaceBar)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    QTest::keyClick(window.get(), Qt::Key_Space);
    const auto* button = window->findChild<QPushButton*>("runButton");
    ASSERT_TRUE(waitFor([&] { return button->text().contains("Resume"); }));
    EXPECT_EQ(window->control().stage(), RunControl::Stage::paused);
    QTest::keyClick(window.get(), Qt::Key_Space);
    EXPECT_TRUE(waitForHandoffs(3));
    EXPECT_TRUE(waitFor([&] { return button->text().contains("Pause"); }));
}

TEST_F(LiveWindowTest, StartsPausedWhenAskedTo)
{
    RunControl::Setup setup;
    setup.startPaused = true;
    start(setup);
    ASSERT_TRUE(waitUntilPaused());
    EXPECT_EQ(state().statistics.acquired, 0U);
    action("runOrPause")->trigger();
    EXPECT_TRUE(waitForHandoffs(1));
}

// The frames that pass are counted, so that a slow machine has as many.
TEST_F(LiveWindowTest, APauseHoldsTimeStill)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    action("runOrPause")->trigger();
    ASSERT_TRUE(waitUntilPaused());
    RunModel& run = window->model();
    const auto letFramesPass = [](int frames) {
        QTimer frame;
        QSignalSpy passed(&frame, &QTimer::timeout);
        frame.start(16);
        return QTest::qWaitFor([&] { return passed.size() >= frames; }, kPatience);
    };
    ASSERT_TRUE(letFramesPass(30)); // what was under way comes to rest
    const std::size_t events = run.store()->count();
    const TraceTime end = run.endTime();
    ASSERT_TRUE(letFramesPass(30));
    ASSERT_EQ(run.store()->count(), events);
    EXPECT_EQ(run.endTime(), end);
    EXPECT_EQ(run.cursorTime(), end);
    action("runOrPause")->trigger();
    ASSERT_TRUE(waitForHandoffs(1));
    EXPECT_GT(run.endTime(), end);
}

TEST_F(LiveWindowTest, ForgetsWhatWasRefusedAtTheNextGrant)
{
    RunControl::Setup setup;
    setup.startPaused = true;
    start(setup);
    ASSERT_TRUE(waitUntilPaused());
    window->control().post(engine::KillHolder{});
    ASSERT_TRUE(waitFor([this] { return messages().contains("Nobody holds"); }));
    action("runOrPause")->trigger();
    EXPECT_TRUE(waitFor([this] { return messages().isEmpty(); }));
    ASSERT_TRUE(waitForHandoffs(1));
}

TEST_F(LiveWindowTest, KillsTheHolderByItsKey)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    QTest::keyClick(window.get(), Qt::Key_K);
    // Whether somebody holds when the command arrives is chance; either way it is in the record.
    ASSERT_TRUE(
        waitFor([this] { return recorded<trace::Command>() + recorded<trace::CommandRefused>() > 0; }));
    if (recorded<trace::Command>() > 0) {
        EXPECT_TRUE(waitFor([this] { return recorded<trace::SessionGone>() > 0; }));
    } else {
        EXPECT_TRUE(waitFor([this] { return !messages().isEmpty(); }))
            << "the window says that nobody held it";
    }
    EXPECT_TRUE(waitForHandoffs(3)) << "the others go on";
}

// Every what-if of a client, of its link and of its node, by its keys: each is in the record.
TEST_F(LiveWindowTest, WhatIfsByTheirKeysReachTheServer)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    select(ClientId{1});
    const auto keys = [this](int first, int second) {
        QTest::keyClick(window.get(), static_cast<Qt::Key>(first));
        QTest::keyClick(window.get(), static_cast<Qt::Key>(second));
    };
    keys(Qt::Key_L, Qt::Key_S);
    ASSERT_TRUE(waitFor([this] { return window->findChild<QDialog*>("whatIfDialog") != nullptr; }));
    auto* dialog = window->findChild<QDialog*>("whatIfDialog");
    dialog->findChildren<QSpinBox*>().front()->setValue(30);
    QTest::keyClick(dialog, Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return state().client(ClientId{1})->link.delay == std::chrono::milliseconds(30); }))
        << "its link is slow";
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    keys(Qt::Key_L, Qt::Key_E);
    ASSERT_TRUE(waitFor([this] { return state().client(ClientId{1})->link.whole(); }));
    keys(Qt::Key_L, Qt::Key_R);
    ASSERT_TRUE(waitFor([this] { return commanded("reset_link"); }));
    QTest::keyClick(window.get(), Qt::Key_C, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([this] { return commanded("close_session"); }));
    QTest::keyClick(window.get(), Qt::Key_R, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([this] { return clientsTakingPart(state()) == 2; }));
    QTest::keyClick(window.get(), Qt::Key_J, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([this] { return commanded("rejoin_client"); }));
    EXPECT_TRUE(waitFor([this] { return clientsTakingPart(state()) == 3; }));
    EXPECT_TRUE(waitForHandoffs(3)) << "all go on";
}

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

    QTemporaryDir folder;
    const QString path = folder.filePath("again.toml");
    window->control().saveSteps(path);
    const auto saved = sim::loadScenario(path.toStdString());
    ASSERT_TRUE(saved.has_value()) << saved.error().text();
    EXPECT_EQ(saved->steps.size(), 6U);

    const trace::TraceStore* before = window->model().store();
    QTest::keyClick(window.get(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([&] { return window->model().store() != before && taken() == 6; }));
    ASSERT_TRUE(waitFor([&] { return state().clients.size() == 3 && state().clients[2].heldAt == stoodAt; }));
    EXPECT_EQ(window->control().earlierRuns().size(), 1) << "the old run is kept";
    QTest::keyClick(window.get(), Qt::Key_F8, Qt::ControlModifier);
    EXPECT_TRUE(waitForHandoffs(3)) << "let go, it goes on";
    EXPECT_FALSE(action("stepMode")->isChecked());
    window->control().showEarlier(0);
    EXPECT_EQ(window->model().store(), before);
    EXPECT_EQ(window->control().earlierRuns().size(), 2) << "the fork was not saved either";
}

TEST_F(LiveWindowTest, RunsUntilSomebodyAcquiresAndPauses)
{
    RunControl::Setup setup;
    setup.startPaused = true;
    start(setup);
    ASSERT_TRUE(waitUntilPaused());
    QTest::keyClick(window.get(), Qt::Key_F8, Qt::AltModifier);
    ASSERT_TRUE(waitFor([this] {
        return state().statistics.acquired > 0 && window->control().stage() == RunControl::Stage::paused;
    }));
}

TEST_F(LiveWindowTest, ABreakpointHoldsOneClientAndLetsTheOthersRun)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    select(ClientId{1});
    auto* steps = window->findChild<StepControl*>();
    steps->setBreakpoint(ClientId{1}, trace::GateStep::list, true);
    ASSERT_TRUE(waitFor([this] { return state().clients[1].heldAt == trace::GateStep::list; }));
    EXPECT_TRUE(action("step")->text().contains("list"));
    EXPECT_TRUE(steps->hasBreakpoint(ClientId{1}, trace::GateStep::list));
    QTest::keyClick(window.get(), Qt::Key_F7, Qt::ControlModifier);
    EXPECT_TRUE(waitForHandoffs(5));
    EXPECT_FALSE(steps->hasBreakpoint(ClientId{1}, trace::GateStep::list));
}

TEST_F(LiveWindowTest, MoreAndFewerClientsByTheSpinBox)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    auto* box = window->findChild<QSpinBox*>("clientCount");
    ASSERT_EQ(box->value(), 3);
    box->setValue(5);
    ASSERT_TRUE(waitFor([this] { return clientsTakingPart(state()) == 5; }));
    EXPECT_EQ(box->value(), 5);
    box->setValue(2);
    ASSERT_TRUE(waitFor([this] { return clientsTakingPart(state()) == 2; }));
    EXPECT_EQ(box->value(), 2);
    EXPECT_TRUE(waitForHandoffs(3));
}

TEST_F(LiveWindowTest, TheRunGoesOnWhileThePastIsShown)
{
    start();
    ASSERT_TRUE(waitForHandoffs(5));
    action("stepBack")->trigger();
    EXPECT_FALSE(window->model().following());
    const std::size_t drained = window->model().drained();
    ASSERT_TRUE(waitFor([&] { return window->model().drained() > drained + 50; }));
    EXPECT_TRUE(window->model().isLive());
    action("follow")->trigger();
    ASSERT_TRUE(waitFor([this] { return window->model().following(); }));
    EXPECT_TRUE(waitForHandoffs(3));
}

TEST_F(LiveWindowTest, AServerThatStopsAnsweringIsSaidUntilItAnswersAgain)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server.has_value()) << server.error().text();
    RunControl::Setup setup;
    setup.connect = (*server)->address();
    start(setup);
    ASSERT_TRUE(waitForHandoffs(3));
    ASSERT_TRUE(messages().isEmpty()) << messages().toStdString();
    ASSERT_TRUE((*server)->suspend().has_value());
    EXPECT_TRUE(waitFor([this] { return messages().contains("does not answer"); }));
    ASSERT_TRUE((*server)->resume().has_value());
    EXPECT_TRUE(waitFor([this] { return !messages().contains("does not answer"); }));
    EXPECT_TRUE(waitForHandoffs(3));
    window.reset();
}

} // namespace
} // namespace lockscope::ui
