// The window while its run goes on: no two of its views ever name different holders.
#include "tests/ui/event_counter.h"
#include "tests/ui/growing_run.h"

#include "ui/chain/algorithm_view.h"
#include "ui/chain/chain_view.h"
#include "ui/models/rows/clients_model.h"
#include "ui/models/rows/queue_model.h"
#include "ui/shell/window/main_window.h"
#include "ui/tables/clients_view.h"
#include "ui/tables/queue_view.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <set>

namespace lockscope::ui {
namespace {

using Holders = std::set<ClientId>;

class GrowingRunWindowTest : public testing::Test
{
protected:
    GrowingRunWindowTest()
    {
        window.resize(1680, 1050);
        window.show();
        growing.showIn(run);
    }

    static MainWindow::Setup setup(QSettings* settings)
    {
        MainWindow::Setup setup;
        setup.settings = settings;
        return setup;
    }

    Holders ofClients() const
    {
        const auto* rows = qobject_cast<ClientsModel*>(window.findChild<ClientsView*>()->model());
        Holders found;
        for (int row = 0; row < rows->rowCount(); ++row)
            if (rows->item(row).client.phase == replay::ClientPhase::holding)
                found.insert(rows->item(row).client.id);
        return found;
    }
    Holders ofQueue() const
    {
        const auto* rows = qobject_cast<QueueModel*>(window.findChild<QueueView*>()->model());
        Holders found;
        for (int row = 0; row < rows->rowCount(); ++row)
            if (rows->item(row).node.phase == replay::NodePhase::holds)
                found.insert(rows->item(row).node.owner);
        return found;
    }
    Holders ofChain() const
    {
        Holders found;
        for (const chain::ChainNode& card : chain->scene().nodes)
            if (card.state == chain::NodeState::holds)
                found.insert(card.owner);
        return found;
    }
    // Whether its dots are at the lines where the clients are.
    bool algorithmIsOfNow() const
    {
        for (const AlgorithmView::Row& row : window.findChild<AlgorithmView*>()->rows())
            for (const AlgorithmView::Dot& dot : row.dots)
                if (!row.line->is(run.state().client(dot.client)->step))
                    return false;
        return true;
    }
    // What a view that has just been made explains.
    QString currentExplanation() const
    {
        ChainView fresh(&run, &selection, &theme);
        return fresh.boxTexts().what + fresh.boxTexts().why;
    }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    MainWindow window{setup(&settings)};
    RunModel& run = window.model();
    ChainView* chain = window.findChild<ChainView*>();
    mutable Selection selection;
    mutable Theme theme{Theme::ColourScheme::light};
    tests::GrowingRun growing;
};

TEST_F(GrowingRunWindowTest, NamesOneHolderInAllItsViewsInEveryFrame)
{
    QObject::connect(&run, &RunModel::stateChanged, &run, [&] { growing.publish(growing.total() / 60); });
    growing.publish(1);
    std::set<Holders> seen;
    while (run.position() < growing.total()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        const Holders held = ofChain();
        ASSERT_EQ(ofClients(), held) << "after " << run.position() << " events";
        ASSERT_EQ(ofQueue(), held) << "after " << run.position() << " events";
        ASSERT_TRUE(algorithmIsOfNow()) << "after " << run.position() << " events";
        ASSERT_EQ(chain->boxTexts().what + chain->boxTexts().why, currentExplanation());
        seen.insert(held);
    }
    EXPECT_GE(seen.size(), 3U) << "the lock went from hand to hand";
}

} // namespace
} // namespace lockscope::ui
