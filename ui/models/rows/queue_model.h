// The children of the lock's path in their order, one row each. Follows the run by precise row changes;
// durations change whenever ShownTime does. GUI thread.
#pragma once

#include "ui/models/rows/columns_model.h"
#include "ui/models/rows/rows_model.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/run/short_names.h"
#include "ui/models/run/shown_time.h"
#include "ui/texts/client_status.h"

namespace lockscope::ui {

struct NodeItem
{
    replay::NodeRow node;
    trace::Text owner; // its name; empty for a foreign node
    std::uint16_t colour = 0;
    bool awake = false;   // isWoken()
    bool watched = false; // of a lock that is only watched
    std::string_view key() const { return node.name; }
    bool operator==(const NodeItem& other) const;
};

class QueueModel : public RowsModel<ColumnsModel, NodeItem>
{
    Q_OBJECT
public:
    enum Column { Place, Sequence, Owner, State, Watches, Depth, Waited, ColumnCount };
    QueueModel(RunModel* run, Selection* selection, QObject* parent = nullptr);

    QString text(int row, int column) const;
    QString shownOwner(int row) const; // with shorter variants behind kVariantSeparator
    TonedText status(int row) const { return nodeStatus(item(row).node, item(row).awake); }
    int rowOf(const QString& node) const; // by the whole name; -1 when it is not there
    int rowOf(ClientId owner) const;      // the first of its nodes; -1 when it has none
    // Why there are no rows; empty when the queue is empty.
    QString emptyReason() const;
    QString path() const; // of the lock, for the header

private:
    QVariant cell(int row, int column, int role) const override;
    void refresh() override;
    void tickTimes();
    RunModel* m_run;
    Selection* m_selection;
    LockId m_lock = LockId::none();
    ShownTime m_time;
    ShortNames m_names;
};

} // namespace lockscope::ui
