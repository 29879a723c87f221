// The locks of a history as a table that is filtered and sorted. A history may have hundreds of thousands,
// and more with each update: sorting compares only numbers, once for each assign(). GUI thread.
#pragma once

#include "core/history/lock_event.h"
#include "ui/models/columns_model.h"

#include <cstdint>
#include <vector>

namespace lockscope::ui {

class LocksModel : public ColumnsModel
{
    Q_OBJECT
public:
    enum Column {
        Path,
        Recipe,
        Acquisitions,
        LongestHold,
        LongestWait,
        DeepestQueue,
        Expired,
        LastUsed,
        ColumnCount
    };

    explicit LocksModel(QObject* parent = nullptr);
    // Sorted by path, like History::locks(). Rows that stay keep their selection.
    void assign(std::vector<history::LockSummary> locks);
    void clear();
    void setFilter(const QString& text); // a part of the path or of the recipe's name
    void sort(int column, Qt::SortOrder order) override;
    void refresh(); // after a change of language
    const history::LockSummary& lock(int row) const { return m_locks[m_rows[static_cast<std::size_t>(row)]]; }
    const std::vector<history::LockSummary>& locks() const { return m_locks; } // all, sorted by path

    int rowCount(const QModelIndex& parent = {}) const override;

private:
    QVariant cell(int row, int column, int role) const override;
    using Rows = std::vector<std::uint32_t>; // indices of locks
    Rows arrange(const std::vector<history::LockSummary>& locks) const;
    void show(std::vector<history::LockSummary> locks, const Rows& moved); // after layoutAboutToBeChanged()
    QString text(const history::LockSummary& lock, int column) const;

    std::vector<history::LockSummary> m_locks;
    Rows m_rows; // those that are shown, in their order
    QString m_filter;
    int m_sortColumn = Path;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace lockscope::ui
