#include "ui/tables/log_table.h"

#include "ui/models/log_model.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>

namespace lockscope::ui {

LogTable::LogTable(LogModel* model, Look* look, QWidget* parent)
    : PlainTable(look, kRowHeight, parent)
    , m_log(model)
{
    horizontalHeader()->hide();
    connect(look, &Look::changed, this, [this] { layOutColumns(viewport()->width()); });
    connect(this, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { emit lineOpened(index.row()); });
}

void LogTable::watchEnd()
{
    connect(m_log, &QAbstractItemModel::rowsAboutToBeInserted, this,
            [this] { m_atEnd = !m_held && verticalScrollBar()->value() >= verticalScrollBar()->maximum(); });
    connect(m_log, &QAbstractItemModel::rowsInserted, this, [this] {
        if (m_atEnd)
            scrollToBottom();
    });
}

void LogTable::goToEnd()
{
    m_held = false;
    scrollToBottom();
}

void LogTable::keepPlace(const std::function<void()>& change, const std::function<int()>& chosenRow)
{
    const bool atEnd = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
    change();
    if (const int row = chosenRow(); row >= 0)
        scrollTo(m_log->index(row, 0), PositionAtCenter);
    else if (atEnd || m_held)
        scrollToBottom();
}

void LogTable::layOutColumns(int width)
{
    const QFontMetrics mono(look()->fonts().mono);
    const int time = mono.horizontalAdvance(QStringLiteral("0000.000 000")) + kSide + kCell;
    const int who = QFontMetrics(look()->fonts().title).horizontalAdvance(QStringLiteral("mmmm")) + 2 * kCell;
    const int arrow = 20 + 2 * kCell;
    const int took = mono.horizontalAdvance(QStringLiteral("00.0 ms")) + kSide + kCell;
    const bool narrow = width < time + who + arrow + took + 160; // the words come first
    setColumnWidth(LogModel::Time, time);
    setColumnWidth(LogModel::Who, who);
    setColumnWidth(LogModel::Arrow, arrow);
    setColumnHidden(LogModel::Latency, narrow);
    setColumnWidth(LogModel::What, std::max(60, width - time - who - arrow - (narrow ? 0 : took)));
    setColumnWidth(LogModel::Latency, took);
}

// Who sees the last line goes on seeing it in less room.
void LogTable::resizeEvent(QResizeEvent* event)
{
    const bool atEnd = !m_held && verticalScrollBar()->value() >= verticalScrollBar()->maximum();
    PlainTable::resizeEvent(event);
    if (atEnd)
        scrollToBottom();
}

void LogTable::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && currentIndex().isValid())
        emit lineOpened(currentIndex().row());
    else
        PlainTable::keyPressEvent(event);
}

} // namespace lockscope::ui
