// The window as a whole, with recorded runs: actions, travelling in time, themes, layout.
#include "tests/ui/shell/recorded_window_fixture.h"
#include "ui/chain/chain_view.h"
#include "ui/commands/command_list.h"
#include "ui/models/style/format.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/messages/message_list.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/runbar/server_badge.h"
#include "ui/shell/window/main_window.h"
#include "ui/tables/clients_view.h"
#include "ui/tables/log_table.h"
#include "ui/tables/log_view.h"
#include "ui/tables/queue_view.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialog>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSlider>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::ui {
namespace {

TEST_F(MainWindowTest, EveryActionHasWordsAndExplainsItself)
{
    ASSERT_GT(window->actions().size(), 40);
    for (const QAction* each : window->actions()) {
        EXPECT_FALSE(each->text().isEmpty()) << each->objectName().toStdString();
        EXPECT_GT(each->statusTip().size(), 15) << each->objectName().toStdString();
        EXPECT_TRUE(each->toolTip().contains('\n')) << each->objectName().toStdString();
    }
}

TEST_F(MainWindowTest, FindsFromWhereverTheFocusIs)
{
    open(saved("run.jsonl"));
    window->activateWindow();
    auto* edit = window->findChild<QWidget*>("timelineSearch");
    ASSERT_NE(edit, nullptr);
    for (const char* name : {"charts", "chain", "lock-children", "findings"}) {
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

TEST_F(MainWindowTest, EnterOnALogLineTakesAllViewsThere)
{
    open(saved("run.jsonl"));
    auto* lines = window->findChild<LogTable*>();
    auto* log = qobject_cast<LogModel*>(lines->model());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !log->building() && log->rowCount() > 20; }));
    const int row = log->rowCount() / 2;
    const EventIndex event = log->eventAt(row);
    const TraceTime at = window->model().store()->at(event).at;
    lines->setCurrentIndex(log->index(row, LogModel::What));
    QTest::keyClick(lines, Qt::Key_Return);
    EXPECT_EQ(window->model().position(), event.value + 1);
    EXPECT_FALSE(window->model().following());
    const TimeScale& scale = window->findChild<TimelineView*>()->canvas()->picture().scale;
    EXPECT_LE(scale.begin(), at);
    EXPECT_GE(scale.end(), at);
    EXPECT_EQ(log->rowCount(), row + 1);
    EXPECT_EQ(lines->currentIndex().row(), row);
    QTest::keyClick(lines, Qt::Key_End);
    EXPECT_TRUE(window->model().following());
    EXPECT_EQ(window->model().position(), window->model().store()->count());
}

TEST_F(MainWindowTest, ClientsAndTheirCardsHaveOneMenu)
{
    open(saved("run.jsonl"));
    auto* chain = window->findChild<ChainView*>();
    auto* menu = window->findChild<QMenu*>("clientMenu");
    ASSERT_TRUE(chain && menu);
    const auto owned = [&] {
        const auto& cards = chain->scene().nodes;
        return std::find_if(cards.begin(), cards.end(),
                            [](const chain::ChainNode& card) { return card.owner.valid(); });
    };
    for (std::size_t at = 100; owned() == chain->scene().nodes.end(); ++at)
        window->model().seekEvent(at);
    const chain::ChainNode card = *owned();
    const QPoint place = card.rect.center().toPoint();
    QContextMenuEvent onCard(QContextMenuEvent::Mouse, place, chain->mapToGlobal(place));
    QApplication::sendEvent(chain, &onCard);
    EXPECT_TRUE(menu->isVisible());
    const QList<QAction*> ofCard = menu->actions();
    for (const char* name : {"inspect", "step", "letGo"})
        EXPECT_TRUE(ofCard.contains(action(name))) << name;
    EXPECT_GE(
        std::count_if(ofCard.begin(), ofCard.end(), [](QAction* each) { return each->menu() != nullptr; }), 2)
        << "breakpoints, and the link";
    const QString name = format::plain(window->model().state().client(card.owner)->name);
    EXPECT_TRUE(std::any_of(ofCard.begin(), ofCard.end(), [&](QAction* each) {
        return !each->menu() && each->text().contains(name);
    })) << "it was selected";
    for (const QAction* each : ofCard) {
        if (each->menu() && each->isEnabled()) {
            EXPECT_TRUE(each->text().contains(name)) << each->text().toStdString() << ": it was selected";
        }
    }
    menu->close();

    auto* clients = window->findChild<ClientsView*>();
    const QPoint row = clients->visualRect(clients->model()->index(1, 0)).center();
    QContextMenuEvent onRow(QContextMenuEvent::Mouse, row, clients->viewport()->mapToGlobal(row));
    QTest::mouseClick(clients->viewport(), Qt::RightButton, {}, row);
    QApplication::sendEvent(clients->viewport(), &onRow);
    EXPECT_TRUE(menu->isVisible());
    EXPECT_TRUE(menu->actions().contains(action("step")));
    EXPECT_TRUE(menu->actions().contains(clients->options().front()));
    menu->close();
}

// The picture of a chart is not looked for in the menu of a title.
TEST_F(MainWindowTest, AViewWithoutAMenuHasThatOfItsCard)
{
    open(saved("run.jsonl"));
    for (const char* name : {"charts", "findings"}) {
        auto* card = window->docks().card(name);
        ASSERT_TRUE(card) << name;
        card->show();
        card->raise();
        QWidget* view = card->view();
        const QPoint middle = view->rect().center();
        QWidget* under = view->childAt(middle) ? view->childAt(middle) : view;
        QContextMenuEvent event(QContextMenuEvent::Mouse, under->mapFrom(view, middle),
                                view->mapToGlobal(middle));
        QApplication::sendEvent(under, &event);
        const auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_TRUE(menu) << name;
        EXPECT_EQ(menu->parentWidget(), card) << name;
        QApplication::activePopupWidget()->close();
    }
}

TEST_F(MainWindowTest, TheTimesOfTheDayAreKept)
{
    EXPECT_FALSE(window->theme().wallClock());
    action("wallClock")->trigger();
    EXPECT_TRUE(window->theme().wallClock());
    auto* log = window->findChild<LogView*>();
    log->setColumns({"time", "what"});
    log->rules().add("op:create");
    window->close();
    MainWindow::Setup setup;
    setup.settings = &settings;
    window = shownWindow(setup);
    EXPECT_TRUE(window->theme().wallClock());
    EXPECT_EQ(window->findChild<LogView*>()->columns(), QStringList({"time", "what"}));
    EXPECT_EQ(window->findChild<LogView*>()->rules().filters(), QStringList("op:create"));
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
    EXPECT_EQ(window->model().cursorTime(), window->model().beginTime()) << "nothing is to be seen before it";
    EXPECT_LT(window->model().position(), end / 2);
    action("follow")->trigger();
    EXPECT_EQ(window->model().position(), end);
}

TEST_F(MainWindowTest, BackAndForwardGoOverThePlacesWhereOneHasBeen)
{
    open(saved("run.jsonl"));
    EXPECT_FALSE(action("back")->isEnabled());
    const auto goTo = [&](std::uint32_t event) {
        window->model().goToEvent(EventIndex{event});
        QCoreApplication::processEvents();
        return window->model().position();
    };
    const std::size_t end = window->model().position();
    const std::size_t first = goTo(50), second = goTo(90);
    ASSERT_NE(first, second);
    action("back")->trigger();
    EXPECT_EQ(window->model().position(), first);
    action("back")->trigger();
    EXPECT_EQ(window->model().position(), end);
    EXPECT_TRUE(window->model().following());
    EXPECT_FALSE(action("back")->isEnabled());
    action("forward")->trigger();
    EXPECT_EQ(window->model().position(), first);
    const std::size_t third = goTo(120);
    EXPECT_FALSE(action("forward")->isEnabled()) << "another way was taken";
    action("back")->trigger();
    EXPECT_EQ(window->model().position(), first);
    action("forward")->trigger();
    EXPECT_EQ(window->model().position(), third);
}

TEST_F(MainWindowTest, ThePreferencesAreTheCommandsOfTheMenus)
{
    action("preferences")->trigger();
    auto* dialog = window->findChild<QDialog*>("preferences");
    ASSERT_NE(dialog, nullptr);
    const auto choose = [dialog](const char* name, int index) {
        auto* box = dialog->findChild<QComboBox*>(QLatin1String(name));
        box->setCurrentIndex(index);
        emit box->activated(index);
    };
    choose("preferredTheme", 2);
    EXPECT_TRUE(action("themeDark")->isChecked());
    choose("preferredTimes", 1);
    EXPECT_TRUE(action("wallClock")->isChecked());
    choose("preferredUpdates", 4);
    EXPECT_EQ(settings.value("updatesPerSecond").toInt(), 1);
}

TEST_F(MainWindowTest, TheSliderTravelsInTime)
{
    open(saved("run.jsonl"));
    auto* slider = window->findChild<QSlider*>("scrubSlider");
    ASSERT_NE(slider, nullptr);
    EXPECT_EQ(slider->value(), slider->maximum());
    slider->setValue(slider->maximum() / 2);
    EXPECT_FALSE(window->model().following());
    const auto half = (window->model().beginTime() + window->model().endTime()) / 2;
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

TEST_F(MainWindowTest, TheRunBarNeverCutsItsPartsOff)
{
    open(saved("run.jsonl"));
    auto* bar = window->findChild<RunBar*>();
    ASSERT_NE(bar, nullptr);
    auto* status = window->findChild<QWidget*>("runStatus");
    auto* bell = status->findChild<MessageBell*>();
    qsizetype shortest = 0;
    for (const int width : {1000, 1120, 1280, 1440, 1680, 2560}) {
        window->resize(width, 800);
        QApplication::processEvents();
        const std::string said = status->findChild<ServerBadge*>()->words().toStdString();
        EXPECT_GE(std::ssize(said), shortest) << "wider says no less";
        shortest = std::ssize(said);
        EXPECT_TRUE(said.empty() || said == "recorded" || said.find("ZooKeeper") != std::string::npos)
            << "a number alone says nothing: " << said << " at " << width;
        EXPECT_TRUE(width < 1280 || !said.empty()) << width;
        for (const QWidget* whole : std::initializer_list<const QWidget*>{bar, bell->parentWidget()})
            for (const QWidget* part : whole->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
                if (part->isVisible() && !part->isWindow()) {
                    EXPECT_LE(part->geometry().right(), whole->width()) << width;
                    EXPECT_GE(part->width(), part->minimumSizeHint().width()) << width;
                }
            }
        EXPECT_TRUE(bell->isVisible());
    }
    EXPECT_TRUE(status->findChild<ServerBadge*>()->words().startsWith("recorded · ZooKeeper"))
        << "with room enough everything is said";
}

// A main window's own menu lists its tool bars: the run bar was gone, without a way back.
TEST_F(MainWindowTest, NoMenuHidesTheRunBar)
{
    auto* bar = window->findChild<RunBar*>();
    const QPoint place(bar->width() - 4, 4);
    QContextMenuEvent click(QContextMenuEvent::Mouse, place, bar->mapToGlobal(place));
    QApplication::sendEvent(bar, &click);
    EXPECT_EQ(QApplication::activePopupWidget(), nullptr);
}

// It started the recording's scenario live instead.
TEST_F(MainWindowTest, TheSpaceBarPlaysARecording)
{
    open(saved("run.jsonl"));
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->isActiveWindow(); }, 20'000));
    action("toStart")->trigger();
    const std::size_t start = window->model().position();
    ASSERT_EQ(window->model().cursorTime(), window->model().beginTime());
    QTest::keyClick(window.get(), Qt::Key_Space);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window->model().position() > start; }, 20'000));
    QTest::keyClick(window.get(), Qt::Key_Space);
    EXPECT_EQ(window->control().stage(), RunController::Stage::trace);
    EXPECT_EQ(action("runOrPause")->shortcut(), QKeySequence());
}

// A panel in which nothing is open crashed when its buttons were clicked.
TEST_F(MainWindowTest, NoMenuOfQtShowsPanelsInWhichNothingIsOpen)
{
    QContextMenuEvent event(QContextMenuEvent::Mouse, {5, 5}, window->menuBar()->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(window->menuBar(), &event);
    EXPECT_EQ(QApplication::activePopupWidget(), nullptr);
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

// The words of the slider had the two keys the other way round.
TEST_F(MainWindowTest, TheKeysOfThePaceAreTheOnesThatItsToolTipNames)
{
    auto* slider = window->findChild<QSlider*>("paceSlider");
    ASSERT_NE(slider, nullptr);
    const QString keys = slider->toolTip().section('\n', -1); // slower first, then faster
    const qsizetype slower = keys.indexOf('<'), faster = keys.indexOf('>');
    ASSERT_TRUE(slower >= 0 && faster >= 0) << keys.toStdString();
    EXPECT_LT(slower, faster);
    EXPECT_EQ(action("slower")->shortcut(), QKeySequence(Qt::Key_Less));
    EXPECT_EQ(action("faster")->shortcut(), QKeySequence(Qt::Key_Greater));
    const int before = slider->value();
    action("slower")->trigger();
    EXPECT_EQ(slider->value(), before + 1) << "a longer delay";
    action("faster")->trigger();
    EXPECT_EQ(slider->value(), before);
}

// The list of commands shows them without their menus, which are disabled too.
TEST_F(MainWindowTest, WithoutALiveRunNothingCanRunUntilSomethingNorStopAtABreakpoint)
{
    open(saved("run.jsonl"));
    int commands = 0;
    for (const CommandEntry& entry : commandsOf(*window)) {
        if (entry.category.contains("Run Until") || entry.category.contains("Breakpoints")) {
            ++commands;
            EXPECT_FALSE(entry.enabled) << entry.text.toStdString();
        }
    }
    EXPECT_GT(commands, 10);
}

TEST_F(MainWindowTest, TheThemeIsKept)
{
    action("themeDark")->trigger();
    EXPECT_TRUE(window->theme().palette().dark);
    EXPECT_EQ(settings.value("theme").toInt(), static_cast<int>(Theme::ColourScheme::dark));
    action("themeLight")->trigger();
    EXPECT_FALSE(window->theme().palette().dark);
}

TEST_F(MainWindowTest, CardsHaveNamesForAScreenReader)
{
    for (const char* name : {"clients", "chain", "timeline", "protocol", "log", "charts", "lock-children",
                             "watches", "algorithm", "findings", "inspector"}) {
        DockCard* card = window->docks().card(name);
        ASSERT_NE(card, nullptr) << name;
        EXPECT_FALSE(card->accessibleName().isEmpty()) << name;
    }
}

// Ctrl+K, "chain", Enter: who looks for a card does not want a file.
TEST_F(MainWindowTest, ACardIsFoundBeforeItsExport)
{
    CommandList list(commandsOf(*window), window.get());
    for (const char* typed : {"chain", "timeline", "protocol"}) {
        list.setQuery(typed);
        QStringList kinds;
        for (int row = 0; row < list.rowCount(); ++row)
            kinds << (list.entry(row)->category.contains("Export")   ? "export"
                      : list.entry(row)->category.startsWith("View") ? "view"
                                                                     : "other");
        const auto view = kinds.indexOf("view"), exported = kinds.indexOf("export");
        EXPECT_GE(view, 0) << typed;
        EXPECT_LT(view, exported) << typed;
    }
}

} // namespace
} // namespace lockscope::ui
