// A model whose rows follow a new list by precise steps: removed, inserted and changed rows, never a reset,
// so that views keep their selection and scroll position. Item has key(), its identity, and operator==, which
// is true when nothing has to be repainted. Base is a Qt model. Rows that sort() has sorted stay so; column
// -1 gives them the order of the list again. GUI thread.
#pragma once

#include <QAbstractItemModel>
#include <QVariant>

#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lockscope::ui {

template <class Base, class Item>
class RowsModel : public Base
{
public:
    using Base::Base;
    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    const Item& item(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    void sort(int column, Qt::SortOrder order) override
    {
        m_sortColumn = column;
        m_sortOrder = order;
        refresh();
    }

protected:
    using Key = std::remove_cvref_t<decltype(std::declval<Item>().key())>;

    const std::vector<Item>& rows() const { return m_rows; }

    // The first row whose item satisfies `is`; -1: none.
    template <class Is>
    int rowThat(Is&& is) const
    {
        const auto found = std::find_if(m_rows.begin(), m_rows.end(), is);
        return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
    }

    virtual void refresh() = 0; // assigns the current rows
    // Refreshes with the run. Another run begins without rows, because the old ones point into the previous
    // run.
    void followRun(const RunModel* run)
    {
        QObject::connect(run, &RunModel::runChanged, this, [this] {
            resetRows();
            refresh();
        });
        QObject::connect(run, &RunModel::stateChanged, this, [this] { refresh(); });
    }
    // Refreshes when the selected lock is not `shown`, which refresh() sets.
    void followLock(const Selection* selection, const LockId* shown)
    {
        QObject::connect(selection, &Selection::changed, this, [this, selection, shown] {
            if (selection->lock() != *shown)
                refresh();
        });
    }

    void resetRows()
    {
        Base::beginResetModel();
        m_rows.clear();
        Base::endResetModel();
    }

    // An empty list with the capacity of former rows: refreshing in every frame allocates nothing.
    std::vector<Item> spareRows()
    {
        m_spare.clear();
        return std::move(m_spare);
    }

    // What a column sorts by. Asked only while it does.
    virtual QVariant sortKey(const Item&, int) const { return {}; }

    void assignRows(std::vector<Item> next)
    {
        if (m_sortColumn >= 0)
            sortRows(next);
        if (!sameKeys(next) && !followQueue(next))
            matchKeys(next);
        assignValues(std::move(next));
    }

    // Has rows [first, last] repainted.
    void notifyRowsChanged(int first, int last)
    {
        const QAbstractItemModel& model = *this; // a list model hides its columnCount()
        if (first <= last)
            emit Base::dataChanged(Base::index(first, 0), Base::index(last, model.columnCount() - 1));
    }

private:
    void sortRows(std::vector<Item>& rows) const
    {
        std::vector<std::pair<QVariant, std::size_t>> keys;
        keys.reserve(rows.size());
        for (const Item& row : rows)
            keys.emplace_back(sortKey(row, m_sortColumn), keys.size());
        std::stable_sort(keys.begin(), keys.end(), [this](const auto& a, const auto& b) {
            const auto order = QVariant::compare(a.first, b.first);
            return m_sortOrder == Qt::AscendingOrder ? order == QPartialOrdering::Less
                                                     : order == QPartialOrdering::Greater;
        });
        std::vector<Item> sorted;
        sorted.reserve(rows.size());
        for (const auto& [key, row] : keys)
            sorted.push_back(std::move(rows[row]));
        rows.swap(sorted);
    }

    bool sameKeys(const std::vector<Item>& next) const
    {
        return std::equal(next.begin(), next.end(), m_rows.begin(), m_rows.end(),
                          [](const Item& a, const Item& b) { return a.key() == b.key(); });
    }

    // The usual change of a queue, without looking up each key: rows are removed, and others appended.
    // Returns false, and changes nothing, for any other change.
    bool followQueue(const std::vector<Item>& next)
    {
        constexpr std::size_t kMaxSteps = 64;
        std::vector<std::size_t> gone;
        std::size_t kept = 0; // of `next`
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (kept < next.size() && m_rows[i].key() == next[kept].key())
                ++kept;
            else if (gone.size() < kMaxSteps)
                gone.push_back(i);
            else
                return false;
        }
        if (next.size() - kept > kMaxSteps)
            return false;
        for (std::size_t i = kept; i < next.size(); ++i)
            for (const std::size_t row : gone)
                if (m_rows[row].key() == next[i].key())
                    return false; // the row only moved
        while (!gone.empty()) {
            const std::size_t end = gone.back() + 1;
            std::size_t begin = end;
            for (; !gone.empty() && gone.back() + 1 == begin; gone.pop_back())
                --begin;
            removeRange(begin, end);
        }
        insertRange(kept, next, kept, next.size());
        return true;
    }

    void matchKeys(const std::vector<Item>& next)
    {
        std::unordered_set<Key> oldKeys;
        std::unordered_set<Key> newKeys;
        oldKeys.reserve(m_rows.size());
        newKeys.reserve(next.size());
        for (const Item& row : m_rows)
            oldKeys.insert(row.key());
        for (const Item& row : next)
            newKeys.insert(row.key());
        removeWhere(newKeys);
        for (std::size_t i = 0; i < next.size();) {
            if (i < m_rows.size() && m_rows[i].key() == next[i].key()) {
                ++i;
                continue;
            }
            std::size_t end = i;
            while (end < next.size() && (i >= m_rows.size() || !oldKeys.contains(next[end].key())))
                ++end;
            if (end ==
                i) { // the order changed: the row in the way is removed and later inserted at its new place
                oldKeys.erase(m_rows[i].key());
                removeRange(i, i + 1);
                continue;
            }
            insertRange(i, next, i, end);
            i = end;
        }
        removeRange(next.size(), m_rows.size());
    }

    void removeWhere(const std::unordered_set<Key>& kept)
    {
        for (std::size_t end = m_rows.size(); end > 0;) {
            if (kept.contains(m_rows[end - 1].key())) {
                --end;
                continue;
            }
            std::size_t begin = end - 1;
            while (begin > 0 && !kept.contains(m_rows[begin - 1].key()))
                --begin;
            removeRange(begin, end);
            end = begin;
        }
    }

    void insertRange(std::size_t row, const std::vector<Item>& next, std::size_t begin, std::size_t end)
    {
        if (begin >= end)
            return;
        Base::beginInsertRows({}, static_cast<int>(row), static_cast<int>(row + end - begin) - 1);
        m_rows.insert(at(row), next.begin() + static_cast<std::ptrdiff_t>(begin),
                      next.begin() + static_cast<std::ptrdiff_t>(end));
        Base::endInsertRows();
    }

    void removeRange(std::size_t begin, std::size_t end)
    {
        if (begin >= end)
            return;
        Base::beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(end) - 1);
        m_rows.erase(at(begin), at(end));
        Base::endRemoveRows();
    }

    void assignValues(std::vector<Item> next)
    {
        std::vector<std::pair<int, int>> changed;
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (next[i] == m_rows[i])
                continue;
            const int row = static_cast<int>(i);
            if (!changed.empty() && changed.back().second == row - 1)
                changed.back().second = row;
            else
                changed.emplace_back(row, row);
        }
        m_spare = std::exchange(m_rows, std::move(next));
        for (const auto& [first, last] : changed)
            notifyRowsChanged(first, last);
    }

    auto at(std::size_t row) { return m_rows.begin() + static_cast<std::ptrdiff_t>(row); }

    std::vector<Item> m_rows;
    std::vector<Item> m_spare; // no longer shown
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace lockscope::ui
