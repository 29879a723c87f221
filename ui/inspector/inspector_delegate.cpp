#include "ui/inspector/inspector_delegate.h"

#include "ui/inspector/inspector_model.h"
#include "ui/inspector/inspector_table.h"
#include "ui/tables/drawing.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {
constexpr int kDotRoom = 15;
constexpr qreal kClientDotRadius = 4;
} // namespace

InspectorDelegate::InspectorDelegate(const InspectorModel* model, Theme* theme, InspectorTable* table)
    : CellDelegate(theme, table)
    , m_model(model)
    , m_table(table)
{}

QFont InspectorDelegate::fontOf(const QModelIndex& index) const
{
    const Fact& fact = m_model->item(index.row());
    QFont font = fact.heading                              ? theme().fonts().title
                 : index.column() == InspectorModel::Value ? theme().fonts().text
                                                           : theme().fonts().small;
    font.setUnderline(m_table->hovered() == index && m_model->isLink(index));
    return font;
}

QColor InspectorDelegate::colourOf(const QModelIndex& index) const
{
    const Palette& palette = theme().palette();
    const Fact& fact = m_model->item(index.row());
    if (fact.heading)
        return palette.text;
    if (index.column() == InspectorModel::Label)
        return palette.textMuted;
    if (m_model->isLink(index) && fact.colour && index.column() == InspectorModel::Value)
        return palette.clientText(*fact.colour);
    return m_model->isLink(index) ? palette.link : textColour(palette, fact.tone);
}

QRect InspectorDelegate::textBox(const QRect& cell, const QModelIndex& index) const
{
    QRect box = m_table->contents(cell, index.column());
    box.setHeight(InspectorTable::kRowHeight); // the first line of several
    const bool dot = index.column() == InspectorModel::Value && m_model->item(index.row()).colour.has_value();
    return dot ? box.adjusted(kDotRoom, 0, 0, 0) : box;
}

int InspectorDelegate::extraHeight(const QModelIndex& index, int width) const
{
    if (index.column() != InspectorModel::Value || !m_model->item(index.row()).wraps())
        return 0;
    const QRect box = textBox(QRect(0, 0, width, InspectorTable::kRowHeight), index);
    const QFont font = fontOf(index);
    const double all =
        theme().texts().wrappedHeight(font, index.data(Qt::DisplayRole).toString(), box.width());
    return std::max(0, static_cast<int>(std::ceil(all)) - QFontMetrics(font).height());
}

void InspectorDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    const Palette& palette = theme().palette();
    const Fact& fact = m_model->item(index.row());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    drawing::drawRowBackground(*painter, option.rect, option.state & QStyle::State_Selected,
                               index.column() == 0, palette);
    if (fact.heading && index.row() > 0)
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), option.rect.width(), 1), palette.grid);
    const QRect box = textBox(option.rect, index);
    if (index.column() == InspectorModel::Value && fact.colour)
        drawing::drawDot(*painter, QPointF(box.left() - kDotRoom + kClientDotRadius, box.center().y() + 1),
                         kClientDotRadius, palette.client(*fact.colour));
    painter->setFont(fontOf(index));
    painter->setPen(colourOf(index));
    const QString text = index.data(Qt::DisplayRole).toString();
    if (index.column() == InspectorModel::Event)
        drawing::drawTabularDigits(*painter, box, text, theme());
    else if (option.rect.height() > InspectorTable::kRowHeight && index.column() == InspectorModel::Value)
        theme().texts().drawWrapped(
            *painter,
            box.adjusted(0, (box.height() - painter->fontMetrics().height()) / 2, 0, option.rect.height()),
            text);
    else
        theme().texts().draw(*painter, box, Qt::AlignLeft | Qt::AlignVCenter, text);
    painter->restore();
}

bool InspectorDelegate::isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return option.rect.height() == InspectorTable::kRowHeight &&
           QFontMetrics(fontOf(index)).horizontalAdvance(wholeText(index)) >
               textBox(option.rect, index).width();
}

} // namespace lockscope::ui

#include "moc_inspector_delegate.cpp"
