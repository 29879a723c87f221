// What of the window is in sight: the welcome page, two cards for a lecture, a picture, a proof, messages;
// and what of it is kept.
#include "ui/shell/window/main_window.h"

#include "ui/models/go_to_event.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/compare/compare_controller.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/window/layout_store.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/messages/message_list.h"
#include "ui/shell/run/bookmarks_controller.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/messages/run_notices.h"
#include "ui/shell/window/scenario_controller.h"
#include "ui/shell/runbar/scrub_bar.h"
#include "ui/tables/log_view.h"
#include "ui/timeline/timeline_menu.h"
#include "ui/welcome/welcome_page.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QSettings>

namespace lockscope::ui {

namespace {

// A card behind another one lies outside of the window. Not visibleRegion(): that leaves out what an opaque
// child covers, and of a view that paints in its viewport nothing remains.
bool isVisibleInWindow(const QWidget& widget)
{
    QRect seen = widget.rect();
    for (const QWidget* each = &widget; !seen.isEmpty() && !each->isWindow(); each = each->parentWidget()) {
        seen = seen.translated(each->pos()) & each->parentWidget()->rect();
    }
    return !seen.isEmpty();
}

} // namespace

void MainWindow::enterPictureMode(const QString& view)
{
    m_actions->showMenuBar->setChecked(false);
    m_messages->setQuiet(true);
    qDeleteAll(findChildren<MessageBell*>());
    setMinimumSize(1, 1);
    if (view == QLatin1String("window")) {
        return;
    }
    if (view == QLatin1String("welcome")) {
        showWelcome(true);
        return;
    }
    if (view == QLatin1String("lecture")) {
        showPresentation(true);
        return;
    }
    m_runBar->hide();
    m_scrubBar->hide();
    DockCard* shown = m_docks->cardOf(view);
    if (const ViewPart* part = shown->part(view)) {
        part->show();
    } else {
        shown->showAll();
    }
    shown->setPictureMode();
    for (DockCard* card : m_docks->cards()) {
        card->setVisible(card == shown);
    }
}

void MainWindow::selectClientForPicture()
{
    const replay::LockRow* lock = m_model.state().lock(m_selection.lock());
    if (!lock || lock->queue.empty()) {
        return;
    }
    const replay::NodeRow& node = lock->queue[lock->queue.size() > 1 ? 1 : 0];
    m_selection.selectNode(node.owner,
                           QString::fromUtf8(node.name.data(), static_cast<qsizetype>(node.name.size())));
}

// The newest proof of all that is violated, in the middle of the timeline.
void MainWindow::showViolation()
{
    const replay::Violation* newest = nullptr;
    for (const replay::Finding& finding : m_model.state().findings.all) {
        for (const replay::Violation& violation : finding.violations) {
            newest = !newest || violation.time > newest->time ? &violation : newest;
        }
    }
    if (!newest) {
        m_messages->post({.key = "violation", .kind = Message::Kind::info, .text = [] {
                             return tr("No finding is violated up to here.");
                         }});
        return;
    }
    goToEvent(m_model, m_selection, newest->at, newest->client);
}

DockCard* MainWindow::raiseCard(const QString& name)
{
    DockCard* card = m_docks->card(name);
    card->show();
    card->raise();
    return card;
}

void MainWindow::maximizeCard()
{
    DockCard* card = m_docks->maximized();
    for (QWidget* each = focusWidget(); each && !card; each = each->parentWidget()) {
        card = qobject_cast<DockCard*>(each);
    }
    if (m_docks->isVisible()) {
        m_docks->maximize(card ? card : m_docks->card("timeline"));
    }
}

void MainWindow::showFinding(replay::FindingKind kind)
{
    raiseCard("findings");
    const auto& violations = m_model.state().findings.of(kind).violations;
    if (!violations.empty()) {
        m_selection.selectEvent(violations.back().at, violations.back().client);
    }
}

void MainWindow::showPresentation(bool shown)
{
    if (shown == m_presentation->isOpen()) {
        return;
    }
    if (shown) {
        showWelcome(false);
        m_docks->showAll();
        m_docksBeforePresentation = m_docks->saveState();
        m_presentation->open();
    } else {
        m_presentation->leave();
    }
    for (QWidget* part : std::initializer_list<QWidget*>{m_runBar, m_docks, m_scrubBar}) {
        part->setVisible(!shown);
    }
    if (!shown) {
        m_docks->restoreArrangement(m_docksBeforePresentation); // without their insides the cards shrank
    }
    menuBar()->setVisible(!shown && m_actions->showMenuBar->isChecked());
    m_messages->setQuiet(shown);
}

// Over the views, not instead of them: a run goes on behind it.
void MainWindow::showWelcome(bool shown)
{
    WelcomePage* page = m_scenarioController->welcome();
    if (shown) {
        m_actions->presentation->setChecked(false);
    }
    m_actions->welcome->setChecked(shown);
    if (page->isHidden() != shown) {
        return;
    }
    updateWelcomeAction();
    for (QWidget* part : std::initializer_list<QWidget*>{m_runBar, m_docks, m_scrubBar}) {
        part->setVisible(!shown);
    }
    page->setVisible(shown);
    if (shown) {
        page->search()->setFocus();
    }
}

void MainWindow::updateWelcomeAction()
{
    m_actions->welcome->setText(m_actions->welcome->isChecked() ? tr("&Back to the views")
                                                                : tr("&Welcome page"));
}

// All words change at once: nobody sees the window half in the one and half in the other language.
bool MainWindow::event(QEvent* event)
{
    if (event->type() != QEvent::LanguageChange) {
        return QMainWindow::event(event);
    }
    setUpdatesEnabled(false);
    const bool done = QMainWindow::event(event); // every part of the window hears of it
    retranslate();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    setUpdatesEnabled(true);
    return done;
}

// A card that lies behind another one is out of sight and yet visible to Qt: Tab passes it by.
bool MainWindow::focusNextPrevChild(bool next)
{
    bool moved = QMainWindow::focusNextPrevChild(next);
    const QWidget* const first = focusWidget();
    while (moved && focusWidget() && !isVisibleInWindow(*focusWidget())) {
        moved = QMainWindow::focusNextPrevChild(next) && focusWidget() != first;
    }
    return moved;
}

void MainWindow::restoreLayout()
{
    if (!m_settings) {
        return;
    }
    const LayoutStore store(m_settings);
    if (store.restore(*this, *m_docks)) {
        m_docks->setUserProportions(store.shares());
    }
    m_docks->card("charts")->choose(m_settings->value("chart").toString());
    m_byPlace = findChild<QAction*>("clients.byPlace");
    m_byPlace->setChecked(m_settings->value("clientsByPlace").toBool());
    m_lanes = findChild<TimelineMenu*>("timelineMenu");
    m_lanes->setOrder(m_settings->value("laneOrder").toString());
    m_lanes->compactLanes()->setChecked(m_settings->value("lowLanes").toBool());
    if (const QVariant shown = m_settings->value("timelineLegend"); shown.isValid()) {
        m_lanes->setLegend(shown.toBool());
    }
    m_log = findChild<LogView*>();
    m_log->setColumns(m_settings->value("logColumns").toStringList());
    m_log->rules().restore(m_settings->value("logColours").toStringList());
    m_actions->wallClock->setChecked(m_settings->value("wallClock").toBool());
    m_actions->showMenuBar->setChecked(m_settings->value("menuBar", true).toBool());
}

void MainWindow::saveLayout()
{
    if (m_settings) {
        m_docks->showAll();
        LayoutStore(m_settings).save(*this, *m_docks, m_docks->userProportions());
    }
}

void MainWindow::saveViewOptions()
{
    if (!m_settings || !m_lanes) { // closed before it was shown
        return;
    }
    m_settings->setValue("logColumns", m_log->columns());
    m_settings->setValue("logColours", m_log->rules().saved());
    m_settings->setValue("wallClock", m_actions->wallClock->isChecked());
    m_settings->setValue("menuBar", m_actions->showMenuBar->isChecked());
    m_settings->setValue("chart", m_docks->card("charts")->choice());
    m_settings->setValue("clientsByPlace", m_byPlace->isChecked());
    m_settings->setValue("laneOrder", m_lanes->order());
    m_settings->setValue("lowLanes", m_lanes->compactLanes()->isChecked());
    if (const auto shown = m_lanes->chosenLegend()) {
        m_settings->setValue("timelineLegend", *shown);
    }
}

void MainWindow::connectMessages()
{
    const auto listen = [this]<class Speaker>(Speaker* speaker) {
        connect(speaker, &Speaker::messagePosted, m_messages, &MessageBar::post);
        connect(speaker, &Speaker::messageDismissed, m_messages, &MessageBar::dismiss);
    };
    listen(m_control);
    listen(m_exportController);
    listen(m_bookmarksController);
    listen(m_notices);
    listen(m_compareController);
    connect(m_exportController, &ExportController::capturing, m_messages, &MessageBar::hideForCapture);
    connect(m_exportController, &ExportController::capturing, &m_model, &RunModel::showWritten);
    for (MessageBell* bell : findChildren<MessageBell*>()) {
        connect(m_exportController, &ExportController::capturing, bell, &QWidget::setHidden);
    }
}

// Between the bars.
QRect MainWindow::messageArea() const
{
    QRect room = centralWidget()->rect();
    const WelcomePage* page = m_scenarioController->welcome();
    if (!m_runBar->isHidden()) {
        room.setTop(m_runBar->geometry().bottom() + 1);
    }
    if (!page->isHidden()) {
        room.setBottom(page->geometry().bottom() - page->footerHeight());
    } else if (!m_scrubBar->isHidden()) {
        room.setBottom(m_scrubBar->geometry().top() - 1);
    }
    return room;
}

void MainWindow::showMessages() { (new MessageList(m_messages, &m_theme, this))->show(); }

} // namespace lockscope::ui
