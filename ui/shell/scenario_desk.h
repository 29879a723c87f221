// Where scenarios are made and chosen: opens the form of one, the list of all commands, the welcome page over the
// views, and the question which lock of others to attach to. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>

#include "core/sim/scenario.h"
#include "ui/editor/scenario_editor.h"
#include "ui/shell/chinese_words.h"
#include "ui/shell/lock_place.h"

#include <string>

class QAction;
class QMainWindow;
class QSettings;

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
                 RecentFiles* recent, QSettings* settings, QMainWindow* window);
    // The page that lies over `views` while it is shown; hidden at first.
    WelcomePage* welcome() const { return m_welcome; }
    ScenarioEditor* editor() const { return m_editor; } // null when none is open

public slots:
    void editScenario(); // the one that runs
    void newScenario();
    void showCommands();
    void askPlace();
    void attach(const lockscope::ui::LockPlace& place);

signals:
    void welcomeLeft();   // something was chosen there
    void welcomeWanted(); // that failed: back to it

private:
    void edit(const sim::Scenario& scenario, const QString& path);
    void lookAtAttaching();

    RunControl* m_control;
    Look* m_look;
    RecentFiles* m_recent;
    QMainWindow* m_window;
    WelcomePage* m_welcome;
    QPointer<ScenarioEditor> m_editor;
    std::string m_asked; // what the editor was last opened with
    ChineseWords m_chinese;
    RecentPlaces m_places;
    LockPlace m_last;            // that was tried in this window
    bool m_attaching = false;    // it is tried, and nobody has answered yet
    bool m_fromWelcome = false;  // the page was shown when it was chosen
};

} // namespace lockscope::ui
