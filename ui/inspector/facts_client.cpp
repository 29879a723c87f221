// What is known of a client: itself and its session, the locks it holds or waits for, and what came together.
#include "ui/inspector/inspection_builder.h"

#include "core/trace/event_fields.h"
#include "ui/models/command_text.h"
#include "ui/models/core_messages.h"
#include "ui/models/format.h"
#include "ui/models/outcome_text.h"
#include "ui/models/trace_name.h"

#include <QJsonObject>

#include <algorithm>
#include <array>

namespace lockscope::ui {

using replay::ClientPhase;

namespace {

// For programs, in the order of the enum.
constexpr std::array<const char*, 10> kClientPhases = {"connecting", "idle",    "thinking",  "joining",
                                                 "waiting",    "holding", "releasing", "lost",
                                                 "finished",   "removed"};

// The fields that say that something is wrong.
QJsonObject exactly(const trace::LinkState& link)
{
    QJsonObject fields;
    trace::visitFields(link, [&]<class F>(std::string_view name, const F& field) {
        if (field == F{})
            return;
        QJsonValue value;
        if constexpr (std::is_same_v<F, Duration>)
            value = qint64{field.count()};
        else if constexpr (std::is_same_v<F, trace::Text>)
            value = format::plain(field);
        else if constexpr (std::is_same_v<F, bool>)
            value = field;
        else
            value = static_cast<qint64>(field);
        fields.insert(QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())), value);
    });
    return fields;
}

} // namespace

void InspectionBuilder::client(const replay::ClientRow& row)
{
    m_inspection.title = format::plain(row.name, 40);
    m_inspection.colour = row.colour;
    section("client", tr("Client"));
    addOutside("name", tr("name"), row.name).event = row.addedBy;
    const TonedText status = clientStatus(row, queuePlace(m_state, row.lock, row.node));
    Fact& state =
        add("state", tr("state"), status.text, QLatin1String(kClientPhases[static_cast<std::size_t>(row.phase)]));
    state.tone = status.tone;
    const trace::Event* woken = row.waits() && !row.asleep() ? event(row.wokenBy) : nullptr;
    state.event = woken ? row.wokenBy : row.phaseBy;
    addLength("in_state_ns", tr("in this state for"), since(woken ? woken->at : row.phaseSince));
    session(row);
    Fact& last = add("last", tr("last event"), eventWords(row.lastEvent));
    last.event = row.lastEvent;

    lockUse("lock", tr("Lock"), row);
    std::vector<const replay::LockUse*> others; // in the order in which they began, which stays
    for (const replay::LockUse& one : row.also)
        others.push_back(&one);
    std::sort(others.begin(), others.end(),
              [](const auto* a, const auto* b) { return a->number < b->number; });
    for (const replay::LockUse* one : others)
        lockUse(QStringLiteral("also%1").arg(one->number), tr("Another lock"), *one);
    totals(row);
}

void InspectionBuilder::session(const replay::ClientRow& row)
{
    addSession("session", tr("session"), row.sessionId).event = row.sessionBy;
    Fact& contact = add("session_state", tr("its session is"), words(row.session), traceName(row.session));
    contact.event = row.sessionBy;
    const bool fine =
        row.session == trace::SessionPhase::connected || row.session == trace::SessionPhase::connecting;
    contact.tone = fine ? Tone::plain : Tone::stale;
    addOutside("process", tr("shares it in process"), row.process).event =
        row.process.empty() ? EventIndex::none() : row.addedBy;
    Fact& frozen = addYesNo("frozen", tr("frozen"), row.frozen);
    frozen.event = row.frozenBy;
    frozen.tone = row.frozen ? Tone::frozen : Tone::plain;
    Fact& link = add("link", tr("connection"), row.link.whole() ? tr("whole") : linkFaultText(row.link),
                     exactly(row.link));
    link.tone = row.link.whole() ? Tone::plain : Tone::stale;
    link.event = row.linkBy;
    add("held_at", tr("stopped"), row.heldAt ? stoppedAtText(*row.heldAt) : tr("no"),
        row.heldAt ? QJsonValue(traceName(*row.heldAt)) : QJsonValue())
        .event = row.heldAtBy;
}

void InspectionBuilder::lockUse(const QString& id, const QString& title, const replay::LockUse& one)
{
    const bool waits = one.active() && one.waits();
    const bool holds = one.active() && one.holds();
    section(id, title);
    addLock("path", tr("path"), one.active() ? one.lock : LockId::none());
    const replay::NodeRow* node = m_state.node(one.lock, one.node);
    addNode("node", tr("its node"), one.lock, one.active() ? one.node : trace::Text()).event =
        node ? node->createdBy : EventIndex::none();
    addPlace(one.lock, one.active() ? one.node : trace::Text(), one.decided);
    Fact& depth =
        add("depth", tr("depth"), holds ? tr("×%1").arg(one.depth) : QString(), holds ? one.depth : 0);
    depth.event = holds ? one.depthBy : EventIndex::none();
    const bool token = holds && one.token.valid();
    Fact& fencing = add("token", tr("fencing token"), token ? format::zxid(one.token) : QString(),
                        token ? QJsonValue(format::zxid(one.token)) : QJsonValue());
    fencing.event = token ? one.granted : EventIndex::none();
    if (one.watchesList)
        add("watches", tr("watches"), tr("the whole list")).event = one.watchBy;
    else
        addNode("watches", tr("watches"), one.lock, one.watches).event = one.watchBy;
    addClient("waits_for", tr("waits for"), waits ? m_state.ownerOf(one.lock, one.watches) : ClientId::none())
        .event = waits ? one.watchBy : EventIndex::none();
    lockTimes(one, waits, holds);
    Fact& server = add("stale_ns", tr("the server says"),
                       one.isStale ? tr("dropped %1 ago").arg(format::duration(since(one.staleSince)))
                       : one.active()     ? tr("the same")
                                          : QString(),
                       one.isStale ? QJsonValue(static_cast<qint64>(since(one.staleSince).count()))
                                          : QJsonValue());
    if (one.isStale) {
        const replay::DeletedNode* gone = m_state.deletedNode(one.lock, one.node);
        server.tone = Tone::stale;
        server.event = gone ? gone->by : EventIndex::none();
    }
}

void InspectionBuilder::lockTimes(const replay::LockUse& one, bool waits, bool holds)
{
    const bool here = waits || holds;
    addMoment("asked_ns", tr("asked at"), here ? one.asked : EventIndex::none());
    const bool asked = here && one.asked.valid();
    addWaited(asked && waits   ? std::optional(since(one.waitingSince))
              : asked && holds ? std::optional(std::max(one.heldSince - one.waitingSince, Duration::zero()))
                               : std::nullopt);
    addMoment("acquired_ns", tr("acquired it"), holds ? one.granted : EventIndex::none());
    addLength("held_ns", tr("held"), holds ? std::optional(since(one.heldSince)) : std::nullopt);
}

// "1.2 s in 41 · 29 ms each"
QString InspectionBuilder::sumText(Duration sum, std::uint32_t parts) const
{
    return parts == 0 ? QString()
                      : tr("%1 in %2 · %3 each")
                            .arg(format::duration(sum), format::count(parts), format::duration(sum / parts));
}

void InspectionBuilder::totals(const replay::ClientRow& row)
{
    const replay::ClientTally& tally = row.tally;
    section("so_far", tr("So far"));
    addCount("acquisitions", tr("acquisitions"), row.acquired, tally.lastGrant);
    addCount("failures", tr("not acquired"), row.failed, tally.lastFailure);
    add("waited_ns", tr("waits that ended"), sumText(tally.waited, tally.waits),
        static_cast<qint64>(tally.waited.count()))
        .event = tally.waits > 0 ? tally.lastGrant : EventIndex::none();
    add("held_ns", tr("holds that ended"), sumText(tally.held, tally.holds),
        static_cast<qint64>(tally.held.count()))
        .event = tally.lastHeld;
    addCount("requests", tr("requests sent"), tally.requests, tally.lastRequest);
    addCount("wake_ups", tr("wake-ups"), tally.wakeUps, tally.lastWakeUp);
    addCount("faults", tr("faults injected"), tally.faults, tally.lastFault).tone =
        tally.faults > 0 ? Tone::stale : Tone::plain;
    const trace::Event* fault = event(tally.lastFault);
    const auto* command = fault ? std::get_if<trace::Command>(&fault->what) : nullptr;
    add("last_fault", tr("last fault"), command ? commandText(command->verb, name(row.id)) : QString(),
        command ? QJsonValue(format::escaped(command->verb)) : QJsonValue())
        .event = tally.lastFault;
}

} // namespace lockscope::ui
