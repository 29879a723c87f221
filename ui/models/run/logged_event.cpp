#include "ui/models/run/logged_event.h"

#include "ui/models/run/trace_name.h"

#include <string_view>
#include <type_traits>
#include <variant>

namespace lockscope::ui {

namespace {

template <class T, class... Kinds>
constexpr bool isOneOf = (std::is_same_v<T, Kinds> || ...);

} // namespace

bool isLogged(const trace::Event& event)
{
    using namespace trace;
    return std::visit(
        []<class E>([[maybe_unused]] const E& e) {
            // A plain reply only gives its request a latency; the other replies have a line of their own.
            if constexpr (std::is_same_v<E, Reply>)
                return e.outcome != Outcome::ok || e.op == Operation::create;
            else if constexpr (std::is_same_v<E, NodeSeen>)
                return e.foreign;
            else if constexpr (std::is_same_v<E, ResourceUse>)
                return e.action == ResourceAction::conflict || e.action == ResourceAction::refused;
            else
                return !isOneOf<E, trace::RunPhaseChanged, ServerState, MemberState, LockAdded, LockLimit,
                                ClientAdded, ClientRemoved, PaceChanged, Thinks, ClientFinished, NodeVanished,
                                Observed, WatchSeen, WatchVanished, WatchesRead>;
        },
        event.what);
}

QString logVerb(const trace::Event& event)
{
    return std::visit(
        [](const auto& e) {
            using E = std::remove_cvref_t<decltype(e)>;
            if constexpr (std::is_same_v<E, trace::Request> || std::is_same_v<E, trace::Reply>)
                return traceName(e.op);
            else if constexpr (std::is_same_v<E, trace::WatchFired>)
                return traceName(e.kind);
            else
                return QString::fromLatin1(trace::kindName<E>);
        },
        event.what);
}

QLatin1String logKind(const trace::Event& event)
{
    using namespace trace;
    return std::visit(
        []<class E>(const E&) {
            if constexpr (std::is_same_v<E, Request>)
                return kLogKinds[0];
            else if constexpr (std::is_same_v<E, Reply>)
                return kLogKinds[1];
            else if constexpr (std::is_same_v<E, WatchFired>)
                return kLogKinds[2];
            else if constexpr (isOneOf<E, trace::SessionState, SessionGone>)
                return kLogKinds[4];
            else if constexpr (isOneOf<E, AcquireCalled, Decided, Acquired, Reentered, AcquireFailed,
                                       StartedOver, ReleaseCalled, Released, HoldLost>)
                return kLogKinds[3];
            else
                return kLogKinds[5];
        },
        event.what);
}

QString logNode(const trace::Event& event)
{
    QString node;
    std::visit(
        [&](const auto& what) {
            trace::visitFields(what, [&](std::string_view name, const auto& field) {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, trace::Text>)
                    if (name == "node")
                        node = QString::fromUtf8(field);
            });
        },
        event.what);
    return node;
}

bool watchesOwnNode(const trace::Event& event, const trace::TraceStore& store)
{
    const auto* request = std::get_if<trace::Request>(&event.what);
    if (!request || !request->watch || request->op != Operation::getData)
        return false;
    if (!event.cause.valid() || event.cause.value >= store.count())
        return !event.cause.valid();
    const auto* decided = std::get_if<trace::Decided>(&store.at(event.cause).what);
    return decided && decided->node == request->node;
}

} // namespace lockscope::ui
