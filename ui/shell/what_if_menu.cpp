#include "ui/shell/what_if_menu.h"

#include "ui/models/run_model.h"
#include "ui/models/selection.h"
#include "ui/shell/run_control.h"

namespace lockscope::ui {

WhatIfMenu::WhatIfMenu(Actions* actions, RunControl* control, RunModel* model, Selection* selection,
                       QWidget* parent)
    : QMenu(tr("&What if"), parent)
    , m_actions(actions)
    , m_control(control)
{
    setObjectName("whatIfMenu");
    setToolTipsVisible(true);
    for (std::size_t i = 0; i < kWhatIfs.size(); ++i) {
        if (kWhatIfs[i] == WhatIf::addClient) {
            addSeparator();
        }
        QAction* action = actions->whatIf[i];
        addAction(action);
        connect(action, &QAction::triggered, control, [control, i] { control->doWhatIf(kWhatIfs[i]); });
    }
    connect(model, &RunModel::stateChanged, this, &WhatIfMenu::refresh);
    connect(model, &RunModel::runChanged, this, &WhatIfMenu::refresh);
    connect(model, &RunModel::phaseChanged, this, &WhatIfMenu::refresh);
    connect(selection, &Selection::changed, this, &WhatIfMenu::refresh);
    refresh();
}

// QAction's setters tell nobody when nothing changes, so that a refresh once a frame costs little.
void WhatIfMenu::refresh()
{
    const Circumstances now = m_control->circumstances();
    for (std::size_t i = 0; i < kWhatIfs.size(); ++i) {
        const Offer words = offer(kWhatIfs[i], now);
        QAction* action = m_actions->whatIf[i];
        action->setText(words.text);
        action->setEnabled(words.possible());
        action->setStatusTip(words.possible() ? words.consequence : words.obstacle);
        const QString tip = words.possible() ? words.consequence : words.consequence + '\n' + words.obstacle;
        action->setToolTip(toolTipOf(*action, tip));
    }
}

} // namespace lockscope::ui
