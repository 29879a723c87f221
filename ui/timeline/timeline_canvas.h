// The widget that shows the lanes: as large as the viewport whatever the number of lanes, one picture at a
// time, rebuilt when its inputs changed and never because the mouse moved. Turns mouse, wheel and keys into
// changes of the time window, the selection and the cursor. GUI thread.
#pragma once

#include "ui/models/look.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"
#include "ui/models/time_window.h"
#include "ui/timeline/lane_names.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_hit.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_picture.h"
#include "ui/timeline/timeline_text.h"

#include <QTimer>
#include <QWidget>

namespace lockscope::ui {

class TimelineCanvas : public QWidget
{
    Q_OBJECT
public:
    TimelineCanvas(RunModel* run, Selection* selection, TimeWindow* window, Look* look, QWidget* parent);

    QSize sizeHint() const override { return {900, 320}; }
    QSize minimumSizeHint() const override { return {220, 100}; }

    int scroll() const { return m_scroll; }
    int maxScroll();
    void setScroll(int scroll);
    void showLane(ClientId lane); // scrolls as little as needed

    const TimelinePicture& picture();               // up to date
    std::size_t builds() const { return m_builds; } // how often the picture was built
    QString tipAt(QPoint at);                       // plain text; empty when there is nothing to say

signals:
    void scrollChanged(); // scroll() or maxScroll() changed

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Drag { none, pressed, panning, overview };

    void onRunChanged();
    void onGrew();
    void invalidate();
    TimelineHighlights highlights() const;
    TimelineFacts facts() const;
    // input (timeline_input.cpp)
    void click(QPoint at);
    void clickBar(const TimelineBar& bar, QPoint at);
    void zoomToBar(const TimelineBar& bar);
    void dragTo(QPoint at);
    void dragOverview(int x);
    void zoomAround(double factor, double x);
    void panPixels(double pixels);
    void selectNeighbour(int delta);
    bool zoomOrPanKey(int key);
    void setHover(const TimelineHit& hit);
    replay::Span exactSpan(const TimelineBar& bar, QPoint at) const;

    RunModel* m_run;
    Selection* m_selection;
    TimeWindow* m_window;
    Look* m_look;
    LaneNames m_names;
    TimelinePicture m_picture;
    OverviewStrip m_overview;
    QTimer m_overviewRefresh;
    bool m_stale = true; // the picture's inputs changed
    std::size_t m_builds = 0;
    int m_scroll = 0;
    int m_toldScroll = -1;
    int m_toldMaxScroll = -1;
    TimelineHit m_hover;

    Drag m_drag = Drag::none;
    QPoint m_pressed;
    QPoint m_dragged;       // where the drag was last
    int m_overviewGrip = 0; // from the window's left edge to the mouse
    double m_wheelRest = 0; // pixels of scrolling not yet done
};

} // namespace lockscope::ui
