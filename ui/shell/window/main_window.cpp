#include "ui/shell/window/main_window.h"

#include "ui/chain/chain_view.h"
#include "ui/locks/history_dock.h"
#include "ui/locks/watch_dock.h"
#include "ui/manual/manual_dock.h"
#include "ui/manual/term_tips.h"
#include "ui/models/style/format.h"
#include "ui/models/style/preferences.h"
#include "ui/models/style/window_size.h"
#include "ui/recipe/recipe_dock.h"
#include "ui/shell/compare/compare_controller.h"
#include "ui/shell/dialogs/attach_dialog.h"
#include "ui/shell/dialogs/file_dialogs.h"
#include "ui/shell/docking/action_row.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/lesson/lesson_controller.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/messages/message_list.h"
#include "ui/shell/messages/run_notices.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/run/bookmarks_controller.h"
#include "ui/shell/run/client_menu.h"
#include "ui/shell/run/fault_menu.h"
#include "ui/shell/run/judge_controller.h"
#include "ui/shell/run/step_controller.h"
#include "ui/shell/run/step_menu.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/runbar/scrub_bar.h"
#include "ui/shell/runbar/server_badge.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/close_question.h"
#include "ui/shell/window/focus_ring.h"
#include "ui/shell/window/icons.h"
#include "ui/shell/window/key_filter.h"
#include "ui/shell/window/language.h"
#include "ui/shell/window/language_menu.h"
#include "ui/shell/window/layout_controller.h"
#include "ui/shell/window/menu_tips.h"
#include "ui/shell/window/menus.h"
#include "ui/shell/window/place_history.h"
#include "ui/shell/window/scenario_controller.h"
#include "ui/shell/window/visibility_watcher.h"
#include "ui/tables/clients_view.h"
#include "ui/texts/core_messages.h"
#include "ui/timeline/timeline_search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/welcome/recent_files.h"
#include "ui/welcome/welcome_page.h"
#include "ui/widgets/float_mover.h"

#include <QApplication>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace lockscope::ui {

namespace {

constexpr QSize kDefaultWindowSize(1440, 900);
constexpr QSize kMinWindowSize(1000, 660);

// Before the first command is made.
QSettings* withKeys(QSettings* settings)
{
    qApp->setProperty(kChangedKeys, Settings(settings).get(settings::kKeys));
    return settings;
}

// A card behind another one lies outside the window. visibleRegion() cannot be used: it excludes what an
// opaque child covers, so that nothing remains of a view that paints in its viewport.
bool isVisibleInWindow(const QWidget& widget)
{
    QRect seen = widget.rect();
    for (const QWidget* each = &widget; !seen.isEmpty() && !each->isWindow(); each = each->parentWidget()) {
        seen = seen.translated(each->pos()) & each->parentWidget()->rect();
    }
    return !seen.isEmpty();
}

} // namespace

MainWindow::MainWindow(Setup setup)
    : m_settings(withKeys(setup.settings))
    , m_language(setup.language)
    , m_theme(setup.colourScheme)
    , m_style(&m_theme)
    , m_control(new RunController(&m_model, &m_selection, setup.runs, this))
    , m_notices(new RunNotices(&m_model, this))
    , m_actions(new Actions(this))
    , m_faults(new FaultMenu(m_actions, m_control, &m_model, &m_selection, this))
    , m_runBar(new RunBar(&m_model, m_control, m_actions, m_faults, &m_theme, this))
    , m_messages(new MessageBar(&m_theme, this))
    , m_views(views(setup.views))
    , m_docks(new DockArea(m_views, &m_theme, this))
    , m_scrubBar(new ScrubBar(&m_model, m_actions, &m_theme, this))
    , m_dialogs(new FileDialogs(this))
    , m_exportController(new ExportController(
          &m_model, m_control, &m_time, m_docks, [this] { return m_scrubBar->speed(); }, this))
    , m_bookmarksController(new BookmarksController(&m_bookmarks, m_control, this))
    , m_closeQuestion(
          new CloseQuestion(m_control, m_bookmarksController, m_actions->of("asksToSave"), m_settings, this))
    , m_recent(new RecentFiles(setup.settings, this))
    , m_scenarioController(new ScenarioController(m_control, m_actions, &m_theme, m_recent, m_settings, this))
    , m_compareController(new CompareController(m_control, &m_theme, this))
    , m_history(new HistoryDock(&m_theme, this))
    , m_watch(new WatchDock(&m_model, &m_theme, &m_selection, this))
    , m_lessons(new LessonController(&m_model, m_control, &m_selection, m_docks, &m_theme, m_settings, this))
    , m_recipe(new RecipeDock(&m_theme, this))
    , m_layouts(new LayoutController(m_docks, m_actions, m_settings, this))
    , m_manual(new ManualDock(&m_theme, this))
    , m_beginsSimple(setup.beginsSimple)
    , m_firstStart(m_settings.isKept() && !m_settings.hasLayout())
    , m_presentation(new PresentationView(m_docks, &m_theme, m_settings, this))
{
    setObjectName("mainWindow");
    setWindowIcon(applicationIcon());
    setMinimumSize(sizeOnScreen(kMinWindowSize, *screen()));
    resize(sizeOnScreen(kDefaultWindowSize, *screen()));
    setAcceptDrops(true);
    // Qt's context menu could show empty panels, such as the lesson panel when no lesson is open.
    setContextMenuPolicy(Qt::NoContextMenu);
    new FocusRing(&m_theme, this);
    new TermTips(this);
    new MenuTips(this);
    if (FloatMover::isNeeded())
        new FloatMover(this);
    connect(new KeyFilter(this), &KeyFilter::findPressed, this, [this] {
        if (m_docks->isVisible()) {
            raiseCard("timeline");
            viewAmong<TimelineView>(m_views)->searchBar()->open();
        }
    });
    m_model.setProperty(kRunUpdates, m_settings.get(settings::kUpdatesPerSecond));
    new PlaceHistory(&m_model, &m_selection, m_actions->of("back"), m_actions->of("forward"), this);
    m_actions->of("newWindow")->setEnabled(bool(setup.openWindow));
    m_actions->on("newWindow", this, [this, open = setup.openWindow] { open(m_opened); });
    assemble();
    connectMessages();
    connectRun();
    connectActions();
    connectHistory();
    connectWatch();
    connectLessons();
    connectRecipe();
    connectManual();
    updateThemeActions();
    restoreLayout();
    showTitle();
    m_docks->setFocusPolicy(Qt::ClickFocus);
    m_docks->setFocus(); // no control has the focus at first
    // Nor when one gives it away: Qt would give it to the first control when the window is next activated.
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        if (!now && isActiveWindow() && m_docks->isVisible()) {
            m_docks->setFocus();
        }
    });
}

// Deletes the children that listen to the model before the model itself.
MainWindow::~MainWindow()
{
    qDeleteAll(findChildren<QToolBar*>(Qt::FindDirectChildrenOnly));
    delete takeCentralWidget();
}

std::vector<ViewEntry> MainWindow::views(const ViewTable& table)
{
    return makeViews(table, {&m_model, &m_selection, &m_time, &m_bookmarks, &m_breakpoints, &m_theme, this},
                     [this](const View& view) {
                         QList<QAction*> commands;
                         for (const char* name : view.footer())
                             commands << m_actions->of(name);
                         return new ActionRow(commands, this);
                     });
}

void MainWindow::assemble()
{
    auto* all = new QWidget(this);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_docks, 1);
    column->addWidget(m_presentation, 1);
    column->addWidget(m_scenarioController->welcome(), 1);
    column->addWidget(m_scrubBar);
    setCentralWidget(all);
    addDockWidget(Qt::LeftDockWidgetArea, m_history);
    addDockWidget(Qt::LeftDockWidgetArea, m_watch);
    addDockWidget(Qt::LeftDockWidgetArea, m_lessons->dock());
    addDockWidget(Qt::LeftDockWidgetArea, m_recipe);
    addDockWidget(Qt::RightDockWidgetArea, m_manual);
    m_manual->hide();
    m_messages->setParent(all);
    m_messages->setFloatingArea([this] { return messageArea(); });
    auto* languages = m_language ? new LanguageMenu(m_language, m_settings, this) : nullptr;
    if (m_language) {
        connect(m_language, &Language::aboutToChange, this, [this] { setUpdatesEnabled(false); });
    }
    WelcomePage* welcome = m_scenarioController->welcome();
    auto* server = new ServerBadge(&m_model, &m_theme, welcome);
    m_runBar->addAtEnd(new MessageBell(m_messages, m_actions->of("messages"), &m_theme, m_runBar->status()));
    auto* corner = new QWidget(welcome);
    auto* cornerRow = new QHBoxLayout(corner);
    cornerRow->setContentsMargins(0, 0, 0, 0);
    cornerRow->addWidget(server);
    cornerRow->addWidget(new MessageBell(m_messages, m_actions->of("messages"), &m_theme, corner));
    welcome->setCorner(corner);
    if (languages) {
        welcome->addSecondary(languages->languages());
    }
    fillMenuBar(menuBar(), *m_actions, m_faults, *m_docks, languages);
    QMenu* file = menuBar()->actions().front()->menu();
    file->insertMenu(file->actions().value(file->actions().indexOf(m_actions->of("savePicture")) + 1),
                     m_exportController->menu());
    addRecentFiles(file);
    m_actions->on("preferences", this, [this, languages] {
        showPreferences(languages ? languages->actions() : QList<QAction*>());
    });
    menuBar()->insertMenu(menuBar()->actions().back(), m_lessons->menu());
    m_lessons->menu()->addSeparator();
    m_lessons->menu()->addAction(m_actions->of("buildRecipe"));
    m_lessons->menu()->setToolTipsVisible(true);
    welcome->setWaysIn({m_lessons->start(), m_actions->of("play"), m_actions->of("attach")});
    welcome->setLessons(m_lessons->lessonActions());
    auto* steps = new StepMenu(m_actions, m_control, &m_model, &m_selection, &m_breakpoints, this);
    menuBar()->insertMenu(m_faults->menuAction(), steps);
    connect(steps->steps(), &StepController::messagePosted, m_messages, &MessageBar::post);
    m_actions->on("runOrPause", steps->steps(), &StepController::runOrPause);
    m_runBar->addStep(steps->oneStep());
    auto* ofClient = new ClientMenu(m_actions, steps, m_faults, &m_selection, this);
    const auto offer = [ofClient](const auto* view) {
        using Offered = std::remove_cv_t<std::remove_pointer_t<decltype(view)>>;
        connect(view, &Offered::clientMenuRequested, ofClient,
                [ofClient, view](QPoint place) { ofClient->show(place, view->actions()); });
    };
    offer(viewAmong<ClientsView>(m_views));
    offer(viewAmong<ChainView>(m_views));
}

void MainWindow::connectRun()
{
    connect(m_bookmarksController, &BookmarksController::timelineRequested, this, [this] {
        m_docks->card("timeline")->show();
        m_docks->card("timeline")->raise();
    });
    connect(m_control, &RunController::changed, this, &MainWindow::showTitle);
    connect(m_control, &RunController::openFailed, this, [this] {
        if (!m_model.hasRun() && !m_control->isWatchOnly()) {
            showWelcome(true); // where the user can choose something else
        }
    });
    connect(m_control, &RunController::joinConfirmationRequested, this,
            [this](const AttachTarget& place, const std::function<void()>& join) {
                confirmJoin(this, place, join);
            });
    connect(m_control, &RunController::foreignProgramsFound, this,
            [this](const AttachTarget& place, const Error& error, const std::function<void()>& join) {
                const auto watch = [this, watched = AttachTarget{place.servers, place.path, 0, place.tls}] {
                    m_scenarioController->attach(watched);
                };
                askAboutForeignPrograms(this, place, translateMessage(error.message, format::kMessageLength),
                                        watch, join);
            });
    connect(m_control, &RunController::commandPosted, m_notices, &RunNotices::dismissRefusals);
    connect(m_notices, &RunNotices::retryRequested, m_control, &RunController::runAgain);
    connect(m_runBar, &RunBar::findingClicked, this, &MainWindow::showFinding);
    connect(&m_model, &RunModel::runChanged, &m_time, &TimeWindow::reset);
    connect(&m_model, &RunModel::runChanged, this, [this] {
        showWelcome(false);
        m_layouts->setWatching(m_control->isWatchOnly());
    });
    connect(&m_theme, &Theme::changed, this, &MainWindow::updateThemeActions);
    new VisibilityWatcher(
        {m_docks->card("chain")->view(), m_docks->card("watches")->view()},
        [this](bool shown) { m_control->pollWatchTables(shown); }, this);
}

// Sets all texts about the run again, in the new language.
void MainWindow::retranslate()
{
    m_theme.setLanguageChanged();
    m_model.notifyAll();
    m_control->notifyChanged();
    updateWelcomeAction();
}

void MainWindow::showTitle()
{
    const QString source =
        m_control->sourceLabel().isEmpty() ? m_control->scenarioName() : m_control->sourceLabel();
    setWindowTitle(source.isEmpty() ? tr("LockScope") : tr("%1 - LockScope").arg(source));
}

// Updates are disabled since Language::aboutToChange(), so that the window never shows two languages at once.
bool MainWindow::event(QEvent* event)
{
    if (event->type() != QEvent::LanguageChange) {
        return QMainWindow::event(event);
    }
    setUpdatesEnabled(false);
    const bool done = QMainWindow::event(event); // every widget of the window receives it
    retranslate();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    setUpdatesEnabled(true);
    return done;
}

// A card behind another one is hidden from the user, but visible to Qt: Tab must skip it.
bool MainWindow::focusNextPrevChild(bool next)
{
    bool moved = QMainWindow::focusNextPrevChild(next);
    const QWidget* const first = focusWidget();
    while (moved && focusWidget() && !isVisibleInWindow(*focusWidget())) {
        moved = QMainWindow::focusNextPrevChild(next) && focusWidget() != first;
    }
    return moved;
}

void MainWindow::connectMessages()
{
    const auto listen = [this]<class Sender>(Sender* sender) {
        connect(sender, &Sender::messagePosted, m_messages, &MessageBar::post);
        connect(sender, &Sender::messageDismissed, m_messages, &MessageBar::dismiss);
    };
    listen(m_control);
    listen(m_exportController);
    listen(m_bookmarksController);
    connect(m_notices, &RunNotices::messageDismissed, m_messages, &MessageBar::dismiss);
    connect(m_notices, &RunNotices::messagePosted, this, [this](const UserMessage& message) {
        // A lesson's text explains what it does to its run; a notice over the bottom of the cards would hide
        // what happens.
        if (!m_lessons->isOpen() || message.kind != UserMessage::Kind::info) {
            m_messages->post(message);
        }
    });
    listen(m_compareController);
    listen(new JudgeController(m_control, &m_model, m_actions, &m_theme, m_settings, this));
    listen(m_lessons);
    connect(m_exportController, &ExportController::capturing, m_messages, &MessageBar::hideForCapture);
    connect(m_exportController, &ExportController::capturing, &m_model, &RunModel::showWritten);
    connect(m_exportController, &ExportController::capturing, m_watch, &WatchDock::showWritten);
    connect(m_exportController, &ExportController::printing, &m_theme, &Theme::setForPrint);
    connect(m_exportController, &ExportController::onPaper, this,
            [this, chosen = m_theme.colourScheme()](bool onPaper) mutable {
                if (onPaper)
                    chosen = m_theme.colourScheme();
                m_theme.setColourScheme(onPaper ? Theme::ColourScheme::light : chosen);
            });
    m_exportController->setStages([this](const QString& view) { return stageFor(view); });
    for (MessageBell* bell : findChildren<MessageBell*>()) {
        connect(m_exportController, &ExportController::capturing, bell, &QWidget::setHidden);
    }
}

// The area above the scrub bar.
QRect MainWindow::messageArea() const
{
    QRect room = centralWidget()->rect();
    const WelcomePage* page = m_scenarioController->welcome();
    if (!page->isHidden()) {
        room.setBottom(page->geometry().bottom() - page->footerHeight());
    } else if (!m_scrubBar->isHidden()) {
        room.setBottom(m_scrubBar->geometry().top() - 1);
    }
    return room;
}

} // namespace lockscope::ui

#include "moc_main_window.cpp"
