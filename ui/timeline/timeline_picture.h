// The contents of the timeline for one time range, one size and one scroll position: rectangles, lines and
// texts in pixels. The cost of the queries depends on what is visible. Painting and hit testing use the
// picture only, not the run. Plain value, built in the GUI thread, because it measures text.
#pragma once

#include "core/replay/timeline/lock_holders.h"
#include "core/replay/timeline/timeline.h"
#include "ui/canvas/time_scale.h"
#include "ui/models/rows/event_search.h"
#include "ui/models/run/bookmarks.h"
#include "ui/models/run/lane_names.h"
#include "ui/timeline/lane_rows.h"
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

inline constexpr int kMinBarWidth = 3; // pixels: a short wait or hold is widened or condensed, never hidden

struct TimelineStretch
{
    TraceTime begin{}, end{};
};

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
    std::shared_ptr<const LaneRows> rows{};       // null: all lanes
    const std::vector<Bookmark>* notes = nullptr; // null: none
    const EventSearch* search = nullptr;          // null: none
    const replay::LockHolders* holders = nullptr; // null: none
    bool byAcquisition = false;                   // the order of the rows
    bool compactLanes = false;                    // lower than their names, so that more are visible
    std::optional<bool> legend{};                 // nullopt: where there is room
    std::optional<bool> contention{false}; // with the track of waiting clients; nullopt: in a high view
    bool watchOnly = false;                // beliefs are unknown, and not in the legend
    bool overview = true;                  // with the strip of the whole run, where there is room
    int lowestLane = TimelineLayout::kMinLaneHeight;     // of compact lanes
    int labelWidth = 0;                                  // of the column of names; 0: as wide as they need
    const std::vector<TimelineStretch>* herds = nullptr; // times to mark across all lanes; null: none
    bool marksEnd = false;                               // the time after the run's end is marked
    std::optional<std::chrono::sys_time<Duration>>
        wallZero{}; // the axis shows wall clock times; nullopt: times of the run
};

struct TimelineBar
{
    QRect rect;
    replay::Span span; // possibly condensed: see Span::merged
    ClientId lane;     // none(): the folded lanes, together
    int row = 0;
};

struct TimelineDepth
{
    QRect rect;
    std::uint16_t depth = 2;
    QRect label;                  // of its number; empty: a box inside it has the number
    std::uint16_t shownDepth = 2; // by number and color: its own level, or the deepest inside
};

struct TimelineOverlayLabel // text on or beside an overlay
{
    QRect rect;
    QString text;
    replay::SpanKind kind{};
};

struct TimelineArrow
{
    QPointF from, to;
    std::size_t handoff = 0; // index in Timeline::handoff
    bool head = true;        // false without room, or outside the view
};

struct TimelineHolder // in the rows above the lanes
{
    TimelineBar bar; // without a lane: several holds share its pixels
    int row = 0;     // in `holderRows`
    QRect label{};   // empty when the name does not fit
    QString name{};
    std::uint16_t colour = 0;
};

struct TimelineHolderRow
{
    LockId lock = LockId::none();
    std::size_t track = 0; // of replay::LockHolders::Lock
    QRect label;
    QString name;   // elided
    int unseen = 0; // rows without room; shown by the last row
};

struct TimelineMark
{
    int x = 0;
    QRect label; // empty when it would overlap another one
    QString text;
    replay::Mark mark;
};

struct TimelineGround // of a time that concerns all lanes
{
    QRect ground;
    QRect label; // empty without room, and while a mark at its beginning says it
    replay::Stretch stretch;
};

struct TimelineFlag
{
    int x = 0;
    QRect rect;           // of the flag and its text
    bool isLeft = false;  // left of its moment, which is at the right edge
    QString text;         // elided, may be empty
    std::size_t note = 0; // index in Bookmarks::all()
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
    QRect chosen{}; // the name's place when the lane is selected
};

struct TimelineTrace // of a merged run: its lanes that follow one another
{
    QRect strip;
    std::size_t trace = 0; // in LaneNames::clocks().traces
    QString name;
};

struct TimelineGap // nothing is known of the lane: its trace has ended before its run
{
    QRect rect;
    std::size_t trace = 0;
};

struct TimelineUncertainty // of the aligned clocks of a merged run
{
    QRect label;   // on the axis, before the lanes; empty: the run was not merged
    QRect bracket; // as wide as the time in which no order is certain; empty when it is too narrow to see
    QString text;
};

struct TimelinePicture
{
    TimelineLayout layout;
    TimeScale scale;
    // For names, labels in lanes and depths. They grow with the lanes.
    QFont laneText, laneSmall, laneNumber;
    std::shared_ptr<const LaneRows> rows;
    std::vector<TimelineBar> bars;     // by row, then from left to right; waits and holds
    std::vector<TimelineBar> overlays; // the same for stale, frozen, suspended
    std::vector<TimelineBar> behind;   // the same for waits of clients that hold another lock meanwhile
    std::vector<TimelineDepth> depths;
    std::vector<TimelineOverlayLabel> notes;
    std::vector<TimelineArrow> arrows;
    std::vector<TimelineArrow>
        condensed; // each stands for several handoffs between two lanes, close together
    std::vector<TimelineHolderRow> holderRows;
    std::vector<TimelineHolder> holders; // by row, then from left to right
    std::vector<TimelineMark> marks;
    std::vector<TimelineGround> outages; // of the server, behind the lanes
    std::vector<TimelineGround> pauses;  // of the run, before the lanes
    std::vector<QRect> herds;            // behind the lanes
    QRect ended;                         // the time after the end of the run; empty unless it is marked
    std::vector<TimelineFlag> flags;
    std::vector<QRect> contention; // steps, as high as many clients wait
    std::uint32_t mostWaiting = 0; // of them
    std::vector<int> matches;      // pixel columns with search matches
    std::vector<TimelineTick> ticks;
    std::vector<TimelineLaneLabel> labels;
    std::vector<TimelineTrace> traces;
    std::vector<TimelineGap> gaps; // behind the bars
    TimelineUncertainty uncertainty;
    int endX = 0;                                  // where the run ends
    std::shared_ptr<const TimelinePicture> legend; // samples; null: none is shown

    // The cost of building it: bounded by the pixels, for any length of the run.
    std::size_t queriedLanes = 0;
    std::size_t queriedSpans = 0;

    std::span<const TimelineBar> barsOf(ClientId lane) const;
    std::span<const TimelineBar> overlaysOf(ClientId lane) const;
    std::span<const TimelineBar> behindOf(ClientId lane) const;
};

// The first and last pixel column of a bar: at most slightly outside the plot, so that a cut bar has no round
// corner.
std::pair<int, int> barColumns(const TimelineInput& input, const TimeScale& scale, TraceTime begin,
                               TraceTime end);

// The layout of the picture; independent of the order of the lanes, and cheap.
TimelineLayout layoutOf(const TimelineInput& input);

TimelinePicture buildTimelinePicture(const TimelineInput& input);

} // namespace lockscope::ui
