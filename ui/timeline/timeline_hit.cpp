#include "ui/timeline/timeline_hit.h"

#include "ui/canvas/arrows.h"

#include <cstdlib>
#include <optional>

namespace lockscope::ui {

using What = TimelineHit::What;

namespace {

constexpr double kReach = 4; // pixels from a line that still hit it

// The whole lane's height counts, not just the thin bar. The last match wins: it is drawn on top.
std::optional<std::size_t> barAt(const std::vector<TimelineBar>& all, std::span<const TimelineBar> lane,
                                 int x)
{
    std::optional<std::size_t> best;
    for (const TimelineBar& bar : lane) {
        const bool inside = x >= bar.rect.left() && x <= bar.rect.right();
        const auto index = static_cast<std::size_t>(&bar - all.data());
        if (inside && (!best || bar.span.kind >= all[*best].span.kind))
            best = index;
    }
    return best;
}

std::optional<std::size_t> arrowAt(const TimelinePicture& picture, QPoint at)
{
    std::optional<std::size_t> best;
    double nearest = kReach;
    for (std::size_t i = 0; i < picture.arrows.size(); ++i) {
        const double distance = distanceToShaft(at, picture.arrows[i].from, picture.arrows[i].to);
        if (distance <= nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

std::optional<std::size_t> markAt(const TimelinePicture& picture, QPoint at)
{
    for (std::size_t i = 0; i < picture.marks.size(); ++i)
        if (std::abs(picture.marks[i].x - at.x()) <= kReach || picture.marks[i].label.contains(at))
            return i;
    return std::nullopt;
}

std::optional<std::size_t> flagAt(const TimelinePicture& picture, QPoint at)
{
    for (std::size_t i = picture.flags.size(); i-- > 0;)
        if (picture.flags[i].rect.adjusted(-3, 0, 0, 0).contains(at))
            return i;
    return std::nullopt;
}

TimelineHit hitHolders(const TimelinePicture& picture, QPoint at)
{
    const auto row =
        static_cast<std::size_t>((at.y() - picture.layout.holders.top()) / picture.layout.holderHeight);
    for (std::size_t i = picture.holders.size(); i-- > 0;) {
        const QRect& bar = picture.holders[i].bar.rect;
        if (picture.holders[i].row == static_cast<int>(row) && at.x() >= bar.left() &&
            at.x() <= bar.right() && at.x() >= picture.layout.plot.left())
            return {What::holder, picture.holders[i].bar.lane, i};
    }
    return {What::holderRow, ClientId::none(), row};
}

TimelineHit hitLane(const TimelinePicture& picture, QPoint at, ClientId lane)
{
    const auto bar = barAt(picture.bars, picture.barsOf(lane), at.x());
    if (const auto overlay = barAt(picture.overlays, picture.overlaysOf(lane), at.x()))
        return {What::overlay, lane, *overlay};
    if (bar && picture.bars[*bar].span.kind == replay::SpanKind::holding)
        return {What::bar, lane, *bar};
    if (const auto arrow = arrowAt(picture, at))
        return {What::arrow, lane, *arrow};
    if (bar)
        return {What::bar, lane, *bar};
    return {What::lane, lane, 0};
}

} // namespace

TimelineHit hitTimeline(const TimelinePicture& picture, QPoint at)
{
    const TimelineLayout& layout = picture.layout;
    if (layout.overview.contains(at))
        return {What::overview, ClientId::none(), 0};
    if (layout.band.contains(at)) {
        const auto mark = markAt(picture, at);
        return mark ? TimelineHit{What::mark, ClientId::none(), *mark}
                    : TimelineHit{What::ruler, ClientId::none(), 0};
    }
    if (layout.flags.adjusted(-3, 0, 0, 0).contains(at)) {
        const auto flag = flagAt(picture, at);
        return flag ? TimelineHit{What::flag, ClientId::none(), *flag}
                    : TimelineHit{What::ruler, ClientId::none(), 0};
    }
    if (layout.holders.contains(at))
        return hitHolders(picture, at);
    if (layout.contention.contains(at) && at.x() >= layout.plot.left())
        return {What::contention, ClientId::none(), 0};
    if (layout.axis.contains(at) && at.x() >= layout.plot.left() && at.x() <= layout.plot.right())
        return {What::ruler, ClientId::none(), 0};
    const int row = layout.laneAt(at.y());
    const ClientId id = picture.rows->at(row);
    if (layout.labels.contains(at) && id.valid())
        return {What::laneName, id, 0};
    if (picture.rows->isFolded(row) && at.x() < layout.plot.right())
        return {What::folded, ClientId::none(), 0};
    if (!layout.plot.contains(at))
        return {};
    if (id.valid())
        return hitLane(picture, at, id);
    if (const auto arrow = arrowAt(picture, at))
        return {What::arrow, ClientId::none(), *arrow};
    return {What::lane, ClientId::none(), 0};
}

} // namespace lockscope::ui
