// The watched locks as a table, the ones that look stuck first, or sorted by a column; filtered by a part of
// the path, the holder or the recipe. A row stays selected when it moves. GUI thread.
#pragma once

#include <QStyledItemDelegate>

#include "core/field/snapshot.h"
#include "ui/locks/lock_list_model.h"
#include "ui/models/run/short_names.h"
#include "ui/models/style/theme.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockscope::ui {

class WatchedLocksModel : public LockListModel<field::LockStatus>
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
    int stuckCount() const;

private:
    QVariant cell(int row, int column, int role) const override;
    std::vector<Key> keysOf(const std::vector<field::LockStatus>& locks, int column,
                            const QString& filter) const override;
    void onRows(const Rows& rows) override;
    QString text(const field::LockStatus& lock, int column) const;

    field::SnapshotPtr m_snapshot = std::make_shared<const field::Snapshot>();
    std::string m_root; // ends with a slash, or is empty
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
