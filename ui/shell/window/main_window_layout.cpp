// What a MainWindow shows where: the layout that is kept, the welcome page, the presentation and pictures.
#include "ui/shell/window/main_window.h"

#include "ui/locks/history_dock.h"
#include "ui/models/style/preferences.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/lesson/lesson_controller.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/messages/message_list.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/runbar/scrub_bar.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/layout_controller.h"
#include "ui/shell/window/menus.h"
#include "ui/shell/window/scenario_controller.h"
#include "ui/welcome/welcome_page.h"
#include "ui/widgets/table_tools.h"

#include <QMenuBar>
#include <QResizeEvent>
#include <QTemporaryDir>

namespace lockscope::ui {

void MainWindow::enterPictureMode(const QString& view)
{
    m_laidOut = true; // the cards in a picture do not depend on its size
    m_actions->of("showMenuBar")->setChecked(false);
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
    if (view == QLatin1String("presentation")) {
        showPresentation(true);
        return;
    }
    m_theme.setForPrint(true);
    m_runBar->hide();
    m_scrubBar->hide();
    DockCard* shown = m_docks->cardOf(view);
    shown->content().showPart(shown->hasPart(view) ? view : QString());
    shown->header()->setPictureMode();
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
        m_docks->restoreArrangement(m_docksBeforePresentation); // the cards shrank without their contents
    }
    m_lessons->setPresentation(shown ? m_presentation : nullptr);
    menuBar()->setVisible(!shown && m_actions->of("showMenuBar")->isChecked());
    m_messages->setQuiet(shown);
}

// Hides the views while the page is shown; a run continues meanwhile.
void MainWindow::showWelcome(bool shown)
{
    WelcomePage* page = m_scenarioController->welcome();
    if (shown) {
        m_actions->of("presentation")->setChecked(false);
    }
    m_actions->of("welcome")->setChecked(shown);
    if (page->isHidden() != shown) {
        return;
    }
    updateWelcomeAction();
    for (QWidget* part : std::initializer_list<QWidget*>{m_runBar, m_docks, m_scrubBar}) {
        part->setVisible(!shown);
    }
    if (!shown) {
        m_docks->setFocus(); // otherwise a button gets the focus and takes the space bar
        page->setCalm(false);
    }
    page->setVisible(shown);
    if (shown) {
        page->setFocus();
    }
}

void MainWindow::showFirstPage()
{
    m_scenarioController->welcome()->setCalm(true);
    showWelcome(true);
}

void MainWindow::updateWelcomeAction()
{
    QAction* welcome = m_actions->of("welcome");
    const bool shown = welcome->isChecked();
    welcome->setText(shown ? MenuTexts::tr("&Back to the Views") : MenuTexts::tr("&Welcome Page"));
    // Empty views are nothing to go back to.
    welcome->setVisible(!shown || m_model.hasRun() || m_control->isWatchOnly() || !m_history->isHidden());
}

// The window's height, which determines how many cards have room, is known only when it is shown.
void MainWindow::showEvent(QShowEvent* event)
{
    if (!std::exchange(m_laidOut, true)) {
        if (!m_layoutRestored && height() < DockArea::kLowWindowHeight)
            m_docks->arrangeForLowWindow();
        m_layouts->start(m_beginsSimple ? LayoutController::Layout::learn
                                        : LayoutController::Layout::everything);
    }
    QMainWindow::showEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        keepSideShares(event->oldSize().width());
}

void MainWindow::restoreLayout()
{
    m_layoutRestored = LayoutController::restore(m_settings, *this, *m_docks);
    if (m_layoutRestored) {
        if (m_settings.contains(settings::kCards)) {
            m_docks->placeMissing(m_settings.get(settings::kCards));
        }
        m_docks->setUserProportions(m_settings.get(settings::kProportions));
    }
    if (!m_settings.isKept()) {
        return;
    }
    for (const ViewEntry& entry : m_views)
        entry.view->restore(m_settings);
    const QVariantMap tables = m_settings.get(settings::kTables);
    for (TableTools* table : findChildren<TableTools*>())
        table->restore(tables.value(table->objectName()).toStringList());
    m_actions->of("wallClock")->setChecked(m_settings.get(settings::kWallClock));
    m_actions->of("showMenuBar")->setChecked(m_settings.get(settings::kMenuBar));
}

void MainWindow::saveLayout()
{
    if (m_settings.isKept() && !m_lessons->isOpen()) {
        m_docks->showAll();
        LayoutController::save(m_settings, *this, m_layouts->arrangement(), m_layouts->proportions());
        m_settings.set(settings::kCards, m_docks->cardNames());
    }
}

void MainWindow::saveViewOptions(Settings store) const
{
    QVariantMap tables;
    for (const TableTools* table : findChildren<const TableTools*>())
        tables.insert(table->objectName(), table->saved());
    store.set(settings::kTables, tables);
    store.set(settings::kWallClock, m_actions->of("wallClock")->isChecked() && !m_clockOfRun);
    store.set(settings::kMenuBar, m_actions->of("showMenuBar")->isChecked());
    for (const ViewEntry& entry : m_views)
        entry.view->save(store);
}

// The arrangement and the options of this window go to the other one as its settings.
FilmStage MainWindow::stageFor(const QString& view)
{
    auto folder = std::make_shared<QTemporaryDir>();
    auto* kept = new QSettings(folder->filePath("settings.ini"), QSettings::IniFormat);
    Settings store(kept);
    LayoutController::save(store, *this, m_layouts->arrangement(), m_layouts->proportions());
    saveViewOptions(store);
    store.set(settings::kWallClock, m_theme.wallClock());
    store.set(settings::kKeys, qApp->property(kChangedKeys).toMap());
    Setup setup;
    setup.colourScheme = m_theme.palette().dark ? Theme::ColourScheme::dark : Theme::ColourScheme::light;
    setup.settings = kept;
    auto film = std::make_unique<MainWindow>(setup);
    kept->setParent(film.get());
    film->setAttribute(Qt::WA_DontShowOnScreen);
    film->setAttribute(Qt::WA_QuitOnClose, false); // the program ends without it
    film->setWindowState(Qt::WindowNoState);
    film->m_laidOut = true;
    film->m_messages->setQuiet(true);
    film->resize(size());
    film->show();
    film->m_control->showHistory(
        m_model.written(), [label = m_control->sourceLabel()] { return label; }, false);
    film->m_selection.select(m_selection.now());
    if (!m_time.following())
        film->m_time.show(m_time.begin(), m_time.end());
    RunModel* run = &film->m_model;
    QWidget* shown = film.get();
    if (DockCard* card = film->m_docks->cardOf(view)) {
        card->show();
        card->raise();
        shown = card->frame();
    }
    return {std::move(folder), std::move(film), run, shown};
}

} // namespace lockscope::ui
