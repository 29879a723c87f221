#include "ui/shell/scenario_desk.h"

#include "ui/commands/command_palette.h"
#include "ui/models/look.h"
#include "ui/shell/actions.h"
#include "ui/shell/attach_dialog.h"
#include "ui/shell/run_control.h"
#include "ui/welcome/recent_files.h"
#include "ui/welcome/welcome_page.h"

#include <QCoreApplication>
#include <QMainWindow>

namespace lockscope::ui {

ScenarioDesk::ScenarioDesk(RunControl* control, Actions* actions, const QList<QAction*>& offers, Look* look,
                           RecentFiles* recent, QSettings* settings, QMainWindow* window)
    : QObject(window)
    , m_control(control)
    , m_look(look)
    , m_recent(recent)
    , m_window(window)
    , m_welcome(new WelcomePage(look, recent,
                                {.buttons = offers,
                                 .quiet = {actions->themeLight, actions->themeDark},
                                 .commands = actions->commands},
                                window))
    , m_places(settings)
{
    m_welcome->hide();
    connect(m_welcome, &WelcomePage::storyChosen, this, [this](const QString& name, bool stepped) {
        emit welcomeLeft();
        m_control->startBuiltIn(name, stepped);
    });
    connect(m_welcome, &WelcomePage::fileChosen, control,
            &RunControl::openPath); // stays when it cannot be read
    connect(control, &RunControl::opened, recent, &RecentFiles::add);
    connect(actions->attach, &QAction::triggered, this, &ScenarioDesk::askPlace);
    connect(control, &RunControl::changed, this, &ScenarioDesk::lookAtAttaching);
    connect(actions->editScenario, &QAction::triggered, this, &ScenarioDesk::editScenario);
    connect(actions->newScenario, &QAction::triggered, this, &ScenarioDesk::newScenario);
    connect(actions->commands, &QAction::triggered, this, &ScenarioDesk::showCommands);
}

void ScenarioDesk::editScenario()
{
    if (const auto& scenario = m_control->scenario()) {
        edit(*scenario, m_control->scenarioPath());
    } else {
        newScenario();
    }
}

void ScenarioDesk::newScenario() { edit(ScenarioEditor::fresh(), {}); }

// One at a time: what is not saved there is not lost to another one, nor the file that it was saved to.
void ScenarioDesk::edit(const sim::Scenario& scenario, const QString& path)
{
    const std::string asked = path.toStdString() + '\n' + sim::toToml(scenario);
    if (m_editor && (m_editor->unsaved() || !m_editor->isVisible() || asked == m_asked)) {
        m_editor->show();
        m_editor->raise();
        m_editor->activateWindow();
        return;
    }
    if (!m_editor) {
        m_editor = new ScenarioEditor(m_look, m_window);
        m_editor->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_editor, &ScenarioEditor::runWanted, this,
                [this](const sim::Scenario& made, const QString& label, const QString& file) {
                    emit welcomeLeft();
                    m_control->startScenario(made, label, file);
                });
        connect(m_editor, &ScenarioEditor::saved, m_recent, &RecentFiles::add);
    }
    m_asked = asked;
    m_editor->edit(scenario, path);
    m_editor->show();
    m_editor->raise();
    m_editor->activateWindow();
}

void ScenarioDesk::askPlace()
{
    const QList<LockPlace> recent = m_places.all();
    const LockPlace first = m_last.path.isEmpty() && !recent.isEmpty() ? recent.front() : m_last;
    auto* dialog = new AttachDialog(recent, first, m_look, m_window);
    connect(dialog, &AttachDialog::chosen, this, &ScenarioDesk::attach);
    dialog->open();
}

void ScenarioDesk::attach(const LockPlace& place)
{
    m_last = place;
    m_fromWelcome = m_welcome->isVisible();
    emit welcomeLeft();
    m_control->attach(place);
    m_attaching = true;
}

// Who chose it on the welcome page is back there when nobody answers; the window says why.
void ScenarioDesk::lookAtAttaching()
{
    if (!m_attaching || m_control->stage() == RunControl::Stage::starting) {
        return;
    }
    m_attaching = false;
    if (!m_control->failed()) {
        m_places.add(m_last);
    } else if (m_fromWelcome) {
        emit welcomeWanted();
    }
}

void ScenarioDesk::showCommands()
{
    std::vector<CommandEntry> entries =
        commandsOf(*m_window, [this](const QString& text) { return m_chinese.of(text); });
    for (const Story& story : builtInStories()) {
        const auto start = [this, name = story.name](bool stepped) {
            emit welcomeLeft();
            m_control->startBuiltIn(name, stepped);
        };
        entries.push_back(
            {.text = story.title,
             .where = tr("Scenario %1").arg(story.name),
             .shortcut = {},
             .about = tr("%1 Shift+Enter starts it step by step.").arg(story.line),
             .possible = true,
             .action = {},
             .run = [start] { start(false); },
             .runOther = [start] { start(true); },
             .otherNames = QString::fromStdString(story.scenario.title + '\n' + story.scenario.titleZh)});
    }
    auto* palette = new CommandPalette(std::move(entries), m_look, m_window);
    palette->show();
}

} // namespace lockscope::ui
