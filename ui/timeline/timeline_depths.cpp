#include "ui/timeline/timeline_depths.h"

#include "ui/timeline/timeline_text.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kTimelineDepthsNarrowestBar = 3; // pixels
constexpr int kTimelineDepthsOutside = 10;     // of the plot, in which a number may be
constexpr int kNumberPad = 1;    // beside a number

int widthOf(const QString& number, const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(number) + 2 * kNumberPad;
}

// A bar that is nearly wide enough for its number gets the few pixels that it lacks, where its hold has them
// in sight.
void widen(std::span<TimelineDepth> added, const TimelinePicture& picture, ClientId lane,
           const QFontMetrics& metrics)
{
    const QRect& plot = picture.layout.plot;
    for (TimelineDepth& bar : added) {
        const QRect seen = bar.rect.intersected(plot.adjusted(0, -kTimelineDepthsOutside, 0, kTimelineDepthsOutside));
        const int wanted = widthOf(TimelineText::depth(bar.depth), metrics);
        if (bar.depth != 2 || seen.width() >= wanted || seen.width() < wanted / 2)
            continue;
        for (const TimelineBar& hold : picture.barsOf(lane)) {
            const QRect room = hold.rect.adjusted(1, 0, -1, 0).intersected(plot);
            if (hold.span.kind != replay::SpanKind::holding || hold.span.merged > 1 ||
                room.width() < wanted || !hold.rect.contains(seen.center()))
                continue;
            QRect wide = seen;
            wide.setWidth(wanted);
            wide.moveLeft(std::clamp(seen.center().x() - wanted / 2, room.left(), room.right() + 1 - wanted));
            const bool alone = std::none_of(added.begin(), added.end(), [&](const TimelineDepth& other) {
                return &other != &bar && other.depth == bar.depth && other.rect.intersects(wide);
            });
            if (alone)
                bar.rect = bar.rect.united(wide);
        }
    }
}

// A number stands in the box of its level, beside the levels inside it. A box is drawn where its number has
// that room, or around one that is: what stays without a number says nothing. The innermost that is drawn
// says of all levels that it has inside.
class Levels
{
public:
    // Of one lane, by level, then from left to right.
    Levels(std::span<TimelineDepth> all, const QFontMetrics& metrics, const TimelineLayout& layout)
        : m_all(all)
        , m_drawn(all.size(), false)
        , m_deepest(all.size(), 0)
        , m_metrics(metrics)
        , m_plot(layout.plot.adjusted(0, -kTimelineDepthsOutside, 0, kTimelineDepthsOutside))
    {}
    void settle()
    {
        for (std::size_t i = m_all.size(); i-- > 0;) // from the deepest
            m_drawn[i] = settle(i);
    }
    bool isDrawn(std::size_t index) const { return m_drawn[index]; }

private:
    bool settle(std::size_t index)
    {
        TimelineDepth& bar = m_all[index];
        if (bar.rect.height() < m_metrics.capHeight() + 2) {
            m_deepest[index] = bar.depth;
            return false;
        }
        const QRect seen = bar.rect.intersected(m_plot);
        QRect free = seen;
        const auto [first, last] = inside(bar);
        bool around = false;
        std::uint16_t& deepest = m_deepest[index] = bar.depth;
        for (std::size_t i = first; i < last; ++i) {
            around = around || m_drawn[i];
            deepest = std::max(deepest, m_deepest[i]);
        }
        for (std::size_t i = first; i <= last; ++i) {
            if (i < last && !m_drawn[i])
                continue;
            free.setRight(i < last ? std::min(m_all[i].rect.left() - 1, seen.right()) : seen.right());
            if (bar.label.isEmpty())
                write(bar, around ? bar.depth : deepest, free);
            if (i < last)
                free.setLeft(std::max(free.left(), m_all[i].rect.right() + 1));
        }
        return around || !bar.label.isEmpty();
    }
    // The deepest level that it says, in that room, when it fits.
    void write(TimelineDepth& bar, std::uint16_t deepest, const QRect& room)
    {
        if (room.width() < widthOf(TimelineText::depth(deepest), m_metrics))
            return;
        bar.told = deepest;
        // A line is taller than its numbers.
        const int over = std::max(0, m_metrics.height() - room.height() + 1) / 2;
        bar.label = room.adjusted(0, -over, 0, over);
    }
    // Those of the next level: [first, last).
    std::pair<std::size_t, std::size_t> inside(const TimelineDepth& bar) const
    {
        const auto firstFrom = [&](int x) {
            return static_cast<std::size_t>(std::partition_point(m_all.begin(), m_all.end(),
                                                                 [&](const TimelineDepth& other) {
                                                                     return other.depth <= bar.depth ||
                                                                            (other.depth == bar.depth + 1 &&
                                                                             other.rect.center().x() < x);
                                                                 }) -
                                            m_all.begin());
        };
        return {firstFrom(bar.rect.left()), firstFrom(bar.rect.right() + 1)};
    }

    std::span<TimelineDepth> m_all;
    std::vector<bool> m_drawn;
    std::vector<std::uint16_t> m_deepest; // inside each, also of what is not drawn
    const QFontMetrics& m_metrics;
    QRect m_plot;
};

} // namespace

void addDepths(const TimelineInput& input, TimelinePicture& picture, ClientId lane, int row)
{
    const int hold = picture.layout.holdHeight();
    if (hold < kTimelineDepthsNarrowestBar * 3)
        return;
    const QFontMetrics metrics(picture.laneNumber);
    std::vector<replay::DepthSpan> depths;
    input.timeline->depths(lane, picture.scale.begin(),
                           std::min(picture.scale.end(), input.runEnd + Duration(1)),
                           picture.scale.resolution(), depths);
    picture.queriedSpans += depths.size();
    const std::size_t first = picture.depths.size();
    // As tall as its number needs it to be; in a low lane as tall as the hold.
    const int tallest = std::clamp(metrics.capHeight() + 4, hold * 64 / 100, hold);
    const int lowest = std::min(tallest, metrics.capHeight() + 2);
    for (const replay::DepthSpan& span : depths) {
        const auto [x0, x1] = barColumns(input, picture.scale, span.begin, span.end);
        const int height = std::max(lowest, tallest - 3 * (span.depth - 2));
        if (x1 > x0)
            picture.depths.push_back({picture.layout.barIn(row, x0, x1, height), span.depth, {}, span.depth});
    }
    const std::span<TimelineDepth> added = std::span(picture.depths).subspan(first);
    widen(added, picture, lane, metrics);
    Levels levels(added, metrics, picture.layout);
    levels.settle();
    const TimelineDepth* begin = added.data();
    std::vector<TimelineDepth> drawn;
    for (const TimelineDepth& bar : added)
        if (levels.isDrawn(static_cast<std::size_t>(&bar - begin)))
            drawn.push_back(bar);
    picture.depths.resize(first);
    picture.depths.insert(picture.depths.end(), drawn.begin(), drawn.end());
}

} // namespace lockscope::ui
