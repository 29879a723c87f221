// The server's watch table beside the clients' beliefs. GUI thread.
#pragma once

#include "ui/canvas/view.h"
#include "ui/tables/plain_table.h"

namespace lockscope::ui {

class RunModel;
class Selection;
class WatchesModel;

class WatchesView : public PlainTable, public View
{
    Q_OBJECT
public:
    WatchesView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    QList<QAction*> options() const override { return copying(); }
    const WatchesModel& rows() const { return *m_model; }

protected:
    void layOutColumns(int width) override;

private:
    void updateTexts();
    WatchesModel* m_model;
};

} // namespace lockscope::ui
