// The menu "Step": hold, step, breakpoints, run until, save the order of steps, fork, and earlier runs. The
// shortcuts of its actions work in the whole window. GUI thread.
#pragma once

#include <QMenu>

#include "core/sim/run/step_order.h"
#include "core/sim/scenario/scenario.h"
#include <QList>

#include <optional>
#include <vector>

namespace lockscope::ui {

class Actions;
class Breakpoints;
class RunController;
class RunModel;
class Selection;
class StepController;

class StepMenu : public QMenu
{
    Q_OBJECT
public:
    // `window`: the window in which the shortcuts work.
    StepMenu(Actions* actions, RunController* control, RunModel* model, Selection* selection,
             Breakpoints* breakpoints, QWidget* window);

    // For a button: the first click holds all clients; each further click steps the next client in turn.
    QAction* oneStep() const { return m_oneStep; }
    StepController* steps() const { return m_steps; }
    // The actions that affect only the selected client: step, continue, breakpoints.
    QList<QAction*> selectedClientActions() const
    {
        return {m_step, m_letGo, m_breakpointMenu->menuAction()};
    }

private:
    template <class Receiver, class Call>
    QAction* add(QMenu* menu, const char* name, Receiver* receiver, Call call);
    void addStepping();
    void addBreakpoints();
    void addRunUntil();
    void addOrder();
    void runUntil(sim::Trigger::Kind kind, bool selected, const char* event = "");
    void askHandoffs();
    void askSaveOrder();
    void refresh();
    void updateOrderActions();
    static QString blockerText(const sim::StepBlocker& blocker);
    void showRefusal(const QString& refused);
    void refreshBreakpoints(bool live);
    void fillEarlier();
    QString selectedName() const;

    Actions* m_actions;
    RunController* m_control;
    RunModel* m_model;
    Selection* m_selection;
    QWidget* m_window;
    StepController* m_steps;
    std::optional<QString> m_refused; // what the commands say of it; nullopt: nothing yet
    QList<QAction*> m_commands;       // the actions that need a run with clients
    QAction* m_stepMode = nullptr;
    QAction* m_step = nullptr;
    QAction* m_stepNext = nullptr;
    QAction* m_oneStep = nullptr;
    QAction* m_letGo = nullptr;
    QAction* m_letAllGo = nullptr;
    QMenu* m_breakpointMenu = nullptr;
    std::vector<QAction*> m_breakpoints; // indexed by GateStep
    QMenu* m_untilMenu = nullptr;
    QAction* m_untilSelected = nullptr;
    QAction* m_untilFinding = nullptr;
    QAction* m_saveOrder = nullptr;
    QAction* m_fork = nullptr;
    QMenu* m_earlier = nullptr;
    QStringList m_earlierLabels;
    QString m_folder; // of the scenario saved last
};

} // namespace lockscope::ui
