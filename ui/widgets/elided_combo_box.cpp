#include "ui/widgets/elided_combo_box.h"

#include <QHelpEvent>
#include <QStylePainter>
#include <QToolTip>

namespace lockscope::ui {

int ElidedComboBox::roomForText() const
{
    constexpr int kTextMargins = 2; // QCommonStyle leaves a pixel on each side
    QStyleOptionComboBox option;
    initStyleOption(&option);
    return style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() -
           kTextMargins;
}

QString ElidedComboBox::elidedText() const
{
    return fontMetrics().elidedText(currentText(), Qt::ElideRight, roomForText());
}

int ElidedComboBox::widthOfText() const
{
    constexpr int kRounding = 1; // the advance is rounded, the width for eliding is not
    return fontMetrics().horizontalAdvance(currentText()) + kRounding + width() - roomForText();
}

bool ElidedComboBox::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || elidedText() == currentText())
        return QComboBox::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), currentText().toHtmlEscaped(), this);
    return true;
}

void ElidedComboBox::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = elidedText();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace lockscope::ui

#include "moc_elided_combo_box.cpp"
