#include "ui/inspector/inspector_table.h"

#include "ui/inspector/inspector_delegate.h"
#include "ui/inspector/inspector_model.h"
#include "ui/tables/drawing.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace lockscope::ui {

InspectorTable::InspectorTable(InspectorModel* model, Theme* theme, QWidget* parent)
    : PlainTable(theme, kRowHeight, parent)
    , m_model(model)
    , m_delegate(new InspectorDelegate(model, theme, this))
{
    horizontalHeader()->hide();
    setMouseTracking(true);
    setModel(model);
    setItemDelegate(m_delegate);
    setEmptyText(model->emptyText());
    for (auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(model, changed, this, &InspectorTable::fitRows);
    connect(model, &QAbstractItemModel::dataChanged, this, &InspectorTable::fitRows);
    theme->onChange(this, [this] { fitRows(); });
}

// The labels have enough room in every language of the window; the value gets the rest.
void InspectorTable::layOutColumns(int width)
{
    const QFontMetrics small(theme()->fonts().small);
    const int event = drawing::tabularWidth(small, QStringLiteral("#000,000")) + kCell + kSide;
    const int label = std::min(small.averageCharWidth() * 18 + kSide + kCell, (width - event) / 2);
    setColumnWidth(InspectorModel::Label, label);
    setColumnWidth(InspectorModel::Event, event);
    setColumnWidth(InspectorModel::Value, std::max(0, width - label - event));
    fitRows();
}

// A name that is longer than its column is wrapped: its end distinguishes it from other names.
void InspectorTable::fitRows()
{
    const int rows = std::min(m_model->rowCount(), verticalHeader()->count());
    for (int row = 0; row < rows; ++row) {
        const int height = kRowHeight + m_delegate->extraHeight(m_model->index(row, InspectorModel::Value),
                                                                columnWidth(InspectorModel::Value));
        if (rowHeight(row) != height)
            setRowHeight(row, height);
    }
}

QModelIndex InspectorTable::linkAt(QPoint place) const
{
    const QModelIndex cell = indexAt(place);
    return m_model->isLink(cell) ? cell : QModelIndex();
}

void InspectorTable::hover(const QModelIndex& cell)
{
    if (m_hovered == cell)
        return;
    const QModelIndex before = m_hovered;
    m_hovered = cell;
    viewport()->setCursor(cell.isValid() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    for (const QModelIndex& changed : {before, cell})
        if (changed.isValid())
            update(changed);
}

void InspectorTable::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton ? linkAt(event->pos()) : QModelIndex();
    PlainTable::mousePressEvent(event);
}

void InspectorTable::mouseMoveEvent(QMouseEvent* event)
{
    hover(linkAt(event->pos()));
    PlainTable::mouseMoveEvent(event);
}

// Follows the link on which the mouse was pressed and released, even if the rows have moved meanwhile.
void InspectorTable::mouseReleaseEvent(QMouseEvent* event)
{
    PlainTable::mouseReleaseEvent(event);
    const QModelIndex pressed = m_pressed;
    m_pressed = QModelIndex();
    if (event->button() == Qt::LeftButton && pressed.isValid() && linkAt(event->pos()) == pressed)
        emit linkFollowed(pressed);
}

void InspectorTable::leaveEvent(QEvent* event)
{
    hover({});
    PlainTable::leaveEvent(event);
}

void InspectorTable::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter || !currentIndex().isValid()) {
        PlainTable::keyPressEvent(event);
        return;
    }
    const QModelIndex eventCell = currentIndex().siblingAtColumn(InspectorModel::Event);
    const QModelIndex named = currentIndex().siblingAtColumn(InspectorModel::Value);
    const bool byName = event->modifiers().testFlag(Qt::ShiftModifier) || !m_model->isLink(eventCell);
    if (const QModelIndex link = byName ? named : eventCell; m_model->isLink(link))
        emit linkFollowed(link);
}

} // namespace lockscope::ui

#include "moc_inspector_table.cpp"
