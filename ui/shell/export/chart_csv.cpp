#include "ui/shell/export/chart_csv.h"

#include "core/exports/text_format.h"

namespace lockscope::ui {

QByteArray csvOf(const ChartTable& table)
{
    QByteArray csv;
    const auto addRow = [&csv](const QStringList& row) {
        for (int i = 0; i < row.size(); ++i) {
            csv += i > 0 ? "," : "";
            csv += QByteArray::fromStdString(exports::csvCell(row[i].toStdString()));
        }
        csv += '\n';
    };
    addRow(table.titles);
    for (const QStringList& row : table.rows)
        addRow(row);
    return csv;
}

} // namespace lockscope::ui
