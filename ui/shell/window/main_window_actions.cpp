// What a MainWindow's menus and keys do.
#include "ui/shell/window/main_window.h"

#include "ui/locks/watch_dock.h"
#include "ui/models/run/go_to_event.h"
#include "ui/models/style/format.h"
#include "ui/models/style/preferences.h"
#include "ui/shell/compare/compare_controller.h"
#include "ui/shell/dialogs/file_dialogs.h"
#include "ui/shell/dialogs/preferences_dialog.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/messages/message_list.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/run/bookmarks_controller.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/menus.h"
#include "ui/shell/window/scenario_controller.h"
#include "ui/timeline/timeline_view.h"
#include "ui/welcome/recent_files.h"

#include <QApplication>
#include <QMenuBar>

namespace lockscope::ui {

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

void MainWindow::connectActions()
{
    m_actions->on("open", m_dialogs, &FileDialogs::askOpen);
    m_actions->on("saveTrace", m_dialogs, [this] { m_dialogs->askSaveTrace(m_control->suggestedName()); });
    m_actions->on("savePicture", m_exportController,
                  [this] { m_exportController->askPicture(QStringLiteral("window")); });
    m_actions->on("print", m_exportController, &ExportController::askPrint);
    m_actions->on("openSeveral", m_dialogs, &FileDialogs::askOpenSeveral);
    connect(m_dialogs, &FileDialogs::severalChosen, this, &MainWindow::openChosen);
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

void MainWindow::updateThemeActions()
{
    const auto colourScheme = m_theme.colourScheme();
    m_actions->of("themeSystem")->setChecked(colourScheme == Theme::ColourScheme::system);
    m_actions->of("themeLight")->setChecked(colourScheme == Theme::ColourScheme::light);
    m_actions->of("themeDark")->setChecked(colourScheme == Theme::ColourScheme::dark);
}

void MainWindow::setColourScheme(Theme::ColourScheme colourScheme)
{
    m_theme.setColourScheme(colourScheme);
    m_settings.set(settings::kColourScheme, static_cast<int>(colourScheme));
    updateThemeActions();
}

void MainWindow::postAbout()
{
    m_messages->post({.key = "about",
                      .kind = UserMessage::Kind::info,
                      .text = [] { return tr("LockScope %1").arg(QApplication::applicationVersion()); },
                      .hint = [] { return tr("Visualizes ZooKeeper locks while they work."); }});
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

void MainWindow::showMessages() { (new MessageList(m_messages, &m_theme, this))->show(); }

} // namespace lockscope::ui
