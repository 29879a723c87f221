// Where the parts of the timeline lie, and which lane is at which pixel row: lane names at the left, a band
// for marks and a row for flags above the lanes, the axis and the overview strip below. Lanes get lower when there are many, and
// scroll when even the lowest do not fit. Pure value, any thread; all numbers are logical pixels.
#pragma once

#include <QRect>
#include <QSize>

namespace lockscope::ui {

struct TimelineTextSizes
{
    int lineHeight = 14; // of the small font
    int labelWidth = 40; // the widest lane name
};

struct TimelineLayout
{
    static constexpr int kTallestLane = 46;
    static constexpr int kLowestLane = 8;
    static constexpr int kNameOverhang = 5; // the first name of low lanes may stick out by this
    static constexpr int kGridLane = 16;    // lanes at least this tall get lines between them

    QRect band;     // marks and the cursor's label, above the lanes
    QRect flags;    // bookmarks, below the band; empty when there are none
    QRect labels;   // lane names
    QRect plot;     // the lanes
    QRect axis;     // tick labels
    QRect overview; // the whole run; empty when there is no room
    int laneCount = 0; // rows, the one of the folded lanes included
    int laneHeight = kTallestLane;
    int scroll = 0; // bounded to [0, maxScroll()]

    int contentHeight() const { return laneCount * laneHeight; }
    int maxScroll() const;
    int laneTop(int lane) const { return plot.top() + lane * laneHeight - scroll; }
    int laneCentre(int lane) const { return laneTop(lane) + laneHeight / 2; }
    int laneAt(int y) const;      // -1 when no lane is there
    int firstVisibleLane() const; // first > last when there is none
    int lastVisibleLane() const;
    QRect laneRect(int lane) const; // labels and plot together
    bool compact() const { return laneHeight < kGridLane; }

    int holdHeight() const;                // thick bar of a hold
    int waitHeight() const;                // thin bar of a wait
    QRect waitBehind(const QRect& hold) const; // where the wait of somebody who holds meanwhile is drawn
    int labelStride(int lineHeight) const; // every how many lanes a name has room
    bool operator==(const TimelineLayout&) const = default;
};

TimelineLayout layoutTimeline(QSize size, int laneCount, int scroll, const TimelineTextSizes& text,
                              bool withFlags = false);

} // namespace lockscope::ui
