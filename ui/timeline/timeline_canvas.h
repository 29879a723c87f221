// The widget that shows the lanes: as large as the viewport whatever the number of lanes. Turns mouse, wheel
// and keys into changes of the time window, the selection, the cursor and the bookmarks; keeps which lanes
// are shown and what is measured. GUI thread.
#pragma once

#include "ui/widgets/picture_canvas.h"

#include "ui/models/event_search.h"
#include "ui/models/bookmarks.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"
#include "ui/models/time_window.h"
#include "ui/timeline/lane_names.h"
#include "ui/timeline/lane_rows.h"
#include "ui/timeline/lock_holders.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_hit.h"
#include "ui/timeline/timeline_measure.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_picture.h"
#include "ui/timeline/timeline_text.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QLineEdit;

namespace lockscope::ui {

constexpr double kTimelineZoomStep = 1.25; // of one wheel notch or key

// What the timeline shows and changes; all of it outlives the timeline.
struct TimelineSources
{
    RunModel* run;
    Selection* selection;
    TimeWindow* window;
    Bookmarks* notes;
    Theme* theme;
};

enum class LaneOrder { added, byAcquisition };

class TimelineCanvas : public PictureCanvas
{
    Q_OBJECT
public:
    TimelineCanvas(const TimelineSources& sources, EventSearch* search, QWidget* parent);

    QSize sizeHint() const override { return {900, 320}; }
    QSize minimumSizeHint() const override { return {220, 100}; }

    int scroll() const { return m_scroll; }
    int maxScroll();
    void setScroll(int scroll);
    void showLane(ClientId lane);   // scrolls as little as needed
    void centreLane(ClientId lane); // when it is out of sight

    const TimelinePicture& picture(); // up to date
    QString tipAt(QPointF at) override;

    const LaneFilter& laneFilter() const { return m_filter; }
    void setLaneFilter(const LaneFilter& filter);
    const LaneRows& rows() { return *picture().rows; }
    // By turn: who gets the lock next comes next. None chosen: by turn when there are many lanes.
    LaneOrder laneOrder() const;
    std::optional<LaneOrder> chosenOrder() const { return m_order; }
    void setLaneOrder(std::optional<LaneOrder> order);
    bool compactLanes() const { return m_compactLanes; } // lower than their names, so that more are in sight
    void setCompactLanes(bool low);
    std::optional<bool> chosenLegend() const { return m_legend; } // none: shown where there is room
    // Who held when is read in slices: there is more to come.
    bool isReadingHolders() const { return m_holdersNext.isActive(); }
    bool legendShown() { return !picture().layout.legend.isEmpty(); }
    void setLegend(std::optional<bool> shown);
    std::optional<MeasuredStretch> measured() const;
    const StretchStatistics& measuredStatistics() const
    {
        return m_statistics;
    }                                // of measured(), or a moment behind it
    void setFound(EventIndex match); // what a search jumped to; none ends it

public slots:
    void measureFromCursor(); // and up to the cursor, until called again
    void endMeasuring();
    void copyMeasured() const;
    void zoomToSelection(); // what is measured, else the selected event's span, else the run
    void foldSelected();
    void goToHolder(); // at the cursor, else who held last; again: the next one of several
    void editBookmarkAtCursor(); // in place, at the cursor
    void editBookmark(std::size_t index);
    void goToBookmark(std::size_t index);

signals:
    void scrollChanged(); // scroll() or maxScroll() changed
    void rowsChanged();   // which lanes are shown, or how, changed
    void measureChanged();
    void menuRequested(QPoint globalPlace);

protected:
    void paintEvent(QPaintEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool pressed(int key) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { none, pressed, panning, overview, scrubbing, measuring };
    struct Measure
    {
        TraceTime from{}, to{};
        bool withCursor = false; // `to` is where the cursor is
    };

    void onRunChanged();
    void onGrew();
    void readHolders();
    // rows (timeline_rows.cpp)
    std::shared_ptr<const LaneRows> currentRows();
    void keepLanes(TimelineInput& input);
    void reorderLanes(TimelineInput& input);
    void requestReorder(); // from what is shown now, wherever it was scrolled
    void onWindowChanged();
    ClientId holderShown() const;
    void notifyScroll();
    TimelineHighlights highlights() const;
    TimelineFacts facts() const;
    void drawTools(QPainter& painter);
    // input (timeline_input.cpp)
    std::function<void()> clickAt(QPoint at, Qt::KeyboardModifiers modifiers);
    std::function<void()> clickOnBar(const TimelineBar& bar, QPoint at);
    std::function<void()> clickOnHolder(const TimelineHolder& holder, QPoint at);
    void goToHold(const LockHolders::Hold& hold);
    void zoomTo(TraceTime begin, TraceTime end);
    void dragTo(QPoint at, Qt::KeyboardModifiers modifiers);
    void dragOverview(int x);
    void zoomAround(double factor, double x);
    void panPixels(double pixels);
    void selectNeighbour(int delta);
    bool zoomOrPanKey(int key);
    bool escape();
    void setHover(const TimelineHit& hit);
    replay::Span exactSpan(const TimelineBar& bar, QPoint at) const;
    LockHolders::Hold exactHold(const TimelineHolder& holder, QPoint at) const;
    QString holderTip(const TimelineHit& hit, QPoint at) const;
    QString tipOf(const TimelineHit& hit, QPoint at);
    // tools (timeline_tools.cpp)
    TraceTime snapped(QPoint at, Qt::KeyboardModifiers modifiers);
    void setMeasure(std::optional<Measure> measure);
    void countMeasured();
    void countMeasuredNow();
    QStringList measuredLines() const;
    void showEditor(TraceTime at, const QString& text);

    RunModel* m_run;
    Selection* m_selection;
    TimeWindow* m_window;
    Bookmarks* m_bookmarks;
    EventSearch* m_search;
    LaneNames m_names;
    LockHolders m_holders;
    QTimer m_holdersNext; // slice
    LaneFilter m_filter;
    std::optional<LaneOrder> m_order;
    bool m_compactLanes = false;
    std::optional<bool> m_legend;
    std::vector<ClientId> m_acquisitionOrder; // every lane; empty in the order in which they were added
    Duration m_orderedLength{};      // what was shown when they were ordered
    bool m_reorderPending = true;      // they are to be ordered anew
    bool m_scrolledByHand = false; // what is in sight stays
    std::shared_ptr<const LaneRows> m_rows;
    std::size_t m_notifiedShown = 0, m_notifiedFolded = 0;
    QElapsedTimer m_rowsAge; // since the filter was last asked
    QTimer m_rowsRefresh;
    TimelinePicture m_picture;
    OverviewStrip m_overview;
    QTimer m_overviewRefresh;
    int m_scroll = 0;
    int m_notifiedScroll = -1;
    int m_notifiedMaxScroll = -1;
    TimelineHit m_hover;
    std::optional<Measure> m_measure;
    StretchStatistics m_statistics;
    QTimer m_statisticsNext; // when there is more to count than a frame has time for
    EventIndex m_found = EventIndex::none();
    QLineEdit* m_editor = nullptr; // of a note, while one is written
    TraceTime m_editedAt{};

    Drag m_drag = Drag::none;
    QPoint m_pressed;
    std::function<void()> m_click; // what it does when the button is let go there
    QPoint m_dragged;              // where the drag was last
    int m_overviewGrip = 0;        // from the window's left edge to the mouse
    double m_wheelRest = 0;        // lanes of scrolling not yet done
};

} // namespace lockscope::ui
