// The children of the lock's path in their order, one row each, unless they are sorted. Follows the run by
// precise row changes; durations change whenever ShownTime does. GUI thread.
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
    std::size_t place = 0; // in the queue
    trace::Text owner;     // its name; empty for a foreign node
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

    QString text(int row, int column) const { return textOf(item(row), column); }
    QString shownOwner(int row) const; // with shorter variants behind kVariantSeparator
    TonedText status(int row) const { return statusOf(item(row)); }
    int rowOf(const QString& node) const; // by the whole name; -1 when it is not there
    int rowOf(ClientId owner) const;      // the first of its nodes; -1 when it has none
    // Why there are no rows; empty when the queue is empty.
    QString emptyReason() const;
    QString path() const; // of the lock, for the header

private:
    static TonedText statusOf(const NodeItem& it) { return nodeStatus(it.node, it.awake); }
    QString textOf(const NodeItem& it, int column) const;
    QVariant sortKey(const NodeItem& it, int column) const override;
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
