#include "ui/shell/window/scenario_controller.h"

#include "ui/commands/command_palette.h"
#include "ui/models/style/theme.h"
#include "ui/shell/dialogs/attach_dialog.h"
#include "ui/shell/run/run_controller.h"
#include "ui/shell/window/actions.h"
#include "ui/welcome/recent_files.h"
#include "ui/welcome/welcome_page.h"

#include <QCoreApplication>
#include <QMainWindow>

#include <utility>

namespace lockscope::ui {

ScenarioController::ScenarioController(RunController* control, Actions* actions, Theme* theme,
                                       RecentFiles* recent, Settings settings, QMainWindow* window)
    : QObject(window)
    , m_control(control)
    , m_theme(theme)
    , m_recent(recent)
    , m_window(window)
    , m_welcome(new WelcomePage(theme, recent,
                                {.buttons = {actions->of("welcome"), actions->of("open"),
                                             actions->of("newScenario"), actions->of("compareTwo")},
                                 .secondary = {actions->of("themeLight"), actions->of("themeDark")},
                                 .commands = actions->of("commands")},
                                window))
    , m_recentTargets(settings)
{
    m_welcome->hide();
    connect(m_welcome, &WelcomePage::scenarioChosen, this, [this](const QString& name, bool stepped) {
        emit welcomeClosed();
        m_control->startBuiltIn(name, stepped);
    });
    connect(m_welcome, &WelcomePage::fileChosen, control,
            &RunController::openPath); // the page stays if the file cannot be read
    connect(control, &RunController::opened, recent, &RecentFiles::add);
    actions->on("attach", this, &ScenarioController::askForTarget);
    connect(control, &RunController::changed, this, &ScenarioController::checkAttached);
    actions->on("editScenario", this, &ScenarioController::editScenario);
    actions->on("newScenario", this, &ScenarioController::newScenario);
    actions->on("commands", this, &ScenarioController::showCommands);
}

void ScenarioController::editScenario()
{
    if (const auto& scenario = m_control->scenario()) {
        edit(*scenario, m_control->scenarioPath());
    } else {
        newScenario();
    }
}

void ScenarioController::newScenario() { edit(ScenarioEditor::defaultScenario(), {}); }

namespace {

std::string sourceOf(const sim::Scenario& scenario, const QString& path)
{
    return path.toStdString() + '\n' + sim::toToml(scenario);
}

} // namespace

// There is one editor. Another scenario replaces unsaved changes only if the user agrees; the same scenario,
// opened again, keeps the changes and the file that it was saved to.
void ScenarioController::edit(const sim::Scenario& scenario, const QString& path)
{
    const std::string source = sourceOf(scenario, path);
    const bool isSame = m_editor && source == m_editedSource;
    const auto load = [this, scenario, path, source] {
        m_editedSource = source;
        m_editor->edit(scenario, path);
    };
    if (m_editor && !isSame && m_editor->unsaved()) {
        showEditor();
        m_editor->askToSave(load);
        return;
    }
    makeEditor();
    if (!isSame)
        load();
    showEditor();
}

void ScenarioController::makeEditor()
{
    if (m_editor)
        return;
    m_editor = new ScenarioEditor(m_theme, m_window);
    m_editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_editor, &ScenarioEditor::runWanted, this, &ScenarioController::run);
    connect(m_editor, &ScenarioEditor::saved, m_recent, &RecentFiles::add);
    connect(m_editor, &QDialog::finished, this, [this] { m_editor.clear(); });
}

void ScenarioController::showEditor()
{
    m_editor->show();
    m_editor->raise();
    m_editor->activateWindow();
}

// The editor stays above the window, so it is hidden if it would cover the run. It keeps its state until
// shown again.
void ScenarioController::run(const sim::Scenario& scenario, const QString& label, const QString& path)
{
    m_editedSource = sourceOf(scenario, path);
    if (m_editor->frameGeometry().intersects(m_window->frameGeometry())) {
        m_editor->hide();
        m_window->activateWindow();
    }
    emit welcomeClosed();
    m_control->startScenario(scenario, label, path);
}

bool ScenarioController::mayClose(std::function<void()> done)
{
    if (!m_editor || !m_editor->unsaved())
        return true;
    showEditor();
    m_editor->askToSave([this, done = std::move(done)] {
        m_editor->deleteLater();
        m_editor.clear();
        done();
    });
    return false;
}

void ScenarioController::askForTarget()
{
    const QList<AttachTarget> recent = m_recentTargets.all();
    const AttachTarget first =
        m_lastTarget.path.isEmpty() && !recent.isEmpty() ? recent.front() : m_lastTarget;
    auto* dialog = new AttachDialog(recent, first, m_theme, m_window);
    connect(dialog, &AttachDialog::chosen, this, &ScenarioController::attach);
    dialog->open();
}

void ScenarioController::attach(const AttachTarget& place)
{
    m_lastTarget = place;
    m_fromWelcome = m_welcome->isVisible();
    emit welcomeClosed();
    m_attaching = false; // no longer to the previous target
    m_control->attach(place);
    m_attaching = true;
}

// If attaching fails, the welcome page returns if the target was chosen there; a message has the reason.
void ScenarioController::checkAttached()
{
    if (!m_attaching || m_control->stage() == RunController::Stage::starting) {
        return;
    }
    m_attaching = false;
    if (m_control->sourceLabel() != m_lastTarget.words()) {
        return; // another run took its place
    }
    if (!m_control->failed()) {
        m_recentTargets.add(m_lastTarget);
    } else if (m_fromWelcome) {
        emit welcomeRequested();
    }
}

void ScenarioController::showCommands()
{
    std::vector<CommandEntry> entries = commandsOf(*m_window);
    for (const ScenarioEntry& story : builtInScenarios()) {
        const auto start = [this, name = story.name](bool stepped) {
            emit welcomeClosed();
            m_control->startBuiltIn(name, stepped);
        };
        entries.push_back(
            {.text = story.title,
             .category = tr("Scenario %1").arg(story.name),
             .shortcut = {},
             .description = tr("%1 Shift+Enter starts it step by step.").arg(story.line),
             .enabled = true,
             .action = {},
             .run = [start] { start(false); },
             .runAlternative = [start] { start(true); },
             .searchTerms = QString::fromStdString(story.scenario.title + '\n' + story.scenario.titleZh)});
    }
    auto* palette = new CommandPalette(std::move(entries), m_theme, m_window);
    palette->show();
}

} // namespace lockscope::ui

#include "moc_scenario_controller.cpp"
