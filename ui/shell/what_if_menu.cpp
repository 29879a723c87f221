#include "ui/shell/what_if_menu.h"

#include "ui/commands/command_list.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"
#include "ui/models/spoken.h"
#include "ui/shell/run_control.h"
#include "ui/shell/what_if_dialog.h"
#include "ui/shell/what_if_table.h"

namespace lockscope::ui {

WhatIfMenu::WhatIfMenu(Actions* actions, RunControl* control, RunModel* model, Selection* selection,
                       QWidget* parent)
    : QMenu(parent)
    , m_actions(actions)
    , m_control(control)
{
    setObjectName("whatIfMenu");
    setToolTipsVisible(true);
    spoken(this, [this] { setTitle(tr("&What if")); });
    for (std::size_t i = 0; i < kWhatIfs.size(); ++i) {
        const WhatIf what = kWhatIfs[i];
        QAction* action = actions->whatIf[i];
        QMenu* menu = menuOf(groupOf(what));
        if (what == WhatIf::addClient || what == WhatIf::mendLink || what == WhatIf::reap) {
            menu->addSeparator();
        }
        menu->addAction(action);
        connect(action, &QAction::triggered, this, [this, what] { carryOut(what); });
    }
    // Actions gives them their words anew, of nobody: those of the run come after it.
    whenLanguageChanges(this, [this] { m_shown = {}; });
    connect(model, &RunModel::stateChanged, this, &WhatIfMenu::refresh);
    connect(model, &RunModel::runChanged, this, &WhatIfMenu::refresh);
    connect(model, &RunModel::phaseChanged, this, &WhatIfMenu::refresh);
    connect(selection, &Selection::changed, this, &WhatIfMenu::refresh);
    refresh();
}

QMenu* WhatIfMenu::menuOf(WhatIfGroup group)
{
    if (group == WhatIfGroup::session) {
        return this;
    }
    QMenu*& menu = m_groups[static_cast<std::size_t>(group)];
    if (!menu) {
        if (group == WhatIfGroup::link) {
            addSeparator();
        }
        menu = addMenu(QString());
        spoken(menu, [menu, group] {
            menu->setTitle(group == WhatIfGroup::link     ? tr("L&ink of the selected client")
                           : group == WhatIfGroup::server ? tr("&ZooKeeper itself")
                                                          : tr("&Nodes and data"));
        });
        menu->setToolTipsVisible(true);
    }
    return menu;
}

QList<QAction*> WhatIfMenu::ofSelected() const
{
    QList<QAction*> actions;
    for (std::size_t i = 0; i < kWhatIfs.size(); ++i) {
        const WhatIfEntry& entry = entryOf(kWhatIfs[i]);
        if ((entry.needs & needsClient) && entry.group != WhatIfGroup::link) {
            actions << m_actions->whatIf[i];
        }
    }
    actions << m_groups[static_cast<std::size_t>(WhatIfGroup::link)]->menuAction();
    return actions;
}

void WhatIfMenu::carryOut(WhatIf what)
{
    const Circumstances now = m_control->circumstances();
    const Offer words = offer(what, now);
    const std::vector<Parameter> asked = parameters(what, now);
    if (asked.empty() || !words.possible()) {
        m_control->doWhatIf(what);
        return;
    }
    auto* dialog = new WhatIfDialog(words, asked, parentWidget());
    connect(dialog, &WhatIfDialog::chosen, m_control,
            [control = m_control, what, selected = now.selected](const std::vector<int>& values) {
                control->doWhatIfTo(selected, what, values);
            });
    dialog->open();
}

void WhatIfMenu::refresh()
{
    const Circumstances now = m_control->circumstances();
    for (std::size_t i = 0; i < kWhatIfs.size(); ++i) {
        Offer words = offer(kWhatIfs[i], now);
        if (words == m_shown[i])
            continue;
        QAction* action = m_actions->whatIf[i];
        action->setText(words.text);
        action->setProperty(kKeywords, offer(kWhatIfs[i], {}).text); // what it is called with nobody selected
        action->setEnabled(words.possible());
        action->setStatusTip(words.possible() ? words.consequence : words.obstacle.text());
        const QString tip =
            words.possible() ? words.consequence : words.consequence + '\n' + words.obstacle.text();
        action->setToolTip(toolTipOf(*action, tip));
        m_shown[i] = std::move(words);
    }
}

} // namespace lockscope::ui
