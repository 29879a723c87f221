// The server's watch table beside the clients' beliefs. GUI thread.
#pragma once

#include "ui/tables/plain_table.h"

namespace lockscope::ui {

class RunModel;
class Selection;
class WatchesModel;

class WatchesView : public PlainTable
{
    Q_OBJECT
public:
    WatchesView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    QString caption() const { return m_caption; }
    const WatchesModel& rows() const { return *m_model; }

signals:
    void captionChanged();

protected:
    void layOutColumns(int width) override;

private:
    void updateTexts();
    WatchesModel* m_model;
    QString m_caption;
};

} // namespace lockscope::ui
