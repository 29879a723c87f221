#include "ui/texts/handoff_text.h"

#include "ui/texts/texts.h"

#include <QStringList>

#include <algorithm>

namespace lockscope::ui {

using replay::SpanKind;

std::array<HandoffStep, 6> handoffSteps(const replay::Handoff& handoff)
{
    const auto step = [](const char* id, const QString& name, Tone tone, TraceTime at, EventIndex event) {
        return HandoffStep{QLatin1String(id), name, tone, at, {}, event};
    };
    std::array<HandoffStep, 6> steps{
        step("requested_ns", Texts::tr("delete sent"), Tone::muted, handoff.requested, handoff.requestEvent),
        step("committed_ns", Texts::tr("delete committed"), Tone::wake, handoff.committed,
             handoff.commitEvent),
        step("woken_ns", Texts::tr("watch fired"), Tone::wake, handoff.woken, handoff.wokenEvent),
        step("listed_ns", Texts::tr("list sent"), Tone::waits, handoff.listed, handoff.listEvent),
        step("answered_ns", Texts::tr("list answered"), Tone::waits, handoff.answered, handoff.answerEvent),
        //: a moment of a handoff: the next client has the lock
        step("acquired_ns", Texts::tr("acquired"), Tone::holds, handoff.acquired, handoff.acquiredEvent)};
    TraceTime from = handoff.released;
    for (HandoffStep& each : steps) {
        if (!each.event.valid())
            continue;
        const TraceTime end = std::max(from, std::min(each.at, handoff.acquired));
        each.length = end - from;
        from = end;
    }
    return steps;
}

std::vector<HandoffStep> knownHandoffSteps(const replay::Handoff& handoff)
{
    std::vector<HandoffStep> known;
    for (HandoffStep& step : handoffSteps(handoff))
        if (step.event.valid())
            known.push_back(std::move(step));
    return known;
}

format::Scale handoffScale(const std::vector<HandoffStep>& steps)
{
    std::vector<Duration> lengths;
    for (const HandoffStep& step : steps)
        lengths.push_back(step.length);
    return format::scale(lengths);
}

QString handoffTitle(const replay::Handoff& handoff, const QString& from, const QString& to)
{
    return Texts::tr("%1 → %2: %3").arg(from, to, format::duration(handoff.latency()));
}

QString handoffTip(const replay::Handoff& handoff, const QString& from, const QString& to)
{
    QStringList lines{handoffTitle(handoff, from, to)};
    const std::vector<HandoffStep> steps = knownHandoffSteps(handoff);
    const format::Scale times = handoffScale(steps);
    for (std::size_t i = 0; i < steps.size(); ++i)
        lines << Texts::tr("%1: %2 %3")
                     .arg(steps[i].name, times.numbers[static_cast<qsizetype>(i)], times.unit);
    if (handoff.paused)
        lines << Texts::tr("The run was paused during this handoff: the latency figures leave it out.");
    return lines.join(u'\n');
}

QString spanLabel(const replay::Span& span)
{
    switch (span.kind) {
    case SpanKind::none:
        break;
    case SpanKind::waiting:
        //: a client's state
        return Texts::tr("waits");
    case SpanKind::releasing:
        //: a client's state: it deletes its node
        return Texts::tr("releasing");
    case SpanKind::holding:
        return span.depth > 1 ? Texts::tr("holds ×%1").arg(span.depth)
                              //: a client's state: it has the lock
                              : Texts::tr("holds");
    case SpanKind::suspended:
        //: a client's state: it has no contact with the server
        return Texts::tr("suspended");
    case SpanKind::frozen:
        //: a client's state: it does not run, so it sends nothing
        return Texts::tr("frozen");
    case SpanKind::stale:
        //: a client's state: it believes that it holds the lock, and its node is gone
        return Texts::tr("stale");
    }
    return {};
}

QString spanPhrase(const replay::Span& span)
{
    switch (span.kind) {
    case SpanKind::none:
        return Texts::tr("neither waits nor holds");
    case SpanKind::releasing:
        return Texts::tr("releasing: waits for the answer to its release");
    case SpanKind::suspended:
        return Texts::tr("suspended: no contact with the server");
    case SpanKind::frozen:
        return Texts::tr("frozen: reads and sends nothing");
    case SpanKind::stale:
        return Texts::tr("believes it holds, but the server took the lock away");
    case SpanKind::waiting:
    case SpanKind::holding:
        break;
    }
    return spanLabel(span);
}

} // namespace lockscope::ui
