#include "ui/timeline/timeline_items.h"

#include "ui/texts/handoff_text.h"

#include <algorithm>

namespace lockscope::ui {

using What = TimelineHit::What;

namespace {

QString holderTip(const TimelinePicture& picture, const TimelineSource& source, const TimelineHolder& holder,
                  QPoint at)
{
    const replay::LockHolders::Hold hold = exactHold(picture, *source.holders, holder, at);
    replay::Span span = holder.bar.span;
    span.begin = hold.begin;
    span.end = hold.end;
    span.beginEvent = hold.event;
    return TimelineText::spanTip(hold.client, span, {}, holder.bar.span.merged, source.facts);
}

} // namespace

replay::Span exactSpan(const TimelinePicture& picture, const replay::Timeline& timeline,
                       const TimelineBar& bar, QPoint at)
{
    const bool overlay = bar.span.kind > replay::SpanKind::holding && bar.span.kind != replay::SpanKind::none;
    const auto ask = [&](TraceTime time) {
        if (bar.span.kind == replay::SpanKind::releasing)
            return timeline.spanAt(bar.lane, time, replay::LaneRow::releases);
        return timeline.spanAt(bar.lane, time, overlay ? replay::LaneRow::overlays : replay::LaneRow::spans);
    };
    // A widened bar covers pixels outside its span: it still means its own span.
    const replay::Span under = ask(picture.scale.timeAt(at.x()));
    if (bar.span.merged > 1 && under.kind != replay::SpanKind::none)
        return under;
    const replay::Span own = ask(bar.span.begin);
    return own.kind != replay::SpanKind::none ? own : bar.span;
}

// Where several holds share the pixels, the one at that moment, else the first of them.
replay::LockHolders::Hold exactHold(const TimelinePicture& picture, const replay::LockHolders& holders,
                                    const TimelineHolder& holder, QPoint at)
{
    const TimelineHolderRow& row = picture.holderRows[static_cast<std::size_t>(holder.row)];
    const replay::LockHolders::Track& track = holders.locks()[row.lock.value].tracks[row.track];
    const TraceTime first = holder.bar.span.begin;
    const TraceTime time = std::max(first, holder.bar.span.merged > 1 ? picture.scale.timeAt(at.x()) : first);
    const auto after =
        std::partition_point(track.begin(), track.end(),
                             [&](const replay::LockHolders::Hold& hold) { return hold.begin <= time; });
    return *std::prev(after);
}

QString timelineTip(const TimelinePicture& picture, const TimelineSource& source, const TimelineHit& hit,
                    QPoint at)
{
    const LaneNames& names = *source.facts.names;
    switch (hit.what) {
    case What::laneName:
        for (const TimelineTrace& each : picture.traces)
            if (each.strip.contains(at))
                return TimelineText::traceTip(names.clocks(), each.trace);
        return TimelineText::laneTip(names, hit.lane);
    case What::bar:
    case What::overlay: {
        const TimelineBar& bar = (hit.what == What::bar ? picture.bars : picture.overlays)[hit.index];
        const replay::Span behind =
            source.timeline->spanAt(bar.lane, picture.scale.timeAt(at.x()), replay::LaneRow::waitsDuringHold);
        return TimelineText::spanTip(bar.lane, exactSpan(picture, *source.timeline, bar, at), behind,
                                     bar.span.merged, source.facts);
    }
    case What::arrow: {
        const replay::Handoff& handoff = source.timeline->handoff(picture.arrows[hit.index].handoff);
        QStringList lines{handoffTip(handoff, names.name(handoff.from), names.name(handoff.to))};
        for (const ClockBound& clock : TimelineText::clockBounds(handoff, source.facts))
            lines << TimelineText::tr("%1: %2").arg(clock.name, clock.text);
        return lines.join(u'\n');
    }
    case What::mark:
        return TimelineText::markTip(picture.marks[hit.index].mark, names);
    case What::holder:
        return holderTip(picture, source, picture.holders[hit.index], at);
    case What::holderRow: {
        const TimelineHolderRow& row = picture.holderRows[hit.index];
        return TimelineText::holderRowTip(source.holders->locks()[row.lock.value].path, row.unseen);
    }
    case What::contention:
        return TimelineText::contentionTip(picture.scale.timeAt(at.x()), source.facts);
    case What::lane:
    case What::ruler:
        for (const TimelineGround& pause : picture.pauses)
            if (pause.ground.left() <= at.x() && at.x() <= pause.ground.right())
                return TimelineText::pauseTip(pause.stretch, source.facts.now);
        for (const TimelineGap& gap : picture.gaps)
            if (gap.rect.contains(at))
                return TimelineText::traceTip(names.clocks(), gap.trace);
        return hit.what == What::ruler ? TimelineText::clocksTip(names.clocks()) : QString();
    case What::flag:
    case What::folded:
    case What::overview:
    case What::nothing:
        break;
    }
    return {};
}

std::vector<AccessibleItem> timelineItems(const TimelinePicture& picture, const TimelineSource& source,
                                          const TimelineSelected& selected, const TimelineActions& actionOf)
{
    std::vector<AccessibleItem> items;
    const auto add = [&](What what, ClientId lane, std::size_t index, const QRect& rect, bool isSelected) {
        const TimelineHit hit{what, lane, index};
        const QString text = timelineTip(picture, source, hit, rect.center());
        items.push_back({what == What::arrow ? QAccessible::Graphic : QAccessible::ListItem, rect,
                         text.section(u'\n', 0, 0), isSelected, [text] { return text; },
                         actionOf(hit, rect.center())});
    };
    const auto addBars = [&](What what, const std::vector<TimelineBar>& all,
                             std::span<const TimelineBar> own) {
        for (const TimelineBar& bar : own)
            add(what, bar.lane, static_cast<std::size_t>(&bar - all.data()), bar.rect,
                selected.event.valid() && bar.span.beginEvent == selected.event);
    };
    for (const TimelineLaneLabel& label : picture.labels) {
        const QRect& name = label.text.isEmpty() ? label.chosen : label.text;
        if (label.lane.valid())
            add(What::laneName, label.lane, 0, name,
                label.lane == selected.client && !selected.event.valid());
        else
            items.push_back({QAccessible::ListItem, name, label.name});
        addBars(What::bar, picture.bars, picture.barsOf(label.lane));
        addBars(What::overlay, picture.overlays, picture.overlaysOf(label.lane));
    }
    for (std::size_t i = 0; i < picture.arrows.size(); ++i) {
        const TimelineArrow& arrow = picture.arrows[i];
        const replay::Handoff& handoff = source.timeline->handoff(arrow.handoff);
        add(What::arrow, ClientId::none(), i, QRectF(arrow.from, arrow.to).normalized().toAlignedRect(),
            selected.event.valid() && handoff.acquiredEvent == selected.event);
    }
    for (std::size_t i = 0; i < picture.marks.size(); ++i)
        add(What::mark, ClientId::none(), i, picture.marks[i].label,
            selected.event.valid() && picture.marks[i].mark.event == selected.event);
    if (!picture.layout.contention.isEmpty())
        items.push_back(
            {QAccessible::Graphic, picture.layout.contention, TimelineText::contention(picture.mostWaiting)});
    const MergedClocks& clocks = source.facts.names->clocks();
    for (const TimelineTrace& each : picture.traces)
        items.push_back({QAccessible::StaticText, each.strip, TimelineText::traceTip(clocks, each.trace)});
    if (!picture.uncertainty.label.isEmpty())
        items.push_back(
            {QAccessible::StaticText, picture.uncertainty.label, TimelineText::clocksTip(clocks)});
    for (const TimelineGround& pause : picture.pauses)
        items.push_back(
            {QAccessible::StaticText, pause.ground, TimelineText::pauseTip(pause.stretch, source.facts.now)});
    return items;
}

} // namespace lockscope::ui
