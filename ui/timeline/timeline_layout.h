// Places the parts of the timeline, and maps pixel rows to lanes. Lane names are at the left; above the lanes
// a band for marks, a row for flags and, when not all lanes fit, the holder rows; below them the axis and the
// overview strip. With many lanes each becomes lower, down to a line of text; then they scroll. In logical
// pixels. Plain value; any thread.
#pragma once

#include "ui/canvas/lanes.h"

#include <QRect>
#include <QSize>

#include <optional>

namespace lockscope::ui {

struct TimelineTextSizes
{
    int lineHeight = 14; // of the small font; 15 is the default font's
    int labelWidth = 40; // the widest lane name
    int leastLabel = 0;  // the same, of their shortest variants
};

// The optional parts.
struct TimelineLayoutOptions
{
    bool flags = false;
    int holderRows = 0;           // available
    int allLanes = 0;             // including folded ones
    bool compactLanes = false;    // down to kMinLaneHeight, where not every lane has room for its name
    bool byAcquisition = false;   // few lanes acquire in the range shown: they may be taller
    std::optional<bool> legend{}; // nullopt: where there is room
    bool overview = true;         // where there is room
    int lowestLane = 8;           // of compact lanes
    int labelWidth = 0;           // of the column of names; 0: as wide as they need
    std::optional<bool> contention{false}; // nullopt: in a high timeline
    int pinned = 0;                        // lanes
    int traceStrip = 0; // wide; of the names of the traces of a merged run, before the lanes' names
};

struct TimelineLayout : Lanes // the rows, including that of the folded lanes
{
    // With the default font; these heights follow the font (fontScale). The type grows in a high timeline.
    static constexpr int kMaxLaneHeight = 46;
    static constexpr int kMaxGrownLaneHeight = 120;
    static constexpr int kMinLaneHeight = 8;
    static constexpr int kNameOverhang = 5; // the first name of low lanes may overhang by this
    static constexpr int kDotLeft = 12;
    static constexpr int kDotGap = 8;    // between the dot and the name
    static constexpr int kGridLane = 16; // lanes at least this tall get lines between them

    QRect band;         // marks and the cursor's label, above the lanes
    QRect flags;        // bookmarks, below the band; empty when there are none
    QRect holders;      // the holder rows with their labels; do not scroll; empty when all lanes are visible
    QRect labels;       // lane names
    QRect contention;   // how many wait, over time, below the lanes; empty when hidden
    QRect axis;         // tick labels
    QRect legend;       // the meaning of the tones; empty when hidden
    QRect overview;     // the whole run; empty when there is no room
    int traceStrip = 0; // the width of the strip at the left of the labels
    int holderRows = 0;
    int holderHeight = 0;   // of a row
    double fontScale = 1.0; // line height relative to that of the default font; at least 1

    QRect holderRow(int row) const; // labels and plot together
    QRect columns() const;          // the plot, and the part of `holders` above it
    QRect laneRect(int lane) const; // labels and plot together
    double typeScale() const;       // of text in and beside a lane, relative to its font; at least 1
    int dotSize() const;            // of the dot before a lane's name
    int nameLeft() const;
    bool compact() const { return laneHeight < kGridLane * fontScale; }

    int holdHeight() const;                    // thick bar of a hold
    int waitHeight() const;                    // thin bar of a wait
    QRect waitBehind(const QRect& hold) const; // of a client that waits while it holds another lock
    bool operator==(const TimelineLayout&) const = default;
};

TimelineLayout layoutTimeline(QSize size, int laneCount, int scroll, const TimelineTextSizes& text,
                              const TimelineLayoutOptions& extras = {});

} // namespace lockscope::ui
