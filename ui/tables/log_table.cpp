#include "ui/tables/log_table.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr int kMinTextWidth = 160; // pixels: with less, the latency is hidden
}

LogTable::LogTable(LogModel* model, Theme* theme, QWidget* parent)
    : PlainTable(theme, kRowHeight, parent)
    , m_log(model)
{
    horizontalHeader()->hide();
    theme->onChange(this, [this] { layOut(); });
    connect(theme, &Theme::wallClockChanged, this, &LogTable::layOut);
    connect(this, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { emit lineOpened(index.row()); });
}

// The current item is a row, whose first column may be hidden. The text column never is.
void LogTable::scrollTo(const QModelIndex& index, ScrollHint hint)
{
    PlainTable::scrollTo(index.siblingAtColumn(LogModel::What), hint);
}

void LogTable::watchEnd()
{
    QHeaderView* header = horizontalHeader();
    header->moveSection(header->visualIndex(LogModel::Number), 0);
    header->moveSection(header->visualIndex(LogModel::Lock), header->visualIndex(LogModel::What));
    connect(m_log, &QAbstractItemModel::rowsAboutToBeInserted, this,
            [this] { m_atEnd = !m_held && verticalScrollBar()->value() >= verticalScrollBar()->maximum(); });
    connect(m_log, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first, int last) {
        if (m_atEnd)
            scrollToBottom();
        else if (m_log->rowCount() * kRowHeight > viewport()->height()) // otherwise all lines are visible
            setNewerLines(m_newer + newerAmong(first, last));
    });
    // The filter, the run, or the cursor to an earlier moment has changed.
    const auto beginAgain = [this] {
        m_oldEvents = m_log->position();
        setNewerLines(0);
    };
    connect(m_log, &QAbstractItemModel::rowsRemoved, this, beginAgain);
    connect(m_log, &QAbstractItemModel::modelReset, this, beginAgain);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (value >= verticalScrollBar()->maximum())
            setNewerLines(0);
    });
}

void LogTable::goToEnd()
{
    m_held = false;
    scrollToBottom();
    setNewerLines(0);
}

void LogTable::setNewerLines(int lines)
{
    if (std::exchange(m_newer, lines) != lines)
        emit newerLinesChanged();
}

int LogTable::newerAmong(int first, int last) const
{
    int row = last;
    while (row >= first && m_log->eventAt(row).value >= m_oldEvents)
        --row;
    return last - row;
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
    const QFontMetrics mono(theme()->fonts().mono);
    const QString widest =
        theme()->wallClock() ? QStringLiteral("00:00:00.000 000") : QStringLiteral("0000.000 000");
    const int time = mono.horizontalAdvance(widest) + kSide + kCell;
    const int who =
        QFontMetrics(theme()->fonts().title).horizontalAdvance(QStringLiteral("mmmm")) + 2 * kCell;
    const int arrow = 20 + 2 * kCell;
    const int took = mono.horizontalAdvance(QStringLiteral("00.0 ms")) + kSide + kCell;
    const int number = mono.horizontalAdvance(QStringLiteral("0,000,000")) + kSide + kCell;
    const int lock = mono.horizontalAdvance(QStringLiteral("mmmmmmmm")) + 2 * kCell;
    const std::array<std::pair<LogModel::Column, int>, 6> wanted{{{LogModel::Number, number},
                                                                  {LogModel::Time, time},
                                                                  {LogModel::Who, who},
                                                                  {LogModel::Arrow, arrow},
                                                                  {LogModel::Lock, lock},
                                                                  {LogModel::Latency, took}}};
    int rest = width;
    for (const auto& [column, needed] : wanted)
        rest -= wants(column) ? needed : 0;
    const bool narrow = rest < kMinTextWidth; // the text takes precedence over the latency
    rest += narrow && wants(LogModel::Latency) ? took : 0;
    for (const auto& [column, needed] : wanted) {
        setColumnHidden(column, !wants(column) || (narrow && column == LogModel::Latency));
        setColumnWidth(column, needed);
    }
    setColumnWidth(LogModel::What, std::max(60, rest));
}

// Keeps the last line visible, if it was, in less room: in a lower table, or below column titles.
void LogTable::updateGeometries()
{
    const bool atEnd = !m_held && verticalScrollBar()->value() >= verticalScrollBar()->maximum();
    PlainTable::updateGeometries();
    if (atEnd)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    if (verticalScrollBar()->value() >= verticalScrollBar()->maximum())
        setNewerLines(0); // all lines are visible
}

// A table that gets the focus makes its first line the current one, unseen and not marked.
int LogTable::markedRow() const
{
    const QModelIndex current = currentIndex();
    return current.isValid() && selectionModel()->isRowSelected(current.row()) ? current.row() : -1;
}

// Without a marked line, the keys begin at the last line that is shown.
void LogTable::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const bool moves =
        key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        if (const int row = markedRow(); row >= 0)
            emit lineOpened(row);
    } else if (moves && markedRow() < 0 && m_log->rowCount() > 0) {
        const int shown = rowAt(viewport()->height() - 1);
        setCurrentIndex(m_log->index(shown < 0 ? m_log->rowCount() - 1 : shown, LogModel::What));
    } else {
        PlainTable::keyPressEvent(event);
    }
}

} // namespace lockscope::ui

#include "moc_log_table.cpp"
