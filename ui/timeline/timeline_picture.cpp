#include "ui/timeline/timeline_picture.h"

#include "ui/timeline/timeline_annotations.h"
#include "ui/timeline/timeline_depths.h"
#include "ui/timeline/timeline_folded.h"
#include "ui/timeline/timeline_holders.h"
#include "ui/timeline/timeline_legend.h"
#include "ui/timeline/timeline_text.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

using replay::SpanKind;

namespace {

constexpr int kOutside = 10;     // bars run this far out of the plot
constexpr int kMinBarWidth = 3; // pixels; waiting may be condensed, never hidden
constexpr int kNoteGap = 8;
constexpr int kTimelinePictureDotLeft = 12;
constexpr int kTimelinePictureDotGap = 8;
constexpr int kFoldedLeft = 10;
constexpr int kDotColumn = 24; // that the name of the folded ones does not need

QFont scaled(QFont font, double by)
{
    if (by > 1)
        font.setPointSizeF(font.pointSizeF() * by);
    return font;
}

// The builder's own working set: one call, one thread.
struct Builder
{
    const TimelineInput& in;
    TimelinePicture& out;
    QFontMetrics small;
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
    void addBars(ClientId lane);
    void addOverlays(ClientId lane);
    void addNote(const TimelineBar& bar, int roomUntil);
    void addLabel(ClientId lane, int stride);
};

void Builder::addBars(ClientId lane)
{
    spans.clear();
    in.timeline->spans(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans);
    in.timeline->releases(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans);
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
    std::stable_sort(out.bars.begin() + first, out.bars.end(),
                     [](const TimelineBar& a, const TimelineBar& b) { return a.span.begin < b.span.begin; });
}

void Builder::addOverlays(ClientId lane)
{
    spans.clear();
    in.timeline->overlays(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans);
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
    const int dot = out.layout.dotSize();
    const int middle = (kTimelinePictureDotLeft + out.layout.nameLeft() - kTimelinePictureDotGap) / 2;
    TimelineLaneLabel label{
        lane, QRect(middle - dot / 2, centre - dot / 2, dot, dot), {}, {}, in.names->colour(lane)};
    if (!lane.valid())
        label.dot = {};
    const int left = lane.valid() ? out.layout.nameLeft() : kFoldedLeft; // the folded ones have no dot
    const QFontMetrics metrics(out.laneText);
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
    if (!lane.valid() && !out.labels.empty() &&
        out.labels.back().text.intersects(label.text.adjusted(-40, 2, 40, -2)))
        out.labels.back().text = {};
    out.labels.push_back(label);
}

void Builder::addBehind(ClientId lane)
{
    spans.clear();
    in.timeline->waitsDuringHold(lane, out.scale.begin(), queryEnd(), out.scale.resolution(), spans);
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
        addDepths(in, out, lane, row);
        addBehind(lane);
        addOverlays(lane);
    }
    addLabel(lane, stride);
}

// A lane that is folded has none of its own: the row's belong to no lane.
std::span<const TimelineBar> ofLane(const TimelinePicture& picture, const std::vector<TimelineBar>& bars,
                                    ClientId lane)
{
    const int row = lane.valid() ? picture.rows->rowOf(lane) : picture.rows->count() - 1;
    if (row < 0 || picture.rows->at(row) != lane)
        return {};
    const auto [first, last] =
        std::equal_range(bars.begin(), bars.end(), TimelineBar{{}, {}, lane, row},
                         [](const TimelineBar& a, const TimelineBar& b) { return a.row < b.row; });
    return {first, last};
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
                                input.legend};
    return layoutTimeline(input.size, input.rows->count(), input.scroll, {small.height(), names}, extras);
}

TimelinePicture buildTimelinePicture(const TimelineInput& input)
{
    TimelinePicture picture;
    picture.rows = input.rows;
    picture.layout = layoutOf(input);
    const bool tight = picture.layout.laneHeight < QFontMetrics(input.text).height();
    picture.laneText = tight ? input.small : scaled(input.text, picture.layout.typeScale());
    picture.laneSmall = scaled(input.small, picture.layout.typeScale());
    picture.laneNumber = picture.laneSmall;
    picture.laneNumber.setWeight(QFont::DemiBold);
    picture.scale =
        makeTimeScale(input.begin, input.length, picture.layout.plot.left(), picture.layout.plot.width());
    picture.endX = picture.scale.pixelAt(input.runEnd);

    Builder builder{
        input, picture, QFontMetrics(picture.laneSmall), {input.store, input.names, input.runEnd}};
    const int stride = picture.layout.labelStride(QFontMetrics(picture.laneText).height());
    for (int row = picture.layout.firstVisibleLane(); row <= picture.layout.lastVisibleLane(); ++row)
        builder.addRow(row, stride);
    addHolders(input, picture);
    picture.legend = buildLegend(input, picture.layout);
    addAnnotations(input, picture);
    return picture;
}

} // namespace lockscope::ui
