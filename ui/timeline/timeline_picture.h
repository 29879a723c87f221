// What the timeline shows for one stretch of time, one size and one scroll position: rectangles, lines and
// texts in pixels, found by queries that cost what is visible. The painter draws it and the mouse is matched
// against it; neither asks the run again. Plain value; built in the GUI thread (it measures text).
#pragma once

#include "core/replay/timeline/timeline.h"
#include "ui/models/event_search.h"
#include "ui/models/bookmarks.h"
#include "ui/timeline/lane_names.h"
#include "ui/timeline/lane_rows.h"
#include "ui/timeline/lock_holders.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_layout.h"

#include <QFont>
#include <QPointF>
#include <QRect>
#include <QString>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lockscope::ui {

struct TimelineInput
{
    const replay::Timeline* timeline = nullptr;
    const trace::TraceStore* store = nullptr;
    const LaneNames* names = nullptr;
    TraceTime begin{};
    Duration length{};
    TraceTime runEnd{}; // unfinished spans are drawn up to here
    QSize size;
    int scroll = 0;
    QFont text, small;
    std::shared_ptr<const LaneRows> rows{};   // null: all lanes
    const std::vector<Bookmark>* notes = nullptr; // null: none
    const EventSearch* search = nullptr;      // null: none
    const LockHolders* holders = nullptr;     // null: nothing is said of them
    bool byAcquisition = false;                      // the order of the rows
    bool compactLanes = false;                    // lower than their names, so that more are in sight
    std::optional<bool> legend{};             // none chosen: where there is room
    std::optional<std::chrono::sys_time<Duration>>
        wallZero{}; // the axis by the clock on the wall; none: by the run's
};

struct TimelineBar
{
    QRect rect;
    replay::Span span; // possibly condensed: see Span::merged
    ClientId lane;     // none: the lanes that are folded, together
    int row = 0;       // where it is drawn
};

struct TimelineDepth
{
    QRect rect;
    std::uint16_t depth = 2;
    QRect label; // the part of it in which its number stands; empty: it is around one that has a number
    std::uint16_t told = 2; // by its number and its colour: its own level, or the deepest that it has inside
};

struct TimelineOverlayLabel // words on or beside an overlay
{
    QRect rect;
    QString text;
    replay::SpanKind kind{};
};

struct TimelineArrow
{
    QPointF from, to;
    std::size_t handoff = 0; // index in Timeline::handoff
    bool head = true;        // not where it has no room, or lies out of sight
};

struct TimelineHolder // in the rows above the lanes
{
    TimelineBar bar; // of no lane: several share its pixels
    int row = 0;     // in `holderRows`
    QRect label{};   // empty when the name does not fit
    QString name{};
    std::uint16_t colour = 0;
};

struct TimelineHolderRow
{
    LockId lock = LockId::none();
    std::size_t track = 0; // of LockHolders::Lock
    QRect label;
    QString name;   // elided
    int unseen = 0; // rows for which there is no room; told by the last one
};

struct TimelineMark
{
    int x = 0;
    QRect label; // empty when it would overlap another one
    QString text;
    replay::Mark mark;
};

struct TimelineOutage // of the server
{
    QRect ground;
    QRect label; // empty while the mark at its beginning says it
};

struct TimelineFlag
{
    int x = 0;
    QRect rect;           // of the flag and its words
    QString text;         // elided, may be empty
    std::size_t note = 0; // index in Notes::all()
};

struct TimelineTick
{
    int x = 0;
    QRect label; // empty when it does not fit
    QString text;
};

struct TimelineLaneLabel
{
    ClientId lane;
    QRect dot;
    QRect text;   // empty when names thin out
    QString name; // elided
    std::uint16_t colour = 0;
    QRect chosen{}; // where the name goes when the lane is selected
};

struct TimelinePicture
{
    TimelineLayout layout;
    TimeScale scale;
    // Of names, of what is written in lanes, and of depths: they grow with the lanes.
    QFont laneText, laneSmall, laneNumber;
    std::shared_ptr<const LaneRows> rows;
    std::vector<TimelineBar> bars;     // by row, then from left to right; waits and holds
    std::vector<TimelineBar> overlays; // the same for stale, frozen, suspended
    std::vector<TimelineBar> behind;   // the same for waits of those who hold something meanwhile
    std::vector<TimelineDepth> depths;
    std::vector<TimelineOverlayLabel> notes;
    std::vector<TimelineArrow> arrows;
    std::vector<TimelineArrow> condensed; // each stands for several handoffs between two lanes, close together
    std::vector<TimelineHolderRow> holderRows;
    std::vector<TimelineHolder> holders; // by row, then from left to right
    std::vector<TimelineMark> marks;
    std::vector<TimelineOutage> outages;
    std::vector<TimelineFlag> flags;
    std::vector<int> matches; // pixel columns in which a search found something
    std::vector<TimelineTick> ticks;
    std::vector<TimelineLaneLabel> labels;
    int endX = 0; // where the run ends
    std::shared_ptr<const TimelinePicture> legend; // samples; null: none is shown

    // What building it cost, in answers: bounded by the pixels, whatever the run's length.
    std::size_t queriedLanes = 0;
    std::size_t queriedSpans = 0;

    std::span<const TimelineBar> barsOf(ClientId lane) const;
    std::span<const TimelineBar> overlaysOf(ClientId lane) const;
    std::span<const TimelineBar> behindOf(ClientId lane) const;
};

// Where a span's bar begins and ends: a little outside of the plot at most, so that cut ones show no round
// corner.
std::pair<int, int> barColumns(const TimelineInput& input, const TimeScale& scale, TraceTime begin,
                               TraceTime end);

// Where its parts will lie: cheap, and the same whatever order the lanes are in.
TimelineLayout layoutOf(const TimelineInput& input);

TimelinePicture buildTimelinePicture(const TimelineInput& input);

} // namespace lockscope::ui
