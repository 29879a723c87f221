// The children of the lock's path in the order of the queue: number, owner, state, watched node. GUI thread.
#pragma once

#include "ui/canvas/view.h"
#include "ui/tables/plain_table.h"

namespace lockscope::ui {

class QueueModel;
class RunModel;
class Selection;

class QueueView : public PlainTable, public View
{
    Q_OBJECT
public:
    QueueView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    QList<QAction*> options() const override { return copying(); }

protected:
    void layOutColumns(int width) override;

private:
    void updateTexts();
    RunModel* m_run;
    QueueModel* m_model;
};

} // namespace lockscope::ui
