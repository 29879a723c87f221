// All handoffs of a run as a table: from whom to whom, its parts, how long the next holder had waited and the
// former one had held. A row is computed once, a few thousand at a time and only while the table is shown.
// GUI thread.
#pragma once

#include <QTimer>

#include "ui/models/rows/columns_model.h"
#include "ui/models/run/run_model.h"

#include <array>
#include <vector>

namespace lockscope::ui {

class HandoffsModel : public ColumnsModel
{
    Q_OBJECT
public:
    enum Column { Number, At, Lock, From, To, Latency, ToDelete, ToWake, ToHold, Waited, Held, ColumnCount };
    static constexpr int SortRole = Qt::UserRole,
                         FilterRole = Qt::UserRole + 1; // a number; the names of a row

    explicit HandoffsModel(RunModel* run, QObject* parent = nullptr);
    void setShown(bool shown);
    const replay::Handoff& handoff(int row) const
    {
        return m_run->timeline().handoff(static_cast<std::size_t>(row));
    }
    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

private:
    using Times = std::array<Duration, ColumnCount - Latency>; // negative: not known
    QVariant cell(int row, int column, int role) const override;
    QString text(int row, int column) const;
    Times timesOf(const replay::Handoff& handoff) const;
    Duration timeOf(int row, int column) const
    {
        return m_rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column - Latency)];
    }
    QString name(ClientId client) const;
    void learn();

    RunModel* m_run;
    std::vector<Times> m_rows; // by the index of the handoff
    bool m_shown = false;
    QTimer m_timer;
};

} // namespace lockscope::ui
