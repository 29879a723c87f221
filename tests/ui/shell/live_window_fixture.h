// The window with a live run on a real ZooKeeper, for its tests.
#pragma once

#include "tests/ui/endless_run.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/tables/clients_view.h"

namespace lockscope::ui {

struct LiveWindowTest : WindowTest
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
};

} // namespace lockscope::ui
