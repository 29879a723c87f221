#include "ui/tables/queue_delegate.h"

#include "ui/models/rows/queue_model.h"
#include "ui/tables/drawing.h"
#include "ui/tables/queue_view.h"

#include <QFontMetrics>
#include <QPainter>

namespace lockscope::ui {

namespace {
constexpr qreal kDotRadius = 5;
} // namespace

QueueDelegate::QueueDelegate(const QueueModel* model, Theme* theme, QueueView* view)
    : CellDelegate(theme, view)
    , m_model(model)
    , m_view(view)
{}

QRect QueueDelegate::textBox(const QRect& cell, int column) const
{
    const QRect box = m_view->contents(cell, column);
    return column == QueueModel::Owner ? box.adjusted(kDotRoom, 0, 0, 0) : box;
}

QFont QueueDelegate::fontOf(int column) const
{
    switch (column) {
    case QueueModel::Sequence:
    case QueueModel::Watches:
        return theme().fonts().mono;
    case QueueModel::State:
        return theme().fonts().title;
    default:
        return theme().fonts().text;
    }
}

QString QueueDelegate::fitting(const QString& state, const QFontMetrics& metrics, int width)
{
    static const QString between = QStringLiteral(" · ");
    const auto at = state.lastIndexOf(between);
    return at < 0 || metrics.horizontalAdvance(state) <= width ? state : state.mid(at + between.size());
}

void QueueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    const Palette& palette = theme().palette();
    const NodeItem& item = m_model->item(index.row());
    const int column = index.column();
    const QRect box = textBox(option.rect, column);
    QString text = m_model->text(index.row(), column);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    drawing::drawRowBackground(*painter, option.rect, option.state & QStyle::State_Selected,
                               column == m_view->firstColumn(), palette);
    painter->setFont(fontOf(column));
    painter->setPen(palette.text);
    switch (column) {
    case QueueModel::Owner:
        text = m_model->shownOwner(index.row());
        if (item.node.owner.valid()) {
            drawing::drawDot(*painter, QPointF(box.left() - kDotRoom + kDotRadius, box.center().y() + 0.5),
                             kDotRadius, palette.client(item.colour));
        } else { // a ring: a node of none of our clients
            painter->setPen(QPen(palette.textFaint, 1.5));
            painter->drawEllipse(QPointF(box.left() - kDotRoom + kDotRadius, box.center().y() + 0.5),
                                 kDotRadius - 1, kDotRadius - 1);
            painter->setPen(palette.textMuted);
        }
        break;
    case QueueModel::State:
        painter->setPen(textColour(palette, m_model->status(index.row()).tone));
        text = fitting(text, QFontMetrics(painter->font()), box.width());
        break;
    case QueueModel::Waited:
        drawing::drawTabularDigits(*painter, box, text, theme());
        painter->restore();
        return;
    default:
        break;
    }
    theme().texts().draw(*painter, box, Qt::AlignLeft | Qt::AlignVCenter, text,
                         column == QueueModel::Owner ? Qt::ElideMiddle : Qt::ElideRight);
    painter->restore();
}

QString QueueDelegate::wholeText(const QModelIndex& index) const
{
    return m_model->text(index.row(), index.column());
}

bool QueueDelegate::isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width = textBox(option.rect, index.column()).width();
    return QFontMetrics(fontOf(index.column())).horizontalAdvance(wholeText(index)) > width;
}

} // namespace lockscope::ui

#include "moc_queue_delegate.cpp"
