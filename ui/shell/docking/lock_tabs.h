// Tabs that choose which lock the chain and the queue show when the run has several locks. GUI thread.
#pragma once

#include <QTabBar>

namespace lockscope::ui {

class RunModel;
class Selection;

class LockTabs : public QTabBar
{
    Q_OBJECT
public:
    LockTabs(RunModel* model, Selection* selection, QWidget* parent);

private:
    void refresh();
    RunModel* m_model;
    Selection* m_selection;
    QStringList m_labels;
    bool m_filling = false;
};

} // namespace lockscope::ui
