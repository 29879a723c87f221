// The line above the timeline that searches the run, in the language of the log's filter. Shows the number of
// matches, and moves the cursor and the selection to the next or previous match. GUI thread.
#pragma once

#include <QWidget>

#include "ui/models/rows/event_search.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/theme.h"

class QLabel;
class QToolButton;

namespace lockscope::ui {

class LogFilterEdit;

class TimelineSearchBar : public QWidget
{
    Q_OBJECT
public:
    TimelineSearchBar(RunModel* run, Selection* selection, EventSearch* search, Theme* theme,
                      QWidget* parent);

    LogFilterEdit* edit() const { return m_edit; }
    QString resultText() const; // the number of matches, or why there are none

public slots:
    void open();
    void close(); // ends the search
    void next();
    void previous();

signals:
    void closed();
    void found(lockscope::EventIndex match); // may be none()

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void assemble();
    void apply();
    void applyTheme();
    void go(bool forward);
    void goTo(std::size_t number);
    void showResult();
    QString words() const;

    RunModel* m_run;
    Selection* m_selection;
    EventSearch* m_search;
    Theme* m_theme;
    LogFilterEdit* m_edit;
    QLabel* m_result;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_close;
    EventIndex m_at = EventIndex::none(); // the match that was jumped to
    bool m_wanted = false;                // jump to the next match as soon as it is found
    bool m_wrapped = false;               // m_at was found from the other end of the run
};

} // namespace lockscope::ui
