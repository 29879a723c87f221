// Where scenarios are made and chosen: opens the form of one, the list of all commands, and the welcome page
// over the views. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>

#include "core/sim/scenario.h"
#include "ui/editor/scenario_editor.h"

class QAction;
class QMainWindow;

namespace lockscope::ui {

class Actions;
class Look;
class RecentFiles;
class RunControl;
class WelcomePage;

class ScenarioDesk : public QObject
{
    Q_OBJECT
public:
    ScenarioDesk(RunControl* control, Actions* actions, const QList<QAction*>& offers, Look* look,
                 RecentFiles* recent, QMainWindow* window);
    // The page that lies over `views` while it is shown; hidden at first.
    WelcomePage* welcome() const { return m_welcome; }
    ScenarioEditor* editor() const { return m_editor; } // null when none is open

public slots:
    void editScenario(); // the one that runs
    void newScenario();
    void showCommands();

signals:
    void welcomeLeft(); // something was chosen there

private:
    void edit(const sim::Scenario& scenario, const QString& path);

    RunControl* m_control;
    Look* m_look;
    RecentFiles* m_recent;
    QMainWindow* m_window;
    WelcomePage* m_welcome;
    QPointer<ScenarioEditor> m_editor;
};

} // namespace lockscope::ui
