// The figures of the measured range as a table, beside the timeline: for all clients and for each, how often
// and how long they held and waited, and the handoffs to them; the one that held longest first. GUI thread.
#pragma once

#include <QWidget>

#include "ui/models/rows/columns_model.h"
#include "ui/models/run/lane_names.h"
#include "ui/models/run/timeline_measure.h"

#include <QStringList>

#include <optional>
#include <vector>

class QTableView;

namespace lockscope::ui {

class TableTools;

// The first row is that of all clients.
class SpanModel : public ColumnsModel
{
    Q_OBJECT
public:
    explicit SpanModel(QObject* parent);
    void set(std::vector<StretchShare> rows, QStringList names, Duration running);
    ClientId client(int row) const { return m_rows[static_cast<std::size_t>(row)].client; }
    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

private:
    QVariant cell(int row, int column, int role) const override;

    std::vector<StretchShare> m_rows;
    QStringList m_names;
    Duration m_running{};
};

class SpanTable : public QWidget
{
    Q_OBJECT
public:
    explicit SpanTable(QWidget* parent);
    // Nothing: no range is measured.
    void show(const std::optional<MeasuredStretch>& stretch, const StretchStatistics& statistics,
              const LaneNames& names);
    using QWidget::show;

signals:
    void chosen(lockscope::ClientId client);
    void left(); // by Esc

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    SpanModel* m_model;
    QTableView* m_table;
    TableTools* m_tools;
};

} // namespace lockscope::ui
