#include "ui/timeline/timeline_depths.h"

#include "ui/timeline/timeline_text.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kNarrowestBar = 3; // pixels
constexpr int kOutside = 10;     // of the plot, in which a number may be
constexpr int kNumberPad = 1;    // beside a number

int numberWidth(std::uint16_t depth, const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(TimelineText::depth(depth)) + 2 * kNumberPad;
}

// A bar that is nearly wide enough for its number gets the few pixels that it lacks, where its hold has them
// in sight.
void widen(std::span<TimelineDepth> added, const TimelinePicture& picture, ClientId lane,
           const QFontMetrics& metrics)
{
    const QRect& plot = picture.layout.plot;
    for (TimelineDepth& bar : added) {
        const QRect seen = bar.rect.intersected(plot.adjusted(0, -kOutside, 0, kOutside));
        const int wanted = numberWidth(bar.depth, metrics);
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

// Which levels are drawn, and the number of each. A level has its own bar where that has room for its number
// beside the levels inside it; else it has none, and the level around it says the deepest number. A bar
// without a number is at most the outermost one.
class Levels
{
public:
    // Of one lane, by level, then from left to right.
    Levels(std::span<TimelineDepth> all, const QFontMetrics& metrics, const TimelineLayout& layout)
        : m_all(all)
        , m_drawn(all.size(), false)
        , m_metrics(metrics)
        , m_plot(layout.plot.adjusted(0, -kOutside, 0, kOutside))
    {}
    void settle()
    {
        for (std::size_t i = 0; i < m_all.size() && m_all[i].depth == 2; ++i)
            settle(i);
    }
    bool isDrawn(std::size_t index) const { return m_drawn[index]; }

private:
    // False: it has no number, nor has any inside it.
    bool settle(std::size_t index)
    {
        const auto [first, last] = inside(m_all[index]);
        bool each = true;
        for (std::size_t i = first; i < last; ++i)
            each = settle(i) && each;
        m_drawn[index] = true;
        if (each && number(m_all[index], m_all[index].depth, first, last))
            return true;
        std::uint16_t deepest = m_all[index].depth;
        for (std::size_t i = first; i < last; ++i)
            deepest = std::max(deepest, drop(i));
        return number(m_all[index], deepest, 0, 0);
    }
    std::uint16_t drop(std::size_t index)
    {
        m_drawn[index] = false;
        std::uint16_t deepest = m_all[index].depth;
        const auto [first, last] = inside(m_all[index]);
        for (std::size_t i = first; i < last; ++i)
            deepest = std::max(deepest, drop(i));
        return deepest;
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
    // Written into the first part that those inside it leave free, if it fits.
    bool number(TimelineDepth& bar, std::uint16_t depth, std::size_t first, std::size_t last) const
    {
        bar.label = {};
        bar.said = depth;
        const QRect seen = bar.rect.intersected(m_plot);
        if (bar.rect.height() < m_metrics.capHeight() + 2)
            return false;
        QRect free = seen;
        for (std::size_t i = first; i <= last; ++i) {
            free.setRight(i < last ? std::min(m_all[i].rect.left() - 1, seen.right()) : seen.right());
            if (free.width() >= numberWidth(depth, m_metrics)) {
                // A line is taller than its numbers.
                const int over = std::max(0, m_metrics.height() - free.height() + 1) / 2;
                bar.label = free.adjusted(0, -over, 0, over);
                return true;
            }
            if (i < last)
                free.setLeft(std::max(free.left(), m_all[i].rect.right() + 1));
        }
        return false;
    }

    std::span<TimelineDepth> m_all;
    std::vector<bool> m_drawn;
    const QFontMetrics& m_metrics;
    QRect m_plot;
};

} // namespace

void addDepths(const TimelineInput& input, TimelinePicture& picture, ClientId lane, int row)
{
    const int hold = picture.layout.holdHeight();
    if (hold < kNarrowestBar * 3)
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
    for (const replay::DepthSpan& span : depths) {
        const auto [x0, x1] = barColumns(input, picture.scale, span.begin, span.end);
        // Deeper ones are counted however short they are: the level around them tells of them.
        const bool counts = span.depth > 2 || (x1 - x0 >= kNarrowestBar && tallest >= 4);
        const int height = std::max(1, tallest - 3 * (span.depth - 2));
        if (counts)
            picture.depths.push_back(
                {picture.layout.barIn(row, x0, std::max(x1, x0 + 1), height), span.depth, {}, span.depth});
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
