#include "ui/welcome/welcome_footer.h"

#include "ui/models/style/format.h"
#include "ui/widgets/panel_parts.h"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kFooterHeight = 56;

} // namespace

WelcomeFooter::WelcomeFooter(const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_secondaryRow(new QHBoxLayout)
{
    setObjectName("welcomeFooter");
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(kFooterHeight);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // beside a wide panel not all buttons fit
    m_row->setSpacing(10);
    for (QAction* action : actions) {
        m_row->addWidget(buttonFor(action));
    }
    m_row->addStretch(1);
    m_secondaryRow->setSpacing(10);
    m_row->addLayout(m_secondaryRow);
}

void WelcomeFooter::addSecondary(const QList<QAction*>& actions)
{
    for (QAction* action : actions) {
        QPushButton* button = buttonFor(action);
        button->setFlat(true);
        m_secondaryRow->addWidget(button);
    }
}

void WelcomeFooter::setSideMargin(int margin)
{
    m_row->setContentsMargins(margin, 8, margin, 8);
    fit();
}

void WelcomeFooter::setCalm(bool calm)
{
    m_calm = calm;
    fit();
}

bool WelcomeFooter::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Polish)
        fit(); // the texts of another language are longer
    return QWidget::event(event);
}

void WelcomeFooter::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void WelcomeFooter::fit()
{
    // The last to go are the languages; the first are the choices in use, because they change nothing.
    QList<QWidget*> buttons, secondary, inUse;
    for (QHBoxLayout* row : {m_row, m_secondaryRow})
        for (int i = 0; i < row->count(); ++i)
            if (QWidget* button = row->itemAt(i)->widget()) {
                if (!button->property("offered").toBool() || (m_calm && row == m_row))
                    button->hide();
                else
                    (button->property("chosen").toBool() ? inUse
                     : row == m_row                      ? buttons
                                                         : secondary)
                        << button;
            }
    std::reverse(secondary.begin(), secondary.end());
    int room = width() - m_row->contentsMargins().left() - m_row->contentsMargins().right();
    for (QWidget* button : buttons + secondary + inUse) {
        room -= button->sizeHint().width() + m_row->spacing();
        button->setVisible(room >= 0);
    }
}

QPushButton* WelcomeFooter::buttonFor(QAction* action)
{
    auto* button = new QPushButton(this);
    button->setObjectName("command." + action->objectName());
    const auto show = [this, button, action] {
        // Without the explanation in brackets that the menu entry has: the footer is narrow.
        button->setText(format::withoutMnemonic(action->text()).section(QStringLiteral(" ("), 0, 0));
        button->setAccessibleName(format::withoutMnemonic(action->text()));
        button->setToolTip(action->toolTip());
        button->setEnabled(action->isEnabled());
        button->setProperty("offered", action->isVisible());
        const bool chosen = action->actionGroup() && action->isChecked(); // one of several
        button->setAccessibleDescription(chosen ? tr("in use") : QString());
        if (button->property("chosen").toBool() != chosen) {
            button->setProperty("chosen", chosen);
            repolish(button); // its style sheet depends on the property
        }
        fit();
    };
    show();
    connect(action, &QAction::changed, button, show);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

} // namespace lockscope::ui

#include "moc_welcome_footer.cpp"
