#include "ui/shell/action_row.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>

namespace lockscope::ui {

ActionRow::ActionRow(const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 12, 10);
    row->setSpacing(8);
    for (QAction* action : actions) {
        auto* button = new QPushButton(this);
        button->setObjectName(action->objectName() + "Button");
        button->setProperty("fit", "slim");
        button->setMinimumWidth(40);
        const auto follow = [button, action] {
            button->setText(action->iconText());
            button->setToolTip(action->toolTip());
            button->setEnabled(action->isEnabled());
        };
        follow();
        connect(action, &QAction::changed, button, follow);
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        row->addWidget(button);
    }
}

} // namespace lockscope::ui
