// What is known of an event: when, who, on which lock, why, and every field of it by its name in the trace.
#include "ui/inspector/inspection_builder.h"

#include "core/trace/event_fields.h"
#include "ui/models/format.h"
#include "ui/models/log_line.h"
#include "ui/models/logged_event.h"
#include "ui/models/trace_name.h"

#include <algorithm>
#include <type_traits>

namespace lockscope::ui {

void InspectionBuilder::event()
{
    const EventIndex index = m_inspection.what.event;
    const trace::Event* one = event(index);
    if (!one)
        return;
    m_inspection.title = tr("event %1").arg(format::eventNumber(index));
    section("event", tr("Event"));
    const QString words = logLine(*one, m_state, m_from.store).text;
    add("what", tr("what"), words.isEmpty() ? logVerb(*one) : words);
    add("index", tr("number"), format::eventNumber(index), static_cast<qint64>(index.value)).event = index;
    addMoment("at_ns", tr("time"), one->at, index);
    addClient("client", tr("client"), one->client);
    addLock("path", tr("lock"), one->lock);
    const auto kind = std::visit(
        [](const auto& what) { return trace::kindName<std::remove_cvref_t<decltype(what)>>; }, one->what);
    const QString kindName = QString::fromLatin1(kind.data(), static_cast<qsizetype>(kind.size()));
    add("kind", tr("kind"), kindName, kindName);
    const bool caused = event(one->cause) != nullptr;
    Fact& cause = add("cause", tr("caused by"), eventWords(one->cause),
                      caused ? QJsonValue(static_cast<qint64>(one->cause.value)) : QJsonValue());
    cause.event = caused ? one->cause : EventIndex::none();
    addLength("after_cause_ns", tr("after its cause"),
              caused ? std::optional(one->at - event(one->cause)->at) : std::nullopt);
    if (const auto handoff = m_from.timeline->handoffAt(index)) {
        const replay::Handoff& ended = m_from.timeline->handoff(*handoff);
        Fact& fact =
            add("handoff", tr("ends the handoff"), tr("%1 → %2").arg(name(ended.from), name(ended.to)),
                static_cast<qint64>(*handoff + 1));
        fact.names = {Selected::Kind::handoff, ended.to, {}, m_inspection.what.lock, index};
    }
    payload(*one);
}

void InspectionBuilder::payload(const trace::Event& one)
{
    section("fields", tr("Its fields"));
    std::visit(
        [&](const auto& what) {
            trace::visitFields(what,
                               [&](std::string_view name, const auto& value) { field(one, name, value); });
        },
        one.what);
    if (m_inspection.facts.back().heading)
        m_inspection.facts.pop_back(); // it has none
    transaction(m_inspection.what.event);
    transaction(one.cause);
}

// Of a transaction log: "zxid=0x1f3 cxid=12 data_bytes=9 acl=world:cdrwa", with the data last, if it was kept.
void InspectionBuilder::transaction(EventIndex index)
{
    const trace::Event* one = event(index);
    const auto* command = one ? std::get_if<trace::Command>(&one->what) : nullptr;
    if (!command || !command->argument.starts_with("zxid="))
        return;
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
                              : key == "data"       ? tr("data")
                              : key == "acl"        ? tr("ACL")
                              : key == "by"         ? tr("by")
                                                    : QString();
        if (label.isEmpty())
            continue;
        const QByteArray id("transaction_" + QByteArray(key.data(), static_cast<qsizetype>(key.size())));
        if (key == "by")
            addClient(id.constData(), label, ClientId{QByteArray(value.data(), static_cast<qsizetype>(value.size())).toUInt() - 1});
        else
            addOutside(id.constData(), label, value).event = index;
    }
}

// The names are those of the trace file, in every language.
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

} // namespace lockscope::ui
