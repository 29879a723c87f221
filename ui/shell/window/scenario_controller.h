// Where scenarios are made and chosen: opens the form of one, the list of all commands, the welcome page over the
// views, and the question which lock of others to attach to. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>

#include "core/sim/scenario/scenario.h"
#include "ui/editor/scenario_editor.h"
#include "ui/shell/dialogs/attach_target.h"
#include "ui/shell/window/chinese_command_texts.h"

#include <functional>
#include <string>

class QAction;
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
    ScenarioController(RunController* control, Actions* actions, const QList<QAction*>& offers, Theme* theme,
                 RecentFiles* recent, Settings settings, QMainWindow* window);
    // The page that lies over `views` while it is shown; hidden at first.
    WelcomePage* welcome() const { return m_welcome; }
    ScenarioEditor* editor() const { return m_editor; } // null when none is open
    // False while the editor has unsaved changes: it asks, and calls `discarded` when the user gives them up.
    bool mayClose(std::function<void()> discarded);

public slots:
    void editScenario(); // the one that runs
    void newScenario();
    void showCommands();
    void askForTarget();
    void attach(const lockscope::ui::AttachTarget& place);

signals:
    void welcomeClosed();   // something was chosen there
    void welcomeRequested(); // that failed: back to it

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
    std::string m_editedSource; // what the editor was last opened with, or ran
    ChineseCommandTexts m_chinese;
    RecentTargets m_recentTargets;
    AttachTarget m_lastTarget;            // that was tried in this window
    bool m_attaching = false;    // no server has answered yet
    bool m_fromWelcome = false;  // the page was shown when it was chosen
};

} // namespace lockscope::ui
