#include "ui/tables/cell_delegate.h"

#include "ui/models/style/format.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>

namespace lockscope::ui {

QString CellDelegate::wholeText(const QModelIndex& index) const
{
    return index.data(Qt::DisplayRole).toString();
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QString tip = index.data(Qt::ToolTipRole).toString(); // the models escape their tool tips
    if (tip.isEmpty() && isCut(option, index))
        tip = format::toolTip(wholeText(index));
    QToolTip::showText(event->globalPos(), tip, view);
    return true;
}

} // namespace lockscope::ui

#include "moc_cell_delegate.cpp"
