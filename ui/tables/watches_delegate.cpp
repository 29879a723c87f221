#include "ui/tables/watches_delegate.h"

#include "ui/models/rows/watches_model.h"
#include "ui/tables/drawing.h"
#include "ui/tables/watches_view.h"

#include <QFontMetrics>
#include <QPainter>

namespace lockscope::ui {

WatchesDelegate::WatchesDelegate(const WatchesModel* model, Theme* theme, WatchesView* view)
    : CellDelegate(theme, view)
    , m_model(model)
    , m_view(view)
{}

QFont WatchesDelegate::fontOf(int column) const
{
    return column == WatchesModel::Node      ? theme().fonts().mono
           : column == WatchesModel::Verdict ? theme().fonts().title
                                             : theme().fonts().text;
}

void WatchesDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    const Palette& palette = theme().palette();
    const int column = index.column();
    painter->save();
    drawing::drawRowBackground(*painter, option.rect, option.state & QStyle::State_Selected,
                               column == m_view->firstColumn(), palette);
    painter->setFont(fontOf(column));
    painter->setPen(column == WatchesModel::Verdict ? textColour(palette, m_model->tone(index.row()))
                                                    : palette.text);
    theme().texts().draw(*painter, m_view->contents(option.rect, column), Qt::AlignLeft | Qt::AlignVCenter,
                         wholeText(index));
    painter->restore();
}

bool WatchesDelegate::isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width = m_view->contents(option.rect, index.column()).width();
    return QFontMetrics(fontOf(index.column())).horizontalAdvance(wholeText(index)) > width;
}

} // namespace lockscope::ui

#include "moc_watches_delegate.cpp"
