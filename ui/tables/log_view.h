// The protocol log: a line for each step, and a filter (Ctrl+F). Selecting a line selects its event
// everywhere; Enter or a double click takes all views to its moment. While the log does not go along with the
// run, it says so and offers to. GUI thread.
#pragma once

#include <QWidget>

#include "ui/models/log_filter.h"
#include "ui/models/log_rules.h"
#include "ui/models/theme.h"

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

class LogView : public QWidget
{
    Q_OBJECT
public:
    LogView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);
    LogRules& rules() { return m_rules; } // of colours
    // Which columns are shown, and whether with their titles, for settings; what is not understood changes
    // nothing.
    QStringList columns() const;
    void setColumns(const QStringList& columns);
    QString caption() const { return m_caption; } // "filter: client:bo op:getData · 312 of 18,204 events"

public slots:
    void openFilter(); // shows the filter's line and gives it the keyboard
    void setFilterText(const QString& text);
    void setOnlySelected(bool on); // only the selected client's lines

signals:
    void captionChanged();
    void filterChanged(const lockscope::ui::LogFilter& filter, const QString& words); // plain and capped

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build(Selection* selection);
    void applyFilter();
    void applyTheme();
    bool hidesSelected() const;
    void updateCaption();
    void showMenu(QPoint globalPlace);
    void addColumns(QMenu* menu);
    void addColours(QMenu* menu);
    void showTitles(bool shown);
    void copyLine() const;
    void fitRows();
    void updateNotice();
    void follow();
    RunModel* m_run;
    Selection* m_selection;
    Theme* m_theme;
    LogRules m_rules;
    LogModel* m_model;
    LogTable* m_table;
    LogFilterEdit* m_filter;
    FollowNotice* m_notice; // over the last line
    QLabel* m_fault; // under the filter, while it cannot be understood
    QAction* m_onlySelected;
    QString m_caption;
};

} // namespace lockscope::ui
