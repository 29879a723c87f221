#include "ui/texts/inspection_builder.h"

#include "core/trace/event_fields.h"
#include "ui/models/run/trace_name.h"
#include "ui/models/style/format.h"
#include "ui/texts/command_text.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/event_text.h"
#include "ui/texts/handoff_text.h"
#include "ui/texts/outcome_text.h"
#include "ui/texts/watched_lock_text.h"

#include <QJsonObject>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockscope::ui {

using Kind = Selected::Kind;
using replay::ClientPhase;

namespace {

constexpr int kMaxShownLength = 160; // characters of a text from outside

QString all(trace::Text text) { return QString::fromUtf8(text); }

// For programs, in the order of the enum.
constexpr std::array<const char*, 10> kClientPhases = {"connecting", "idle",    "thinking",  "joining",
                                                       "waiting",    "holding", "releasing", "lost",
                                                       "finished",   "removed"};

// The fields that differ from an intact link.
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
        fields.insert(QString::fromLatin1(name), value);
    });
    return fields;
}

// The node that a release, a grant or a vanished node names; the end of a session names none.
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

// For programs, in the order of the enum.
constexpr std::array<const char*, 6> kNodePhases = {"joining",   "waits",  "holds",
                                                    "releasing", "orphan", "foreign"};
constexpr std::size_t kMaxWatchers = 8; // listed by name

} // namespace

InspectionBuilder::InspectionBuilder(const InspectorSources& from, const Selected& what)
    : m_from(from)
    , m_state(*from.state)
{
    m_inspection.what = what;
    m_inspection.at = from.now;
    m_inspection.position = from.position;
}

Inspection InspectionBuilder::make()
{
    switch (m_inspection.what.kind) {
    case Kind::client:
        //: what is inspected; as the label of a fact: which client
        m_inspection.kind = tr("client");
        if (const replay::ClientRow* row = m_state.client(m_inspection.what.client))
            client(*row);
        break;
    case Kind::node:
        m_inspection.kind = tr("lock node");
        node();
        break;
    case Kind::handoff:
        //: what is inspected
        m_inspection.kind = tr("handoff");
        handoff();
        break;
    case Kind::event:
        //: what is inspected
        m_inspection.kind = tr("event");
        event();
        break;
    case Kind::nothing:
        break;
    }
    return std::move(m_inspection);
}

// ---- rows ------------------------------------------------------------------------------------------------

void InspectionBuilder::section(const QString& id, const QString& title)
{
    m_section = id;
    Fact heading;
    heading.id = id;
    heading.label = title;
    heading.heading = true;
    m_inspection.facts.push_back(std::move(heading));
}

Fact& InspectionBuilder::add(const char* id, const QString& label, const QString& value,
                             const QJsonValue& exact)
{
    Fact& fact = m_inspection.facts.emplace_back();
    fact.id = m_section + u'.' + QLatin1String(id);
    fact.label = label;
    fact.value = value.isEmpty() ? none() : value;
    fact.exact = exact;
    if (value.isEmpty())
        fact.tone = Tone::faint;
    return fact;
}

Fact& InspectionBuilder::addOutside(const char* id, const QString& label, trace::Text text)
{
    Fact& fact = add(id, label, format::plain(text, kMaxShownLength));
    fact.whole = text;
    return fact;
}

Fact& InspectionBuilder::addClient(const char* id, const QString& label, ClientId client)
{
    const replay::ClientRow* row = m_state.client(client);
    if (!row)
        return add(id, label, {});
    Fact& fact = addOutside(id, label, row->name);
    fact.colour = row->colour;
    fact.target = {Kind::client, client, all(row->node), m_inspection.what.lock, EventIndex::none()};
    return fact;
}

Fact& InspectionBuilder::addNode(const char* id, const QString& label, LockId lock, trace::Text node)
{
    if (node.empty())
        return add(id, label, {});
    Fact& fact = add(id, label, format::sequenceShort(node));
    fact.whole = node;
    const replay::DeletedNode* gone = m_state.deletedNode(lock, node);
    fact.target = {Kind::node, gone ? gone->owner : m_state.ownerOf(lock, node), all(node), lock,
                   EventIndex::none()};
    return fact;
}

Fact& InspectionBuilder::addLock(const char* id, const QString& label, LockId lock)
{
    const replay::LockRow* row = m_state.lock(lock);
    return addOutside(id, label, row ? row->path : trace::Text());
}

Fact& InspectionBuilder::addCount(const char* id, const QString& label, std::uint64_t count, EventIndex last)
{
    Fact& fact = add(id, label, format::count(count), static_cast<qint64>(count));
    fact.event = last;
    return fact;
}

Fact& InspectionBuilder::addLength(const char* id, const QString& label, std::optional<Duration> length,
                                   QString (*written)(Duration))
{
    return length ? add(id, label, written(*length), static_cast<qint64>(length->count()))
                  : add(id, label, {});
}

Fact& InspectionBuilder::addWaited(std::optional<Duration> length)
{
    //: label of a fact: for how long
    return addLength("waited_ns", tr("waited"), length, format::waitTime);
}

Fact& InspectionBuilder::addMoment(const char* id, const QString& label, EventIndex index)
{
    const trace::Event* one = event(index);
    return one ? addMoment(id, label, one->at, index) : add(id, label, {});
}

Fact& InspectionBuilder::addMoment(const char* id, const QString& label, TraceTime at, EventIndex index)
{
    Fact& fact = add(id, label, moment(at), static_cast<qint64>(at.count()));
    fact.event = index;
    return fact;
}

Fact& InspectionBuilder::addSession(const char* id, const QString& label, SessionId session)
{
    const QString number = session.valid() && session.value != 0 ? format::session(session) : QString();
    return add(id, label, number, number);
}

Fact& InspectionBuilder::addYesNo(const char* id, const QString& label, bool yes)
{
    //: the value of a fact such as "frozen"
    return add(id, label, yes ? tr("yes") : /*: the value of a fact such as "frozen" */ tr("no"), yes);
}

// A deletion moves other nodes up without events of their own: only a list with this position and length is a
// source.
void InspectionBuilder::addPlace(LockId lock, trace::Text node, EventIndex listed)
{
    const replay::LockRow* row = m_state.lock(lock);
    const auto place = queuePlace(m_state, lock, node);
    if (!row || !place) {
        add("place", tr("place in the queue"), {});
        return;
    }
    Fact& fact = add("place", tr("place in the queue"),
                     tr("%1 of %2").arg(format::count(place->ahead + 1), format::count(row->queue.size())),
                     static_cast<qint64>(place->ahead + 1));
    const trace::Event* one = event(listed);
    const auto* list = one ? std::get_if<trace::Decided>(&one->what) : nullptr;
    if (list && list->node == node && list->position == place->ahead && list->count == row->queue.size())
        fact.event = listed;
}

// ---- words -----------------------------------------------------------------------------------------------

QString InspectionBuilder::none() { return QStringLiteral("–"); }

QString InspectionBuilder::moment(TraceTime at) const { return tr("%1 s").arg(format::timestamp(at)); }

const trace::Event* InspectionBuilder::event(EventIndex index) const
{
    return m_from.store && index.valid() && index.value < m_from.store->count() ? &m_from.store->at(index)
                                                                                : nullptr;
}

QString InspectionBuilder::eventWords(EventIndex index) const
{
    const trace::Event* one = event(index);
    if (!one)
        return {};
    const LogLine line = logLine(*one, m_state, m_from.store);
    return line.text.isEmpty() ? explain(m_state, *one).what : line.who + QStringLiteral(": ") + line.text;
}

void InspectionBuilder::client(const replay::ClientRow& row)
{
    m_inspection.title = format::plain(row.name, 40);
    m_inspection.colour = row.colour;
    //: heading of facts
    section("client", tr("Client"));
    //: label of a fact: of a client or a node
    addOutside("name", tr("name"), row.name).event = row.addedBy;
    const TonedText status = clientStatus(row, queuePlace(m_state, row.lock, row.node));
    //: label of a fact: of a client or a node
    Fact& state = add("state", tr("state"), status.text,
                      QLatin1String(kClientPhases[static_cast<std::size_t>(row.phase)]));
    state.tone = status.tone;
    const trace::Event* woken = row.waits() && !row.asleep() ? event(row.wokenBy) : nullptr;
    state.event = woken ? row.wokenBy : row.phaseBy;
    addLength("in_state_ns", tr("in this state for"), lasting(woken ? woken->at : row.phaseSince));
    session(row);
    add("last", tr("last event"), eventWords(row.lastEvent)).event = row.lastEvent;

    //: heading of facts, a noun: the lock that the client holds or waits for
    lockUse("lock", tr("Lock"), row);
    std::vector<const replay::LockUse*> others; // in the order in which they began, which is stable
    for (const replay::LockUse& one : row.otherUses)
        others.push_back(&one);
    std::sort(others.begin(), others.end(),
              [](const auto* a, const auto* b) { return a->number < b->number; });
    for (const replay::LockUse* one : others)
        lockUse(QStringLiteral("also%1").arg(one->number), tr("Another lock"), *one);
    totals(row);
}

void InspectionBuilder::session(const replay::ClientRow& row)
{
    //: label of a fact: of a client or a node
    addSession("session", tr("session"), row.sessionId).event = row.sessionBy;
    Fact& contact =
        add("session_state", tr("session state"), outcomeText(row.session), traceName(row.session));
    contact.event = row.sessionBy;
    const bool fine =
        row.session == trace::SessionPhase::connected || row.session == trace::SessionPhase::connecting;
    contact.tone = fine ? Tone::plain : Tone::stale;
    addOutside("process", tr("process"), row.process).event =
        row.process.empty() ? EventIndex::none() : row.addedBy;
    if (!row.trace.empty())
        //: label of a fact, a noun: of a run that was merged of several traces, the one that the client is
        //: from
        addOutside("trace", tr("trace"), row.trace).event = row.addedBy;
    //: label of a fact, yes or no: the client does not run
    Fact& frozen = addYesNo("frozen", tr("frozen"), row.frozen);
    frozen.event = row.frozenBy;
    frozen.tone = row.frozen ? Tone::frozen : Tone::plain;
    const QString quality =
        row.link.whole() ? /*: of a connection: without faults */ tr("no faults") : linkFaultText(row.link);
    //: label of a fact: whether the connection of the client has faults
    Fact& link = add("link", tr("connection"), quality, exactly(row.link));
    link.tone = row.link.whole() ? Tone::plain : Tone::stale;
    link.event = row.linkBy;
    //: label of a fact: before which step
    add("held_at", tr("stopped"), row.heldAt ? stoppedAtText(*row.heldAt) : tr("no"),
        row.heldAt ? QJsonValue(traceName(*row.heldAt)) : QJsonValue())
        .event = row.heldAtBy;
}

void InspectionBuilder::lockUse(const QString& id, const QString& title, const replay::LockUse& one)
{
    const bool waits = one.active() && one.waits();
    const bool holds = one.active() && one.holds();
    section(id, title);
    //: label of a fact: of the lock
    addLock("path", tr("path"), one.active() ? one.lock : LockId::none());
    const replay::NodeRow* node = m_state.node(one.lock, one.node);
    addNode("node", tr("its node"), one.lock, one.active() ? one.node : trace::Text()).event =
        node ? node->createdBy : EventIndex::none();
    addPlace(one.lock, one.active() ? one.node : trace::Text(), one.decided);
    //: label of a fact: how often the client has entered the lock
    add("depth", tr("depth"), holds ? tr("×%1").arg(one.depth) : QString(), holds ? one.depth : 0).event =
        holds ? one.depthBy : EventIndex::none();
    const bool token = holds && one.token.valid();
    add("token", tr("fencing token"), token ? format::zxid(one.token) : QString(),
        token ? QJsonValue(format::zxid(one.token)) : QJsonValue())
        .event = token ? one.granted : EventIndex::none();
    if (one.watchesList)
        //: label of a fact, a verb: which node the client watches
        add("watches", tr("watches"), tr("the whole list")).event = one.watchBy;
    else
        addNode("watches", tr("watches"), one.lock, one.watches).event = one.watchBy;
    addClient("waits_for", tr("waits for"), waits ? m_state.ownerOf(one.lock, one.watches) : ClientId::none())
        .event = waits ? one.watchBy : EventIndex::none();
    lockTimes(one, waits, holds);
    Fact& server =
        add("stale_ns", tr("server's view"),
            one.isStale    ? tr("node deleted %1 ago").arg(format::duration(since(one.staleSince)))
            : one.active() ? tr("agrees")
                           : QString(),
            one.isStale ? QJsonValue(static_cast<qint64>(since(one.staleSince).count())) : QJsonValue());
    if (one.isStale) {
        const replay::DeletedNode* gone = m_state.deletedNode(one.lock, one.node);
        server.tone = Tone::stale;
        server.event = gone ? gone->by : EventIndex::none();
    }
}

void InspectionBuilder::lockTimes(const replay::LockUse& one, bool waits, bool holds)
{
    const bool here = waits || holds;
    addMoment("asked_ns", tr("requested at"), here ? one.asked : EventIndex::none());
    const bool asked = here && one.asked.valid();
    addWaited(asked && waits   ? std::optional(lasting(one.waitingSince))
              : asked && holds ? std::optional(m_state.pauses.without(one.waitingSince, one.heldSince))
                               : std::nullopt);
    addMoment("acquired_ns", tr("acquired at"), holds ? one.granted : EventIndex::none());
    //: label of a fact: for how long
    addLength("held_ns", tr("held"), holds ? std::optional(lasting(one.heldSince)) : std::nullopt);
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
    //: label of a fact: how often the client got the lock
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
    add("last_fault", tr("last fault"),
        command ? commandText(command->verb, clientName(m_state, row.id)) : QString(),
        command ? QJsonValue(format::escaped(command->verb)) : QJsonValue())
        .event = tally.lastFault;
}

void InspectionBuilder::event()
{
    const EventIndex index = m_inspection.what.event;
    const trace::Event* one = event(index);
    if (!one)
        return;
    m_inspection.title = tr("event %1").arg(format::eventNumber(index));
    //: heading of facts
    section("event", tr("Event"));
    const QString words = logLine(*one, m_state, m_from.store).text;
    //: label of a fact: what happened
    add("what", tr("text"), words.isEmpty() ? explain(m_state, *one).what : words);
    //: label of a fact, a noun: of an event, a handoff or a node
    add("index", tr("number"), format::eventNumber(index), static_cast<qint64>(index.value)).event = index;
    //: label of a fact: the moment of the event
    addMoment("at_ns", tr("time"), one->at, index);
    addClient("client", tr("client"), one->client);
    //: label of a fact: the path of the lock
    addLock("path", tr("lock"), one->lock);
    const auto kind = std::visit(
        [](const auto& what) { return trace::kindName<std::remove_cvref_t<decltype(what)>>; }, one->what);
    const QString kindName = QString::fromLatin1(kind);
    //: label of a fact: of an event or a node
    add("kind", tr("kind"), kindName, kindName);
    const bool caused = event(one->cause) != nullptr;
    add("cause", tr("caused by"), eventWords(one->cause),
        caused ? QJsonValue(static_cast<qint64>(one->cause.value)) : QJsonValue())
        .event = caused ? one->cause : EventIndex::none();
    addLength("after_cause_ns", tr("after its cause"),
              caused ? std::optional(one->at - event(one->cause)->at) : std::nullopt);
    if (const auto handoff = m_from.timeline->handoffAt(index)) {
        const replay::Handoff& ended = m_from.timeline->handoff(*handoff);
        Fact& fact = add("handoff", tr("ends the handoff"),
                         tr("%1 → %2").arg(clientName(m_state, ended.from), clientName(m_state, ended.to)),
                         static_cast<qint64>(*handoff + 1));
        fact.target = {Selected::Kind::handoff, ended.to, {}, m_inspection.what.lock, index};
    }
    payload(*one);
}

void InspectionBuilder::payload(const trace::Event& one)
{
    section("fields", tr("Fields"));
    std::visit(
        [&](const auto& what) {
            trace::visitFields(what,
                               [&](std::string_view name, const auto& value) { field(one, name, value); });
        },
        one.what);
    if (m_inspection.facts.back().heading)
        m_inspection.facts.pop_back(); // the event has no fields
    transaction(m_inspection.what.event);
    transaction(one.cause);
}

// Adds the fields of a transaction log's entry: "zxid=0x1f3 cxid=12 data_bytes=9 acl=world:cdrwa", with the
// data last, if it was kept.
void InspectionBuilder::transaction(EventIndex index)
{
    const trace::Event* one = event(index);
    const auto* command = one ? std::get_if<trace::Command>(&one->what) : nullptr;
    if (!command || !command->argument.starts_with("zxid="))
        return;
    //: heading of facts: a write in ZooKeeper's log
    section("transaction", tr("Transaction"));
    std::string_view rest = command->argument;
    while (!rest.empty()) {
        const std::size_t equals = rest.find('=');
        if (equals == std::string_view::npos)
            return;
        const std::string_view key = rest.substr(0, equals);
        const std::size_t end = key == "data" ? rest.size() : std::min(rest.find(' ', equals), rest.size());
        const std::string_view value = rest.substr(equals + 1, end - equals - 1);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const QString label = key == "zxid"         ? tr("zxid")
                              : key == "cxid"       ? tr("cxid")
                              : key == "data_bytes" ? tr("data, bytes")
                              : key == "data"       ? /*: label of a fact: of the node */ tr("data")
                              : key == "acl"        ? tr("ACL")
                              : key == "by"         ? /*: label of a fact: the client that did it */ tr("by")
                                                    : QString();
        if (label.isEmpty())
            continue;
        const QByteArray id("transaction_" + QByteArray(key.data(), static_cast<qsizetype>(key.size())));
        if (key == "by")
            addClient(id.constData(), label,
                      ClientId{QByteArray(value.data(), static_cast<qsizetype>(value.size())).toUInt() - 1});
        else
            addOutside(id.constData(), label, value).event = index;
    }
}

// The names of fields are those of the trace file, in every language.
template <class F>
void InspectionBuilder::field(const trace::Event& one, std::string_view named, const F& value)
{
    const QByteArray id(named.data(), static_cast<qsizetype>(named.size()));
    const QString label = QString::fromLatin1(id);
    if constexpr (std::is_same_v<F, trace::Text>) {
        const bool node = named == "node" || named == "ahead";
        if (node && (m_state.node(one.lock, value) || m_state.deletedNode(one.lock, value)))
            addNode(id.constData(), label, one.lock, value).value = format::plain(value);
        else
            addOutside(id.constData(), label, value);
    } else if constexpr (std::is_same_v<F, MessageView>) {
        addOutside(id.constData(), label, value.english());
    } else if constexpr (std::is_same_v<F, bool>) {
        addYesNo(id.constData(), label, value);
    } else if constexpr (std::is_same_v<F, Duration>) {
        const bool bounded = value != kForever;
        add(id.constData(), label, format::duration(value),
            bounded ? QJsonValue(static_cast<qint64>(value.count())) : QJsonValue());
    } else if constexpr (std::is_same_v<F, SessionId>) {
        addSession(id.constData(), label, value);
    } else if constexpr (std::is_same_v<F, Zxid>) {
        const QString number = value.valid() ? format::zxid(value) : QString();
        add(id.constData(), label, number, number);
    } else if constexpr (std::is_same_v<F, OwnerId>) {
        add(id.constData(), label, value.valid() ? format::count(value.value) : QString(),
            value.valid() ? QJsonValue(static_cast<qint64>(value.value)) : QJsonValue());
    } else if constexpr (std::is_enum_v<F>) {
        add(id.constData(), label, traceName(value), traceName(value));
    } else {
        add(id.constData(), label, format::count(value), static_cast<qint64>(value));
    }
}

void InspectionBuilder::handoff()
{
    const auto index = m_from.timeline->handoffAt(m_inspection.what.event);
    if (!index)
        return;
    const replay::Handoff& one = m_from.timeline->handoff(*index);
    m_inspection.title = tr("%1 → %2").arg(clientName(m_state, one.from), clientName(m_state, one.to));
    //: heading of facts
    section("handoff", tr("Handoff"));
    add("number", tr("number"), tr("%1 in this run").arg(format::count(*index + 1)),
        static_cast<qint64>(*index + 1));
    //: label of a fact: who handed the lock over
    addClient("from", tr("from"), one.from).event = one.releaseEvent;
    //: label of a fact: who received the lock
    addClient("to", tr("to"), one.to).event = one.acquiredEvent;
    addLock("path", tr("lock"), one.lock);
    addNode("node_from", tr("deleted node"), one.lock, nodeOf(event(one.releaseEvent))).event =
        one.commitEvent;
    addNode("node_to", tr("next holder's node"), one.lock, nodeOf(event(one.acquiredEvent))).event =
        one.acquiredEvent;
    //: label of a fact: how long the handoff took
    addLength("latency_ns", tr("took"), one.latency()).tone = Tone::wake;
    if (one.paused)
        //: label of a fact: the run was paused during the handoff
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
    section("parts", tr("Parts"));
    addMoment("released_ns", called ? tr("release called") : tr("hold taken away"), one.released,
              one.releaseEvent);
    for (const HandoffStep& step : handoffSteps(one)) {
        if (!step.event.valid()) {
            add(step.id.data(), step.name, {});
            continue;
        }
        Fact& fact = add(step.id.data(), step.name,
                         tr("%1 · +%2").arg(format::timestamp(step.at), format::duration(step.length)),
                         static_cast<qint64>(step.at.count()));
        fact.event = step.event;
        fact.duration = step.length;
        fact.tone = step.tone;
    }
}

void InspectionBuilder::node()
{
    const std::string name = m_inspection.what.node.toStdString();
    const LockId at = m_inspection.what.lock;
    m_inspection.title = format::sequenceShort(name);
    const replay::LockRow* lock = m_state.lock(at);
    const replay::NodeRow* row = m_state.node(at, name);
    if (lock && row)
        nodeThere(*lock, *row);
    else if (const replay::DeletedNode* gone = m_state.deletedNode(at, name))
        nodeGone(*gone);
}

QString InspectionBuilder::nodeKind(const replay::LockRow& lock, const replay::NodeRow& row) const
{
    if (row.kind)
        return watchedKindText(row);
    if (row.phase == replay::NodePhase::foreign || !row.owner.valid())
        //: the kind of a node: it belongs to no client of the run
        return tr("foreign");
    if (m_state.isLease(lock.id, row.name))
        //: the kind of a node
        return tr("lease");
    if (row.reads)
        //: the kind of a node: of a read lock
        return tr("read");
    //: the kind of a node: of a write lock
    return isReadWrite(lock.kind()) ? tr("write") : /*: the kind of a node */ tr("mutex");
}

void InspectionBuilder::nodeHead(trace::Text name, LockId lock, std::int64_t sequence, EventIndex createdBy)
{
    section("node", tr("Lock node"));
    addOutside("name", tr("name"), name).event = createdBy;
    addLock("path", tr("lock"), lock);
    add("number", tr("number"), sequence >= 0 ? format::count(static_cast<quint64>(sequence)) : QString(),
        static_cast<qint64>(sequence));
}

void InspectionBuilder::nodeThere(const replay::LockRow& lock, const replay::NodeRow& row)
{
    const replay::ClientRow* owner = m_state.client(row.owner);
    const replay::LockUse* one = owner ? owner->lockUse(lock.id, row.name) : nullptr;
    const auto by = [one](EventIndex replay::LockUse::*event) {
        return one ? one->*event : EventIndex::none();
    };
    const bool holds = row.phase == replay::NodePhase::holds || row.phase == replay::NodePhase::releasing;
    const bool waits = row.phase == replay::NodePhase::waits || row.phase == replay::NodePhase::joining;
    nodeHead(row.name, lock.id, row.sequence, row.createdBy);
    const TonedText status = nodeStatus(row, isWoken(m_state, lock, row));
    Fact& state = add("state", tr("state"), status.text,
                      QLatin1String(kNodePhases[static_cast<std::size_t>(row.phase)]));
    state.tone = status.tone;
    state.event = by(&replay::LockUse::phaseBy);
    addPlace(lock.id, row.name, by(&replay::LockUse::decided));
    //: label of a fact: the client that the node belongs to
    addClient("owner", tr("owner"), row.owner).event = row.createdBy;
    addSession("session", tr("session"), row.session);
    const QString kind = nodeKind(lock, row);
    add("kind", tr("kind"), kind, kind);
    const QString token = row.token.valid() ? format::zxid(row.token) : QString();
    add("czxid", lock.watched ? tr("czxid") : tr("token (czxid)"), token, token).event =
        token.isEmpty() ? EventIndex::none() : row.createdBy;
    if (lock.watched)
        addMoment("seen_ns",
                  row.before ? tr("already there when LockScope began to watch") : tr("first seen"),
                  row.created, row.createdBy);
    else
        //: label of a fact: when the node was created
        addMoment("created_ns", tr("created"), row.created, row.createdBy);
    addNode("watches", tr("watches"), lock.id, row.watches).event = by(&replay::LockUse::watchBy);
    addMoment("asked_ns", tr("requested at"),
              waits || holds ? by(&replay::LockUse::asked) : EventIndex::none());
    addWaited(!owner || row.waitsLonger ? std::nullopt
              : waits                   ? std::optional(lasting(row.waitingSince))
              : holds && one && one->asked.valid()
                  ? std::optional(m_state.pauses.without(row.waitingSince, row.heldSince))
                  : std::nullopt);
    //: label of a fact: when the owner of the node got the lock
    addMoment("acquired_ns", tr("acquired"), holds ? by(&replay::LockUse::granted) : EventIndex::none());
    addLength("held_ns", tr("held"),
              holds && !row.heldBefore ? std::optional(lasting(row.heldSince)) : std::nullopt);
    add("depth", tr("depth"), holds && row.depth > 0 ? tr("×%1").arg(row.depth) : QString(),
        holds ? row.depth : 0)
        .event = holds ? by(&replay::LockUse::depthBy) : EventIndex::none();
    watchers(row);
}

void InspectionBuilder::watchers(const replay::NodeRow& row)
{
    std::size_t count = 0;
    std::vector<std::pair<ClientId, EventIndex>> named; // with the source event
    replay::LockUseRef at = row.firstWatcher;
    while (at.valid()) {
        const replay::LockUse* one = m_state.lockUse(at);
        if (!one)
            break;
        if (++count <= kMaxWatchers)
            named.emplace_back(at.client, one->watchBy);
        at = one->nextWatcher;
    }
    if (const trace::Event* seen = event(row.createdBy))
        transaction(seen->cause);
    section("watched_by", tr("Watched by"));
    //: label of a fact: how many clients watch the node
    add("count", tr("clients"), format::count(count), static_cast<qint64>(count));
    for (const auto& [client, by] : named)
        addClient(QByteArray("client").append(QByteArray::number(client.value)).constData(), tr("client"),
                  client)
            .event = by;
}

// The facts about a deleted node that are kept while it is among the last ones deleted.
void InspectionBuilder::nodeGone(const replay::DeletedNode& gone)
{
    nodeHead(gone.name, m_inspection.what.lock, gone.sequence, gone.createdBy);
    Fact& state = add("state", tr("state"), tr("gone"), QStringLiteral("gone"));
    state.tone = Tone::muted;
    state.event = gone.by;
    addClient("owner", tr("owner"), gone.owner).event = gone.createdBy;
    addMoment("created_ns", tr("created"), gone.createdBy);
    //: label of a fact: when the node was deleted; as a value: it was deleted
    addMoment("gone_ns", tr("gone"), gone.by);
    add("gone_by", tr("known from"), eventWords(gone.by)).event = gone.by;
    add("woken", tr("clients woken"), format::count(gone.woken), static_cast<qint64>(gone.woken));
    addClient("first_woken", tr("woken first"), gone.firstWoken);
}

} // namespace lockscope::ui
