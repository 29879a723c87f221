// The card "Handoff timeline": lanes, scroll bar, and the sentence for the card's head. Moves the time window
// with the run: while it follows, the end glides in view, also while nothing happens. GUI thread.
#pragma once

#include "ui/timeline/timeline_canvas.h"

#include <QScrollBar>
#include <QTimer>
#include <QWidget>

namespace lockscope::ui {

class TimelineView : public QWidget
{
    Q_OBJECT
public:
    TimelineView(RunModel* run, Selection* selection, TimeWindow* window, Look* look,
                 QWidget* parent = nullptr);

    QString caption() const { return m_caption; }
    TimelineCanvas* canvas() const { return m_canvas; }
    QScrollBar* scrollBar() const { return m_scrollBar; }

signals:
    void captionChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void onRunChanged();
    void moveWithRun();
    void keepCursorInView();
    void updateGlide();
    void updateCaption();
    void updateScrollBar();
    void retranslate();

    RunModel* m_run;
    TimeWindow* m_window;
    TimelineCanvas* m_canvas;
    QScrollBar* m_scrollBar;
    QTimer m_glide;        // runs while a live run is in view
    QTimer m_captionTimer; // the caption changes a few times a second at most
    QString m_caption;
    TraceTime m_seenCursor{};
};

} // namespace lockscope::ui
