#include "ui/timeline/timeline_layout.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr int kUsualLine = 15; // the height of a line of the small font, by default
constexpr int kOverviewHeight = 24;
constexpr int kOverviewNeeds = 150; // below this height the lanes need the room more
constexpr int kLegendNeeds = 165;   // a legend needs this height, and lanes of kEasyLane or kMuchRoom
constexpr int kMuchRoom = 400;
constexpr int kEasyLane = 17;
constexpr int kRightMargin = 14;
constexpr int kClientDot = 14;
constexpr double kMaxTypeScale = 1.8;
constexpr int kFullLanes = 6; // this many of the tallest lanes fill a high timeline
constexpr int kNameGap = 14;  // from the name to the lanes
constexpr int kMinLabelColumn = 64;
constexpr int kMaxHolderRows = 4;
constexpr int kLanesAtTurn = 17;                                   // visible where there is room
constexpr int kHoldersToLanes = TimelineLayout::kNameOverhang + 1; // pixels from the holder rows to the lanes

int scaled(int height, double fontScale) { return static_cast<int>(height * fontScale); }

int lowestLane(const TimelineLayoutOptions& extras, int room, int lineHeight, double fontScale)
{
    if (extras.compactLanes)
        return extras.lowestLane;
    const int wanted = extras.byAcquisition
                           ? std::min(room / kLanesAtTurn, scaled(TimelineLayout::kMaxLaneHeight, fontScale))
                           : 0;
    return std::max({TimelineLayout::kMinLaneHeight, lineHeight, wanted});
}

// The number of holder rows: as many as fit a third of the lanes' room, or none if all lanes are visible.
int holderRows(const TimelineLayoutOptions& extras, int room, int lowest, int rowHeight)
{
    if (extras.allLanes * lowest <= room)
        return 0;
    return std::min({extras.holderRows, kMaxHolderRows, room / 3 / rowHeight});
}

bool showsLegend(const TimelineLayoutOptions& extras, double fontScale, int height, int room, int lanes)
{
    const bool fits = height >= kLegendNeeds * fontScale &&
                      (height >= kMuchRoom * fontScale || lanes * kEasyLane * fontScale <= room);
    return height >= kOverviewNeeds * fontScale && extras.legend.value_or(fits);
}

// A quarter of the width at most, unless even the shortest names need more.
int labelColumn(int width, const TimelineLayout& layout, const TimelineTextSizes& text)
{
    const double scale = layout.typeScale();
    const auto forNames = [&](int widest) {
        return layout.nameLeft() + static_cast<int>(widest * scale) + kNameGap;
    };
    const int wanted = forNames(text.labelWidth);
    const int most = std::max(std::min(static_cast<int>(180 * scale * layout.fontScale), width / 4),
                              std::min(forNames(text.leastLabel), width / 3));
    return std::clamp(wanted, kMinLabelColumn, std::max(kMinLabelColumn, most));
}

int laneHeight(int room, int lanes, int lowest, double fontScale)
{
    const int most = scaled(TimelineLayout::kMaxLaneHeight, fontScale);
    const int tallest =
        std::clamp(room / kFullLanes, most, scaled(TimelineLayout::kMaxGrownLaneHeight, fontScale));
    if (lanes <= 0)
        return most;
    if (room < lowest)
        return lowest;
    return room < lanes * lowest ? room / (room / lowest) : std::min(room / lanes, tallest);
}

} // namespace

QRect TimelineLayout::holderRow(int row) const
{
    return {holders.left(), holders.top() + row * holderHeight, holders.width(), holderHeight};
}

QRect TimelineLayout::columns() const
{
    return holders.isEmpty() ? plot : QRect(QPoint(plot.left(), holders.top()), plot.bottomRight());
}

QRect TimelineLayout::laneRect(int lane) const
{
    return QRect(labels.left(), laneTop(lane), plot.right() - labels.left() + 1, laneHeight);
}

// In steps, so that resizing a window does not shape all text again at every pixel.
double TimelineLayout::typeScale() const
{
    const double scale = std::floor(20.0 * laneHeight / (kMaxLaneHeight * fontScale)) / 20;
    return std::clamp(scale, 1.0, kMaxTypeScale);
}

int TimelineLayout::dotSize() const
{
    return std::clamp(laneHeight - 2, 4, static_cast<int>(kClientDot * fontScale * typeScale()));
}

int TimelineLayout::nameLeft() const
{
    return traceStrip + TimelineLayout::kDotLeft + static_cast<int>(kClientDot * fontScale * typeScale()) +
           TimelineLayout::kDotGap;
}

int TimelineLayout::holdHeight() const
{
    return compact() ? std::max(3, laneHeight - 2) : std::max(12, laneHeight * 56 / 100);
}

int TimelineLayout::waitHeight() const
{
    return std::clamp(laneHeight * 17 / 100, laneHeight < 5 ? 1 : 2,
                      static_cast<int>(8 * fontScale * typeScale()));
}

// At the bottom of the hold, across its lower edge: both are visible, even in low lanes.
QRect TimelineLayout::waitBehind(const QRect& hold) const
{
    const int height = compact() ? std::max(2, hold.height() / 3) : std::max(4, waitHeight());
    const int below = compact() ? 0 : height / 2;
    return {hold.left(), hold.bottom() + 1 - height + below, hold.width(), height};
}

TimelineLayout layoutTimeline(QSize size, int laneCount, int scroll, const TimelineTextSizes& text,
                              const TimelineLayoutOptions& extras)
{
    TimelineLayout layout;
    layout.laneCount = std::max(0, laneCount);
    layout.traceStrip = extras.traceStrip;
    layout.fontScale = std::max(1.0, static_cast<double>(text.lineHeight) / kUsualLine);
    const int bandHeight = text.lineHeight + 8;
    const int axisHeight = text.lineHeight + 8;
    const int overviewHeight = extras.overview && size.height() >= kOverviewNeeds * layout.fontScale
                                   ? text.lineHeight * kOverviewHeight / kUsualLine
                                   : 0;
    const int flagsHeight = extras.flags ? text.lineHeight + 4 : 0;
    const int height = std::max(0, size.height() - bandHeight - flagsHeight - axisHeight - overviewHeight);
    const int legendHeight =
        showsLegend(extras, layout.fontScale, size.height(), height - text.lineHeight, layout.laneCount)
            ? text.lineHeight + 6
            : 0;
    const bool contention = size.height() >= kOverviewNeeds * layout.fontScale &&
                            extras.contention.value_or(size.height() >= kMuchRoom * layout.fontScale);
    const int contentionHeight = contention ? 2 * text.lineHeight : 0;
    const int room = std::max(0, height - legendHeight - contentionHeight);
    layout.holderHeight = text.lineHeight + 4;
    const int lowest = lowestLane(extras, room, text.lineHeight, layout.fontScale);
    layout.holderRows = holderRows(extras, room, lowest, layout.holderHeight);
    const int holdersHeight = layout.holderRows * layout.holderHeight;
    const int top = bandHeight + flagsHeight + (holdersHeight > 0 ? holdersHeight + kHoldersToLanes : 0);
    const int plotHeight = std::max(0, room - (top - bandHeight - flagsHeight));
    layout.laneHeight = laneHeight(plotHeight, layout.laneCount, lowest, layout.fontScale);
    // Where lanes scroll, only whole lanes are visible.
    const bool scrolls = layout.laneCount * layout.laneHeight > plotHeight;
    const int lanesHeight =
        scrolls ? std::max(1, plotHeight / layout.laneHeight) * layout.laneHeight : plotHeight;
    const int labels = extras.labelWidth > 0 ? extras.labelWidth : labelColumn(size.width(), layout, text);
    const int plotWidth = std::max(1, size.width() - labels - kRightMargin);

    if (holdersHeight > 0)
        layout.holders = QRect(0, bandHeight + flagsHeight, labels + plotWidth, holdersHeight);
    layout.band = QRect(labels, 0, plotWidth, bandHeight);
    layout.flags = QRect(labels, bandHeight, plotWidth, flagsHeight);
    layout.labels = QRect(0, top, labels, lanesHeight);
    layout.plot = QRect(labels, top, plotWidth, lanesHeight);
    layout.pinned = std::clamp(extras.pinned, 0, layout.wholeLanes() - 1);
    if (contention)
        layout.contention = QRect(0, top + plotHeight, labels + plotWidth, contentionHeight);
    layout.axis = QRect(0, top + plotHeight + contentionHeight, size.width(), axisHeight);
    if (legendHeight > 0)
        layout.legend = QRect(0, layout.axis.bottom() + 1, size.width(), legendHeight);
    if (overviewHeight > 0)
        layout.overview = QRect(0, size.height() - overviewHeight, size.width(), overviewHeight);
    layout.scroll = std::clamp(scroll, 0, layout.maxScroll());
    return layout;
}

} // namespace lockscope::ui
