// The facts about what is selected, one row each, followed by precise row changes: nothing is
// reset while the cursor or the run moves on. Asks nothing while it is not shown. GUI thread.
#pragma once

#include "ui/inspector/fact.h"
#include "ui/models/rows_model.h"
#include "ui/models/run_model.h"
#include "ui/models/shown_time.h"

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
    // As of now, shown or not.
    Inspection inspect() const;
    // What is inspected, without its facts.
    const Inspection& subject() const { return m_subject; }
    // Whether this cell leads somewhere: to an event, or to what it names.
    bool isLink(const QModelIndex& index) const;
    // Why there is nothing to see.
    QString emptyText() const;

signals:
    void subjectChanged(); // another thing, or another name for it

private:
    void refresh() override;
    RunModel* m_run;
    Selection* m_selection;
    Inspection m_subject;
    ShownTime m_time;
    bool m_shown = true;
};

} // namespace lockscope::ui
