// The window with a live run on a real ZooKeeper, for its tests.
#pragma once

#include "tests/ui/endless_run.h"
#include "tests/ui/shown_window.h"
#include "ui/shell/window/main_window.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/tables/clients_view.h"

#include <QAction>
#include <QTest>

#include <gtest/gtest.h>

#include <functional>
#include <memory>

namespace lockscope::ui {

inline constexpr int kTimeoutMs = 60'000;

struct LiveWindowTest : testing::Test
{
    void start(RunController::Setup runs = {})
    {
        MainWindow::Setup setup;
        setup.runs = std::move(runs);
        window = shownWindow(setup, QSize(1440, 900)); // the offscreen screen is smaller than that
        sim::Scenario scenario =
            endlessRun("three", 3, {std::chrono::milliseconds(1), std::chrono::milliseconds(2)});
        scenario.sessionTimeout = std::chrono::seconds(4);
        window->control().startScenario(scenario, "three");
    }
    const replay::RunState& state() { return window->model().state(); }
    bool waitFor(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kTimeoutMs); }
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

} // namespace lockscope::ui
