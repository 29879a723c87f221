// A list of locks as a table that is filtered by a text and sorted by a column, for locks of any source. A
// row that moves stays selected. There may be hundreds of thousands: what they are sorted by is made once.
// GUI thread.
#pragma once

#include "ui/models/rows/columns_model.h"

#include <QString>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockscope::ui {

template <class Lock> // has a path
class LockListModel : public ColumnsModel
{
public:
    using Locks = std::shared_ptr<const std::vector<Lock>>;

    void setFilter(const QString& text)
    {
        if (const QString filter = text.trimmed(); std::exchange(m_filter, filter) != filter)
            refresh();
    }
    void sort(int column, Qt::SortOrder order) override // column -1: in the order of the source
    {
        m_sortColumn = column;
        m_sortOrder = order;
        refresh();
    }
    void refresh() { showLocks(m_locks); }                      // after a change of language
    const std::vector<Lock>& locks() const { return *m_locks; } // all, in the order of the source
    const Lock& lock(int row) const { return *m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(std::string_view path) const // -1: not shown
    {
        const auto row =
            std::find_if(m_rows.begin(), m_rows.end(), [&](const Lock* lock) { return lock->path == path; });
        return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
    }
    int rowCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

protected:
    using Rows = std::vector<const Lock*>;
    struct Key // what a lock is sorted by
    {
        std::int64_t number = 0;
        QString text{};
        const Lock* lock = nullptr;
    };
    using ColumnsModel::ColumnsModel;
    // The locks that pass the filter, with what this column sorts them by.
    virtual std::vector<Key> keysOf(const std::vector<Lock>& locks, int column,
                                    const QString& filter) const = 0;
    virtual void onRows(const Rows& /*rows*/) {} // those that are shown now

    static bool contains(const std::string& path, const QString& filter)
    {
        return QString::fromUtf8(path.data(), static_cast<qsizetype>(path.size()))
            .contains(filter, Qt::CaseInsensitive);
    }

    void showLocks(Locks locks)
    {
        std::vector<Key> keys = keysOf(*locks, m_sortColumn, m_filter);
        if (m_sortColumn >= 0)
            std::stable_sort(keys.begin(), keys.end(), [this](const Key& a, const Key& b) {
                const Key& first = m_sortOrder == Qt::AscendingOrder ? a : b;
                const Key& second = m_sortOrder == Qt::AscendingOrder ? b : a;
                return std::tie(first.number, first.text) < std::tie(second.number, second.text);
            });
        Rows rows(keys.size());
        std::transform(keys.begin(), keys.end(), rows.begin(), [](const Key& key) { return key.lock; });
        const bool same = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                                     [](const Lock* a, const Lock* b) { return a->path == b->path; });
        if (!same)
            emit layoutAboutToBeChanged();
        const QModelIndexList kept = same ? QModelIndexList() : persistentIndexList();
        std::unordered_map<std::string_view, int> places; // of the rows that are kept
        for (const QModelIndex& old : kept)
            places.emplace(lock(old.row()).path, -1);
        for (std::size_t row = 0; row < rows.size() && !places.empty(); ++row)
            if (const auto place = places.find(rows[row]->path); place != places.end())
                place->second = static_cast<int>(row);
        QModelIndexList moved;
        for (const QModelIndex& old : kept) {
            const int row = places.at(lock(old.row()).path);
            moved << (row < 0 ? QModelIndex() : createIndex(row, old.column()));
        }
        const Locks before = std::exchange(m_locks, std::move(locks)); // the keys of `places` are in it
        m_rows = std::move(rows);
        onRows(m_rows);
        if (same) {
            if (rowCount() > 0)
                emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            return;
        }
        changePersistentIndexList(kept, moved);
        emit layoutChanged();
    }

private:
    Locks m_locks = std::make_shared<const std::vector<Lock>>();
    Rows m_rows; // point into the locks
    QString m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace lockscope::ui
