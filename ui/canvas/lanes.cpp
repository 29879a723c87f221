#include "ui/canvas/lanes.h"

#include <algorithm>

namespace lockscope::ui {

// A whole number of lanes, so that none is cut at the top.
int Lanes::maxScroll() const { return std::max(0, laneCount - wholeLanes()) * laneHeight; }

int Lanes::wholeLanes() const { return std::max(1, plot.height() / laneHeight); }

int Lanes::scrollFor(int lane) const
{
    if (lane < pinned)
        return scroll;
    const int lowest = (lane + 1 - wholeLanes()) * laneHeight;
    const int highest = (lane - pinned) * laneHeight;
    return std::clamp(scroll, std::min(highest, lowest), highest);
}

int Lanes::laneAt(int y) const
{
    if (y < plot.top() || y > plot.bottom() || laneHeight <= 0)
        return -1;
    const int row = (y - plot.top()) / laneHeight;
    const int lane = row < pinned ? row : (y - plot.top() + scroll) / laneHeight;
    return lane < laneCount ? lane : -1;
}

// A lane that scrolls is not drawn where it is partly below the pinned ones.
int Lanes::firstVisibleLane() const
{
    return pinned + (pinned > 0 ? scroll + laneHeight - 1 : scroll) / laneHeight;
}

int Lanes::lastVisibleLane() const
{
    if (plot.height() <= 0)
        return firstVisibleLane() - 1;
    return std::min(laneCount - 1, (scroll + plot.height() - 1) / laneHeight);
}

QRect Lanes::barIn(int lane, int x0, int x1, int height) const
{
    return {x0, laneTop(lane) + (laneHeight - height) / 2, x1 - x0, height};
}

int Lanes::labelStride(int lineHeight) const
{
    return std::max(1, (lineHeight + laneHeight - 1) / laneHeight);
}

} // namespace lockscope::ui
