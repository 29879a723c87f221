// What is done to links, servers and steps of a live run by keys and by mouse, and what the window shows of
// it.
#include "tests/integration/window_live_limit.h"
#include "tests/ui/endless_run.h"
#include "tests/ui/shown_window.h"
#include "ui/shell/docking/lock_tabs.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/run/step_controller.h"
#include "ui/shell/window/main_window.h"
#include "ui/tables/clients_view.h"
#include "ui/tables/queue_view.h"
#include "ui/timeline/timeline_search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/log_filter_edit.h"

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

struct WindowActionsTest : testing::Test
{
    WindowActionsTest() { window = shownWindow({}, QSize(1680, 1050)); }

    void start(const std::function<void(sim::Scenario&)>& differently = [](sim::Scenario&) {})
    {
        window->activateWindow();
        sim::Scenario scenario = endlessRun("actions", 3, {2ms, 6ms}, {1ms, 3ms});
        scenario.sessionTimeout = 30s;
        differently(scenario);
        window->control().startScenario(scenario, "actions");
        ASSERT_TRUE(canGrow());
    }
    bool canGrow(std::uint64_t handoffs = 5)
    {
        const auto goal = state().statistics.handoffs + handoffs;
        return waitFor([this, goal] { return state().statistics.handoffs >= goal; });
    }
    const replay::RunState& state() { return window->model().state(); }
    static bool waitFor(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kLimit); }
    const trace::LinkState& linkOf(std::uint32_t client) { return state().client(ClientId{client})->link; }
    // One key after the other, as "L, I" is typed.
    void type(Qt::Key first, Qt::Key second)
    {
        window->activateWindow();
        ASSERT_TRUE(waitFor([this] { return window->isActiveWindow(); }));
        QTest::keyClick(window.get(), first);
        QTest::keyClick(window.get(), second);
    }
    void select(std::uint32_t client)
    {
        auto* list = window->findChild<ClientsView*>();
        const QModelIndex row = list->model()->index(static_cast<int>(client), 0);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier, list->visualRect(row).center());
    }
    std::size_t commands(std::string_view verb)
    {
        const trace::TraceStore& store = *window->model().store();
        std::size_t found = 0;
        for (std::size_t i = 0; i < store.count(); ++i) {
            const auto* command = std::get_if<trace::Command>(&store.at(i).what);
            found += command && command->verb == verb ? 1 : 0;
        }
        return found;
    }
    QString messages() { return window->messages().shownTexts().join('\n'); }
    QAction* actionCalled(const QString& words)
    {
        for (QAction* action : window->findChildren<QAction*>())
            if (action->text().remove('&') == words)
                return action;
        return nullptr;
    }

    std::unique_ptr<MainWindow> window;
};

TEST_F(WindowActionsTest, ALinkIsMutedEachWayAndMendedByKeys)
{
    start();
    select(1);
    type(Qt::Key_L, Qt::Key_I);
    ASSERT_TRUE(waitFor([this] { return linkOf(1).mutedToClient; })) << messages().toStdString();
    EXPECT_FALSE(linkOf(1).mutedToServer);
    EXPECT_TRUE(linkOf(0).whole()) << "the others' links are as they were";
    type(Qt::Key_L, Qt::Key_E);
    ASSERT_TRUE(waitFor([this] { return linkOf(1).whole(); }));
    type(Qt::Key_L, Qt::Key_O);
    ASSERT_TRUE(waitFor([this] { return linkOf(1).mutedToServer; }));
    type(Qt::Key_L, Qt::Key_E);
    ASSERT_TRUE(waitFor([this] { return linkOf(1).whole(); }));
    EXPECT_TRUE(canGrow());
}

TEST_F(WindowActionsTest, AHalfOpenLinkIsShownAndTheClientComesBack)
{
    start();
    select(2);
    type(Qt::Key_L, Qt::Key_H);
    ASSERT_TRUE(waitFor([this] { return commands("half_open_link") == 1; })) << messages().toStdString();
    EXPECT_TRUE(waitFor([this] { return linkOf(2).halfOpen; }));
    type(Qt::Key_L, Qt::Key_E);
    EXPECT_TRUE(waitFor([this] { return linkOf(2).whole(); }));
    EXPECT_TRUE(canGrow()) << messages().toStdString();
}

TEST_F(WindowActionsTest, TheServerIsStoppedForATimeKilledAndRestartedByKeys)
{
    start();
    type(Qt::Key_Z, Qt::Key_S);
    QDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] { return (dialog = window->findChild<QDialog*>("whatIfDialog")) != nullptr; }));
    dialog->findChildren<QSpinBox*>().front()->setValue(300);
    QTest::keyClick(dialog, Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return commands("stop_server") == 1; }));
    ASSERT_TRUE(waitFor([this] { return commands("continue_server") == 1; }));
    ASSERT_TRUE(canGrow()) << "after the stop";

    type(Qt::Key_Z, Qt::Key_K);
    ASSERT_TRUE(waitFor([this] { return commands("kill_server") == 1; }));
    ASSERT_TRUE(canGrow()) << "after kill -9: started again with its data";

    type(Qt::Key_Z, Qt::Key_R);
    ASSERT_TRUE(waitFor([this] { return commands("restart_server") == 1; }));
    ASSERT_TRUE(canGrow()) << "after the restart";
    EXPECT_TRUE(waitFor([this] { return messages().isEmpty(); })) << messages().toStdString();
    EXPECT_TRUE(state().findings.of(replay::FindingKind::oneHolder).ok());
}

// Of two breakpoints the one that holds it remained: it must not have gone on.
TEST_F(WindowActionsTest, RemovingOneBreakpointLeavesTheClientAtTheOther)
{
    start();
    select(1);
    QAction* list = actionCalled("Before list");
    QAction* watch = actionCalled("Before watch");
    ASSERT_TRUE(list && watch && list->isEnabled());
    list->trigger();
    ASSERT_TRUE(waitFor([this] { return state().clients[1].heldAt == GateStep::list; }));
    watch->trigger(); // only now: it would stand before that one when it was just past its list
    const auto taken = [this] {
        const trace::TraceStore& store = *window->model().store();
        std::size_t count = 0;
        for (std::size_t i = 0; i < store.count(); ++i)
            count += store.at(i).client == ClientId{1} &&
                             std::holds_alternative<trace::StepTaken>(store.at(i).what)
                         ? 1
                         : 0;
        return count;
    };
    const std::size_t before = taken();
    watch->trigger();
    ASSERT_TRUE(waitFor([this] { return commands("let_go") == 1; }));
    // What it may have done then is recorded before the next command.
    type(Qt::Key_L, Qt::Key_R);
    ASSERT_TRUE(waitFor([this] { return commands("reset_link") == 1; }));
    EXPECT_EQ(state().clients[1].heldAt, GateStep::list);
    EXPECT_EQ(taken(), before) << "it took no step";
    EXPECT_TRUE(list->isChecked());
    EXPECT_FALSE(watch->isChecked());
    list->trigger();
    ASSERT_TRUE(waitFor([this] { return !state().clients[1].heldAt; })) << "the last one lets it go";
    EXPECT_TRUE(canGrow());
}

} // namespace
} // namespace lockscope::ui
