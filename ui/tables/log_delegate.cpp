#include "ui/tables/log_delegate.h"

#include "ui/models/rows/log_model.h"
#include "ui/tables/drawing.h"
#include "ui/tables/log_table.h"

#include <QFontMetrics>
#include <QPainter>

namespace lockscope::ui {

LogDelegate::LogDelegate(const LogModel* model, Theme* theme, LogTable* table)
    : CellDelegate(theme, table)
    , m_model(model)
    , m_table(table)
{}

void LogDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Palette& palette = theme().palette();
    const int column = index.column();
    const QRect box = m_table->contents(option.rect, column);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state & QStyle::State_Selected;
    const bool first = column == m_table->firstColumn();
    drawing::drawRowBackground(*painter, option.rect, selected, first, palette);
    if (const auto match = m_model->matchAt(index.row()))
        drawRule(*painter, option.rect, *match, selected, first);
    painter->setFont(theme().fonts().mono);
    painter->setPen(palette.textMuted);
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
    if (column == LogModel::Who || column == LogModel::Arrow || column == LogModel::What) {
        const LogLine line = m_model->line(index.row());
        if (column == LogModel::Who) {
            painter->setFont(theme().fonts().title);
            painter->setPen(line.colour ? palette.clientText(*line.colour) : palette.wake);
        } else if (column == LogModel::Arrow) {
            alignment = Qt::AlignCenter;
            if (line.tone != Tone::plain)
                painter->setPen(textColour(palette, line.tone));
        } else if (line.tone != Tone::wake) {
            painter->setPen(textColour(palette, line.tone));
        } else {
            painter->setPen(palette.text);
        }
    } else if (column == LogModel::Latency || column == LogModel::Number) {
        alignment = Qt::AlignRight | Qt::AlignVCenter;
    }
    theme().texts().draw(*painter, box, alignment, index.data(Qt::DisplayRole).toString(),
                         column == LogModel::Who ? Qt::ElideMiddle : Qt::ElideRight);
    painter->restore();
}

// A tinted background and a bar before the line; the tool tip names the rule.
void LogDelegate::drawRule(QPainter& painter, const QRect& cell, const LogMatch& match, bool selected,
                           bool first) const
{
    const Palette& palette = theme().palette();
    const QColor colour = match.colour == LogMatch::kViolation
                              ? palette.stale
                              : palette.client(static_cast<std::uint16_t>(match.colour));
    if (!selected)
        painter.fillRect(cell, withAlpha(colour, palette.dark ? 46 : 34));
    if (first)
        painter.fillRect(QRect(cell.left() + 4, cell.top() + 3, 3, cell.height() - 6), colour);
}

bool LogDelegate::isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QFont font = index.column() == LogModel::Who ? theme().fonts().title : theme().fonts().mono;
    return QFontMetrics(font).horizontalAdvance(wholeText(index)) >
           m_table->contents(option.rect, index.column()).width();
}

} // namespace lockscope::ui

#include "moc_log_delegate.cpp"
