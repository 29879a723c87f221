// The verdict of a comparison as a table: a row for each measure; what was measured, both values, the ratio.
// The better value is bold and has a check mark. GUI thread.
#pragma once

#include <QAbstractTableModel>

#include "core/replay/comparison.h"
#include "ui/models/look.h"

namespace lockscope::ui {

class CompareTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { measureColumn, aColumn, bColumn, ratioColumn, columns };

    CompareTableModel(replay::Comparison comparison, QString a, QString b, Look* look,
                      QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const replay::ComparisonRow& row, int column) const;
    bool better(const replay::ComparisonRow& row, int column) const;
    QString explanation(const replay::ComparisonRow& row) const;

    replay::Comparison m_comparison;
    QString m_a, m_b;
    Look* m_look;
};

} // namespace lockscope::ui
