// Rows of one height that scroll by whole rows: which of them are in view, and where. The first ones may be
// pinned: they stay at the top. In logical pixels.
// Plain value; any thread.
#pragma once

#include <QRect>

namespace lockscope::ui {

struct Lanes
{
    QRect plot; // where the lanes are
    int laneCount = 0;
    int laneHeight = 1;
    int scroll = 0; // bounded to [0, maxScroll()]
    int pinned = 0; // less than wholeLanes()

    int contentHeight() const { return laneCount * laneHeight; }
    int maxScroll() const;
    int wholeLanes() const;        // how many fit, at least one
    int scrollFor(int lane) const; // as near to `scroll` as possible with this lane visible
    int laneTop(int lane) const { return plot.top() + lane * laneHeight - (lane < pinned ? 0 : scroll); }
    int laneCentre(int lane) const { return laneTop(lane) + laneHeight / 2; }
    int laneAt(int y) const;      // -1: no lane is there
    int firstVisibleLane() const; // below the pinned ones; first > last: no lane is visible
    int lastVisibleLane() const;
    QRect barIn(int lane, int x0, int x1, int height) const; // in the middle of the lane
    int labelStride(int lineHeight) const;                   // every n-th lane has room for its name
    bool operator==(const Lanes&) const = default;
};

} // namespace lockscope::ui
