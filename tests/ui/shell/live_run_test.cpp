// The window with a live run on a real ZooKeeper: everything that is done to a run is done by its keys and
// buttons.
#include "core/server/process/managed_server.h"
#include "tests/ui/shell/live_window_fixture.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/runbar/pace_slider.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/window/main_window.h"

#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <signal.h>
#include <unistd.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

// Whether the children of the lock were listed since the run was paused last.
bool polledSincePause(const trace::TraceStore& store)
{
    bool looked = false;
    for (std::size_t i = store.count(); i-- > 0;) {
        const trace::Event& event = store.at(i);
        looked = looked || std::holds_alternative<trace::Observed>(event.what);
        if (const auto* run = std::get_if<trace::RunPhaseChanged>(&event.what))
            return looked && run->phase == trace::RunPhase::paused;
    }
    return false;
}

TEST_F(LiveWindowTest, PausesAndResumesByTheSpaceBar)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    QTest::keyClick(window.get(), Qt::Key_Space);
    const auto* button = window->findChild<QPushButton*>("runButton");
    ASSERT_TRUE(waitFor([&] { return button->text().contains("Resume"); }));
    EXPECT_EQ(window->control().stage(), RunController::Stage::paused);
    const auto* play = window->findChild<QWidget*>("playBackButton");
    EXPECT_FALSE(play->isVisible()) << "one control that goes on";
    action("stepBack")->trigger();
    EXPECT_TRUE(play->isVisible()) << "what is past can be played";
    action("follow")->trigger();
    EXPECT_FALSE(play->isVisible());
    QTest::keyClick(window.get(), Qt::Key_Space);
    EXPECT_TRUE(waitForHandoffs(3));
    EXPECT_TRUE(waitFor([&] { return button->text().contains("Pause"); }));
}

// In a small window its parts lay over each other. What has no room is behind the button at the end of the
// controls.
TEST_F(LiveWindowTest, NoPartOfTheRunBarLiesOverAnother)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    auto* bar = window->findChild<RunBar*>();
    const auto placeOf = [&](const QWidget* part) {
        return QRect(part->mapTo(window.get(), QPoint()), part->size());
    };
    for (const char* stage : {"Pause", "Resume"}) {
        ASSERT_TRUE(
            waitFor([&] { return window->findChild<QPushButton*>("runButton")->text().contains(stage); }));
        for (int width = window->minimumWidth(); width <= 1700; width += 15) {
            window->resize(width, 800);
            QApplication::processEvents();
            const QList<QWidget*> parts = bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)
                                          << bar->status();
            for (const QWidget* one : parts)
                for (const QWidget* other : parts)
                    EXPECT_FALSE(one < other && one->isVisible() && other->isVisible() && !one->isWindow() &&
                                 !other->isWindow() && placeOf(one).intersects(placeOf(other)))
                        << one->metaObject()->className() << " and " << other->metaObject()->className()
                        << " at " << width << ", " << stage;
            for (const QLabel* text : bar->findChild<PaceSlider*>()->findChildren<QLabel*>())
                EXPECT_TRUE(width < 1000 || (text->isVisible() && text->width() >= text->sizeHint().width()))
                    << text->text().toStdString() << " at " << width;
            EXPECT_TRUE(window->findChild<QPushButton*>("whatIfButton")->isVisible()) << width;
            auto* more = bar->findChild<QToolButton*>("qt_toolbar_ext_button");
            EXPECT_NE(more->isVisible(), window->findChild<QSpinBox*>("clientCount")->isVisible()) << width;
            if (more->isVisible())
                more->click(); // the second row that it opens does not outlive a change of the width
        }
        action("runOrPause")->trigger();
    }
}

bool letFramesPass(int frames)
{
    QTimer frame;
    QSignalSpy passed(&frame, &QTimer::timeout);
    frame.start(16);
    return QTest::qWaitFor([&] { return passed.size() >= frames; }, kTimeoutMs);
}

// When the answers that were on their way are there.
bool becomesStill(const RunModel& run)
{
    for (int tries = 0; tries < 5; ++tries) {
        const std::size_t events = run.store()->count();
        if (!letFramesPass(70)) // longer than between two looks
            return false;
        if (run.store()->count() == events)
            return true;
    }
    return false;
}

// The server's list of many nodes is read seldom while they run, but not seconds after the pause.
TEST_F(LiveWindowTest, APauseOfManyHoldsTimeStillToo)
{
    start();
    window->control().startScenario(endlessRun("many", 300, {}), "many");
    ASSERT_TRUE(waitForHandoffs(300));
    RunModel& run = window->model();
    for (int i = 0; i < 3; ++i) {
        action("runOrPause")->trigger();
        ASSERT_TRUE(waitUntilPaused());
        ASSERT_TRUE(waitFor([&] { return polledSincePause(*run.store()); })) << "the last look belongs to it";
        EXPECT_TRUE(becomesStill(run));
        action("runOrPause")->trigger();
        ASSERT_TRUE(waitForHandoffs(100));
    }
}

TEST_F(LiveWindowTest, ARunThatWasNotSavedIsKeptWhicheverWayTheNextOneComes)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    RunController& control = window->control();
    const std::vector<std::function<void()>> ways{
        [&] { control.startBuiltIn("well"); },
        [&] { control.runAgain(); },
        [&] { control.startScenario(endlessRun("made", 2, {}), "made"); },
    };
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const auto before = control.store();
        ways[i]();
        ASSERT_EQ(control.earlierRuns().size(), static_cast<int>(i) + 1);
        EXPECT_TRUE(messages().contains("in the menu Step")) << messages().toStdString();
        ASSERT_TRUE(waitForHandoffs(1));
        EXPECT_NE(control.store(), before);
    }
    EXPECT_TRUE(control.earlierRuns().front().startsWith("three")) << "under its own name";
    const auto save = [&](const QString& name) {
        control.saveTrace(folder.filePath(name));
        return waitFor([this, name] { return messages().contains(name); });
    };
    ASSERT_TRUE(save("early.jsonl"));
    const std::size_t known = control.store()->count(); // the file has at most these
    ASSERT_TRUE(waitFor([&] { return control.store()->count() > known; }));
    control.startScenario(endlessRun("last", 2, {}), "last");
    EXPECT_EQ(control.earlierRuns().size(), static_cast<int>(ways.size()) + 1)
        << "it went on after it was saved";
    EXPECT_FALSE(messages().contains("in the menu Step")) << "no message about it";
    ASSERT_TRUE(waitForHandoffs(1));
    action("runOrPause")->trigger();
    ASSERT_TRUE(waitUntilPaused());
    ASSERT_TRUE(
        becomesStill(window->model())); // the server is only looked at again when the queue has changed
    ASSERT_TRUE(save("whole.jsonl"));
    control.startBuiltIn("five-clients");
    EXPECT_EQ(control.earlierRuns().size(), static_cast<int>(ways.size()) + 1) << "that one has a file";
    control.showEarlier(0);
    EXPECT_EQ(control.stage(), RunController::Stage::trace);
    EXPECT_GE(state().statistics.handoffs, 3U);
}

// Of the private servers that this process has started.
std::vector<pid_t> supervisors()
{
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "stat");
        std::string stat;
        if (!std::getline(file, stat) || stat.find("(lockscope-super") == std::string::npos)
            continue;
        std::istringstream rest(stat.substr(stat.rfind(')') + 1));
        char state = 0;
        pid_t parent = 0;
        rest >> state >> parent;
        if (parent == ::getpid() && state != 'Z')
            found.push_back(static_cast<pid_t>(std::stol(entry.path().filename().string())));
    }
    return found;
}

TEST_F(LiveWindowTest, ARunThatFailsInTheMiddleIsKeptToo)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    const auto before = window->control().store();
    ASSERT_FALSE(supervisors().empty());
    for (const pid_t process : supervisors())
        ::kill(process, SIGKILL);
    ASSERT_TRUE(waitFor([this] { return window->control().failed(); }));
    window->control().runAgain();
    ASSERT_EQ(window->control().earlierRuns().size(), 1);
    EXPECT_TRUE(messages().contains("in the menu Step")) << messages().toStdString();
    window->control().showEarlier(0);
    EXPECT_EQ(window->control().store(), before);
}

TEST_F(LiveWindowTest, ATraceThatIsStillBeingOpenedDoesNotReplaceARunThatIsStarted)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    RunController& control = window->control();
    const QString path = folder.filePath("before.jsonl");
    control.saveTrace(path);
    ASSERT_TRUE(waitForMessage("before.jsonl"));
    QSignalSpy failed(&control, &RunController::openFailed);
    control.openPath(path);
    control.startScenario(endlessRun("later", 2, {}), "later");
    ASSERT_TRUE(waitFor([&] { return failed.count() == 1; }));
    EXPECT_EQ(control.sourceLabel(), "later");
    EXPECT_FALSE(messages().contains("Opening")) << messages().toStdString();
}

TEST_F(LiveWindowTest, ForgetsWhatWasRefusedAtTheNextGrant)
{
    RunController::Setup setup;
    setup.startPaused = true;
    start(setup);
    ASSERT_TRUE(waitUntilPaused());
    window->control().post(
        engine::Execute{sim::Action::of(sim::Action::Kind::killSession, sim::Action::Target::holder)});
    ASSERT_TRUE(waitFor([this] { return messages().contains("No client holds"); }));
    action("runOrPause")->trigger();
    EXPECT_TRUE(waitFor([this] { return messages().isEmpty(); }));
    ASSERT_TRUE(waitForHandoffs(1));
}

// Every fault of a client, of its link and of its node, by its keys: each is in the record.
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
    ASSERT_TRUE(waitFor([this] {
        return state().client(ClientId{1})->link.delay == std::chrono::milliseconds(30);
    })) << "its link is slow";
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    keys(Qt::Key_L, Qt::Key_E);
    ASSERT_TRUE(waitFor([this] { return state().client(ClientId{1})->link.whole(); }));
    keys(Qt::Key_L, Qt::Key_R);
    ASSERT_TRUE(waitFor([this] { return commanded("reset_link"); }));
    QTest::keyClick(window.get(), Qt::Key_C, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([this] { return commanded("close_session"); }));
    QTest::keyClick(window.get(), Qt::Key_R, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([this] { return activeClientCount(state()) == 2; }));
    QTest::keyClick(window.get(), Qt::Key_J, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([this] { return commanded("rejoin_client"); }));
    EXPECT_TRUE(waitFor([this] { return activeClientCount(state()) == 3; }));
    EXPECT_TRUE(waitForHandoffs(3)) << "all go on";
}

TEST_F(LiveWindowTest, MoreAndFewerClientsByTheSpinBox)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    auto* box = window->findChild<QSpinBox*>("clientCount");
    ASSERT_EQ(box->value(), 3);
    box->setValue(5);
    ASSERT_TRUE(waitFor([this] { return activeClientCount(state()) == 5; }));
    EXPECT_EQ(box->value(), 5);
    box->setValue(2);
    ASSERT_TRUE(waitFor([this] { return activeClientCount(state()) == 2; }));
    EXPECT_EQ(box->value(), 2);
    EXPECT_TRUE(waitForHandoffs(3));
}

// It has its old id again.
TEST_F(LiveWindowTest, AClientThatRejoinedCanBeRemovedAgain)
{
    start();
    ASSERT_TRUE(waitForHandoffs(3));
    const auto isActive = [this](ClientId client) { return isActiveClient(*state().client(client)); };
    window->control().removeClients(1);
    ASSERT_TRUE(waitFor([&] { return !isActive(ClientId{2}); }));
    window->control().injectFault(Fault::rejoin);
    ASSERT_TRUE(waitFor([&] { return isActive(ClientId{2}); }));
    window->control().removeClients(1);
    ASSERT_TRUE(waitFor([this] { return activeClientCount(state()) == 2; }));
    EXPECT_FALSE(isActive(ClientId{2})) << "the last one, as before";
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

TEST_F(LiveWindowTest, WhatARunSaidDoesNotLieOverTheNextOne)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server.has_value()) << server.error().text();
    MainWindow::Setup setup;
    setup.runs.connect = (*server)->address();
    window = shownWindow(setup, QSize(1440, 900));
    sim::Scenario scenario = endlessRun("short", 2, {});
    scenario.sessionTimeout = 100ms; // less than the server grants
    window->control().startScenario(scenario, "short");
    ASSERT_TRUE(waitForMessage("grants a session timeout"));
    const auto next = std::make_shared<trace::TraceStore>();
    next->append({{}, EventIndex::none(), ClientId{0}, LockId::none(), trace::ClientAdded{"ada", 0, {}}});
    window->control().showTrace("next.jsonl", {next, {}});
    EXPECT_FALSE(messages().contains("grants a session timeout")) << messages().toStdString();
    window.reset();
}

TEST_F(LiveWindowTest, AServerThatStopsAnsweringIsSaidUntilItAnswersAgain)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server.has_value()) << server.error().text();
    RunController::Setup setup;
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
