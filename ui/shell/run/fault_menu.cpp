#include "ui/shell/run/fault_menu.h"

#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/retranslate.h"
#include "ui/shell/dialogs/parameter_dialog.h"
#include "ui/shell/run/run_controller.h"
#include "ui/shell/window/actions.h"

namespace lockscope::ui {

FaultMenu::FaultMenu(Actions* actions, RunController* control, RunModel* model, Selection* selection,
                     QWidget* parent)
    : QMenu(parent)
    , m_control(control)
{
    setObjectName("whatIfMenu");
    setToolTipsVisible(true);
    onRetranslate(this, [this] { setTitle(MenuTexts::tr("&What If")); });
    for (std::size_t i = 0; i < kFaults.size(); ++i) {
        const Fault what = kFaults[i];
        QAction* action = m_faults[i] = actions->of(nameOf(what));
        QMenu* menu = menuOf(groupOf(what));
        if (what == Fault::addClient || what == Fault::healLink || what == Fault::reap) {
            menu->addSeparator();
        }
        menu->addAction(action);
        connect(action, &QAction::triggered, this, [this, what] { execute(what); });
    }
    onLanguageChange(this, [this] { m_shown = {}; });
    connect(model, &RunModel::stateChanged, this, &FaultMenu::refresh);
    connect(model, &RunModel::runChanged, this, &FaultMenu::refresh);
    connect(model, &RunModel::phaseChanged, this, &FaultMenu::refresh);
    connect(selection, &Selection::changed, this, &FaultMenu::refresh);
    refresh();
}

QMenu* FaultMenu::menuOf(FaultGroup group)
{
    if (group == FaultGroup::session) {
        return this;
    }
    QMenu*& menu = m_groups[static_cast<std::size_t>(group)];
    if (!menu) {
        if (group == FaultGroup::link) {
            addSeparator();
        }
        menu = addMenu(QString());
        onRetranslate(menu,
                      [this, menu, group] { menu->setTitle(menuTitle(group, m_control->commandContext())); });
        menu->setToolTipsVisible(true);
    }
    return menu;
}

QList<QAction*> FaultMenu::selectedClientActions() const
{
    QList<QAction*> actions;
    for (std::size_t i = 0; i < kFaults.size(); ++i) {
        if (needsSelectedClient(kFaults[i]) && groupOf(kFaults[i]) != FaultGroup::link) {
            actions << m_faults[i];
        }
    }
    actions << m_groups[static_cast<std::size_t>(FaultGroup::link)]->menuAction();
    return actions;
}

void FaultMenu::execute(Fault what)
{
    const CommandContext now = m_control->commandContext();
    const CommandState words = commandState(what, now);
    const std::vector<Parameter> asked = parameters(what, now);
    if (asked.empty() || !words.isEnabled()) {
        m_control->injectFault(what);
        return;
    }
    auto* dialog = new ParameterDialog(words, asked, parentWidget());
    connect(dialog, &ParameterDialog::chosen, m_control,
            [control = m_control, what, selected = now.selected](const std::vector<int>& values) {
                control->injectFaultInto(selected, what, values);
            });
    dialog->open();
}

void FaultMenu::refresh()
{
    const CommandContext now = m_control->commandContext();
    for (std::size_t i = 0; i < kFaults.size(); ++i) {
        CommandState words = commandState(kFaults[i], now);
        if (words == m_shown[i])
            continue;
        QAction* action = m_faults[i];
        action->setText(words.text);
        action->setProperty(kKeywords,
                            commandState(kFaults[i], {}).text); // its text without a selected client
        action->setEnabled(words.isEnabled());
        if (words.isEnabled()) {
            setExplanation(*action, words.consequence);
        } else {
            setExplanation(*action, words.consequence + '\n' + words.disabledReason.text());
            action->setStatusTip(words.disabledReason.text());
        }
        m_shown[i] = std::move(words);
    }
    menuOf(FaultGroup::link)->setTitle(menuTitle(FaultGroup::link, now));
}

} // namespace lockscope::ui

#include "moc_fault_menu.cpp"
