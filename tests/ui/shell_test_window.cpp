// The window as a whole, with recorded runs: actions, travelling in time, themes, layout.
#include "tests/ui/shell_test_window_fixture.h"
#include "ui/shell/actions.h"
#include "ui/shell/dock_area.h"
#include "ui/shell/main_window.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/scenario_chooser.h"
#include "ui/shell/server_badge.h"

#include <QAction>
#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStyle>
#include <QTest>

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace lockscope::ui {
namespace {

TEST_F(MainWindowTest, EveryActionHasWordsAndExplainsItself)
{
    const auto* actions = window->findChild<Actions*>();
    ASSERT_NE(actions, nullptr);
    for (const QAction* each : actions->all()) {
        EXPECT_FALSE(each->text().isEmpty()) << each->objectName().toStdString();
        EXPECT_GT(each->statusTip().size(), 15) << each->objectName().toStdString();
        EXPECT_TRUE(each->toolTip().contains('\n')) << each->objectName().toStdString();
    }
}

// What is typed to be found must not be taken for commands: K kills the holder.
TEST_F(MainWindowTest, FindsFromWhereverTheFocusIs)
{
    open(saved("run.jsonl"));
    window->activateWindow();
    auto* edit = window->findChild<QWidget*>("timelineSearch");
    ASSERT_NE(edit, nullptr);
    for (const char* name : {"charts", "chain", "queue", "findings"}) {
        DockCard* card = window->docks().card(name);
        card->show();
        card->raise();
        card->view()->setFocus();
        QWidget* focused = QApplication::focusWidget();
        ASSERT_TRUE(focused) << name;
        QTest::keyClick(focused, Qt::Key_F, Qt::ControlModifier);
        ASSERT_EQ(QApplication::focusWidget(), edit) << name;
        QTest::keyClick(edit, Qt::Key_Escape);
    }
}

TEST_F(MainWindowTest, NoTwoCommandsShareAKey)
{
    std::set<QString> keys;
    std::map<QString, QString> ofOneView; // of the view that has the focus: several may have it
    for (const QAction* each : window->findChildren<QAction*>()) {
        const bool local = each->shortcutContext() == Qt::WidgetWithChildrenShortcut;
        for (const QKeySequence& key : each->shortcuts()) {
            if (local)
                ofOneView[key.toString()] = each->text();
            else
                EXPECT_TRUE(keys.insert(key.toString()).second)
                    << key.toString().toStdString() << " of " << each->text().toStdString();
        }
    }
    for (const auto& [key, text] : ofOneView)
        EXPECT_FALSE(keys.contains(key)) << key.toStdString() << " of " << text.toStdString();
    for (const char* key : {"Space", "Ctrl+O", "Ctrl+S", "K", "Shift+K", "Alt++", "Alt+-", "F", "Ctrl+0"})
        EXPECT_TRUE(keys.contains(QKeySequence(key).toString())) << key;
}

TEST_F(MainWindowTest, StepsThroughTheEvents)
{
    open(saved("run.jsonl"));
    const std::size_t end = window->model().position();
    ASSERT_TRUE(window->model().following());
    EXPECT_FALSE(action("stepForward")->isEnabled()) << "there is nothing after the end";
    action("stepBack")->trigger();
    action("stepBack")->trigger();
    EXPECT_EQ(window->model().position(), end - 2);
    action("stepForward")->trigger();
    EXPECT_EQ(window->model().position(), end - 1);
    action("toStart")->trigger();
    EXPECT_EQ(window->model().position(), 0U);
    action("follow")->trigger();
    EXPECT_EQ(window->model().position(), end);
}

TEST_F(MainWindowTest, TheSliderTravelsInTime)
{
    open(saved("run.jsonl"));
    auto* slider = window->findChild<QSlider*>("scrubSlider");
    ASSERT_NE(slider, nullptr);
    EXPECT_EQ(slider->value(), slider->maximum());
    slider->setValue(slider->maximum() / 2);
    EXPECT_FALSE(window->model().following());
    const auto half = window->model().endTime() / 2;
    EXPECT_LE(std::chrono::abs(window->model().cursorTime() - half), window->model().endTime() / 1000);
    slider->setValue(slider->maximum());
    EXPECT_TRUE(window->model().following());
}

TEST_F(MainWindowTest, PlaysARecordedRunToItsEnd)
{
    open(saved("run.jsonl"));
    action("playBack")->trigger();
    EXPECT_FALSE(window->model().following()) << "at the end it begins anew";
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->model().following(); }, 30'000));
}

// A sheet takes the colours back that a label was given by itself.
TEST_F(MainWindowTest, QuietWordsAreQuiet)
{
    int quiet = 0;
    for (QLabel* label : window->findChildren<QLabel*>()) {
        if (label->property("kind").toString() == "quiet") {
            label->ensurePolished();
            EXPECT_EQ(label->palette().color(QPalette::WindowText), Palette::light().textMuted)
                << label->text().toStdString();
            ++quiet;
        }
    }
    EXPECT_GE(quiet, 2) << "the welcome page's and an empty chart's";
}

TEST_F(MainWindowTest, TheRunBarNeverCutsItsPartsOff)
{
    open(saved("run.jsonl"));
    auto* bar = window->findChild<RunBar*>();
    ASSERT_NE(bar, nullptr);
    int widest = RunBar::kNarrowest;
    for (const int width : {1000, 1120, 1280, 1440, 1680, 2560}) {
        window->resize(width, 800);
        QApplication::processEvents();
        EXPECT_LE(bar->narrowness(), widest) << "wider says no less";
        widest = bar->narrowness();
        const std::string said = bar->findChild<ServerBadge*>()->words().toStdString();
        EXPECT_TRUE(said.empty() || said == "recorded" || said.find("ZooKeeper") != std::string::npos)
            << "a number alone says nothing: " << said << " at " << width;
        EXPECT_TRUE(width < 1280 || !said.empty()) << width;
        for (const QWidget* part : bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (part->isVisible() && !part->isWindow()) {
                EXPECT_LE(part->geometry().right(), bar->width()) << width;
                EXPECT_GE(part->width(), part->minimumSizeHint().width()) << width;
            }
        }
    }
    EXPECT_EQ(widest, 0) << "with room enough everything is said";
}

TEST_F(MainWindowTest, TheScenariosTitleIsWholeWhereTheBarHasRoom)
{
    open(saved("five clients and a long name.jsonl"));
    auto* bar = window->findChild<RunBar*>();
    auto* chooser = bar->findChild<ScenarioChooser*>();
    window->resize(1680, 800);
    QApplication::processEvents();
    EXPECT_GE(chooser->width(), chooser->widthOfText()) << chooser->currentText().toStdString();
    window->resize(1280, 800);
    QApplication::processEvents();
    for (const QWidget* part : bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        EXPECT_TRUE(!part->isVisible() || part->isWindow() || part->geometry().right() <= bar->width());
    }
}

TEST_F(MainWindowTest, ButtonsOfDialogsHaveWordsAndNoIconsOfTheDesktop)
{
    QDialogButtonBox box(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    box.ensurePolished();
    EXPECT_EQ(box.style()->styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons, nullptr, &box), 0);
}

// Counts the layout requests that a widget gets.
struct LayoutRequests : QObject
{
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        count += event->type() == QEvent::LayoutRequest ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }
    int count = 0;
};

TEST_F(MainWindowTest, TheRunBarComesToRest)
{
    open(saved("run.jsonl"));
    auto* bar = window->findChild<RunBar*>();
    LayoutRequests requests;
    bar->installEventFilter(&requests);
    window->resize(1120, 800);
    constexpr int kRounds = 200;
    int quiet = 0;
    for (int round = 0; round < kRounds; ++round) {
        const int before = requests.count;
        QApplication::processEvents();
        quiet = requests.count == before ? quiet + 1 : 0;
    }
    EXPECT_GT(quiet, kRounds / 2) << "a layout that asks for a layout never ends";
}

TEST_F(MainWindowTest, TheLayoutComesBackAndCanBeReset)
{
    window->docks().card("log")->hide();
    window->docks().addDockWidget(Qt::LeftDockWidgetArea, window->docks().card("findings"));
    window->close();
    MainWindow::Setup setup;
    setup.settings = &settings;
    window = std::make_unique<MainWindow>(setup);
    window->show();
    EXPECT_FALSE(window->docks().card("log")->isVisible());
    EXPECT_EQ(window->docks().dockWidgetArea(window->docks().card("findings")), Qt::LeftDockWidgetArea);
    action("resetLayout")->trigger();
    EXPECT_TRUE(window->docks().card("log")->isVisible());
    EXPECT_EQ(window->docks().dockWidgetArea(window->docks().card("findings")), Qt::RightDockWidgetArea);
}

TEST_F(MainWindowTest, TheThemeIsKept)
{
    action("themeDark")->trigger();
    EXPECT_TRUE(window->look().palette().dark);
    EXPECT_EQ(settings.value("theme").toInt(), static_cast<int>(Look::Theme::dark));
    action("themeLight")->trigger();
    EXPECT_FALSE(window->look().palette().dark);
}

TEST_F(MainWindowTest, TheSpaceBarBelongsToAButtonThatHasTheFocus)
{
    auto* live = window->findChild<QPushButton*>("liveButton");
    open(saved("run.jsonl"));
    action("stepBack")->trigger();
    ASSERT_FALSE(window->model().following());
    QApplication::setActiveWindow(window.get());
    live->setFocus();
    QTest::keyClick(live, Qt::Key_Space);
    EXPECT_TRUE(window->model().following()) << "the button was pressed";
}

TEST_F(MainWindowTest, CardsHaveNamesForAScreenReader)
{
    for (const char* name :
         {"clients", "chain", "timeline", "ladder", "log", "charts", "queue", "watches", "algorithm", "findings",
          "inspector"}) {
        DockCard* card = window->docks().card(name);
        ASSERT_NE(card, nullptr) << name;
        EXPECT_FALSE(card->accessibleName().isEmpty()) << name;
    }
}

} // namespace
} // namespace lockscope::ui
