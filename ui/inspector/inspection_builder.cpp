#include "ui/inspector/inspection_builder.h"

#include "core/trace/event_fields.h"
#include "ui/models/format.h"
#include "ui/models/log_line.h"
#include "ui/models/logged_event.h"

#include <algorithm>

namespace lockscope::ui {

using Kind = Selected::Kind;

namespace {

constexpr int kMaxShownLength = 160; // characters of a text from outside

QString all(trace::Text text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

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
        m_inspection.kind = tr("client");
        if (const replay::ClientRow* row = m_state.client(m_inspection.what.client))
            client(*row);
        break;
    case Kind::node:
        m_inspection.kind = tr("lock node");
        node();
        break;
    case Kind::handoff:
        m_inspection.kind = tr("handoff");
        handoff();
        break;
    case Kind::event:
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

Fact& InspectionBuilder::add(const char* id, const QString& label, const QString& value, const QJsonValue& exact)
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
    fact.names = {Kind::client, client, all(row->node), m_inspection.what.lock, EventIndex::none()};
    return fact;
}

Fact& InspectionBuilder::addNode(const char* id, const QString& label, LockId lock, trace::Text node)
{
    if (node.empty())
        return add(id, label, {});
    Fact& fact = add(id, label, format::sequenceShort(node));
    fact.whole = node;
    const replay::DeletedNode* gone = m_state.deletedNode(lock, node);
    fact.names = {Kind::node, gone ? gone->owner : m_state.ownerOf(lock, node), all(node), lock,
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

Fact& InspectionBuilder::addLength(const char* id, const QString& label, std::optional<Duration> length)
{
    return length ? add(id, label, format::duration(*length), static_cast<qint64>(length->count()))
                  : add(id, label, {});
}

Fact& InspectionBuilder::addWaited(std::optional<Duration> length)
{
    return length
               ? add("waited_ns", tr("waited"), format::waitTime(*length), static_cast<qint64>(length->count()))
               : add("waited_ns", tr("waited"), {});
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
    return add(id, label, yes ? tr("yes") : tr("no"), yes);
}

// Deletions move a node up and say nothing of places: only a list that says just this is its proof.
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

QString InspectionBuilder::name(ClientId client) const
{
    const replay::ClientRow* row = m_state.client(client);
    return row              ? format::plain(row->name, 24)
           : client.valid() ? format::defaultClientName(client)
                            : tr("somebody");
}

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
    if (line.text.isEmpty())
        return one->client.valid() ? name(one->client) + QStringLiteral(": ") + logVerb(*one) : logVerb(*one);
    return line.who + QStringLiteral(": ") + line.text;
}

} // namespace lockscope::ui
