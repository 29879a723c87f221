// The locks of a history as a table, and a filter with sorting. GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "core/history/lock_table.h"

#include <vector>

namespace lockscope::ui {

class LocksModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Path, Recipe, Acquisitions, LongestHold, LongestWait, DeepestQueue, Expired, LastUsed, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;
    // Sorted by path, like History::locks(). Rows that stay keep their selection, unless so many rows change that
    // the model is reset.
    void assign(std::vector<history::LockSummary> locks);
    void clear();
    const history::LockSummary& lock(int row) const { return m_locks[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const history::LockSummary& lock, int column) const;
    static QVariant sortValue(const history::LockSummary& lock, int column);
    std::vector<history::LockSummary> m_locks;
};

// Filters by a part of the path or of the recipe's name.
class LocksFilter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit LocksFilter(LocksModel* locks, QObject* parent = nullptr);
    void setText(const QString& text);
    const history::LockSummary& lock(const QModelIndex& index) const { return m_locks->lock(mapToSource(index).row()); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    LocksModel* m_locks;
    QString m_text;
};

} // namespace lockscope::ui
