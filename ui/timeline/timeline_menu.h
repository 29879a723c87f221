// The button above the lane names and its menu: the lane filter and the tools of the timeline. GUI thread.
#pragma once

#include <QMenu>
#include <QToolButton>

#include "ui/timeline/timeline_canvas.h"

#include <array>

class QActionGroup;
class QLineEdit;

namespace lockscope::ui {

class TimelineMenu : public QToolButton
{
    Q_OBJECT
public:
    TimelineMenu(TimelineCanvas* canvas, RunModel* run, Selection* selection, Theme* theme);

    QMenu* menu() const { return m_menu; }
    QLineEdit* nameEdit() const { return m_name; }
    void addTools(const QList<QAction*>& tools); // below the lane entries

    // The chosen lane order, for the settings; empty by default.
    QString order() const;
    void setOrder(const QString& order);

private:
    void addLanes();
    void setFilter();
    void showFilter();
    void place();
    void applyTheme();

    TimelineCanvas* m_canvas;
    RunModel* m_run;
    Selection* m_selection;
    Theme* m_theme;
    QMenu* m_menu;
    QActionGroup* m_states;
    std::array<QAction*, 4> m_state{}; // by LaneFilter::State
    QAction* m_contenders;
    QAction* m_all;
    QLineEdit* m_name;
};

} // namespace lockscope::ui
