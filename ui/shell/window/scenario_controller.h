// Lets the user create and choose scenarios: opens the scenario editor, the list of all commands, the welcome
// page, and the dialog for attaching to another program's lock. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>

#include "core/sim/scenario/scenario.h"
#include "ui/editor/scenario_editor.h"
#include "ui/shell/dialogs/attach_target.h"

#include <functional>
#include <string>

class QMainWindow;

namespace lockscope::ui {

class Actions;
class Theme;
class RecentFiles;
class RunController;
class WelcomePage;

class ScenarioController : public QObject
{
    Q_OBJECT
public:
    ScenarioController(RunController* control, Actions* actions, Theme* theme, RecentFiles* recent,
                       Settings settings, QMainWindow* window);
    // The page that replaces the views while it is shown; initially hidden.
    WelcomePage* welcome() const { return m_welcome; }
    ScenarioEditor* editor() const { return m_editor; } // null: no editor is open
    // False while the editor has unsaved changes: it asks, and calls `done` once they are saved or discarded.
    bool mayClose(std::function<void()> done);

public slots:
    void editScenario(); // the scenario of the current run
    void newScenario();
    void showCommands();
    void askForTarget();
    void attach(const lockscope::ui::AttachTarget& place);

signals:
    void welcomeClosed();    // something else is shown instead
    void welcomeRequested(); // attaching failed: the page is shown again

private:
    void edit(const sim::Scenario& scenario, const QString& path);
    void makeEditor();
    void showEditor();
    void run(const sim::Scenario& scenario, const QString& label, const QString& path);
    void checkAttached();

    RunController* m_control;
    Theme* m_theme;
    RecentFiles* m_recent;
    QMainWindow* m_window;
    WelcomePage* m_welcome;
    QPointer<ScenarioEditor> m_editor;
    std::string m_editedSource; // what the editor last opened or ran
    RecentTargets m_recentTargets;
    AttachTarget m_lastTarget;  // tried in this window
    bool m_attaching = false;   // waiting for the server's answer
    bool m_fromWelcome = false; // the welcome page was shown when the target was chosen
};

} // namespace lockscope::ui
