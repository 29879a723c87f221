// The menu of the selected client, wherever it is shown: inspect it, step it, its breakpoints, and what can
// be done to it. Its entries are those of the menu bar. GUI thread.
#pragma once

#include <QMenu>

namespace lockscope::ui {

class Actions;
class Selection;
class StepMenu;
class FaultMenu;

class ClientMenu : public QMenu
{
    Q_OBJECT
public:
    ClientMenu(Actions* actions, StepMenu* steps, FaultMenu* faults, Selection* selection, QWidget* window);
    // The view's own actions follow those of the client; without a selected client they are alone.
    void show(QPoint globalPlace, const QList<QAction*>& ofView);

private:
    Actions* m_actions;
    StepMenu* m_steps;
    FaultMenu* m_faults;
    Selection* m_selection;
};

} // namespace lockscope::ui
