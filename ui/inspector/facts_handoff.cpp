// What is known of a handoff: who gave the lock to whom, and what it was made of.
#include "ui/inspector/inspection_builder.h"

#include "ui/models/format.h"

namespace lockscope::ui {

namespace {

// Of the hold's end: a release names it; when the session went, nobody did.
trace::Text nodeOf(const trace::Event* event)
{
    if (!event)
        return {};
    if (const auto* release = std::get_if<trace::ReleaseCalled>(&event->what))
        return release->node;
    if (const auto* grant = std::get_if<trace::Acquired>(&event->what))
        return grant->node;
    if (const auto* vanished = std::get_if<trace::NodeVanished>(&event->what))
        return vanished->node;
    return {};
}

} // namespace

void InspectionBuilder::handoff()
{
    const auto index = m_from.timeline->handoffAt(m_inspection.what.event);
    if (!index)
        return;
    const replay::Handoff& one = m_from.timeline->handoff(*index);
    m_inspection.title = tr("%1 → %2").arg(name(one.from), name(one.to));
    section("handoff", tr("Handoff"));
    add("number", tr("number"), tr("%1 of the run").arg(format::count(*index + 1)),
        static_cast<qint64>(*index + 1));
    addClient("from", tr("from"), one.from).event = one.releaseEvent;
    addClient("to", tr("to"), one.to).event = one.acquiredEvent;
    addLock("path", tr("lock"), one.lock);
    addNode("node_from", tr("node that went"), one.lock, nodeOf(event(one.releaseEvent))).event =
        one.commitEvent;
    addNode("node_to", tr("node that holds now"), one.lock, nodeOf(event(one.acquiredEvent))).event =
        one.acquiredEvent;
    addLength("latency_ns", tr("took"), one.latency()).tone = Tone::wake;
    if (one.paused)
        add("paused", tr("paused"), tr("the run was paused during it: the latency figures leave it out"),
            true);
    const std::uint32_t woken = m_from.timeline->wakeUps(one);
    addCount("wake_ups", tr("clients woken"), woken, one.wokenEvent);
    handoffParts(one);
}

void InspectionBuilder::handoffParts(const replay::Handoff& one)
{
    const trace::Event* begin = event(one.releaseEvent);
    const bool called = begin && std::holds_alternative<trace::ReleaseCalled>(begin->what);
    TraceTime before = one.released;
    // A part that nothing tells of, or that there was not, has no time of its own.
    const auto part = [&](const char* id, const QString& label, TraceTime at, EventIndex by, Tone tone) {
        if (!by.valid()) {
            add(id, label, {});
            return;
        }
        const Duration lasted = std::max(at - before, Duration::zero());
        Fact& fact = add(id, label, tr("%1 · +%2").arg(format::timestamp(at), format::duration(lasted)),
                         static_cast<qint64>(at.count()));
        fact.event = by;
        fact.lasted = lasted;
        fact.tone = tone;
        before = std::max(before, at);
    };
    section("parts", tr("Its parts"));
    addMoment("released_ns", called ? tr("release called") : tr("hold taken away"), one.released,
              one.releaseEvent);
    part("requested_ns", tr("delete sent"), one.requested, one.requestEvent, Tone::muted);
    part("committed_ns", tr("delete committed"), one.committed, one.commitEvent, Tone::wake);
    part("woken_ns", tr("watch fired"), one.woken, one.wokenEvent, Tone::wake);
    part("listed_ns", tr("list sent"), one.listed, one.listEvent, Tone::waits);
    part("answered_ns", tr("list answered"), one.answered, one.answerEvent, Tone::waits);
    part("acquired_ns", tr("acquired"), one.acquired, one.acquiredEvent, Tone::holds);
}

} // namespace lockscope::ui
