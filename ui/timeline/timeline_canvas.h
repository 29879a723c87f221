// The widget that shows the lanes; as large as the viewport for any number of lanes. Mouse, wheel and keys
// change the time window, the selection, the cursor and the bookmarks. Owns the lane filter, the lane order
// and the measured range. GUI thread.
#pragma once

#include "ui/canvas/canvas.h"

#include "core/replay/timeline/lock_holders.h"
#include "ui/models/rows/event_search.h"
#include "ui/models/run/bookmarks.h"
#include "ui/models/run/lane_names.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/run/time_window.h"
#include "ui/models/run/timeline_measure.h"
#include "ui/texts/timeline_text.h"
#include "ui/timeline/lane_rows.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_hit.h"
#include "ui/timeline/timeline_items.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_picture.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

class QLineEdit;

namespace lockscope::ui {

constexpr double kTimelineZoomStep = 1.25; // of one wheel notch or key

// What the timeline shows and changes. All of it outlives the timeline.
struct TimelineSources
{
    RunModel* run;
    Selection* selection;
    TimeWindow* window;
    Bookmarks* notes;
    Theme* theme;
};

enum class LaneOrder { added, byAcquisition };

class TimelineCanvas : public Canvas
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
    void centreLane(ClientId lane); // if it is not visible

    const TimelinePicture& picture(); // up to date
    QString tipAt(QPointF at) override;
    // The lanes, bars, handoffs and marks in view.
    std::vector<AccessibleItem> accessibleItems() override;

    const LaneFilter& laneFilter() const { return m_filter; }
    void setLaneFilter(const LaneFilter& filter);
    // The filter's lock if this run already has it; the filter may name a lock of an earlier run.
    LockId filteredLock() const;
    const LaneRows& rows() { return *picture().rows; }
    // byAcquisition: in the order in which the clients acquire the lock; the default with many lanes.
    LaneOrder laneOrder() const;
    std::optional<LaneOrder> chosenOrder() const { return m_order; }
    void setLaneOrder(std::optional<LaneOrder> order);
    bool compactLanes() const { return m_compactLanes; } // lower than their names, so that more are visible
    void setCompactLanes(bool low);
    std::optional<bool> chosenLegend() const { return m_legend; } // nullopt: shown where there is room
    bool legendShown() { return !picture().layout.legend.isEmpty(); }
    void setLegend(std::optional<bool> shown);
    std::optional<bool> chosenContention() const { return m_contention; } // nullopt: in a high timeline
    bool contentionShown() { return !picture().layout.contention.isEmpty(); }
    void setContention(std::optional<bool> shown);
    const LaneNames& names() const { return m_names; }
    std::optional<MeasuredStretch> measured() const;
    const StretchStatistics& measuredStatistics() const
    {
        return m_statistics;
    }                                // of measured(); may lag behind it
    void setFound(EventIndex match); // marks the match that a search jumped to; none() clears the mark
    void requestReorder();           // by the time range shown; resets scrolling by the user

public slots:
    void measureFromCursor(); // starts at the cursor and follows it, until called again
    void copyMeasured() const;
    void measureShown();              // the range that is in sight
    void setBriefMeasure(bool brief); // its figures are in a table beside it
    void zoomToSelection();           // the measured range, else the selected event's span, else the run
    void foldSelected();
    void unfoldAll();
    void pinSelected();
    void goToHolder();           // at the cursor, else the last holder; again: the next of several holders
    void editBookmarkAtCursor(); // in place, at the cursor
    void editBookmark(std::size_t index);
    void goToBookmark(std::size_t index);

signals:
    void scrollChanged();  // scroll() or maxScroll() changed
    void rowsChanged();    // the visible lanes, or how they are shown, changed
    void measureChanged(); // the range or its statistics
    void menuRequested(QPoint globalPlace);

protected:
    void draw(QPainter& painter, const QRegion& region) override;
    QString emptyText() override;
    void hover(std::optional<QPointF> at) override;
    void scrollTo(int value) override { setScroll(value); }
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    void selectBlocker(ClientId blocker);
    enum class Drag { none, pressed, panning, overview, scrubbing, measuring };
    struct Measure
    {
        TraceTime from{}, to{};
        bool withCursor = false; // `to` follows the cursor
    };

    void onRunChanged();
    void onGrew();
    // rows
    std::shared_ptr<const LaneRows> currentRows();
    void keepLanes(TimelineInput& input);
    void reorderLanes(TimelineInput& input);
    void onWindowChanged();
    bool cursorInSight() const;
    std::vector<ClientId> acquisitionOrder() const;
    void orderForCursor();
    ClientId holderShown() const;
    void notifyScroll();
    TimelineHighlights highlights() const;
    TimelineSource source() const;
    void drawTools(QPainter& painter);
    // input
    std::function<void()> clickAt(QPoint at, Qt::KeyboardModifiers modifiers);
    std::function<void()> clickOnBar(const TimelineBar& bar, QPoint at);
    void goToHold(const replay::LockHolders::Hold& hold);
    void zoomTo(TraceTime begin, TraceTime end);
    void dragTo(QPoint at, Qt::KeyboardModifiers modifiers);
    void dragOverview(int x);
    void zoomAround(double factor, double x);
    void panPixels(double pixels);
    void selectNeighbour(int delta);
    void addCommands();
    void escape();
    void setHover(const TimelineHit& hit);
    QString tipOf(const TimelineHit& hit, QPoint at);
    std::function<void()> actionOf(const TimelineHit& hit, QPoint at);
    // tools
    TraceTime snapped(QPoint at, Qt::KeyboardModifiers modifiers);
    void setMeasure(std::optional<Measure> measure);
    void countMeasured();
    void countMeasuredNow();
    QStringList measuredLines() const;
    void showEditor(TraceTime at, const QString& text);
    void endEditing(bool keep); // of a bookmark's note

    RunModel* m_run;
    Selection* m_selection;
    TimeWindow* m_window;
    Bookmarks* m_bookmarks;
    EventSearch* m_search;
    LaneNames m_names;
    LaneFilter m_filter;
    std::optional<LaneOrder> m_order;
    bool m_compactLanes = false;
    std::optional<bool> m_legend, m_contention;
    std::vector<ClientId> m_acquisitionOrder; // every lane; empty: as added
    Duration m_orderedLength{};               // of the time range when the lanes were ordered
    bool m_reorderPending = true;
    bool m_scrolledByHand = false; // automatic scrolling is off
    std::shared_ptr<const LaneRows> m_rows;
    std::pair<std::size_t, std::size_t> m_notifiedRows; // the numbers of shown and of folded lanes
    QElapsedTimer m_rowsAge;                            // since the filter was last applied
    QTimer m_rowsRefresh;
    TimelinePicture m_picture;
    OverviewStrip m_overview;
    QTimer m_overviewRefresh;
    int m_scroll = 0;
    std::pair<int, int> m_notifiedScroll{-1, -1}; // scroll and maxScroll
    TimelineHit m_hover;
    std::optional<Measure> m_measure;
    bool m_briefMeasure = false;
    StretchStatistics m_statistics;
    QTimer m_statisticsNext; // runs while statistics are counted in slices
    EventIndex m_found = EventIndex::none();
    QLineEdit* m_editor = nullptr; // of a bookmark's note
    TraceTime m_editedAt{};
    bool m_editing = false;

    Drag m_drag = Drag::none;
    bool m_pans = false; // what a drag from m_pressed does; otherwise it measures
    QPoint m_pressed;
    std::function<void()> m_click; // the action of releasing the button there
    QPoint m_dragged;              // the last position of the drag
    int m_overviewGrip = 0;        // from the window's left edge to the mouse
    double m_wheelRest = 0;        // lanes not scrolled yet
};

} // namespace lockscope::ui
