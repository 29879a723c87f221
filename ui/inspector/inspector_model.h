// The facts about the selected item, one row each. Follows the run by precise row changes, without resets.
// Idle while not shown. GUI thread.
#pragma once

#include "ui/models/rows/rows_model.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/shown_time.h"
#include "ui/texts/fact.h"

namespace lockscope::ui {

class InspectorModel : public RowsModel<QAbstractTableModel, Fact>
{
    Q_OBJECT
public:
    enum Column { Label, Value, Event, ColumnCount };
    InspectorModel(RunModel* run, Selection* selection, QObject* parent = nullptr);

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    const Fact& fact(int row) const { return item(row); }
    void setShown(bool shown);
    // The current facts, also while not shown.
    Inspection inspect() const;
    // The inspected item, without its facts.
    const Inspection& subject() const { return m_subject; }
    // Whether this cell links to an event or an item.
    bool isLink(const QModelIndex& index) const;
    QString emptyText() const;

signals:
    void subjectChanged(); // another item, or its name changed

private:
    void refresh() override;
    Inspection inspect(TraceTime now) const;
    RunModel* m_run;
    Selection* m_selection;
    Inspection m_subject;
    ShownTime m_time;
    bool m_shown = true;
};

} // namespace lockscope::ui
