// Every command of the window as a QAction with its text, shortcut and explanation, shared by the menus, the
// bars and the keyboard. This class connects none of them. GUI thread.
#pragma once

#include <QAction>
#include <QObject>

#include "ui/shell/run/faults.h"

#include <array>

class QActionGroup;

namespace lockscope::ui {

class Actions : public QObject
{
    Q_OBJECT
public:
    // `host` is the window in which the shortcuts work.
    explicit Actions(QWidget* host);

    QAction* open;
    QAction* openHistory;
    QAction* saveTrace;
    QAction* savePicture;
    QAction* compareWith;
    QAction* compareTwo;
    QAction* quit;
    QAction* asksToSave;

    QAction* newScenario;
    QAction* editScenario;
    QAction* attach;
    QAction* welcome;
    QAction* closeRun;
    QAction* play;
    QAction* commands;

    QAction* runOrPause;
    QAction* runAgain;
    QAction* slower;
    QAction* faster;
    std::array<QAction*, kFaults.size()> faults{};

    QAction* follow;
    QAction* showViolation;
    QAction* stepBack;
    QAction* stepForward;
    QAction* clientBack;
    QAction* clientForward;
    QAction* addBookmark;
    QAction* bookmarks;
    QAction* nextBookmark;
    QAction* previousBookmark;
    QAction* toStart;
    QAction* playBack;
    QAction* inspect;
    QAction* themeSystem;
    QAction* themeLight;
    QAction* themeDark;
    QAction* wallClock;
    QAction* presentation;
    QAction* maximize;
    QAction* layoutLearn;
    QAction* layoutEverything;
    QAction* nextLayout;
    QAction* resetLayout;
    QAction* showMenuBar;
    QAction* messages;
    QAction* manual;
    QAction* about;

    QList<QAction*> all() const { return m_all; }

private:
    QAction* add(const QString& name, const QString& text, const QString& explanation);
    void addAll();
    void addFile();
    void addScenario();
    void addRun();
    void addCursor();
    void addBookmarks();
    void addView();

    QWidget* m_host;
    QList<QAction*> m_all;
};

// The text of a tool tip: "Pause (Space)" and the explanation below it.
QString toolTipOf(const QAction& action, const QString& explanation);

} // namespace lockscope::ui
