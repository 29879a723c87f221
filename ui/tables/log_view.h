// The protocol log: a line for each step, and a filter (Ctrl+F). Selecting a line selects its event
// everywhere. GUI thread.
#pragma once

#include <QWidget>

#include "core/base/time.h"
#include "ui/models/log_filter.h"
#include "ui/models/look.h"

class QAction;
class QLabel;

namespace lockscope::ui {

class LogFilterEdit;
class LogModel;
class LogTable;
class RowSync;
class RunModel;
class Selection;

class LogView : public QWidget
{
    Q_OBJECT
public:
    LogView(RunModel* run, Selection* selection, Look* look, QWidget* parent = nullptr);
    QString caption() const { return m_caption; } // "filter: client:bo op:getData · 312 of 18,204 events"

public slots:
    void openFilter(); // shows the filter's line and gives it the keyboard
    void setFilterText(const QString& text);
    void setOnlySelected(bool on); // only the selected client's lines

signals:
    void captionChanged();
    void filterChanged(const lockscope::ui::LogFilter& filter, const QString& words); // plain and capped
    void showOnTimeline(lockscope::TraceTime time); // Enter or a double click on a line

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build(Selection* selection);
    void applyFilter();
    void applyLook();
    bool hidesSelected() const;
    void updateCaption();
    void showMenu(const QPoint& place);
    void copyLine() const;
    void fitRows();
    RunModel* m_run;
    Selection* m_selection;
    Look* m_look;
    LogModel* m_model;
    LogTable* m_table;
    LogFilterEdit* m_filter;
    QLabel* m_fault; // under the filter, while it cannot be understood
    QAction* m_onlySelected;
    QString m_caption;
};

} // namespace lockscope::ui
