#include "ui/shell/client_menu.h"

#include "ui/models/selection.h"
#include "ui/shell/actions.h"
#include "ui/shell/step_menu.h"
#include "ui/shell/what_if_menu.h"

namespace lockscope::ui {

ClientMenu::ClientMenu(Actions* actions, StepMenu* steps, WhatIfMenu* whatIf, Selection* selection,
                       QWidget* window)
    : QMenu(window)
    , m_actions(actions)
    , m_steps(steps)
    , m_whatIf(whatIf)
    , m_selection(selection)
{
    setObjectName("clientMenu");
    setToolTipsVisible(true);
}

void ClientMenu::show(QPoint globalPlace, const QList<QAction*>& ofView)
{
    clear(); // the entries stay: they are not this menu's
    if (m_selection->client().valid()) {
        addAction(m_actions->inspect);
        addSeparator();
        addActions(m_steps->ofSelected());
        addSeparator();
        addActions(m_whatIf->ofSelected());
        addSeparator();
    }
    addActions(ofView);
    if (!isEmpty())
        popup(globalPlace);
}

} // namespace lockscope::ui
