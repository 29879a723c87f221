#include "ui/ladder/ladder_text.h"

#include "ui/models/core_messages.h"
#include "ui/models/format.h"
#include "ui/models/logged_event.h"
#include "ui/models/outcome_text.h"
#include "ui/models/trace_name.h"

#include <algorithm>

namespace lockscope::ui {

using replay::LadderMessage;
using replay::SpanKind;

namespace {

bool takesPath(trace::Op op)
{
    return op == trace::Op::create || op == trace::Op::getChildren || op == trace::Op::sync;
}

QString requestWords(const trace::Request& request, bool whole)
{
    QString text = traceName(request.op);
    if (!takesPath(request.op) && !request.node.empty())
        text += u' ' + format::sequenceShort(request.node);
    if (request.watch)
        text += whole ? QStringLiteral(" + watch") : QStringLiteral(" +w");
    return text;
}

template <class E>
const E* payload(const trace::TraceStore& store, EventIndex index)
{
    return index.valid() && index.value < store.count() ? std::get_if<E>(&store.at(index).what) : nullptr;
}

} // namespace

LadderLabelText LadderText::label(const trace::TraceStore& store, const LadderMessage& message)
{
    const trace::Event& event = store.at(message.event);
    if (const auto* request = std::get_if<trace::Request>(&event.what)) {
        const auto* second = payload<trace::Request>(store, message.second);
        if (!second) {
            QStringList variants{requestWords(*request, true), requestWords(*request, false),
                                 traceName(request->op)};
            if (watchesOwnNode(event, store))
                variants = QStringList{tr("%1 (its own node)").arg(variants[0]),
                                       tr("%1 + watch: own").arg(variants[2])} +
                           variants;
            return {variants, Tone::plain};
        }
        const QString both =
            requestWords(*request, true) + QStringLiteral(" + ") + requestWords(*second, true);
        return {{tr("%1, sent together").arg(both), both, traceName(request->op) + QStringLiteral(" + …")},
                Tone::plain};
    }
    if (const auto* reply = std::get_if<trace::Reply>(&event.what)) {
        if (message.lost)
            return {{tr("reply lost")}, Tone::stale};
        const auto said = [](const trace::Reply& one) {
            if (one.outcome != trace::Outcome::ok)
                return outcomeText(one.outcome);
            if (one.op == trace::Op::create)
                return format::sequenceShort(one.node);
            if (one.op == trace::Op::getChildren)
                return one.count == 1 ? tr("1 child") : tr("%1 children").arg(format::count(one.count));
            return outcomeText(one.outcome);
        };
        const auto* second = payload<trace::Reply>(store, message.second);
        const bool fine =
            reply->outcome == trace::Outcome::ok && (!second || second->outcome == trace::Outcome::ok);
        QStringList variants{said(*reply)};
        if (second && said(*second) != variants[0])
            variants.prepend(variants[0] + QStringLiteral(" · ") + said(*second));
        return {variants, fine ? Tone::plain : Tone::stale};
    }
    if (const auto* fired = std::get_if<trace::WatchFired>(&event.what)) {
        const QString kind = traceName(fired->kind);
        return {{fired->node.empty() ? kind : kind + u' ' + format::sequenceShort(fired->node), kind},
                Tone::wake};
    }
    return {};
}

LadderLabelText LadderText::note(const trace::TraceStore& store, const replay::LadderNote& note)
{
    const trace::Event& event = store.at(note.event);
    const auto* acquired = payload<trace::Acquired>(store, note.second.valid() ? note.second : note.event);
    const auto* decided = std::get_if<trace::Decided>(&event.what);
    if (acquired) {
        const QString token = format::zxid(acquired->token);
        QStringList variants{tr("acquired, token %1").arg(token), tr("acquired")};
        if (decided)
            variants.prepend(tr("first of %1: acquired, token %2").arg(format::count(decided->count), token));
        return {variants, Tone::holds};
    }
    if (decided && decided->position == 0)
        return {{tr("first of %1").arg(format::count(decided->count))}, Tone::plain};
    if (decided) {
        const QString ahead = format::sequenceShort(decided->ahead);
        return {
            {tr("%1 of %2, %3 in front")
                 .arg(format::count(quint64{decided->position} + 1), format::count(decided->count), ahead),
             tr("%1 in front").arg(ahead)},
            Tone::muted};
    }
    if (const auto* failed = std::get_if<trace::AcquireFailed>(&event.what))
        return {{tr("not acquired: %1").arg(outcomeText(failed->reason)), outcomeText(failed->reason)},
                Tone::stale};
    if (const auto* over = std::get_if<trace::StartedOver>(&event.what))
        return {{tr("starts over: %1").arg(translateMessage(over->why, 60)), tr("starts over")}, Tone::stale};
    if (const auto* lost = std::get_if<trace::HoldLost>(&event.what))
        return {{tr("lost the lock: %1").arg(outcomeText(lost->reason)), tr("lost the lock")}, Tone::stale};
    if (const auto* session = std::get_if<trace::SessionState>(&event.what))
        return {{tr("session %1").arg(outcomeText(session->phase)), outcomeText(session->phase)},
                Tone::stale};
    if (const auto* reply = std::get_if<trace::Reply>(&event.what))
        return {{tr("%1: outcome unknown").arg(traceName(reply->op)), tr("outcome unknown"), tr("unknown")},
                Tone::stale};
    if (const auto* request = std::get_if<trace::Request>(&event.what))
        return {{tr("%1 deleted").arg(format::sequenceShort(request->node)), tr("deleted")}, Tone::wake};
    if (std::holds_alternative<trace::SessionGone>(event.what))
        return {{tr("session ended"), tr("ended")}, Tone::stale};
    return {};
}

QString LadderText::lost() { return tr("reply lost"); }

QString LadderText::fold(Duration length, TraceTime until, bool known)
{
    const QString text = tr("%1 without a message here").arg(format::duration(length));
    return known ? tr("%1 · then %2 s").arg(text, format::timestamp(until))
                 : tr("%1 · then about %2 s").arg(text, format::timestamp(until));
}

QString LadderText::quiet(Duration length) { return tr("nothing for %1").arg(format::duration(length)); }

QString LadderText::bar(const replay::Span& span)
{
    if (span.kind == SpanKind::holding)
        return span.depth > 1 ? tr("holds ×%1").arg(span.depth) : tr("holds");
    if (span.kind == SpanKind::waiting)
        return tr("waits");
    if (span.kind == SpanKind::releasing)
        return tr("releasing");
    if (span.kind == SpanKind::stale)
        return tr("stale");
    return span.kind == SpanKind::frozen      ? tr("frozen")
           : span.kind == SpanKind::suspended ? tr("suspended")
                                              : QString();
}

QString LadderText::messageTip(const trace::TraceStore& store, const LadderMessage& message,
                               const QString& who)
{
    const LadderLabelText said = label(store, message);
    QStringList lines;
    if (message.kind == LadderMessage::Kind::request)
        lines << tr("%1 → ZooKeeper: %2").arg(who, said.variants.value(0));
    else
        lines << tr("ZooKeeper → %1: %2").arg(who, said.variants.value(0));
    lines << (message.kind == LadderMessage::Kind::request
                  ? tr("sent at %1 s").arg(format::timestamp(message.atClient))
                  : tr("at %1 s").arg(format::timestamp(message.atClient)));
    if (message.kind == LadderMessage::Kind::reply && message.latency != kForever)
        lines << tr("%1 after its request, there and back").arg(format::duration(message.latency));
    if (message.kind == LadderMessage::Kind::watch && message.latency != kForever)
        lines << tr("%1 after what caused it").arg(format::duration(message.latency));
    if (message.kind == LadderMessage::Kind::request && message.lost)
        lines << tr("no reply will come: the session ended");
    else if (message.kind == LadderMessage::Kind::request && !message.answered)
        lines << tr("not answered yet");
    if (const auto* request = payload<trace::Request>(store, message.event);
        request && !request->node.empty())
        lines << tr("node %1").arg(format::plain(request->node));
    if (const auto* fired = payload<trace::WatchFired>(store, message.event); fired && !fired->node.empty())
        lines << tr("node %1").arg(format::plain(fired->node));
    lines << tr("event %1").arg(format::eventNumber(message.event))
          << tr("The server's moment is not recorded: halfway between request and answer is an assumption.");
    return lines.join(u'\n');
}

QString LadderText::noteTip(const trace::TraceStore& store, const replay::LadderNote& note,
                            const QString& who)
{
    const LadderLabelText said = LadderText::note(store, note);
    if (std::holds_alternative<trace::Request>(store.at(note.event).what))
        return tr("%1: %2\nabout %3 s: between request and answer, event %4")
            .arg(server(), said.variants.value(0), format::timestamp(note.at),
                 format::eventNumber(note.event));
    return tr("%1: %2\nat %3 s, event %4")
        .arg(who, said.variants.value(0), format::timestamp(note.at), format::eventNumber(note.event));
}

QString LadderText::barTip(const replay::Span& span, const QString& who, TraceTime now)
{
    const Duration length = std::max(Duration::zero(), std::min(span.end, now) - span.begin);
    return tr("%1: %2 for %3, since %4 s")
        .arg(who, bar(span), format::duration(length), format::timestamp(span.begin));
}

std::vector<LadderPart> LadderText::handoffParts(const replay::Handoff& handoff)
{
    std::vector<LadderPart> handoffParts;
    TraceTime from = handoff.released;
    const auto add = [&](const QString& name, TraceTime at, EventIndex by) {
        if (!by.valid())
            return;
        const TraceTime end = std::max(from, std::min(at, handoff.acquired));
        handoffParts.push_back({name, from, end});
        from = end;
    };
    add(tr("delete sent"), handoff.requested, handoff.requestEvent);
    add(tr("delete committed"), handoff.committed, handoff.commitEvent);
    add(tr("watch fired"), handoff.woken, handoff.wokenEvent);
    add(tr("list sent"), handoff.listed, handoff.listEvent);
    add(tr("list answered"), handoff.answered, handoff.answerEvent);
    add(tr("acquired"), handoff.acquired, handoff.acquiredEvent);
    return handoffParts;
}

format::Scale LadderText::scale(const std::vector<LadderPart>& handoffParts)
{
    std::vector<Duration> lengths;
    for (const LadderPart& leg : handoffParts)
        lengths.push_back(leg.end - leg.begin);
    return format::scale(lengths);
}

QString LadderText::handoffTip(const replay::Handoff& handoff, const QString& from, const QString& to)
{
    QStringList lines{tr("Handoff %1 → %2: %3").arg(from, to, format::duration(handoff.latency()))};
    const std::vector<LadderPart> parts = handoffParts(handoff);
    const format::Scale times = scale(parts);
    for (std::size_t i = 0; i < parts.size(); ++i)
        lines << tr("%1: %2 %3").arg(parts[i].name, times.numbers[static_cast<qsizetype>(i)], times.unit);
    lines << tr("Not to scale: short parts are drawn longer, quiet stretches are folded.");
    return lines.join(u'\n');
}

QString LadderText::server() { return tr("ZooKeeper"); }

QString LadderText::client(ClientId id) { return format::defaultClientName(id); }

QString LadderText::caption(std::size_t lanes, std::size_t hidden, TraceTime end, bool following)
{
    const QString moment = following ? tr("up to now") : tr("up to %1 s").arg(format::timestamp(end));
    if (hidden == 0)
        return moment;
    return tr("%1 · %2 of %3 clients, scroll sideways for the others")
        .arg(moment, format::count(lanes), format::count(lanes + hidden));
}

QString LadderText::emptyText(bool hasRun)
{
    return hasRun ? tr("No messages yet. Requests and replies appear here as arrows.")
                  : tr("No run yet: start one or open a trace to see who sends what to the server.");
}

} // namespace lockscope::ui
