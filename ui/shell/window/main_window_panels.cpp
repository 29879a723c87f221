// The panels of a MainWindow beside the views: history, watch, lessons, recipe and manual.
#include "ui/shell/window/main_window.h"

#include "ui/locks/history_dock.h"
#include "ui/locks/watch_dock.h"
#include "ui/manual/manual_dock.h"
#include "ui/recipe/recipe_dock.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/lesson/lesson_controller.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/layout_controller.h"
#include "ui/texts/core_messages.h"

#include <QApplication>
#include <QLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kManualWidth = 460;
constexpr int kRecipeWidth = 480;
constexpr int kWideWindow = 1600; // wide enough for two docks beside the views

} // namespace

void MainWindow::connectHistory()
{
    m_actions->on("openHistory", m_history, &HistoryDock::chooseDirectory);
    keepWidthBehindTabs(m_history);
    connect(m_history, &HistoryDock::opened, this, [this] {
        showWelcome(false);
        m_historyHasRun = false;
        standBeforeLesson(m_history);
        setSideWidth(m_history, width() * 9 / 20);
    });
    connect(m_history, &HistoryDock::listed, this, [this](int wantedWidth) {
        if (!m_historyHasRun) // until a lock is chosen, only the list is shown
            setSideWidth(m_history, std::clamp(wantedWidth, width() * 9 / 20, width() * 3 / 4));
    });
    connect(m_history, &HistoryDock::runReady, this, &MainWindow::showHistoryRun);
    connect(m_history, &HistoryDock::runEnded, this, [this] { m_model.setGrowing(false); });
    connect(m_history, &HistoryDock::shown, this, &MainWindow::historyShown);
    connect(m_history, &HistoryDock::failed, this, &MainWindow::historyFailed);
    connect(m_history, &HistoryDock::failed, this,
            [this](const Error& error) { m_messages->post(errorMessage(QStringLiteral("history"), error)); });
    connect(m_history, &HistoryDock::warned, this, [this](const TextProvider& text) {
        m_messages->post(
            {.key = QStringLiteral("history"), .kind = UserMessage::Kind::warning, .text = text});
    });
}

// Shows the wall clock, because a history is searched by the time of day.
void MainWindow::showHistoryRun(const std::shared_ptr<const trace::TraceStore>& store,
                                const TextProvider& label, bool growing)
{
    m_control->showHistory(store, label, growing);
    showByClock();
    if (!std::exchange(m_historyHasRun, true) && m_history->width() == m_sides[m_history].width)
        setSideWidth(m_history, width() * 2 / 5); // only if the user has not changed the width
}

// One above the other, neither would have the room that its rows need.
void MainWindow::standBeforeLesson(QDockWidget* dock)
{
    if (!m_lessons->isOpen() || dock->isFloating())
        return;
    if (m_lessonWidth == 0)
        m_lessonWidth = m_lessons->dock()->width();
    tabifyDockWidget(m_lessons->dock(), dock);
    dock->raise();
}

// Tabs share one width: each gets its own when it comes to the front.
void MainWindow::keepWidthBehindTabs(QDockWidget* dock)
{
    connect(m_lessons->dock(), &QDockWidget::visibilityChanged, dock, [this](bool front) {
        if (front && m_lessonWidth != 0)
            resizeDocks({m_lessons->dock()}, {std::exchange(m_lessonWidth, 0)}, Qt::Horizontal);
    });
    connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool front) {
        if (!front || m_lessonWidth != 0 || !m_lessons->isOpen() ||
            !tabifiedDockWidgets(dock).contains(m_lessons->dock()))
            return;
        m_lessonWidth = dock->width(); // still the lesson's
        setSideWidth(dock, static_cast<int>(std::lround(m_sides[dock].share * width())));
    });
}

void MainWindow::setSideWidth(QDockWidget* dock, int wanted)
{
    resizeDocks({dock}, {wanted}, Qt::Horizontal);
    layout()->activate();
    m_sides[dock] = {dock->width(), static_cast<double>(wanted) / std::max(1, width())};
}

// Otherwise a smaller window would take all that it lacks from the views.
void MainWindow::keepSideShares(int oldWidth)
{
    for (auto& [dock, side] : m_sides) {
        if (dock->visibleRegion().isEmpty() || dock->isFloating() || oldWidth <= 0)
            continue;
        if (dock->width() != side.width)
            side.share = static_cast<double>(dock->width()) / oldWidth;
        resizeDocks({dock}, {static_cast<int>(std::lround(side.share * width()))}, Qt::Horizontal);
        layout()->activate();
        side.width = dock->width();
    }
}

void MainWindow::connectWatch()
{
    keepWidthBehindTabs(m_watch);
    connect(m_control, &RunController::watchRequested, this, [this](const AttachTarget& place) {
        m_history->stop();
        m_history->hide();
        m_recipe->hide();
        m_watch->watch({place.servers, place.paths(), {}, place.tls, place.sasl});
    });
    connect(m_control, &RunController::watchStopRequested, m_watch, &WatchDock::stop);
    connect(m_control, &RunController::watchLeft, m_watch, &QWidget::hide);
    connect(m_watch, &WatchDock::opened, this, [this] {
        m_messages->dismiss(QStringLiteral("watch"));
        showWelcome(false);
        m_layouts->setWatching(true);
        standBeforeLesson(m_watch);
        setSideWidth(m_watch, width() * 9 / 20);
    });
    connect(m_watch, &WatchDock::connected, m_control, &RunController::setWatchConnected);
    connect(m_watch, &WatchDock::runReady, this,
            [this](const std::shared_ptr<const trace::TraceStore>& store, const TextProvider& label) {
                m_control->showWatched(store, label);
                showByClock();
            });
    connect(m_watch, &WatchDock::runEnded, m_control, [this] { m_control->setWatchEnded(false); });
    connect(m_watch, &WatchDock::failed, this, [this](const Error& error) {
        m_control->setWatchEnded(true);
        m_watch->hide();
        m_layouts->setWatching(false);
        m_messages->post(errorMessage(QStringLiteral("watch"), error));
    });
    connect(m_watch, &WatchDock::warned, this, [this](const Error& error) {
        m_messages->post({.key = QStringLiteral("watch"),
                          .kind = UserMessage::Kind::warning,
                          .text = [error] { return errorText(error).all(); }});
    });
}

void MainWindow::connectLessons()
{
    connect(m_lessons, &LessonController::opening, this, [this] {
        m_actions->of("presentation")->setChecked(false);
        showWelcome(false);
        m_history->hide();
        m_watch->hide();
        m_recipe->hide();
        m_layouts->setWatching(false);
        saveLayout(); // the layout at the next start if the window is closed during the lesson
        m_layouts->setFixed(true);
        m_runBar->setLesson(true);
    });
    connect(m_lessons, &LessonController::left, this, [this] {
        m_lessonWidth = 0;
        m_layouts->setFixed(false);
        m_runBar->setLesson(false);
        if (m_presentation->isOpen()) {
            m_docksBeforePresentation = m_docks->saveState();
        }
    });
    connect(m_lessons, &LessonController::stretchShown, &m_time, &TimeWindow::show);
    connect(m_lessons, &LessonController::termRequested, m_manual,
            [this](const QString& name) { m_manual->open(QStringLiteral("terms#") + name); });
    connect(m_presentation, &PresentationView::scaleChanged, this, [this] {
        if (m_presentation->isOpen()) {
            m_lessons->setPresentation(m_presentation);
        }
    });
}

void MainWindow::connectRecipe()
{
    m_actions->on("buildRecipe", this, [this] {
        m_lessons->leave();
        showWelcome(false);
        m_history->hide();
        if (!m_watch->isHidden())
            tabifyDockWidget(m_watch, m_recipe);
        m_recipe->show();
        m_recipe->raise();
        resizeDocks({m_recipe}, {std::min(kRecipeWidth, width() * 2 / 5)}, Qt::Horizontal);
        m_recipe->widget()->setFocus();
    });
    connect(m_recipe, &RecipeDock::runReady, this,
            [this](const std::shared_ptr<const trace::TraceStore>& store, const TextProvider& label) {
                m_control->showLesson(store, label);
                m_watch->hide();
                m_layouts->setWatching(false);
                raiseCard("chain");
                raiseCard("protocol");
                m_model.seekBegin();
            });
    connect(m_recipe, &RecipeDock::failed, this,
            [this](const Error& error) { m_messages->post(errorMessage(QStringLiteral("recipe"), error)); });
}

void MainWindow::connectManual()
{
    m_actions->on("manual", this, &MainWindow::showManualOfFocus);
    connect(m_manual, &ManualDock::opened, this, [this] {
        if (m_lessons->isOpen() && width() < kWideWindow) {
            const int width = m_lessons->dock()->width();
            tabifyDockWidget(m_lessons->dock(),
                             m_manual); // side by side, both would leave no room for the views
            resizeDocks({m_manual}, {width}, Qt::Horizontal); // the lesson keeps its room
            m_manual->raise();
            return;
        }
        addDockWidget(Qt::RightDockWidgetArea, m_manual);
        resizeDocks({m_manual}, {std::min(kManualWidth, width() * 3 / 10)}, Qt::Horizontal);
    });
    connect(m_manual, &ManualDock::scenarioRequested, m_control, [this](const QString& name) {
        showWelcome(false);
        m_control->startBuiltIn(name);
    });
    connect(m_manual, &ManualDock::lessonRequested, m_lessons, &LessonController::open);
    connect(m_manual, &ManualDock::commandRequested, this, [this](const QString& name) {
        if (auto* action = findChild<QAction*>(name)) {
            action->trigger();
        }
    });
}

// Opens the page about the part with the focus, otherwise the part under the mouse, otherwise the contents.
void MainWindow::showManualOfFocus()
{
    for (const QWidget* each : {focusWidget(), QApplication::widgetAt(QCursor::pos())})
        for (; each; each = each->parentWidget())
            if (const QString page = each->property(kManualPage).toString(); !page.isEmpty())
                return m_manual->open(page);
    m_manual->open(QStringLiteral("index"));
}

void MainWindow::showByClock()
{
    m_time.showAll();
    if (m_actions->of("wallClock")->isChecked()) {
        return;
    }
    m_actions->of("wallClock")->setChecked(true);
    m_clockOfRun = true;
    connect(
        &m_model, &RunModel::runChanged, this,
        [this] {
            if (std::exchange(m_clockOfRun, false)) {
                m_actions->of("wallClock")->setChecked(false);
            }
        },
        Qt::SingleShotConnection);
}

} // namespace lockscope::ui
