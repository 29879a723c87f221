#include "ui/timeline/timeline_layout.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kOverviewHeight = 24;
constexpr int kOverviewNeeds = 150; // below this height the lanes need the room more
constexpr int kRightMargin = 14;
constexpr int kDotRoom = 34; // from the left edge to the name
constexpr int kNameGap = 14; // from the name to the lanes
constexpr int kNarrowestLabels = 64;

int labelColumn(int width, int labelWidth)
{
    const int wanted = kDotRoom + labelWidth + kNameGap;
    return std::clamp(wanted, kNarrowestLabels, std::max(kNarrowestLabels, std::min(180, width / 4)));
}

} // namespace

int TimelineLayout::maxScroll() const { return std::max(0, contentHeight() - plot.height()); }

int TimelineLayout::laneAt(int y) const
{
    if (y < plot.top() || y > plot.bottom() || laneHeight <= 0)
        return -1;
    const int lane = (y - plot.top() + scroll) / laneHeight;
    return lane < laneCount ? lane : -1;
}

int TimelineLayout::firstVisibleLane() const { return scroll / laneHeight; }

int TimelineLayout::lastVisibleLane() const
{
    if (plot.height() <= 0)
        return firstVisibleLane() - 1;
    return std::min(laneCount - 1, (scroll + plot.height() - 1) / laneHeight);
}

QRect TimelineLayout::laneRect(int lane) const
{
    return QRect(labels.left(), laneTop(lane), plot.right() - labels.left() + 1, laneHeight);
}

int TimelineLayout::holdHeight() const
{
    return compact() ? std::max(3, laneHeight - 2) : std::max(12, laneHeight * 56 / 100);
}

int TimelineLayout::waitHeight() const { return std::clamp(laneHeight * 17 / 100, 2, 8); }

// At the foot of the hold, over its lower edge: both are seen, in low lanes too.
QRect TimelineLayout::waitBehind(const QRect& hold) const
{
    const int height = compact() ? std::max(2, hold.height() / 3) : std::max(4, waitHeight());
    const int below = compact() ? 0 : height / 2;
    return {hold.left(), hold.bottom() + 1 - height + below, hold.width(), height};
}

int TimelineLayout::labelStride(int lineHeight) const
{
    return std::max(1, (lineHeight + laneHeight - 1) / laneHeight);
}

TimelineLayout layoutTimeline(QSize size, int laneCount, int scroll, const TimelineTextSizes& text, bool withFlags)
{
    TimelineLayout layout;
    layout.laneCount = std::max(0, laneCount);
    const int labels = labelColumn(size.width(), text.labelWidth);
    const int plotWidth = std::max(1, size.width() - labels - kRightMargin);
    const int bandHeight = text.lineHeight + 8;
    const int axisHeight = text.lineHeight + 8;
    const int overviewHeight = size.height() >= kOverviewNeeds ? kOverviewHeight : 0;
    const int flagsHeight = withFlags ? text.lineHeight + 4 : 0;
    const int top = bandHeight + flagsHeight;
    const int plotHeight = std::max(0, size.height() - top - axisHeight - overviewHeight);

    layout.band = QRect(labels, 0, plotWidth, bandHeight);
    layout.flags = QRect(labels, bandHeight, plotWidth, flagsHeight);
    layout.labels = QRect(0, top, labels, plotHeight);
    layout.plot = QRect(labels, top, plotWidth, plotHeight);
    layout.axis = QRect(0, top + plotHeight, size.width(), axisHeight);
    if (overviewHeight > 0)
        layout.overview = QRect(0, size.height() - overviewHeight, size.width(), overviewHeight);
    if (layout.laneCount > 0)
        layout.laneHeight = std::clamp(plotHeight / layout.laneCount, TimelineLayout::kLowestLane,
                                       TimelineLayout::kTallestLane);
    layout.scroll = std::clamp(scroll, 0, layout.maxScroll());
    return layout;
}

} // namespace lockscope::ui
