// The menu of the fault button. Keeps the fault actions up to date with the run: their texts, whether each is
// possible now, and why not. Faults of links, servers and nodes are in submenus. GUI thread.
#pragma once

#include <QMenu>

#include "ui/shell/run/faults.h"

namespace lockscope::ui {

class Actions;
class RunController;
class RunModel;
class Selection;

class FaultMenu : public QMenu
{
    Q_OBJECT
public:
    FaultMenu(Actions* actions, RunController* control, RunModel* model, Selection* selection,
              QWidget* parent);

    QList<QAction*> selectedClientActions() const; // those that affect only the selected client

private:
    QMenu* menuOf(FaultGroup group);
    void execute(Fault what);
    void refresh();
    RunController* m_control;
    std::array<QMenu*, 4> m_groups{};
    std::array<QAction*, kFaults.size()> m_faults{};
    std::array<CommandState, kFaults.size()> m_shown{};
};

} // namespace lockscope::ui
