#include "ui/texts/protocol_text.h"

#include "ui/models/run/run_model.h"
#include "ui/models/run/trace_name.h"
#include "ui/models/style/format.h"
#include "ui/texts/empty_state.h"
#include "ui/texts/handoff_text.h"

#include <algorithm>

namespace lockscope::ui {

using replay::ProtocolMessage;

namespace {

template <class E>
const E* payload(const trace::TraceStore& store, EventIndex index)
{
    return index.valid() && index.value < store.count() ? std::get_if<E>(&store.at(index).what) : nullptr;
}

} // namespace

EventLabel ProtocolText::label(const trace::TraceStore& store, const ProtocolMessage& message)
{
    if (message.kind == ProtocolMessage::Kind::reply && message.lost)
        return {{lost()}, Tone::stale};
    EventLabel text = eventLabel(store.at(message.event), store);
    if (!message.second.valid() || message.second.value >= store.count())
        return text;
    const EventLabel second = eventLabel(store.at(message.second), store);
    const QString one = text.variants[0], other = second.variants[0];
    if (message.kind == ProtocolMessage::Kind::request) {
        const QString both = one + QStringLiteral(" + ") + other;
        text.variants = {tr("%1, sent together").arg(both), both,
                         text.variants.back() + QStringLiteral(" + …")};
    } else {
        if (one != other)
            text.variants.prepend(one + QStringLiteral(" · ") + other);
        if (second.tone == Tone::stale)
            text.tone = Tone::stale;
    }
    return text;
}

EventLabel ProtocolText::note(const trace::TraceStore& store, const replay::ProtocolNote& note)
{
    const trace::Event& event = store.at(note.event);
    if (const auto* request = std::get_if<trace::Request>(&event.what)) // its effect on the server
        return {{tr("%1 deleted").arg(format::sequenceShort(request->node)),
                 //: short for "…00012 deleted": of a node
                 tr("deleted")},
                Tone::wake};
    if (const auto* reply = std::get_if<trace::Reply>(&event.what))
        return {{tr("%1: outcome unknown").arg(traceName(reply->op)), tr("outcome unknown"),
                 //: short for "outcome unknown": of a request
                 tr("unknown")},
                Tone::stale};
    EventLabel text = eventLabel(event, store);
    const auto* decided = std::get_if<trace::Decided>(&event.what);
    if (payload<trace::Acquired>(store, note.second)) {
        const EventLabel acquired = eventLabel(store.at(note.second), store);
        return {QStringList{tr("%1: %2").arg(text.variants[0], acquired.variants[0])} + acquired.variants,
                acquired.tone};
    }
    if (decided && decided->position > 0)
        text.tone = Tone::muted;
    return text;
}

QString ProtocolText::lost() { return tr("reply lost"); }

QString ProtocolText::fold(Duration quiet, Duration pause, TraceTime until, bool known)
{
    const QString text = quiet > Duration::zero()
                             ? withPause(tr("%1 without a request here").arg(format::duration(quiet)), pause)
                             : tr("paused for %1").arg(format::duration(pause));
    return known ? tr("%1 · then %2 s").arg(text, format::timestamp(until))
                 : tr("%1 · then about %2 s").arg(text, format::timestamp(until));
}

QString ProtocolText::foldUpToNow(Duration quiet, Duration pause)
{
    return withPause(tr("no requests for %1").arg(format::duration(quiet)), pause);
}

QString ProtocolText::withPause(const QString& text, Duration pause)
{
    return pause > Duration::zero() ? tr("%1 · paused for %2").arg(text, format::duration(pause)) : text;
}

QString ProtocolText::messageTip(const trace::TraceStore& store, const ProtocolMessage& message,
                                 const QString& who)
{
    const EventLabel text = label(store, message);
    QStringList lines;
    if (message.kind == ProtocolMessage::Kind::request)
        lines << tr("%1 → ZooKeeper: %2").arg(who, text.variants.value(0))
              << tr("sent at %1 s").arg(format::timestamp(message.atClient));
    else
        lines << tr("ZooKeeper → %1: %2").arg(who, text.variants.value(0))
              << tr("at %1 s").arg(format::timestamp(message.atClient));
    if (message.kind == ProtocolMessage::Kind::reply && message.latency != kForever)
        lines << tr("%1 after its request (round trip)").arg(format::duration(message.latency));
    if (message.kind == ProtocolMessage::Kind::watch && message.latency != kForever)
        lines << tr("%1 after its cause").arg(format::duration(message.latency));
    if (message.kind == ProtocolMessage::Kind::request && message.lost)
        lines << tr("no reply will come: the session ended");
    else if (message.kind == ProtocolMessage::Kind::request && !message.answered)
        lines << tr("not answered yet");
    if (const auto* request = payload<trace::Request>(store, message.event);
        request && !request->node.empty())
        lines << tr("node %1").arg(format::plain(request->node));
    if (const auto* fired = payload<trace::WatchFired>(store, message.event); fired && !fired->node.empty())
        lines << tr("node %1").arg(format::plain(fired->node));
    lines << tr("event %1").arg(format::eventNumber(message.event))
          << tr("The time at the server is not recorded: it is assumed to be halfway between request and "
                "reply.");
    return lines.join(u'\n');
}

QString ProtocolText::noteTip(const trace::TraceStore& store, const replay::ProtocolNote& note,
                              const QString& who)
{
    const EventLabel text = ProtocolText::note(store, note);
    if (std::holds_alternative<trace::Request>(store.at(note.event).what))
        return tr("%1: %2\nabout %3 s: between request and reply, event %4")
            .arg(server(), text.variants.value(0), format::timestamp(note.at),
                 format::eventNumber(note.event));
    return tr("%1: %2\nat %3 s, event %4")
        .arg(who, text.variants.value(0), format::timestamp(note.at), format::eventNumber(note.event));
}

QString ProtocolText::barTip(const replay::Span& span, const QString& who, TraceTime now)
{
    const Duration length = std::max(Duration::zero(), std::min(span.end, now) - span.begin);
    return tr("%1: %2 for %3, since %4 s")
        .arg(who, spanLabel(span), format::duration(length), format::timestamp(span.begin));
}

QString ProtocolText::handoffTip(const replay::Handoff& handoff, const QString& from, const QString& to)
{
    return ui::handoffTip(handoff, from, to) + u'\n' +
           tr("Not to scale: short parts are drawn longer, quiet stretches are folded.");
}

QString ProtocolText::server() { return tr("ZooKeeper"); }

QString ProtocolText::caption(std::size_t lanes, std::size_t hidden, TraceTime end, bool following, bool help)
{
    const QString moment = following ? tr("up to now") : tr("up to %1 s").arg(format::timestamp(end));
    if (hidden == 0)
        return moment;
    return (help ? tr("%1 · %2 of %3 clients, scroll sideways for the others") : tr("%1 · %2 of %3 clients"))
        .arg(moment, format::count(lanes), format::count(lanes + hidden));
}

QString ProtocolText::emptyText(const RunModel& run)
{
    if (!run.hasRun() && !run.connecting())
        return tr("No run yet: start one or open a trace to see who sends what to the server.");
    const QString why = emptyStateText(run);
    return why.isEmpty() ? tr("No messages yet. Requests and replies appear here as arrows.") : why;
}

} // namespace lockscope::ui
