#include "ui/shell/docking/action_row.h"

#include "ui/models/style/format.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>

#include <numeric>

namespace lockscope::ui {

namespace {
constexpr int kFrame = 10; // padding and border on both sides of a slim button, in pixels

QString textOf(const QAction& action) { return format::withoutMnemonic(action.text()).remove(u'…'); }

// Used if the full texts do not fit; the tool tip has the full text.
QString shortTextOf(const QAction& action) { return action.iconText(); }

} // namespace

ActionRow::ActionRow(const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent)
    , m_actions(actions)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 12, 10);
    row->setSpacing(8);
    for (QAction* action : actions) {
        auto* button = new QPushButton(textOf(*action), this);
        button->setObjectName(action->objectName() + "Button");
        button->setProperty("fit", "slim");
        button->setMinimumWidth(40);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        const auto follow = [button, action] {
            button->setAccessibleName(textOf(*action));
            button->setToolTip(action->toolTip());
            button->setEnabled(action->isEnabled());
        };
        follow();
        connect(action, &QAction::changed, button, follow);
        connect(action, &QAction::changed, this, &ActionRow::fitTexts);
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        row->addWidget(button);
        m_buttons.append(button);
    }
}

void ActionRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitTexts();
}

// Divides the width in proportion to the texts' widths, so that none is cut off while another has room.
void ActionRow::fitTexts()
{
    const QMargins margins = layout()->contentsMargins();
    const int count = static_cast<int>(m_buttons.size());
    const int room =
        width() - margins.left() - margins.right() - (count - 1) * layout()->spacing() - count * kFrame;
    const auto widthOf = [this](QString (*wording)(const QAction&)) {
        return std::accumulate(m_actions.begin(), m_actions.end(), 0, [&](int sum, const QAction* action) {
            return sum + fontMetrics().horizontalAdvance(wording(*action));
        });
    };
    const auto wording = widthOf(textOf) <= room ? textOf : shortTextOf;
    const int wanted = widthOf(wording);
    for (int i = 0; i < count; ++i) {
        const QString words = wording(*m_actions[i]);
        const int share = wanted > room ? fontMetrics().horizontalAdvance(words) * room / wanted : wanted;
        const int stretch = fontMetrics().horizontalAdvance(words) + 2 * kFrame;
        if (auto* row = static_cast<QHBoxLayout*>(layout()); row->stretch(i) != stretch)
            row->setStretch(i, stretch);
        m_buttons[i]->setText(fontMetrics().elidedText(words, Qt::ElideRight, share));
    }
}

} // namespace lockscope::ui

#include "moc_action_row.cpp"
