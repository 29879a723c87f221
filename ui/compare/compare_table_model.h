// The verdict of a comparison as a table with a row for each measure: its title, both values and the ratio.
// The better value is bold and has a check mark. GUI thread.
#pragma once

#include <QAbstractTableModel>

#include "ui/compare/compared_load.h"
#include "ui/models/style/theme.h"

namespace lockscope::ui {

class CompareTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { measureColumn, aColumn, bColumn, ratioColumn, columns };

    // Where the workload decides a measure, no value is marked as better, and the last column has the reason.
    CompareTableModel(const replay::Comparison& comparison, ComparedLoad load, QString a, QString b,
                      Theme* theme, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const replay::ComparisonRow& row, int column) const;
    bool violated(const replay::ComparisonRow& row, int column) const;
    bool better(const replay::ComparisonRow& row, int column) const;
    QString explanation(const replay::ComparisonRow& row) const;
    QString meaningOf(replay::Measure measure) const;

    replay::Comparison m_comparison;
    ComparedLoad m_load;
    QString m_a, m_b;
    Theme* m_theme;
};

} // namespace lockscope::ui
