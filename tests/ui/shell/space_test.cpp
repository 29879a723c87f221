// What the window does with its room: the run bar says what its fields are, a recorded run does not look
// live, the findings are all in sight on a large screen, the order of the clients is kept.
#include "tests/support/sample_run.h"
#include "tests/ui/shown_window.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/runbar/client_count_box.h"
#include "ui/shell/runbar/pace_slider.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/runbar/server_badge.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/main_window.h"

#include <QAbstractItemView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

struct RoomTest : testing::Test
{
    RoomTest() { reopen(); }
    void reopen()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
        window->control().showTrace("sample.jsonl", {tests::sampleRun(), {}});
        EXPECT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
    }
    template <class Part>
    Part* part() const
    {
        return window->findChild<RunBar*>()->findChild<Part*>();
    }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
};

TEST_F(RoomTest, ARecordedRunDoesNotLookLive)
{
    window->resize(2560, 900);
    QApplication::processEvents();
    window->model().seekEvent(window->model().store()->count() / 2);
    EXPECT_EQ(part<ServerBadge>()->health(), ServerBadge::Health::recorded);
    EXPECT_TRUE(part<ServerBadge>()->words().startsWith("recorded · ZooKeeper"))
        << part<ServerBadge>()->words().toStdString();
    auto* faults = window->findChild<QPushButton*>("whatIfButton");
    EXPECT_FALSE(faults->isEnabled());
    EXPECT_TRUE(faults->toolTip().contains("Recorded run"));
    const auto* run = window->findChild<QPushButton*>("runButton");
    EXPECT_EQ(run->text(), "Run Live");
    EXPECT_NE(run->property("kind").toString(), "primary")
        << "what one does with a recorded run is to play it";
    EXPECT_TRUE(window->findChild<QWidget*>("playBackButton")->isVisible());
    EXPECT_TRUE(window->findChild<QWidget*>("playSpeed")->isVisible());
    for (const char* live : {"paceSlider", "stepButton"})
        EXPECT_FALSE(window->findChild<QWidget*>(live)->isVisible()) << live;
}

TEST_F(RoomTest, TheOrderOfTheClientsIsKeptBetweenStarts)
{
    window->findChild<QAction*>("clients.byPlace")->trigger();
    window->close();
    reopen();
    EXPECT_TRUE(window->findChild<QAction*>("clients.byPlace")->isChecked());
}

} // namespace
} // namespace lockscope::ui
