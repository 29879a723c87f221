#include "ui/timeline/timeline_picture.h"

#include "ui/models/style/palette.h"
#include "ui/texts/timeline_text.h"
#include "ui/timeline/timeline_annotations.h"
#include "ui/timeline/timeline_holders.h"
#include "ui/timeline/timeline_legend.h"

#include <QFontMetrics>

#include <algorithm>
#include <map>

namespace lockscope::ui {

using replay::Span;
using replay::SpanKind;

namespace {

constexpr int kOutside = 10; // bars extend this far beyond the plot
constexpr int kNoteGap = 8;
constexpr int kFoldedLeft = 10;
constexpr int kDotColumn = 24; // room for dots, which the folded row does not need

QFont scaled(QFont font, double by)
{
    if (by > 1)
        font.setPointSizeF(font.pointSizeF() * by);
    return font;
}

constexpr int kFoldedStep = 6; // pixels

// The worst state of any folded lane, for each step of the picture's width.
class WorstStates
{
public:
    WorstStates(const TimelineInput& input, const TimelinePicture& picture)
        : m_scale(picture.scale)
        , m_runEnd(input.runEnd)
        , m_kinds(static_cast<std::size_t>(picture.scale.width / kFoldedStep + 1))
    {}
    void add(const std::vector<Span>& spans)
    {
        for (const Span& span : spans) {
            if (span.begin > m_runEnd)
                continue;
            const int first = std::max(m_scale.pixelAt(span.begin), m_scale.left);
            const int last = std::min(std::max(first, m_scale.pixelAt(std::min(span.end, m_runEnd)) - 1),
                                      m_scale.right() - 1);
            for (int step = (first - m_scale.left) / kFoldedStep; step * kFoldedStep <= last - m_scale.left;
                 ++step)
                m_kinds[static_cast<std::size_t>(step)] =
                    std::max(m_kinds[static_cast<std::size_t>(step)], span.kind);
        }
    }
    // Adds a bar for each sequence of steps of one kind; the bars have no lane.
    void addBars(const TimelineLayout& layout, int row, std::vector<TimelineBar>& out) const
    {
        for (std::size_t i = 0, next = 0; i < m_kinds.size(); i = next) {
            for (next = i; next < m_kinds.size() && m_kinds[next] == m_kinds[i];)
                ++next;
            if (m_kinds[i] == SpanKind::none)
                continue;
            const int x0 = m_scale.left + static_cast<int>(i) * kFoldedStep;
            const int x1 = m_scale.left + static_cast<int>(next) * kFoldedStep;
            const int height =
                m_kinds[i] == SpanKind::waiting ? layout.waitHeight() : layout.holdHeight() * 3 / 4;
            Span span;
            span.begin = m_scale.timeAt(x0);
            span.end = m_scale.timeAt(x1);
            span.kind = m_kinds[i];
            out.push_back({QRect(x0, layout.laneCentre(row) - height / 2, x1 - x0, height), span,
                           ClientId::none(), row});
        }
    }

private:
    const TimeScale& m_scale;
    TraceTime m_runEnd;
    std::vector<SpanKind> m_kinds;
};

void addFoldedLanes(const TimelineInput& input, TimelinePicture& picture, int row)
{
    const replay::Timeline& timeline = *input.timeline;
    const TraceTime begin = picture.scale.begin();
    const TraceTime end = std::min(picture.scale.end(), input.runEnd + Duration(1));
    const Duration step = picture.scale.resolution() * kFoldedStep;
    WorstStates states(input, picture);
    WorstStates overlays(input, picture);
    std::vector<Span> spans;
    const auto collect = [&](WorstStates& into) {
        into.add(spans);
        picture.queriedSpans += spans.size();
        spans.clear();
    };
    for (const ClientId lane : picture.rows->folded()) {
        timeline.spans(lane, begin, end, step, spans);
        collect(states);
        timeline.spans(lane, begin, end, step, spans, replay::LaneRow::overlays);
        collect(overlays);
    }
    picture.queriedLanes += picture.rows->folded().size();
    states.addBars(picture.layout, row, picture.bars);
    overlays.addBars(picture.layout, row, picture.overlays);
}

constexpr int kNumberPad = 1; // beside a number

// The font of the numbers in boxes, and the width that each takes. A whole run has thousands of boxes of a
// few depths, so each width is measured once.
class NumberWidths
{
public:
    explicit NumberWidths(const QFont& font)
        : m_metrics(font)
    {}
    const QFontMetrics& metrics() const { return m_metrics; }
    int of(std::uint16_t depth)
    {
        const auto [at, isNew] = m_widths.try_emplace(depth);
        if (isNew)
            at->second = m_metrics.horizontalAdvance(TimelineText::depth(depth)) + 2 * kNumberPad;
        return at->second;
    }

private:
    QFontMetrics m_metrics;
    std::map<std::uint16_t, int> m_widths;
};

// Widens a bar that is nearly wide enough for its number, if its hold has the missing pixels in view.
void widen(std::span<TimelineDepth> added, const TimelinePicture& picture, ClientId lane,
           NumberWidths& widths)
{
    const QRect& plot = picture.layout.plot;
    for (TimelineDepth& bar : added) {
        const QRect seen = bar.rect.intersected(plot.adjusted(0, -kOutside, 0, kOutside));
        const int wanted = widths.of(bar.depth);
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
            const bool alone = std::ranges::none_of(added, [&](const TimelineDepth& other) {
                return &other != &bar && other.depth == bar.depth && other.rect.intersects(wide);
            });
            if (alone)
                bar.rect = bar.rect.united(wide);
        }
    }
}

// A number stands in the box of its level, beside the boxes inside it. A box is drawn if its number fits, or
// around a box that is drawn. The innermost drawn box shows the deepest level inside it.
class Levels
{
public:
    // `all`: the boxes of one lane, by level, then from left to right.
    Levels(std::span<TimelineDepth> all, NumberWidths& widths, const TimelineLayout& layout)
        : m_all(all)
        , m_drawn(all.size(), false)
        , m_deepest(all.size(), 0)
        , m_widths(widths)
        , m_plot(layout.plot.adjusted(0, -kOutside, 0, kOutside))
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
        if (bar.rect.height() < m_widths.metrics().capHeight() + 2) {
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
    // Writes the level into the room if it fits.
    void write(TimelineDepth& bar, std::uint16_t deepest, const QRect& room)
    {
        if (room.width() < m_widths.of(deepest))
            return;
        bar.shownDepth = deepest;
        // A line of text is taller than its digits.
        const int over = std::max(0, m_widths.metrics().height() - room.height() + 1) / 2;
        bar.label = room.adjusted(0, -over, 0, over);
    }
    // The boxes of the next level inside this box: [first, last).
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
    std::vector<std::uint16_t> m_deepest; // level inside each box, drawn or not
    NumberWidths& m_widths;
    QRect m_plot;
};

void addDepths(const TimelineInput& input, TimelinePicture& picture, ClientId lane, int row,
               NumberWidths& widths)
{
    const int hold = picture.layout.holdHeight();
    if (hold < kMinBarWidth * 3)
        return;
    std::vector<replay::DepthSpan> depths;
    input.timeline->depths(lane, picture.scale.begin(),
                           std::min(picture.scale.end(), input.runEnd + Duration(1)),
                           picture.scale.resolution(), depths);
    picture.queriedSpans += depths.size();
    const std::size_t first = picture.depths.size();
    const int digits = widths.metrics().capHeight();
    // As tall as its number needs it to be; in a low lane as tall as the hold.
    const int tallest = std::clamp(digits + 4, hold * 64 / 100, hold);
    const int lowest = std::min(tallest, digits + 2);
    for (const replay::DepthSpan& span : depths) {
        const auto [x0, x1] = barColumns(input, picture.scale, span.begin, span.end);
        const int height = std::max(lowest, tallest - 3 * (span.depth - 2));
        if (x1 > x0)
            picture.depths.push_back({picture.layout.barIn(row, x0, x1, height), span.depth, {}, span.depth});
    }
    const std::span<TimelineDepth> added = std::span(picture.depths).subspan(first);
    widen(added, picture, lane, widths);
    Levels levels(added, widths, picture.layout);
    levels.settle();
    const TimelineDepth* begin = added.data();
    std::vector<TimelineDepth> drawn;
    for (const TimelineDepth& bar : added)
        if (levels.isDrawn(static_cast<std::size_t>(&bar - begin)))
            drawn.push_back(bar);
    picture.depths.resize(first);
    picture.depths.insert(picture.depths.end(), drawn.begin(), drawn.end());
}

// The working set of one call, on one thread.
struct Builder
{
    const TimelineInput& in;
    TimelinePicture& out;
    QFontMetrics small;
    NumberWidths numbers;
    TimelineFacts facts;
    std::vector<replay::Span> spans{};
    int row = 0; // of the lane that is being added

    TraceTime queryEnd() const { return std::min(out.scale.end(), in.runEnd + Duration(1)); }
    std::pair<int, int> columns(TraceTime begin, TraceTime end) const
    {
        return barColumns(in, out.scale, begin, end);
    }
    QRect centred(int x0, int x1, int height) const { return out.layout.barIn(row, x0, x1, height); }
    void addRow(int number, int stride);
    void addBehind(ClientId lane);
    void addTrace(ClientId lane);
    void addBars(ClientId lane);
    void addOverlays(ClientId lane);
    void addNote(const TimelineBar& bar, int roomUntil);
    void addLabel(ClientId lane, int stride);
};

void Builder::addBars(ClientId lane)
{
    spans.clear();
    in.timeline->spans(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans);
    in.timeline->spans(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans,
                       replay::LaneRow::releases);
    out.queriedSpans += spans.size();
    const auto first = static_cast<std::ptrdiff_t>(out.bars.size());
    for (const replay::Span& span : spans) {
        if (span.kind == SpanKind::none)
            continue;
        auto [x0, x1] = columns(span.begin, span.end);
        const bool holds = span.kind == SpanKind::holding;
        // A wait grows to the left: the hold that ends it must not cover it. The end of a hold does not grow.
        if (x1 - x0 < kMinBarWidth && span.kind == SpanKind::waiting)
            x0 = x1 - kMinBarWidth;
        x1 = std::max(x1, x0 + (span.kind == SpanKind::releasing ? 1 : kMinBarWidth));
        out.bars.push_back(
            {centred(x0, x1, holds ? out.layout.holdHeight() : out.layout.waitHeight()), span, lane, row});
    }
    std::ranges::stable_sort(out.bars.begin() + first, out.bars.end(), {},
                             [](const TimelineBar& bar) { return bar.span.begin; });
}

void Builder::addOverlays(ClientId lane)
{
    spans.clear();
    in.timeline->spans(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans,
                       replay::LaneRow::overlays);
    out.queriedSpans += spans.size();
    const std::size_t first = out.overlays.size();
    for (const replay::Span& span : spans) {
        auto [x0, x1] = columns(span.begin, span.end);
        x1 = std::max(x1, x0 + kMinBarWidth);
        out.overlays.push_back({centred(x0, x1, out.layout.holdHeight()), span, lane, row});
    }
    if (out.layout.laneHeight < small.height())
        return;
    const auto bars = out.barsOf(lane);
    for (std::size_t i = first; i < out.overlays.size(); ++i) {
        const TimelineBar bar = out.overlays[i];
        int room = out.layout.plot.right();
        if (i + 1 < out.overlays.size())
            room = std::min(room, out.overlays[i + 1].rect.left());
        const auto next = std::ranges::find_if(
            bars, [&](const TimelineBar& other) { return other.rect.right() > bar.rect.right() + 1; });
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
    const int dot = out.layout.dotSize();
    const int middle =
        (out.layout.traceStrip + TimelineLayout::kDotLeft + out.layout.nameLeft() - TimelineLayout::kDotGap) /
        2;
    TimelineLaneLabel label{
        lane, QRect(middle - dot / 2, centre - dot / 2, dot, dot), {}, {}, in.names->colour(lane)};
    if (!lane.valid())
        label.dot = {};
    const int left = lane.valid() ? out.layout.nameLeft()
                                  : out.layout.traceStrip + kFoldedLeft; // the folded row has no dot
    const QFontMetrics metrics(out.laneText);
    const int width = out.layout.labels.right() - left - 6;
    const QRect place(left, centre - metrics.height() / 2, width, metrics.height());
    const int highest = out.layout.labels.top() - TimelineLayout::kNameOverhang;
    const int lowest = out.layout.labels.bottom() + 2;
    label.chosen =
        place.translated(0, std::max(0, highest - place.top()) - std::max(0, place.bottom() - lowest));
    if (!lane.valid())
        label.text = label.chosen;
    else if (row % stride == 0 && place == label.chosen) // a cut name is omitted
        label.text = place;
    const QString name =
        lane.valid() ? in.names->variants(lane) : TimelineText::folded(out.rows->folded().size());
    label.name = metrics.elidedText(name, Qt::ElideMiddle, width);
    // The folded row is the last: names that its name overlaps are removed. With low rows, these may be
    // several.
    if (!lane.valid())
        for (TimelineLaneLabel& above : out.labels)
            if (above.text.intersects(label.text.adjusted(-40, 2, 40, -2)))
                above.text = {};
    out.labels.push_back(label);
}

void Builder::addBehind(ClientId lane)
{
    spans.clear();
    in.timeline->spans(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans,
                       replay::LaneRow::waitsDuringHold);
    out.queriedSpans += spans.size();
    for (const replay::Span& span : spans) {
        if (span.kind == SpanKind::none)
            continue;
        const auto [x0, x1] = columns(span.begin, span.end);
        const QRect hold = centred(x0, std::max(x1, x0 + kMinBarWidth), out.layout.holdHeight());
        out.behind.push_back({out.layout.waitBehind(hold), span, lane, row});
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
        addDepths(in, out, lane, row, numbers);
        addBehind(lane);
        addOverlays(lane);
        addTrace(lane);
    }
    addLabel(lane, stride);
}

void Builder::addTrace(ClientId lane)
{
    const int number = in.names->traceOf(lane);
    if (number < 0)
        return;
    const auto trace = static_cast<std::size_t>(number);
    const MergedClocks::Trace& known = in.names->clocks().traces[trace];
    const QRect strip(0, out.layout.laneTop(row), out.layout.traceStrip, out.layout.laneHeight);
    const bool goesOn = !out.traces.empty() && out.traces.back().trace == trace &&
                        out.traces.back().strip.bottom() + 1 == strip.top();
    if (goesOn)
        out.traces.back().strip.setBottom(strip.bottom());
    else
        out.traces.push_back({strip, trace, known.name});
    if (!known.endsAt || *known.endsAt >= in.runEnd)
        return;
    const auto [x0, x1] = columns(*known.endsAt, in.runEnd);
    const QRect gap = QRect(x0, strip.top(), x1 - x0, strip.height()).intersected(out.layout.plot);
    if (!gap.isEmpty())
        out.gaps.push_back({gap, trace});
}

// Steps lie at multiples of their length, so that they stay the same while the picture scrolls.
void addContention(const TimelineInput& input, TimelinePicture& picture)
{
    const QRect& track = picture.layout.contention;
    if (track.isEmpty())
        return;
    const Duration step = picture.scale.resolution() * kMinBarWidth;
    const TraceTime begin = input.begin - input.begin % step;
    const TraceTime end = std::min(picture.scale.end(), input.runEnd);
    const auto steps = end > begin ? static_cast<std::size_t>((end - begin) / step) + 1 : 0;
    const std::vector<std::uint32_t> waiting = input.timeline->holders().waiting(begin, step, steps);
    picture.mostWaiting = waiting.empty() ? 0 : *std::ranges::max_element(waiting);
    const int high = track.height() - 3;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        const TraceTime from = begin + step * static_cast<Duration::rep>(i);
        const auto [x0, x1] = barColumns(input, picture.scale, from, from + step);
        if (const auto tall =
                static_cast<int>(high * std::uint64_t(waiting[i]) / std::max(1U, picture.mostWaiting)))
            picture.contention.emplace_back(x0, track.bottom() - tall, std::max(1, x1 - x0), tall);
    }
}

// A folded lane has no bars: those of the shared row belong to no lane.
std::span<const TimelineBar> ofLane(const TimelinePicture& picture, const std::vector<TimelineBar>& bars,
                                    ClientId lane)
{
    const int row = lane.valid() ? picture.rows->rowOf(lane) : picture.rows->count() - 1;
    if (row < 0 || picture.rows->at(row) != lane)
        return {};
    return {std::ranges::lower_bound(bars, row, {}, &TimelineBar::row),
            std::ranges::upper_bound(bars, row, {}, &TimelineBar::row)};
}

} // namespace

std::span<const TimelineBar> TimelinePicture::barsOf(ClientId lane) const
{
    return ofLane(*this, bars, lane);
}

std::span<const TimelineBar> TimelinePicture::overlaysOf(ClientId lane) const
{
    return ofLane(*this, overlays, lane);
}

std::span<const TimelineBar> TimelinePicture::behindOf(ClientId lane) const
{
    return ofLane(*this, behind, lane);
}

std::pair<int, int> barColumns(const TimelineInput& input, const TimeScale& scale, TraceTime begin,
                               TraceTime end)
{
    const int low = scale.left - kOutside;
    const int high = scale.right() + kOutside;
    return {std::clamp(scale.pixelAt(begin), low, high),
            std::clamp(scale.pixelAt(std::min(end, input.runEnd)), low, high)};
}

TimelineLayout layoutOf(const TimelineInput& input)
{
    const QFontMetrics small(input.small);
    const std::size_t folded = input.rows->folded().size();
    const int foldedName = QFontMetrics(input.text).horizontalAdvance(TimelineText::folded(folded));
    const int names = std::max(input.names->widest(input.text), folded > 0 ? foldedName - kDotColumn : 0);
    const TimelineLayoutOptions extras{input.notes && !input.notes->empty(),
                                       input.holders ? countHolderRows(*input.holders) : 0,
                                       static_cast<int>(input.timeline->laneCount()),
                                       input.compactLanes,
                                       input.byAcquisition,
                                       input.legend,
                                       input.overview,
                                       input.lowestLane,
                                       input.labelWidth,
                                       input.contention,
                                       input.rows->pinned(),
                                       input.names->clocks().traces.empty() ? 0 : small.height() + 2};
    return layoutTimeline(input.size, input.rows->count(), input.scroll,
                          {small.height(), names, input.names->widestShort(input.text)}, extras);
}

TimelinePicture buildTimelinePicture(const TimelineInput& input)
{
    TimelinePicture picture;
    picture.rows = input.rows;
    picture.layout = layoutOf(input);
    const bool tight = picture.layout.laneHeight < QFontMetrics(input.text).height();
    picture.laneText = tight ? input.small : scaled(input.text, picture.layout.typeScale());
    picture.laneSmall = scaled(input.small, picture.layout.typeScale());
    picture.laneNumber = strongFont(picture.laneSmall);
    picture.scale =
        makeTimeScale(input.begin, input.length, picture.layout.plot.left(), picture.layout.plot.width());
    picture.endX = picture.scale.pixelAt(input.runEnd);

    Builder builder{input,
                    picture,
                    QFontMetrics(picture.laneSmall),
                    NumberWidths(picture.laneNumber),
                    {input.store, input.names, input.runEnd}};
    const int stride = picture.layout.labelStride(QFontMetrics(picture.laneText).height());
    for (int row = 0; row < picture.layout.pinned; ++row)
        builder.addRow(row, stride);
    for (int row = picture.layout.firstVisibleLane(); row <= picture.layout.lastVisibleLane(); ++row)
        builder.addRow(row, stride);
    addHolders(input, picture);
    addContention(input, picture);
    addAnnotations(input, picture);
    picture.legend = buildLegend(input, picture);
    return picture;
}

} // namespace lockscope::ui
