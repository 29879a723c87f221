#include "ui/timeline/timeline_depths.h"

#include "ui/timeline/timeline_text.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kNarrowestBar = 3; // pixels
constexpr int kOutside = 10;     // of the plot, in which a number may be
constexpr int kNumberPad = 2;    // beside a number

int numberWidth(std::uint16_t depth, const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(TimelineText::depth(depth)) + 2 * kNumberPad;
}

// A bar that is nearly wide enough for its number gets the few pixels that it lacks, where its hold has them.
void widen(std::span<TimelineDepth> added, const TimelinePicture& picture, ClientId lane,
           const QFontMetrics& metrics)
{
    const auto holds = picture.barsOf(lane);
    for (TimelineDepth& bar : added) {
        const int wanted = numberWidth(bar.depth, metrics);
        if (bar.depth != 2 || bar.rect.width() >= wanted || bar.rect.width() < wanted / 2)
            continue;
        QRect wide = bar.rect;
        wide.setWidth(wanted);
        wide.moveCenter(bar.rect.center());
        const bool room = std::any_of(holds.begin(), holds.end(), [&](const TimelineBar& hold) {
            return hold.span.kind == replay::SpanKind::holding && hold.span.merged <= 1 &&
                   hold.rect.adjusted(2, 0, -2, 0).contains(wide);
        });
        const bool alone = std::none_of(added.begin(), added.end(), [&](const TimelineDepth& other) {
            return &other != &bar && other.depth == bar.depth && other.rect.intersects(wide);
        });
        if (room && alone)
            bar.rect = wide;
    }
}

// Writes the number into the part of its bar that is free, if it fits.
bool number(TimelineDepth& bar, const QRect& free, std::uint16_t depth, const QFontMetrics& metrics,
            const TimelineLayout& layout)
{
    const QRect seen = free.intersected(layout.plot.adjusted(0, -kOutside, 0, kOutside));
    if (bar.rect.height() < metrics.capHeight() + 2 || seen.width() < numberWidth(depth, metrics))
        return false;
    const int over =
        std::max(0, metrics.height() - seen.height() + 1) / 2; // a line is taller than its numbers
    bar.label = seen.adjusted(0, -over, 0, over);
    bar.said = depth;
    return true;
}

void addNumbers(std::span<TimelineDepth> added, const QFontMetrics& metrics, const TimelineLayout& layout)
{
    for (TimelineDepth& bar : added) {
        QRect free = bar.rect; // the part that no deeper level covers
        for (const TimelineDepth& other : added)
            if (other.depth > bar.depth && other.rect.intersects(free))
                free.setRight(other.rect.left() - 1);
        number(bar, free, bar.depth, metrics, layout);
    }
    // No room for each level's number: the whole bar says the deepest one, and the levels inside it are not
    // drawn.
    for (TimelineDepth& bar : added) {
        if (bar.depth != 2)
            continue;
        bool numbered = false;
        std::uint16_t deepest = bar.depth;
        for (const TimelineDepth& other : added) {
            if (!other.rect.intersects(bar.rect))
                continue;
            numbered = numbered || !other.label.isEmpty();
            deepest = std::max(deepest, other.depth);
        }
        if (numbered || !number(bar, bar.rect, deepest, metrics, layout))
            continue;
        for (TimelineDepth& other : added)
            other.drawn = other.drawn && (other.depth == bar.depth || !other.rect.intersects(bar.rect));
    }
}

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
        const int height = tallest - 3 * (span.depth - 2);
        if (x1 - x0 >= kNarrowestBar && height >= 4)
            picture.depths.push_back({picture.layout.barIn(row, x0, x1, height), span.depth, {}, span.depth});
    }
    widen(std::span(picture.depths).subspan(first), picture, lane, metrics);
    addNumbers(std::span(picture.depths).subspan(first), metrics, picture.layout);
}

} // namespace lockscope::ui
