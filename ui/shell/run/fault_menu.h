// Keeps the fault actions and the button's menu true to the run: words, whether each can be done now, and
// why not. Those about links, servers and nodes stand in menus of their own. GUI thread.
#pragma once

#include <QMenu>

#include "ui/shell/window/actions.h"

namespace lockscope::ui {

class RunController;
class RunModel;
class Selection;

class FaultMenu : public QMenu
{
    Q_OBJECT
public:
    FaultMenu(Actions* actions, RunController* control, RunModel* model, Selection* selection,
              QWidget* parent);

    QList<QAction*> selectedClientActions() const; // what concerns the selected client alone

private:
    QMenu* menuOf(FaultGroup group);
    void execute(Fault what);
    void refresh();
    Actions* m_actions;
    RunController* m_control;
    std::array<QMenu*, 4> m_groups{};
    std::array<CommandState, kFaults.size()> m_shown{};
};

} // namespace lockscope::ui
