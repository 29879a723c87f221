// Keeps the what-if actions and the button's menu true to the run: words, whether each can be done now, and
// why not. Those about links, servers and nodes stand in menus of their own. GUI thread.
#pragma once

#include <QMenu>

#include "ui/shell/actions.h"

namespace lockscope::ui {

class RunControl;
class RunModel;
class Selection;

class WhatIfMenu : public QMenu
{
    Q_OBJECT
public:
    WhatIfMenu(Actions* actions, RunControl* control, RunModel* model, Selection* selection, QWidget* parent);

    QList<QAction*> ofSelected() const; // what concerns the selected client alone

private:
    QMenu* menuOf(WhatIfGroup group);
    void carryOut(WhatIf what);
    void refresh();
    Actions* m_actions;
    RunControl* m_control;
    std::array<QMenu*, 4> m_groups{};
    std::array<Offer, kWhatIfs.size()> m_shown{};
};

} // namespace lockscope::ui
