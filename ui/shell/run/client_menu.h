// The context menu of the selected client, in any view: inspect it, step it, set its breakpoints, inject
// faults. Its entries are actions of the menu bar. GUI thread.
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
    // `ofView`: the view's own actions, which follow the client's; without a selected client, only they are
    // shown.
    void show(QPoint globalPlace, const QList<QAction*>& ofView);

private:
    Actions* m_actions;
    StepMenu* m_steps;
    FaultMenu* m_faults;
    Selection* m_selection;
};

} // namespace lockscope::ui
