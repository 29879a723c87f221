// The protocol log: a line for each step, and a filter (Ctrl+F). Selecting a line selects its event in all
// views; Enter or a double click moves them to its time. While the log does not follow the run, a notice
// offers to follow it. GUI thread.
#pragma once

#include <QWidget>

#include "ui/canvas/view.h"
#include "ui/models/rows/log_filter.h"
#include "ui/models/rows/log_rules.h"
#include "ui/models/style/theme.h"

class QAction;
class QLabel;
class QMenu;

namespace lockscope::ui {

class FollowNotice;
class LogFilterEdit;
class LogModel;
class LogTable;
class RowSync;
class RunModel;
class Selection;
class TableTools;

class LogView : public QWidget, public View
{
    Q_OBJECT
public:
    LogView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    LogRules& rules() { return m_rules; } // the color rules
    // The visible columns and titles, by their names. Unknown names are ignored.
    QStringList columns() const;
    void setColumns(const QStringList& columns);
    void restore(const Settings& settings) override;
    void save(Settings settings) const override;

public slots:
    void openFilter(); // shows the filter and gives it the keyboard focus
    void setFilterText(const QString& text);

signals:
    void filterChanged(const lockscope::ui::LogFilter& filter, const QString& words); // plain and capped

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void applyFilter();
    void applyTheme();
    void showClock();
    bool hidesSelected() const;
    void updateCaption();
    void showMenu(QPoint globalPlace);
    void addColours(QMenu* menu);
    void showTitles(bool shown);
    void fitRows();
    void updateNotice();
    void follow();
    RunModel* m_run;
    Selection* m_selection;
    Theme* m_theme;
    LogRules m_rules;
    LogModel* m_model;
    LogTable* m_table;
    TableTools* m_tools = nullptr;
    LogFilterEdit* m_filter;
    FollowNotice* m_notice; // over the last line
    QLabel* m_fault;        // below an invalid filter
    QAction* m_onlySelected;
};

} // namespace lockscope::ui
