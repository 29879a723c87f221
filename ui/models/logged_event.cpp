#include "ui/models/logged_event.h"

#include "ui/models/trace_name.h"

#include <string_view>
#include <type_traits>
#include <variant>

namespace lockscope::ui {

namespace {

template <class... F>
struct Overloaded : F...
{
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>; // clang 14 needs it

} // namespace

bool isLogged(const trace::Event& event)
{
    return std::visit(Overloaded{
                          // A plain reply is the latency beside its request; the other replies have a line of their own.
                          [](const trace::Reply& e) {
                              return e.outcome != trace::Outcome::ok || e.op == trace::Op::create;
                          },
                          [](const trace::NodeSeen& e) { return e.foreign; },
                          [](const trace::ResourceUse& e) {
                              return e.action == trace::ResourceAction::conflict ||
                                     e.action == trace::ResourceAction::refused;
                          },
                          [](const trace::RunState&) { return false; },
                          [](const trace::ServerState&) { return false; },
                          [](const trace::MemberState&) { return false; },
                          [](const trace::LockAdded&) { return false; },
                          [](const trace::LockLimit&) { return false; },
                          [](const trace::ClientAdded&) { return false; },
                          [](const trace::ClientRemoved&) { return false; },
                          [](const trace::PaceChanged&) { return false; },
                          [](const trace::Thinks&) { return false; },
                          [](const trace::ClientFinished&) { return false; },
                          [](const trace::NodeVanished&) { return false; },
                          [](const trace::Observed&) { return false; },
                          [](const trace::WatchSeen&) { return false; },
                          [](const trace::WatchVanished&) { return false; },
                          [](const trace::WatchesRead&) { return false; },
                          [](const auto&) { return true; },
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
            else {
                constexpr std::string_view name = trace::kindName<E>;
                return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
            }
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
            else if constexpr (std::is_same_v<E, trace::SessionState> || std::is_same_v<E, SessionGone>)
                return kLogKinds[4];
            else if constexpr (std::is_same_v<E, AcquireCalled> || std::is_same_v<E, Decided> ||
                               std::is_same_v<E, Acquired> || std::is_same_v<E, Reentered> ||
                               std::is_same_v<E, AcquireFailed> || std::is_same_v<E, StartedOver> ||
                               std::is_same_v<E, ReleaseCalled> || std::is_same_v<E, Released> ||
                               std::is_same_v<E, HoldLost>)
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
                        node = QString::fromUtf8(field.data(), static_cast<qsizetype>(field.size()));
            });
        },
        event.what);
    return node;
}

bool watchesOwnNode(const trace::Event& event, const trace::TraceStore& store)
{
    const auto* request = std::get_if<trace::Request>(&event.what);
    if (!request || !request->watch || request->op != trace::Op::getData)
        return false;
    if (!event.cause.valid() || event.cause.value >= store.count())
        return !event.cause.valid();
    const auto* decided = std::get_if<trace::Decided>(&store.at(event.cause).what);
    return decided && decided->node == request->node;
}

} // namespace lockscope::ui
