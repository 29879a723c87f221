// Input reaches what the user means: the wheel and keys over the run bar start nothing, a film is the
// same whatever one does meanwhile, a click on a tab moves the keys, V goes to the newest violation.
#include "tests/support/trace_script.h"
#include "tests/ui/shell/recorded_window_fixture.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/docking/dock_card.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/runbar/scenario_chooser.h"
#include "ui/tables/clients_view.h"
#include "ui/widgets/float_mover.h"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTextBrowser>
#include <QWheelEvent>
#include <QWindow>

#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>

namespace lockscope::ui {
namespace {

void turnWheelOver(QWidget* widget)
{
    const QPointF at = widget->rect().center();
    QWheelEvent down(at, widget->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &down);
}

struct UnmeantInputTest : MainWindowTest
{
    template <class Part>
    Part* part(const char* name)
    {
        return window->findChild<Part*>(name);
    }
};

TEST_F(UnmeantInputTest, TheWheelAndKeysOverTheRunBarStartNothing)
{
    open(saved("run.jsonl"));
    auto* chooser = part<ScenarioChooser>("scenarioChooser");
    QSignalSpy chosen(chooser, &QComboBox::activated);
    const int shown = chooser->currentIndex();
    turnWheelOver(chooser);
    chooser->setFocus(Qt::TabFocusReason);
    for (const Qt::Key key : {Qt::Key_PageDown, Qt::Key_End, Qt::Key_H}) {
        QTest::keyClick(chooser, key);
    }
    EXPECT_EQ(chosen.size(), 0);
    EXPECT_EQ(chooser->currentIndex(), shown);
    EXPECT_FALSE(chooser->focusPolicy() & Qt::ClickFocus) << "a click leaves the keys where they were";
    auto* pace = part<QSlider>("paceSlider");
    auto* clients = part<QSpinBox>("clientCount");
    clients->setEnabled(true); // as in a live run
    const int paceBefore = pace->value(), clientsBefore = clients->value();
    turnWheelOver(pace);
    turnWheelOver(clients);
    auto* speed = part<QComboBox>("playSpeed");
    const int speedBefore = speed->currentIndex();
    turnWheelOver(speed);
    EXPECT_EQ(speed->currentIndex(), speedBefore);
    EXPECT_FALSE(speed->focusPolicy() & Qt::ClickFocus);
    EXPECT_EQ(pace->value(), paceBefore);
    EXPECT_EQ(clients->value(), clientsBefore);
}

// A film is of the recorded run: the window goes on meanwhile, and its clicks are not in the film.
TEST_F(UnmeantInputTest, AFilmIsTheSameWhateverTheUserDoesMeanwhile)
{
    open(saved("run.jsonl"));
    const auto film = [this](const char* name) {
        FramePlan plan;
        plan.widget = window->docks().card("lock-children"); // nothing slides in it
        plan.begin = window->model().endTime() / 2;
        plan.end = plan.begin + std::chrono::milliseconds(200);
        plan.gif = folder.filePath(name);
        window->exportController().makeFrames(plan);
    };
    film("untouched.gif");
    ASSERT_TRUE(waitForMessage("Created untouched.gif"));
    film("film.gif");
    auto* clients = window->findChild<ClientsView*>();
    QTest::mouseClick(clients->viewport(), Qt::LeftButton, {},
                      clients->visualRect(clients->model()->index(0, 0)).center());
    EXPECT_TRUE(clients->selectionModel()->hasSelection()) << "the window takes clicks";
    action("toStart")->trigger();
    const TraceTime shown = window->model().cursorTime();
    ASSERT_TRUE(waitForMessage("Created film.gif"));
    EXPECT_EQ(window->model().cursorTime(), shown);
    const auto content = [this](const char* name) {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    EXPECT_FALSE(content("film.gif").isEmpty());
    EXPECT_EQ(content("film.gif"), content("untouched.gif"));
}

TEST_F(UnmeantInputTest, EachExportHasItsOwnMessage)
{
    open(saved("run.jsonl"));
    FramePlan plan;
    plan.widget = window.get();
    plan.end = window->model().endTime();
    plan.gif = folder.filePath("film.gif");
    window->exportController().makeFrames(plan);
    window->exportController().exportTo(exports::Kind::handoffs, folder.filePath("handoffs.csv"));
    window->exportController().exportTo(exports::Kind::clients, folder.filePath("clients.csv"));
    EXPECT_TRUE(waitForMessage("Exported handoffs.csv"));
    EXPECT_TRUE(waitForMessage("Exported clients.csv"));
    EXPECT_TRUE(messages().contains("Creating pictures")) << messages().toStdString();
    EXPECT_TRUE(messages().contains("Exported handoffs.csv"));
}

TEST_F(UnmeantInputTest, AClickOnATabMovesTheKeysToItsCard)
{
    open(saved("run.jsonl"));
    window->activateWindow();
    DockArea& docks = window->docks();
    docks.card("timeline")->view()->setFocus();
    for (DockCard* card : docks.cards()) {
        for (QTabBar* tabs : card->findChildren<QTabBar*>()) {
            if (!tabs->isVisible() || tabs->count() < 2 || tabs->property("kind").toString() != "titles") {
                continue;
            }
            const int other = tabs->currentIndex() == 0 ? 1 : 0;
            const QString title = tabs->tabText(other);
            QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(other).center());
            EXPECT_TRUE(waitFor([&] {
                for (const QWidget* each = window->focusWidget(); each; each = each->parentWidget()) {
                    if (const auto* in = qobject_cast<const DockCard*>(each)) {
                        return in->windowTitle() == title;
                    }
                }
                return false;
            })) << title.toStdString();
            return;
        }
    }
    FAIL() << "no card has tabs";
}

// The core keeps the first hundred violations and the last hundred.
TEST_F(UnmeantInputTest, TheNewestViolationIsTheLastOfMany)
{
    std::string script = "ada holds n1";
    for (int i = 0; i < 350; ++i) {
        script += "; bo conflict";
    }
    const auto store = tests::traceScript(script);
    window->control().showTrace("many.jsonl", {store, {}});
    ASSERT_TRUE(waitFor([this] { return window->model().hasRun() && !window->model().opening(); }));
    const std::size_t last = store->count() - 1;
    action("showViolation")->trigger();
    EXPECT_EQ(window->model().position(), last + 1) << "of " << store->count() << " events";
}

// On Wayland the compositor refuses a menu whose key is up again. What is typed on was meant for the menu.
TEST_F(UnmeantInputTest, WhatIsTypedAfterAMenuThatTheDisplayServerClosedDoesNothing)
{
    open(saved("run.jsonl"));
    window->model().seekEvent(20);
    ASSERT_TRUE(waitFor([this] { return window->model().position() == 20; }));
    QMenu* menu = window->menuBar()->actions().front()->menu();
    menu->popup(window->mapToGlobal(QPoint(50, 50)));
    ASSERT_TRUE(QTest::qWaitForWindowExposed(menu));
    menu->windowHandle()->close(); // as a compositor does
    ASSERT_TRUE(waitFor([menu] { return !menu->isVisible(); }));
    QTest::keyClick(window->windowHandle(), Qt::Key_Comma);
    EXPECT_EQ(window->model().position(), 20U);
    QTest::keyClick(window->windowHandle(), Qt::Key_Escape);
    QTest::keyClick(window->windowHandle(), Qt::Key_Comma);
    EXPECT_EQ(window->model().position(), 19U);
}

// The letters were dead until the next click.
TEST_F(UnmeantInputTest, KeysGoOnAfterAMenuThatAKeyOrAClickClosed)
{
    open(saved("run.jsonl"));
    QMenu menu(window.get());
    QAction* entry = menu.addAction("an entry");
    const auto goesOn = [&](const char* how, const std::function<void()>& closes) {
        menu.popup(window->mapToGlobal(QPoint(50, 50)));
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&menu));
        closes();
        ASSERT_TRUE(waitFor([&] { return !menu.isVisible(); })) << how;
        window->model().seekEvent(20);
        ASSERT_TRUE(waitFor([this] { return window->model().position() == 20; }));
        QTest::keyClick(window->windowHandle(), Qt::Key_Comma);
        EXPECT_EQ(window->model().position(), 19U) << how;
    };
    const auto keys = [&](std::initializer_list<Qt::Key> all) {
        for (const Qt::Key key : all)
            QTest::keyClick(menu.windowHandle(), key);
    };
    goesOn("Escape", [&] { keys({Qt::Key_Escape}); });
    goesOn("an entry chosen by keys", [&] { keys({Qt::Key_Down, Qt::Key_Return}); });
    goesOn("a click on an entry", [&] {
        QTest::mouseClick(menu.windowHandle(), Qt::LeftButton, {}, menu.actionGeometry(entry).center());
    });
    goesOn("a click beside it",
           [&] { QTest::mouseClick(menu.windowHandle(), Qt::LeftButton, {}, QPoint(-20, -20)); });
}

TEST_F(UnmeantInputTest, AFloatedCardIsMovedByTheCompositorWhereQtCannotMoveIt)
{
    const FloatMover mover(nullptr);
    QSignalSpy moving(&mover, &FloatMover::moving);
    DockCard* card = window->docks().cardOf("log");
    ASSERT_NE(card, nullptr);
    const auto drag = [card] {
        QWindow* handle = card->window()->windowHandle();
        const QPoint title = card->mapTo(card->window(), QPoint(card->width() / 2, 10));
        QTest::mousePress(handle, Qt::LeftButton, {}, title);
        QTest::mouseMove(handle, title + QPoint(200, 200));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, title + QPoint(200, 200));
    };
    card->setFloating(true);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(card));
    const QPoint place = card->pos();
    drag();
    EXPECT_EQ(moving.size(), 1);
    EXPECT_TRUE(card->isFloating());
    EXPECT_EQ(card->pos(), place) << "not by Qt";
}

TEST_F(UnmeantInputTest, TheManualKeepsItsPlaceWhenTheClockChanges)
{
    open(saved("run.jsonl"));
    action("manual")->trigger();
    QScrollBar* bar = part<QTextBrowser>("manualPage")->verticalScrollBar();
    ASSERT_TRUE(waitFor([&] { return bar->maximum() > 0; }));
    bar->setValue(bar->maximum() / 2);
    const int place = bar->value();
    action("wallClock")->trigger();
    EXPECT_EQ(bar->value(), place);
    action("wallClock")->trigger();
    EXPECT_EQ(bar->value(), place);
}

} // namespace
} // namespace lockscope::ui
