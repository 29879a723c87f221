// The window while its run goes on: what is read lags a little behind what is watched, and nobody notices.
#include "tests/ui/growing_run.h"

#include "ui/chain/chain_view.h"
#include "ui/models/queue_model.h"
#include "ui/shell/dock_area.h"
#include "ui/shell/main_window.h"
#include "ui/tables/queue_view.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

TEST(WindowOfAGrowingRun, SelectsANodeThatTheQueueTableHadNotHeardOf)
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    MainWindow::Setup setup;
    setup.settings = &settings;
    MainWindow window(setup);
    window.resize(1680, 1050);
    window.show();
    RunModel& run = window.model();
    auto* chain = window.findChild<ChainView*>();
    auto* table = window.findChild<QueueView*>();
    ASSERT_TRUE(chain && table);
    auto* rows = qobject_cast<QueueModel*>(table->model());
    ASSERT_TRUE(rows);

    tests::GrowingRun growing;
    growing.showIn(run);
    bool clicked = false;
    QObject::connect(&run, &RunModel::stateChanged, &run, [&] {
        growing.publish(7); // the next frame has something new: this one is not the last
        const std::vector<chain::Card> cards = chain->scene().cards;
        if (clicked || cards.empty() || cards.back().place < 0)
            return;
        const QString node =
            QString::fromUtf8(cards.back().node.data(), static_cast<int>(cards.back().node.size()));
        if (rows->rowOf(node) >= 0)
            return;
        clicked = true;
        QTest::mouseClick(chain->viewport(), Qt::LeftButton, {}, cards.back().rect.center().toPoint());
        EXPECT_GE(rows->rowOf(node), 0);
        EXPECT_EQ(table->currentIndex().row(), rows->rowOf(node));
    });
    growing.publish(7);
    EXPECT_TRUE(QTest::qWaitFor([&] { return clicked; }, 20'000)) << "no row ever lagged behind";
}

} // namespace
} // namespace lockscope::ui
