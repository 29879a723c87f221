#include "ui/timeline/timeline_picture.h"

#include "ui/timeline/timeline_annotations.h"
#include "ui/timeline/timeline_folded.h"
#include "ui/timeline/timeline_text.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

using replay::SpanKind;

namespace {

constexpr int kOutside = 10;     // bars run this far out of the plot, so that cut ones show no round corner
constexpr int kNarrowestBar = 3; // pixels; waiting may be condensed, never hidden
constexpr int kNoteGap = 8;
constexpr int kNameLeft = 34;
constexpr int kDotColumn = 24;

// The builder's own working set: one call, one thread.
struct Builder
{
    const TimelineInput& in;
    TimelinePicture& out;
    QFontMetrics small;
    TimelineFacts facts;
    std::vector<replay::Span> spans{};
    std::vector<replay::DepthSpan> depths{};
    int row = 0; // of the lane that is being added

    TraceTime queryEnd() const { return std::min(out.scale.end(), in.runEnd + Duration(1)); }
    TraceTime bounded(TraceTime end) const { return std::min(end, in.runEnd); }
    std::pair<int, int> columns(TraceTime begin, TraceTime end) const;
    QRect centred(int x0, int x1, int height) const;
    void addRow(int number, int stride);
    void addBehind(ClientId lane);
    void addBars(ClientId lane);
    void addDepths(ClientId lane);
    bool number(TimelineDepth& bar, const QRect& free, std::uint16_t depth) const;
    QRect aroundInHold(ClientId lane, const QRect& bar, std::uint16_t depth) const;
    void addOverlays(ClientId lane);
    void addNote(const TimelineBar& bar, int roomUntil);
    void addLabel(ClientId lane, int stride);
};

std::pair<int, int> Builder::columns(TraceTime begin, TraceTime end) const
{
    const int low = out.scale.left - kOutside;
    const int high = out.scale.right() + kOutside;
    return {std::clamp(out.scale.pixelAt(begin), low, high),
            std::clamp(out.scale.pixelAt(bounded(end)), low, high)};
}

QRect Builder::centred(int x0, int x1, int height) const
{
    return QRect(x0, out.layout.laneTop(row) + (out.layout.laneHeight - height) / 2, x1 - x0, height);
}

void Builder::addBars(ClientId lane)
{
    spans.clear();
    in.timeline->spans(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans);
    out.queriedSpans += spans.size();
    for (const replay::Span& span : spans) {
        if (span.kind == SpanKind::none)
            continue;
        auto [x0, x1] = columns(span.begin, span.end);
        const bool waits = span.kind == SpanKind::waiting;
        // A wait grows to the left: the hold that ends it must not cover it.
        if (x1 - x0 < kNarrowestBar && waits)
            x0 = x1 - kNarrowestBar;
        x1 = std::max(x1, x0 + kNarrowestBar);
        const int height = waits ? out.layout.waitHeight() : out.layout.holdHeight();
        out.bars.push_back({centred(x0, x1, height), span, lane});
    }
}

void Builder::addDepths(ClientId lane)
{
    const int hold = out.layout.holdHeight();
    if (hold < kNarrowestBar * 3)
        return;
    depths.clear();
    in.timeline->depths(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), depths);
    out.queriedSpans += depths.size();
    const std::size_t first = out.depths.size();
    for (const replay::DepthSpan& span : depths) {
        const auto [x0, x1] = columns(span.begin, span.end);
        const int height = hold * 64 / 100 - 3 * (span.depth - 2);
        if (x1 - x0 >= kNarrowestBar && height >= 4)
            out.depths.push_back({centred(x0, x1, height), span.depth, {}, span.depth});
    }
    const std::span<TimelineDepth> added = std::span(out.depths).subspan(first);
    for (TimelineDepth& bar : added) {
        QRect free = bar.rect; // the part that no deeper level covers
        for (const TimelineDepth& other : added)
            if (other.depth > bar.depth && other.rect.intersects(free))
                free.setRight(other.rect.left() - 1);
        number(bar, free, bar.depth);
    }
    // No room for each level's number: the whole bar says the deepest one.
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
        if (!numbered && !number(bar, bar.rect, deepest))
            number(bar, aroundInHold(lane, bar.rect, deepest), deepest);
    }
}

// As wide as the number, about the bar, within the hold that it lies in.
QRect Builder::aroundInHold(ClientId lane, const QRect& bar, std::uint16_t depth) const
{
    QRect wide = bar;
    wide.setWidth(small.horizontalAdvance(TimelineText::depth(depth)) + 4);
    wide.moveCenter(bar.center());
    for (const TimelineBar& hold : out.barsOf(lane))
        if (hold.span.kind == SpanKind::holding && hold.span.merged <= 1 &&
            hold.rect.adjusted(2, 0, -2, 0).contains(wide))
            return wide;
    return {};
}

// In a low lane the number is taller than the bar: it stands across the hold, whose colour is near enough.
bool Builder::number(TimelineDepth& bar, const QRect& free, std::uint16_t depth) const
{
    const QRect seen = free.intersected(out.layout.plot.adjusted(0, -kOutside, 0, kOutside));
    const QString text = TimelineText::depth(depth);
    const bool low = bar.rect.height() < small.ascent();
    if (seen.width() < small.horizontalAdvance(text) + 4 ||
        (low && out.layout.holdHeight() < small.capHeight() + 2))
        return false;
    const int room = low ? (small.height() - seen.height() + 1) / 2 : 0;
    bar.label = seen.adjusted(0, -room, 0, room);
    bar.said = depth;
    return true;
}

void Builder::addOverlays(ClientId lane)
{
    spans.clear();
    in.timeline->overlays(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans);
    out.queriedSpans += spans.size();
    const std::size_t first = out.overlays.size();
    for (const replay::Span& span : spans) {
        auto [x0, x1] = columns(span.begin, span.end);
        x1 = std::max(x1, x0 + kNarrowestBar);
        out.overlays.push_back(
            {centred(x0, x1, out.layout.holdHeight()), span, lane});
    }
    if (out.layout.laneHeight < small.height())
        return;
    const auto bars = out.barsOf(lane);
    for (std::size_t i = first; i < out.overlays.size(); ++i) {
        const TimelineBar bar = out.overlays[i];
        int room = out.layout.plot.right();
        if (i + 1 < out.overlays.size())
            room = std::min(room, out.overlays[i + 1].rect.left());
        const auto next = std::find_if(bars.begin(), bars.end(), [&](const TimelineBar& other) {
            return other.rect.right() > bar.rect.right() + 1;
        });
        if (next != bars.end())
            room = std::min(room, next->rect.left());
        addNote(bar, room);
    }
}

void Builder::addNote(const TimelineBar& bar, int roomUntil)
{
    const bool beside = bar.span.kind == SpanKind::stale;
    const QRect inside = bar.rect.intersected(out.layout.plot.adjusted(0, -kOutside, 0, kOutside));
    for (const QString& text : TimelineText::overlay(bar.span, facts)) {
        const int width = small.horizontalAdvance(text) + 2;
        if (text.isEmpty())
            return;
        QRect rect(bar.rect.right() + kNoteGap, bar.rect.center().y() - small.height() / 2, width,
                   small.height());
        const bool fits = beside
                              ? rect.right() + kNoteGap <= roomUntil && rect.left() >= out.layout.plot.left()
                              : width + kNoteGap <= inside.width();
        if (!beside)
            rect.moveLeft(inside.center().x() - width / 2);
        if (fits) {
            out.notes.push_back({rect, text, bar.span.kind});
            return;
        }
    }
}

void Builder::addLabel(ClientId lane, int stride)
{
    const int centre = out.layout.laneCentre(row);
    const int dot = std::clamp(out.layout.laneHeight - 2, 4, 14);
    TimelineLaneLabel label{
        lane, QRect(12 + (14 - dot) / 2, centre - dot / 2, dot, dot), {}, {}, in.names->colour(lane)};
    if (!lane.valid())
        label.dot = {};
    const int left = kNameLeft - (lane.valid() ? 0 : kDotColumn); // the folded ones have no dot
    const QFontMetrics metrics(in.text);
    const int width = out.layout.labels.right() - left - 6;
    const QRect place(left, centre - metrics.height() / 2, width, metrics.height());
    const int highest = out.layout.labels.top() - TimelineLayout::kNameOverhang;
    const int lowest = out.layout.labels.bottom() + 2;
    label.chosen =
        place.translated(0, std::max(0, highest - place.top()) - std::max(0, place.bottom() - lowest));
    if (!lane.valid())
        label.text = label.chosen;
    else if (row % stride == 0 && place == label.chosen) // half a name is none
        label.text = place;
    const QString name =
        lane.valid() ? in.names->name(lane) : TimelineText::folded(out.rows->folded().size());
    label.name = metrics.elidedText(name, Qt::ElideRight, width);
    // It says what the last row is: a name that is in its way gives way.
    if (!lane.valid() && !out.labels.empty() && out.labels.back().text.intersects(label.text.adjusted(-40, 2, 40, -2)))
        out.labels.back().text = {};
    out.labels.push_back(label);
}

void Builder::addBehind(ClientId lane)
{
    spans.clear();
    in.timeline->waitsBehind(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans);
    out.queriedSpans += spans.size();
    for (const replay::Span& span : spans) {
        if (span.kind == SpanKind::none)
            continue;
        const auto [x0, x1] = columns(span.begin, span.end);
        const QRect hold = centred(x0, std::max(x1, x0 + kNarrowestBar), out.layout.holdHeight());
        out.behind.push_back({out.layout.waitBehind(hold), span, lane});
    }
}

void Builder::addRow(int number, int stride)
{
    row = number;
    const ClientId lane = out.rows->at(row);
    if (out.rows->isFolded(row)) {
        addFoldedLanes(in, out, row);
    } else {
        ++out.queriedLanes;
        addBars(lane);
        addDepths(lane);
        addBehind(lane);
        addOverlays(lane);
    }
    addLabel(lane, stride);
}

std::span<const TimelineBar> ofLane(const std::vector<TimelineBar>& bars, ClientId lane)
{
    const auto [first, last] =
        std::equal_range(bars.begin(), bars.end(), TimelineBar{{}, {}, lane},
                         [](const TimelineBar& a, const TimelineBar& b) { return a.lane < b.lane; });
    return {first, last};
}

} // namespace

std::span<const TimelineBar> TimelinePicture::barsOf(ClientId lane) const { return ofLane(bars, lane); }

std::span<const TimelineBar> TimelinePicture::overlaysOf(ClientId lane) const
{
    return ofLane(overlays, lane);
}

std::span<const TimelineBar> TimelinePicture::behindOf(ClientId lane) const { return ofLane(behind, lane); }

TimelinePicture buildTimelinePicture(const TimelineInput& input)
{
    TimelinePicture picture;
    const QFontMetrics text(input.text);
    const QFontMetrics small(input.small);
    picture.rows = input.rows ? input.rows : std::make_shared<const LaneRows>(input.timeline->laneCount());
    const std::size_t folded = picture.rows->folded().size();
    const int names = std::max(input.names->widest(input.text),
                               folded > 0 ? text.horizontalAdvance(TimelineText::folded(folded)) - kDotColumn : 0);
    picture.layout = layoutTimeline(input.size, picture.rows->count(), input.scroll, {small.height(), names},
                                    input.notes && !input.notes->empty());
    picture.scale =
        makeTimeScale(input.begin, input.length, picture.layout.plot.left(), picture.layout.plot.width());
    picture.endX = picture.scale.pixelAt(input.runEnd);

    Builder builder{input, picture, small, {input.store, input.names, input.runEnd}};
    const int stride = picture.layout.labelStride(text.height());
    for (int row = picture.layout.firstVisibleLane(); row <= picture.layout.lastVisibleLane(); ++row)
        builder.addRow(row, stride);
    annotateTimelinePicture(input, picture);
    return picture;
}

} // namespace lockscope::ui
