// The locks of a history as a table that is filtered and sorted. GUI thread.
#pragma once

#include "core/history/lock_event.h"
#include "ui/locks/lock_list_model.h"

namespace lockscope::ui {

class LocksModel : public LockListModel<history::LockSummary>
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
    void assign(std::vector<history::LockSummary> locks) // sorted by path, like History::locks()
    {
        showLocks(std::make_shared<const std::vector<history::LockSummary>>(std::move(locks)));
    }

private:
    QVariant cell(int row, int column, int role) const override;
    std::vector<Key> keysOf(const std::vector<history::LockSummary>& locks, int column,
                            const QString& filter) const override;
    QString text(const history::LockSummary& lock, int column) const;
};

} // namespace lockscope::ui
