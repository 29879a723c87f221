#include "ui/texts/timeline_text.h"

#include "core/replay/state/stretches.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"
#include "ui/texts/command_text.h"
#include "ui/texts/empty_state.h"
#include "ui/texts/handoff_text.h"
#include "ui/texts/outcome_text.h"

#include <QStringList>

#include <algorithm>
#include <map>

namespace lockscope::ui {

using replay::SpanKind;

namespace {

const trace::Event* eventAt(const trace::TraceStore* store, EventIndex index)
{
    return store && index.valid() && index.value < store->count() ? &store->at(index) : nullptr;
}

Duration wholeLength(const replay::Span& span, TraceTime now)
{
    return std::max(Duration::zero(), (span.end == kForever ? now : span.end) - span.begin);
}

// A wait or a hold does not last through a pause of the run; silence and a stale belief do, because sessions
// go on.
Duration lengthOf(const replay::Span& span, const TimelineFacts& facts)
{
    const bool goesOn =
        span.kind == SpanKind::suspended || span.kind == SpanKind::frozen || span.kind == SpanKind::stale;
    return facts.timeline && !goesOn
               ? facts.timeline->running(span.begin, span.end == kForever ? facts.now : span.end)
               : wholeLength(span, facts.now);
}

} // namespace

QString TimelineText::caption(TraceTime begin, Duration length, bool following, Duration handoffP50,
                              bool help)
{
    const QString from =
        format::axisTime(begin, length / 50); // the precision is a fiftieth of the range shown
    const QString shown = following ? tr("last %1").arg(format::duration(length))
                                    : tr("%1 from %2").arg(format::duration(length), from);
    QStringList parts{shown};
    if (help)
        parts << tr("drag to measure, Ctrl+wheel to zoom");
    if (handoffP50 > Duration::zero())
        parts << tr("release → next holder: p50 %1").arg(format::duration(handoffP50));
    return parts.join(QStringLiteral(" · "));
}

QString TimelineText::cursor(TraceTime cursor, TraceTime end, bool live)
{
    return live ? tr("now − %1").arg(format::duration(std::max(Duration::zero(), end - cursor)))
                : format::moment(cursor);
}

std::vector<HandoffMoment> TimelineText::moments(const replay::Handoff& handoff)
{
    std::vector<HandoffMoment> moments{
        {tr("release called"), handoff.released, tr("%1 s").arg(format::timestamp(handoff.released))}};
    const auto add = [&](const QString& name, TraceTime when) {
        const TraceTime at =
            std::clamp(when, moments.back().at, std::max(moments.back().at, handoff.acquired));
        moments.push_back({name, at, {}});
    };
    if (handoff.committed > handoff.released)
        add(tr("delete committed"), handoff.committed);
    if (handoff.wokenEvent.valid() && handoff.woken < handoff.acquired) {
        //: a moment of a handoff: the event of the watch arrived
        add(tr("event"), handoff.woken);
        if (handoff.listed > handoff.woken) // with an announced handoff there is nothing to list
            //: a moment of a handoff: the children were listed
            add(tr("list"), handoff.listed);
    }
    //: a moment of a handoff: the next client has the lock
    add(tr("acquired"), handoff.acquired);
    std::vector<Duration> parts;
    for (std::size_t i = 1; i < moments.size(); ++i)
        parts.push_back(moments[i].at - moments[i - 1].at);
    const format::Scale scale = format::scale(parts);
    for (std::size_t i = 1; i < moments.size(); ++i)
        moments[i].time = tr("+%1 %2").arg(scale.numbers[static_cast<qsizetype>(i - 1)], scale.unit);
    return moments;
}

QString TimelineText::spanTip(ClientId lane, const replay::Span& exact, const replay::Span& behind,
                              std::uint32_t merged, const TimelineFacts& facts)
{
    const QString who = facts.names ? facts.names->name(lane) : QString();
    QStringList lines{tr("%1: %2").arg(who, spanPhrase(exact))};
    if (exact.kind != SpanKind::none) {
        const QString length = format::duration(lengthOf(exact, facts));
        lines << (exact.end == kForever
                      ? tr("for %1, since %2").arg(length, format::timestamp(exact.begin))
                      : tr("for %1, %2 to %3")
                            .arg(length, format::timestamp(exact.begin), format::timestamp(exact.end)));
        if (const Duration paused = wholeLength(exact, facts.now) - lengthOf(exact, facts);
            paused > Duration::zero())
            lines << tr("not counting %1 in which the run was paused").arg(format::duration(paused));
        if (exact.kind == SpanKind::stale)
            lines << staleReason(exact, facts.store);
    }
    if (const trace::Event* event = eventAt(facts.store, exact.beginEvent))
        if (const auto* acquired = std::get_if<trace::Acquired>(&event->what)) {
            lines << tr("node %1").arg(format::plain(acquired->node));
            if (acquired->token.valid())
                lines << tr("fencing token %1").arg(format::zxid(acquired->token));
        }
    if (behind.kind != SpanKind::none)
        lines
            << tr("waits for another lock meanwhile, for %1").arg(format::duration(lengthOf(behind, facts)));
    if (merged > 1)
        lines << tr("%Ln spans share these pixels; zoom in to tell them apart", nullptr,
                    static_cast<int>(merged));
    return lines.join(u'\n');
}

QString TimelineText::markTip(const replay::Mark& mark, const LaneNames& names)
{
    return tr("%1, at %2").arg(TimelineText::mark(mark, names), format::timestamp(mark.at));
}

QString TimelineText::mark(const replay::Mark& mark, const LaneNames& names)
{
    const bool known = mark.client.valid();
    const QString who = known ? names.name(mark.client) : QString();
    switch (mark.kind) {
    case replay::Mark::Kind::sessionGone:
        return known ? tr("%1's session has ended").arg(who) : tr("a session has ended");
    case replay::Mark::Kind::serverDown:
        return tr("server down");
    case replay::Mark::Kind::serverReady:
        return tr("server ready");
    case replay::Mark::Kind::refused:
        return known ? tr("%1 refused by the resource").arg(who) : tr("refused by the resource");
    case replay::Mark::Kind::usedLate:
        //: of the protected resource: after the client had lost the lock
        return known ? tr("%1 used the resource late: not refused").arg(who)
                     : tr("late use of the resource: not refused");
    case replay::Mark::Kind::command:
        break;
    }
    return commandDoneText(mark.verb, who);
}

QString TimelineText::ended() { return tr("the run has ended"); }

QString TimelineText::uncertainty(TraceTime certainAfter)
{
    //: on the ruler: by how much the order of events of several machines is uncertain
    return tr("± %1").arg(format::duration(certainAfter));
}

QString TimelineText::clocksTip(const MergedClocks& clocks)
{
    constexpr std::size_t kNamed = 8;
    if (clocks.traces.empty())
        return {};
    const auto all = clocks.traces.size();
    QStringList lines{tr("Events of different traces that are closer than %1 are in no certain order.")
                          .arg(format::duration(clocks.certainAfter))};
    for (std::size_t i = 0; i < std::min(kNamed, all); ++i)
        lines << traceTip(clocks, i);
    if (all > kNamed)
        lines << tr("and %Ln more traces", nullptr, static_cast<int>(all - kNamed));
    return lines.join(u'\n');
}

QString TimelineText::traceTip(const MergedClocks& clocks, std::size_t trace)
{
    const MergedClocks::Trace& one = clocks.traces[trace];
    const bool back = one.shift < TraceTime::zero();
    QString text = trace == 0 ? tr("%1: its clock is that of the run").arg(one.name)
                              : tr("%1: its clock is shifted by %2, or by up to %3 more or less")
                                    .arg(one.name,
                                         (back ? QStringLiteral("−") : QStringLiteral("+")) +
                                             format::duration(back ? -one.shift : one.shift),
                                         format::duration(one.within));
    if (one.endsAt)
        text += u'\n' + tr("%1 ends at %2 s, before its run: nothing is known of its clients from there on")
                            .arg(one.name, format::timestamp(*one.endsAt));
    return text;
}

std::vector<ClockBound> TimelineText::clockBounds(const replay::Handoff& handoff, const TimelineFacts& facts)
{
    const int from = facts.names->traceOf(handoff.from), to = facts.names->traceOf(handoff.to);
    if (from < 0 || to < 0 || from == to)
        return {};
    std::vector<ClockBound> bounds;
    for (const int trace : {from, to}) {
        const MergedClocks::Trace& one = facts.names->clocks().traces[static_cast<std::size_t>(trace)];
        //: name of a value; %1: the trace of a machine, in a run that was merged of several
        bounds.push_back({one.within, tr("clock of %1").arg(one.name),
                          //: value of "clock of %1": the clock by which the times of the run are told
                          trace == 0 ? tr("that of the run") : uncertainty(one.within)});
    }
    // The end of a session may be told by any trace.
    const trace::Event* release = eventAt(facts.store, handoff.releaseEvent);
    const bool isOwn = release && std::holds_alternative<trace::ReleaseCalled>(release->what);
    const TraceTime within = isOwn ? bounds[0].within + bounds[1].within : facts.names->clocks().certainAfter;
    //: name of a value, which is "± 0.212 ms"
    bounds.push_back({within, tr("length of the handoff"), uncertainty(within)});
    return bounds;
}

QString TimelineText::laneTip(const LaneNames& names, ClientId lane)
{
    const int trace = names.traceOf(lane);
    return trace < 0 ? names.name(lane)
                     : names.name(lane) + u'\n' + traceTip(names.clocks(), static_cast<std::size_t>(trace));
}

QString TimelineText::outage() { return tr("the server does not answer"); }

//: a time in which the run was stopped
QString TimelineText::paused() { return tr("paused"); }

QString TimelineText::pauseTip(const replay::Stretch& pause, TraceTime now)
{
    return tr("The run was paused for %1: that time is neither waiting nor holding.")
        .arg(format::duration(replay::lengthOf(pause.begin, std::min(pause.end, now))));
}

QStringList TimelineText::measuredLines(const MeasuredStretch& stretch, const StretchStatistics& statistics,
                                        const LaneNames& names)
{
    constexpr std::size_t kMaxHolders = 3;
    const StretchShare& all = statistics.all;
    QStringList lines{tr("%1 · %2 · %3")
                          .arg(format::duration(stretch.length()),
                               tr("%Ln handoffs", nullptr, static_cast<int>(stretch.handoffs)),
                               tr("%Ln events", nullptr, static_cast<int>(stretch.events)))};
    if (all.handoffs.count > 0)
        lines << tr("handoff p50 %1 · p99 %2 · longest %3")
                     .arg(format::duration(all.handoffs.p50), format::duration(all.handoffs.p99),
                          format::duration(all.handoffs.longest));
    if (all.holds.count + all.waits.count > 0)
        lines << tr("%1, p50 %2 · %3, p50 %4")
                     .arg(tr("%Ln holds", nullptr, static_cast<int>(all.holds.count)),
                          format::duration(all.holds.p50),
                          tr("%Ln waits", nullptr, static_cast<int>(all.waits.count)),
                          format::duration(all.waits.p50));
    const auto holders = std::ranges::find(statistics.clients, 0U,
                                           [](const StretchShare& share) { return share.holds.count; }) -
                         statistics.clients.begin();
    const auto named = std::min<std::ptrdiff_t>(kMaxHolders, holders);
    for (std::ptrdiff_t i = 0; i < named; ++i)
        lines << heldShare(statistics.clients[static_cast<std::size_t>(i)], stretch, names);
    if (holders > named)
        lines << tr("and %Ln more who held", nullptr, static_cast<int>(holders - named));
    return lines;
}

QString TimelineText::heldShare(const StretchShare& share, const MeasuredStretch& stretch,
                                const LaneNames& names)
{
    return tr("%1 held %2, %Ln times (%3)", nullptr, static_cast<int>(share.holds.count))
        .arg(names.name(share.client), format::duration(share.holds.total),
             format::percent(share.partOf(stretch.running)));
}

QString TimelineText::contention(std::uint32_t most)
{
    //: a number of clients
    return tr("waiting: %1").arg(format::count(most));
}

QString TimelineText::contentionTip(TraceTime at, const TimelineFacts& facts)
{
    constexpr qsizetype kNamed = 6;
    std::map<LockId, QStringList> waiters;
    int all = 0;
    for (std::uint32_t lane = 0; lane < facts.timeline->laneCount(); ++lane)
        for (const auto row : {replay::LaneRow::spans, replay::LaneRow::waitsDuringHold})
            if (const replay::Span span = facts.timeline->spanAt(ClientId{lane}, at, row);
                span.kind == SpanKind::waiting) {
                waiters[span.lock] << facts.names->name(ClientId{lane});
                ++all;
                break;
            }
    QStringList lines{tr("%Ln clients wait", nullptr, all)};
    const replay::LockHolders& holders = facts.timeline->holders();
    for (auto& [lock, names] : waiters) {
        QStringList holding;
        for (const replay::LockHolders::Hold& hold : holders.at(lock, at))
            if (hold.begin <= at && at < hold.end)
                holding << facts.names->name(hold.client);
        const bool known = lock.value < holders.locks().size();
        const auto more = names.size() - kNamed;
        QString who = names.mid(0, kNamed).join(tr(", "));
        if (more > 0)
            who = tr("%1 and %Ln more", nullptr, static_cast<int>(more)).arg(who);
        lines << tr("%1: %2 ← %3")
                     .arg(known ? format::plain(holders.locks()[lock.value].path, 60) : QStringLiteral("?"),
                          holding.isEmpty() ? tr("nobody holds") : holding.join(tr(", ")), who);
    }
    return lines.join(u'\n');
}

QString TimelineText::measuredCopyText(const MeasuredStretch& stretch, const StretchStatistics& statistics,
                                       const LaneNames& names)
{
    QStringList lines = measuredLines(stretch, statistics, names);
    lines.front() = tr("%1 s to %2 s: %3")
                        .arg(format::timestamp(stretch.from), format::timestamp(stretch.to), lines.front());
    const StretchShare& all = statistics.all;
    lines.resize(1 + (all.handoffs.count > 0 ? 1 : 0) + (all.holds.count + all.waits.count > 0 ? 1 : 0));
    for (const StretchShare& share : statistics.clients)
        if (share.holds.count > 0)
            lines << heldShare(share, stretch, names);
    return lines.join(u'\n');
}

QString TimelineText::bookmarkTip(const Bookmark& note)
{
    const QString at = tr("Bookmark at %1 s").arg(format::timestamp(note.at));
    return note.text.isEmpty() ? at : at + u'\n' + note.text;
}

QString TimelineText::folded(std::size_t lanes) { return tr("%Ln folded", nullptr, static_cast<int>(lanes)); }

QString TimelineText::nodeOf(const trace::TraceStore* store, EventIndex index)
{
    const trace::Event* event = eventAt(store, index);
    const auto* acquired = event ? std::get_if<trace::Acquired>(&event->what) : nullptr;
    return acquired ? QString::fromUtf8(acquired->node.data(), static_cast<qsizetype>(acquired->node.size()))
                    : QString();
}

QString TimelineText::holderRow(trace::Text lock, bool several)
{
    return several ? format::plain(lock.substr(lock.find_last_of('/') + 1), 40) : tr("held by");
}

QString TimelineText::moreHolderRows(const QString& row, int more)
{
    return row.isEmpty() ? tr("+%1").arg(more) : tr("%1 +%2").arg(row, QString::number(more));
}

std::array<QString, 2> TimelineText::manyHolds(std::uint32_t holds)
{
    const QString count = tr("%Ln holds", nullptr, static_cast<int>(holds));
    return {tr("%1: zoom in to see who").arg(count), count};
}

QString TimelineText::holderRowTip(trace::Text lock, int more)
{
    const QString tip =
        tr("Holders of %1, including those whose lanes are out of sight").arg(format::plain(lock, 80));
    return more <= 0 ? tip : tip + u'\n' + tr("There is no room for %Ln more rows", nullptr, more);
}

QString TimelineText::depth(std::uint16_t depth) { return tr("×%1").arg(depth); }

QString TimelineText::staleReason(const replay::Span& span, const trace::TraceStore* store)
{
    if (const trace::Event* end = eventAt(store, span.endEvent))
        if (const auto* lost = std::get_if<trace::HoldLost>(&end->what))
            return outcomeText(lost->reason);
    if (const trace::Event* begin = eventAt(store, span.beginEvent))
        if (std::holds_alternative<trace::NodeVanished>(begin->what))
            return tr("node deleted");
    return tr("session ended");
}

std::array<QString, 3> TimelineText::overlay(const replay::Span& span, const TimelineFacts& facts)
{
    const QString length = format::duration(lengthOf(span, facts));
    if (span.kind == SpanKind::stale) {
        const QString reason = staleReason(span, facts.store);
        const QString belief = span.end == kForever ? tr("still believes it holds, for %1").arg(length)
                                                    : tr("still believed it held for %1").arg(length);
        return {tr("%1 · %2").arg(reason, belief), belief, tr("stale %1").arg(length)};
    }
    if (span.kind == SpanKind::frozen)
        //: a client's state: it does not run, so it sends nothing
        return {tr("frozen"), tr("frozen"), {}};
    if (span.kind == SpanKind::suspended)
        //: a client's state: it has no contact with the server
        return {tr("suspended"), tr("suspended"), {}};
    return {};
}

QString TimelineText::emptyText(const RunModel& run)
{
    if (!run.hasRun() && !run.connecting())
        return tr("No run yet: start one or open a trace to see who waits and who holds.");
    const QString why = emptyStateText(run);
    return why.isEmpty() ? tr("No client yet: its lane appears here when it joins the run.") : why;
}

} // namespace lockscope::ui
