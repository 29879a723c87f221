// The watched locks as a table, the ones that look stuck first, or sorted by a column; filtered by a part of
// the path, the holder or the recipe. A row stays selected when it moves. GUI thread.
#pragma once

#include <QStyledItemDelegate>

#include "core/field/snapshot.h"
#include "ui/models/columns_model.h"
#include "ui/models/short_names.h"
#include "ui/models/theme.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockscope::ui {

class WatchedLocksModel : public ColumnsModel
{
    Q_OBJECT
public:
    enum Column { Lock, Holder, Since, Waiting, LongestWait, Handoffs, ColumnCount };
    static constexpr int kDetailRole = Qt::UserRole;    // the second line below the lock's path
    static constexpr int kStuckRole = Qt::UserRole + 1; // whether the cell shows that the lock is stuck
    static constexpr int kVariantsRole =
        Qt::UserRole + 2; // a holder with shorter variants behind kVariantSeparator

    explicit WatchedLocksModel(QObject* parent = nullptr);
    void assign(field::SnapshotPtr snapshot);
    void setRoot(const std::string& path); // shows paths relative to it; empty: whole paths
    void setFilter(const QString& text);
    void sort(int column, Qt::SortOrder order) override; // column -1: locks that look stuck first
    const field::LockStatus& lock(int row) const { return *m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(std::string_view path) const; // -1: not shown
    int lockCount() const { return m_snapshot ? static_cast<int>(m_snapshot->locks.size()) : 0; }
    int stuckCount() const;

    int rowCount(const QModelIndex& parent = {}) const override;

private:
    QVariant cell(int row, int column, int role) const override;
    bool isShown(const field::LockStatus& lock) const;
    void nameHolders();
    void sortByHolder(std::vector<const field::LockStatus*>& rows) const;
    bool isBefore(const field::LockStatus& a, const field::LockStatus& b) const;
    QString text(const field::LockStatus& lock, int column) const;

    field::SnapshotPtr m_snapshot;
    std::vector<const field::LockStatus*> m_rows; // point into the snapshot
    std::string m_root;                           // ends with a slash, or is empty
    QString m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    ShortNames m_holders;
};

// Draws a lock's path, and below it its recipe or why it is stuck.
class WatchedLockDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    WatchedLockDelegate(Theme* theme, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_theme(theme)
    {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    Theme* m_theme;
};

} // namespace lockscope::ui
