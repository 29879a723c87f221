// Where the parts of the timeline lie, and which lane is at which pixel row: lane names at the left; a band
// for marks, a row for flags and, when not all lanes fit, rows that say who holds, above the lanes; the axis
// and the overview strip below. Lanes get lower when there are many, down to a line of text, and scroll when
// even so they do not fit. Pure value, any thread; all numbers are logical pixels.
#pragma once

#include <QRect>
#include <QSize>

#include <optional>

namespace lockscope::ui {

struct TimelineTextSizes
{
    int lineHeight = 14; // of the small font
    int labelWidth = 40; // the widest lane name
};

// What lies above the lanes, if there is a reason to show it.
struct TimelineLayoutOptions
{
    bool flags = false;
    int holderRows = 0; // that there is something for
    int allLanes = 0;   // also those that a filter folds
    bool compactLanes = false; // down to kMinLaneHeight, where not each has room for its name
    bool byAcquisition = false;   // few lanes are at turn in what is shown: they may be taller
    std::optional<bool> legend{}; // none: where there is room
};

struct TimelineLayout
{
    static constexpr int kMaxLaneHeight = 46; // with type of the usual size; in a high timeline both grow
    static constexpr int kMaxGrownLaneHeight = 120;
    static constexpr int kMinLaneHeight = 8;
    static constexpr int kNameOverhang = 5; // the first name of low lanes may stick out by this
    static constexpr int kGridLane = 16;    // lanes at least this tall get lines between them

    QRect band;  // marks and the cursor's label, above the lanes
    QRect flags; // bookmarks, below the band; empty when there are none
    QRect
        holders; // who holds, labels included; stays when the lanes scroll; empty when all lanes are in sight
    QRect labels;      // lane names
    QRect plot;        // the lanes
    QRect axis;        // tick labels
    QRect legend;      // what the tones mean; empty when it is folded
    QRect overview;    // the whole run; empty when there is no room
    int laneCount = 0; // rows, the one of the folded lanes included
    int laneHeight = kMaxLaneHeight;
    int scroll = 0; // bounded to [0, maxScroll()]

    int holderRows = 0;
    int holderHeight = 0; // of a row

    QRect holderRow(int row) const; // labels and plot together
    QRect columns() const;          // the plot, and of `holders` what lies above it
    int contentHeight() const { return laneCount * laneHeight; }
    int maxScroll() const;
    int wholeLanes() const;        // how many fit, at least one
    int scrollFor(int lane) const; // as near to `scroll` as possible, with this lane in sight
    int laneTop(int lane) const { return plot.top() + lane * laneHeight - scroll; }
    int laneCentre(int lane) const { return laneTop(lane) + laneHeight / 2; }
    int laneAt(int y) const;      // -1 when no lane is there
    int firstVisibleLane() const; // first > last when there is none
    int lastVisibleLane() const;
    QRect laneRect(int lane) const; // labels and plot together
    QRect barIn(int lane, int x0, int x1, int height) const;
    double typeScale() const; // of what is written in a lane and beside it, at least 1
    int dotSize() const;      // of the dot before a lane's name
    int nameLeft() const;
    bool compact() const { return laneHeight < kGridLane; }

    int holdHeight() const;                    // thick bar of a hold
    int waitHeight() const;                    // thin bar of a wait
    QRect waitBehind(const QRect& hold) const; // where the wait of somebody who holds meanwhile is drawn
    int labelStride(int lineHeight) const;     // every how many lanes a name has room
    bool operator==(const TimelineLayout&) const = default;
};

TimelineLayout layoutTimeline(QSize size, int laneCount, int scroll, const TimelineTextSizes& text,
                              const TimelineLayoutOptions& extras = {});

} // namespace lockscope::ui
