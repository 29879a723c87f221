// The window with a live run on a real ZooKeeper: everything that is done to a run is done by its keys and
// buttons.
#include "core/server/managed_server.h"
#include "ui/shell/dock_area.h"
#include "ui/shell/main_window.h"
#include "ui/shell/message_bar.h"

#include <QAction>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

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
        sim::Scenario scenario;
        scenario.name = "three";
        scenario.title = "Three clients";
        scenario.clients = 3;
        scenario.work.cycles = 0;
        scenario.duration = 1h;
        scenario.work.hold = {1ms, 2ms};
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
    ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunControl::Stage::paused; }));
    EXPECT_EQ(state().statistics.acquired, 0U);
    action("runOrPause")->trigger();
    EXPECT_TRUE(waitForHandoffs(1));
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
