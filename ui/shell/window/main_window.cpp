#include "ui/shell/window/main_window.h"

#include "ui/chain/chain_view.h"
#include "ui/locks/history_dock.h"
#include "ui/locks/watch_dock.h"
#include "ui/manual/manual_dock.h"
#include "ui/manual/term_tips.h"
#include "ui/models/run/go_to_event.h"
#include "ui/models/style/format.h"
#include "ui/models/style/preferences.h"
#include "ui/models/style/window_size.h"
#include "ui/recipe/recipe_dock.h"
#include "ui/shell/compare/compare_controller.h"
#include "ui/shell/dialogs/attach_dialog.h"
#include "ui/shell/dialogs/file_dialogs.h"
#include "ui/shell/dialogs/merge_dialog.h"
#include "ui/shell/dialogs/preferences_dialog.h"
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
#include "ui/tables/log_view.h"
#include "ui/texts/core_messages.h"
#include "ui/timeline/timeline_search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/welcome/recent_files.h"
#include "ui/welcome/welcome_page.h"
#include "ui/widgets/float_mover.h"
#include "ui/widgets/table_tools.h"

#include <QApplication>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QResizeEvent>
#include <QScreen>
#include <QTemporaryDir>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr QSize kDefaultWindowSize(1440, 900);
constexpr QSize kMinWindowSize(1000, 660);
constexpr int kManualWidth = 460;
constexpr int kRecipeWidth = 480;
constexpr int kWideWindow = 1600; // wide enough for two docks beside the views

bool isTrace(const QString& path) { return path.endsWith(QLatin1String(".jsonl"), Qt::CaseInsensitive); }

// Returns one file, or several files that can be one run; otherwise nothing.
QStringList droppedFiles(const QMimeData* data)
{
    QStringList files;
    for (const QUrl& url : data->urls()) {
        if (!url.isLocalFile()) {
            return {};
        }
        files << url.toLocalFile();
    }
    const bool isRun = std::all_of(files.begin(), files.end(),
                                   [](const QString& file) { return isTrace(file) || isHistory(file); });
    return files.size() <= 1 || isRun ? files : QStringList();
}

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

void MainWindow::addRecentFiles(QMenu* file)
{
    auto* recent = new QMenu(file);
    recent->setObjectName("recentMenu");
    onRetranslate(recent, [recent] { recent->setTitle(MenuTexts::tr("Open &Recent")); });
    const auto fill = [this, recent] {
        recent->clear();
        for (const QString& path : m_recent->paths())
            connect(recent->addAction(format::fileName(path).replace(u'&', QLatin1String("&&"))),
                    &QAction::triggered, m_control, [this, path] { m_control->openPath(path); });
        recent->menuAction()->setEnabled(!recent->isEmpty());
    };
    connect(m_recent, &RecentFiles::changed, recent, fill);
    fill();
    file->insertMenu(m_actions->of("openHistory"), recent);
    m_actions->of("reload")->setEnabled(false);
    m_actions->on("reload", m_control, [this] { m_control->openPath(m_opened); });
    connect(m_control, &RunController::opened, this, [this](const QString& path) {
        m_opened = path;
        m_actions->of("reload")->setEnabled(true);
    });
}

void MainWindow::showPreferences(const QList<QAction*>& languages)
{
    QHash<QString, QString> titles;
    for (const DockCard* card : m_docks->cards())
        titles[card->name()] = card->windowTitle();
    auto* dialog = new PreferencesDialog(
        {languages,
         {m_actions->of("themeSystem"), m_actions->of("themeLight"), m_actions->of("themeDark")},
         m_actions->of("wallClock"),
         titles},
        m_settings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PreferencesDialog::updatesChosen, this,
            [this](int perSecond) { m_model.setProperty(kRunUpdates, perSecond); });
    dialog->open();
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

void MainWindow::connectActions()
{
    m_actions->on("open", m_dialogs, &FileDialogs::askOpen);
    m_actions->on("saveTrace", m_dialogs, [this] { m_dialogs->askSaveTrace(m_control->suggestedName()); });
    m_actions->on("savePicture", m_exportController,
                  [this] { m_exportController->askPicture(QStringLiteral("window")); });
    m_actions->on("print", m_exportController, &ExportController::askPrint);
    m_actions->on("openSeveral", m_dialogs, &FileDialogs::askOpenSeveral);
    connect(m_dialogs, &FileDialogs::severalChosen, this, &MainWindow::openFiles);
    connect(m_dialogs, &FileDialogs::openChosen, m_control, &RunController::openPath);
    connect(m_dialogs, &FileDialogs::saveTraceChosen, m_control, &RunController::saveTrace);
    m_actions->on("compareWith", m_compareController, &CompareController::compareWithCurrentRun);
    m_actions->on("compareTwo", m_compareController, &CompareController::compareTwo);
    m_actions->on("play", m_control,
                  [this] { m_control->startBuiltIn(QString::fromLatin1(RunController::kDefaultScenario)); });
    m_actions->on("quit", this, &QWidget::close);
    connect(m_actions->of("welcome"), &QAction::toggled, this, &MainWindow::showWelcome);
    connect(m_scenarioController, &ScenarioController::welcomeClosed, this, [this] { showWelcome(false); });
    connect(m_scenarioController, &ScenarioController::welcomeRequested, this, [this] { showWelcome(true); });
    m_actions->on("closeRun", this, [this] {
        m_control->endRun();
        m_watch->hide();
        showWelcome(true);
    });
    m_actions->on("runAgain", m_control, &RunController::runAgain);
    m_actions->on("clientBack", m_control, [this] { m_control->stepSelected(false); });
    m_actions->on("clientForward", m_control, [this] { m_control->stepSelected(true); });
    m_bookmarksController->connectActions(*m_actions, viewAmong<TimelineView>(m_views));
    m_actions->on("themeSystem", this, [this] { setColourScheme(Theme::ColourScheme::system); });
    m_actions->on("themeLight", this, [this] { setColourScheme(Theme::ColourScheme::light); });
    m_actions->on("themeDark", this, [this] { setColourScheme(Theme::ColourScheme::dark); });
    m_actions->on("showViolation", this, &MainWindow::showViolation);
    m_actions->on("inspect", this,
                  [this] { raiseCard("inspector")->view()->setFocus(Qt::ShortcutFocusReason); });
    connect(m_actions->of("presentation"), &QAction::toggled, this, [this](bool shown) {
        if (shown) {
            m_beforePresentation = windowState();
            saveLayout(); // the layout at the next start if the window is closed during the presentation
        }
        showPresentation(shown);
        setWindowState(shown ? m_beforePresentation | Qt::WindowFullScreen : m_beforePresentation);
    });
    connect(m_presentation, &PresentationView::closeRequested, this,
            [this] { m_actions->of("presentation")->setChecked(false); });
    connect(m_actions->of("wallClock"), &QAction::toggled, &m_theme, &Theme::setWallClock);
    m_actions->on("wallClock", this, [this] { m_clockOfRun = false; }); // now the user's choice
    m_actions->on("maximize", this, &MainWindow::maximizeCard);
    connect(m_actions->of("showMenuBar"), &QAction::toggled, menuBar(), &QWidget::setVisible);
    m_actions->on("messages", this, &MainWindow::showMessages);
    connect(m_messages, &MessageBar::listRequested, this, &MainWindow::showMessages);
    m_actions->on("about", this, &MainWindow::postAbout);
}

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
        m_watch->watch({place.servers, place.paths(), {}, place.tls});
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

void MainWindow::updateThemeActions()
{
    const auto colourScheme = m_theme.colourScheme();
    m_actions->of("themeSystem")->setChecked(colourScheme == Theme::ColourScheme::system);
    m_actions->of("themeLight")->setChecked(colourScheme == Theme::ColourScheme::light);
    m_actions->of("themeDark")->setChecked(colourScheme == Theme::ColourScheme::dark);
}

// Sets all texts about the run again, in the new language.
void MainWindow::retranslate()
{
    m_theme.setLanguageChanged();
    m_model.notifyAll();
    m_control->notifyChanged();
    updateWelcomeAction();
}

void MainWindow::setColourScheme(Theme::ColourScheme colourScheme)
{
    m_theme.setColourScheme(colourScheme);
    m_settings.set(settings::kColourScheme, static_cast<int>(colourScheme));
    updateThemeActions();
}

void MainWindow::showTitle()
{
    const QString source =
        m_control->sourceLabel().isEmpty() ? m_control->scenarioName() : m_control->sourceLabel();
    setWindowTitle(source.isEmpty() ? tr("LockScope") : tr("%1 - LockScope").arg(source));
}

void MainWindow::postAbout()
{
    m_messages->post({.key = "about",
                      .kind = UserMessage::Kind::info,
                      .text = [] { return tr("LockScope %1").arg(QApplication::applicationVersion()); },
                      .hint = [] { return tr("Visualizes ZooKeeper locks while they work."); }});
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_scenarioController->mayClose([this] { close(); }) || !m_closeQuestion->mayClose()) {
        event->ignore();
        return;
    }
    if (!m_presentation->isOpen()) {
        saveLayout();
    }
    saveViewOptions(m_settings);
    m_model.endRun();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!droppedFiles(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    if (const QStringList paths = droppedFiles(event->mimeData()); !paths.isEmpty()) {
        event->acceptProposedAction();
        openFiles(paths);
    }
}

void MainWindow::openFiles(const QStringList& paths)
{
    if (std::all_of(paths.begin(), paths.end(), isHistory)) {
        m_recipe->hide();
        m_history->open(paths);
    } else if (paths.size() == 1) {
        m_control->openPath(paths.front());
    } else {
        MergeInputs inputs;
        for (const QString& path : paths)
            (isHistory(path) ? inputs.logs : inputs.traces) << path;
        if (inputs.logs.isEmpty())
            return m_control->openSeveral(inputs);
        auto* dialog = new MergeDialog(inputs, &m_theme, this);
        connect(dialog, &MergeDialog::chosen, m_control, &RunController::openSeveral);
        dialog->open();
    }
}

void MainWindow::openHistory(const QString& path, const std::string& lock)
{
    const bool alone = !m_runBar->isVisibleTo(this); // a picture of one card, with nothing beside it
    m_recipe->hide();
    m_history->open({path}, lock);
    m_history->setVisible(!alone);
}

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

// Shows the newest event that violates any finding, in the middle of the timeline.
void MainWindow::showViolation()
{
    const replay::Violation* newest = nullptr;
    for (const replay::Finding& finding : m_model.state().findings.all) {
        if (!finding.violations.empty() && (!newest || newest->at < finding.violations.back().at)) {
            newest = &finding.violations.back();
        }
    }
    if (!newest) {
        m_messages->post({.key = "violation", .kind = UserMessage::Kind::info, .text = [] {
                              return tr("No finding is violated so far.");
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

void MainWindow::showMessages() { (new MessageList(m_messages, &m_theme, this))->show(); }

} // namespace lockscope::ui

#include "moc_main_window.cpp"
