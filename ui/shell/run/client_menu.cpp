#include "ui/shell/run/client_menu.h"

#include "ui/models/run/selection.h"
#include "ui/shell/run/fault_menu.h"
#include "ui/shell/run/step_menu.h"
#include "ui/shell/window/actions.h"

namespace lockscope::ui {

ClientMenu::ClientMenu(Actions* actions, StepMenu* steps, FaultMenu* faults, Selection* selection,
                       QWidget* window)
    : QMenu(window)
    , m_actions(actions)
    , m_steps(steps)
    , m_faults(faults)
    , m_selection(selection)
{
    setObjectName("clientMenu");
    setToolTipsVisible(true);
}

void ClientMenu::show(QPoint globalPlace, const QList<QAction*>& ofView)
{
    clear(); // does not delete the actions: other menus own them
    if (m_selection->client().valid()) {
        addAction(m_actions->of("inspect"));
        addSeparator();
        addActions(m_steps->selectedClientActions());
        addSeparator();
        addActions(m_faults->selectedClientActions());
        addSeparator();
    }
    addActions(ofView);
    if (!isEmpty())
        popup(globalPlace);
}

} // namespace lockscope::ui

#include "moc_client_menu.cpp"
