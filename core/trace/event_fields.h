// The only list of all events and their fields, one row for each: the name on disk, and the fields with
// theirs. The reader, the writer, the text of the log and the tests derive from it: visitFields(event, v)
// calls v(name, field) for each field in order, and kindName<T> is the name on disk.
#pragma once

#include "core/trace/event.h"
#include "core/trace/session_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>

namespace lockscope::trace {

template <class Fields>
struct EventRow
{
    std::string_view name;
    Fields fields; // calls its second argument for each field of its first
};

template <class Fields>
constexpr EventRow<Fields> eventRow(std::string_view name, Fields fields)
{
    return {name, fields};
}

// An event without a row does not compile.
template <class E>
inline constexpr int kEventRow = 0;

template <>
inline constexpr auto kEventRow<RunPhaseChanged> = eventRow("run_state", [](auto& e, auto& v) {
    v("phase", e.phase);
    v("detail", e.detail);
    v("cut_short", e.cutShort);
});
template <>
inline constexpr auto kEventRow<ServerState> = eventRow("server_state", [](auto& e, auto& v) {
    v("phase", e.phase);
    v("address", e.address);
    v("version", e.version);
    v("mode", e.mode);
    v("detail", e.detail);
});
template <>
inline constexpr auto kEventRow<MemberState> = eventRow("member_state", [](auto& e, auto& v) {
    v("member", e.member);
    v("phase", e.phase);
    v("mode", e.mode);
});
template <>
inline constexpr auto kEventRow<LockAdded> = eventRow("lock_added", [](auto& e, auto& v) {
    v("path", e.path);
    v("recipe", e.recipe);
    v("handoff", e.handoff);
});
template <>
inline constexpr auto kEventRow<LockLimit> = eventRow("lock_limit",
                                                      [](auto& e, auto& v) { v("permits", e.permits); });
template <>
inline constexpr auto kEventRow<ClientAdded> = eventRow("client_added", [](auto& e, auto& v) {
    v("name", e.name);
    v("colour", e.colour);
    v("process", e.process);
});
template <>
inline constexpr auto kEventRow<ClientRemoved> = eventRow("client_removed", [](auto&, auto&) {});
template <>
inline constexpr auto kEventRow<Command> = eventRow("command", [](auto& e, auto& v) {
    v("verb", e.verb);
    v("argument", e.argument);
});
template <>
inline constexpr auto kEventRow<CommandRefused> = eventRow("command_refused", [](auto& e, auto& v) {
    v("verb", e.verb);
    v("reason", e.reason);
});
template <>
inline constexpr auto kEventRow<PaceChanged> = eventRow("pace_changed",
                                                        [](auto& e, auto& v) { v("step", e.step); });
template <>
inline constexpr auto kEventRow<Notice> = eventRow("notice", [](auto& e, auto& v) {
    v("severity", e.severity);
    v("text", e.text);
    v("code", e.code);
    v("right", e.right);
    v("path", e.path);
});
template <>
inline constexpr auto kEventRow<LinkState> = eventRow("link_state", [](auto& e, auto& v) {
    v("cut", e.cut);
    v("delay", e.delay);
    v("jitter", e.jitter);
    v("bytes_per_second", e.bytesPerSecond);
    v("muted_to_server", e.mutedToServer);
    v("muted_to_client", e.mutedToClient);
    v("half_open", e.halfOpen);
});
template <>
inline constexpr auto kEventRow<StepHeld> = eventRow("step_held",
                                                     [](auto& e, auto& v) { v("step", e.step); });
template <>
inline constexpr auto kEventRow<StepTaken> = eventRow("step_taken",
                                                      [](auto& e, auto& v) { v("step", e.step); });
template <>
inline constexpr auto kEventRow<SessionState> = eventRow("session_state", [](auto& e, auto& v) {
    v("phase", e.phase);
    v("session", e.session);
    v("timeout", e.timeout);
});
template <>
inline constexpr auto kEventRow<SessionGone> = eventRow("session_gone",
                                                        [](auto& e, auto& v) { v("session", e.session); });
template <>
inline constexpr auto kEventRow<Thinks> = eventRow("thinks",
                                                   [](auto& e, auto& v) { v("planned", e.planned); });
template <>
inline constexpr auto kEventRow<AcquireCalled> = eventRow("acquire_called", [](auto& e, auto& v) {
    v("owner", e.owner);
    v("timeout", e.timeout);
});
template <>
inline constexpr auto kEventRow<Decided> = eventRow("decided", [](auto& e, auto& v) {
    v("node", e.node);
    v("position", e.position);
    v("count", e.count);
    v("ahead", e.ahead);
});
template <>
inline constexpr auto kEventRow<Acquired> = eventRow("acquired", [](auto& e, auto& v) {
    v("node", e.node);
    v("token", e.token);
    v("owner", e.owner);
});
template <>
inline constexpr auto kEventRow<Reentered> = eventRow("reentered", [](auto& e, auto& v) {
    v("depth", e.depth);
    v("owner", e.owner);
});
template <>
inline constexpr auto kEventRow<AcquireFailed> = eventRow("acquire_failed", [](auto& e, auto& v) {
    v("reason", e.reason);
    v("owner", e.owner);
    v("detail", e.detail);
});
template <>
inline constexpr auto kEventRow<StartedOver> = eventRow("started_over", [](auto& e, auto& v) {
    v("node", e.node);
    v("why", e.why);
});
template <>
inline constexpr auto kEventRow<ReleaseCalled> = eventRow("release_called", [](auto& e, auto& v) {
    v("node", e.node);
    v("depth", e.depth);
    v("owner", e.owner);
});
template <>
inline constexpr auto kEventRow<Released> = eventRow("released", [](auto& e, auto& v) {
    v("node", e.node);
    v("depth", e.depth);
    v("owner", e.owner);
});
template <>
inline constexpr auto kEventRow<HoldLost> = eventRow("hold_lost", [](auto& e, auto& v) {
    v("node", e.node);
    v("reason", e.reason);
    v("owner", e.owner);
});
template <>
inline constexpr auto kEventRow<ResourceUse> = eventRow("resource_use", [](auto& e, auto& v) {
    v("action", e.action);
    v("token", e.token);
});
template <>
inline constexpr auto kEventRow<ResourceValue> = eventRow("resource_value", [](auto& e, auto& v) {
    v("name", e.name);
    v("value", e.value);
    v("fault", e.fault);
});
template <>
inline constexpr auto kEventRow<ClientFinished> = eventRow("client_finished", [](auto&, auto&) {});
template <>
inline constexpr auto kEventRow<Request> = eventRow("request", [](auto& e, auto& v) {
    v("op", e.op);
    v("node", e.node);
    v("watch", e.watch);
    v("together", e.together);
});
template <>
inline constexpr auto kEventRow<Reply> = eventRow("reply", [](auto& e, auto& v) {
    v("op", e.op);
    v("outcome", e.outcome);
    v("node", e.node);
    v("zxid", e.zxid);
    v("count", e.count);
});
template <>
inline constexpr auto kEventRow<WatchFired> = eventRow("watch_fired", [](auto& e, auto& v) {
    v("kind", e.kind);
    v("node", e.node);
});
template <>
inline constexpr auto kEventRow<NodeSeen> = eventRow("node_seen", [](auto& e, auto& v) {
    v("node", e.node);
    v("session", e.session);
    v("czxid", e.czxid);
    v("foreign", e.foreign);
});
template <>
inline constexpr auto kEventRow<NodeVanished> = eventRow("node_vanished",
                                                         [](auto& e, auto& v) { v("node", e.node); });
template <>
inline constexpr auto kEventRow<Observed> = eventRow("observed",
                                                     [](auto& e, auto& v) { v("count", e.count); });
template <>
inline constexpr auto kEventRow<PathState> = eventRow("path_state", [](auto& e, auto& v) {
    v("kind", e.kind);
    v("locks", e.locks);
    v("children", e.children);
});
template <>
inline constexpr auto kEventRow<WatchSeen> = eventRow("watch_seen", [](auto& e, auto& v) {
    v("node", e.node);
    v("session", e.session);
});
template <>
inline constexpr auto kEventRow<WatchVanished> = eventRow("watch_vanished", [](auto& e, auto& v) {
    v("node", e.node);
    v("session", e.session);
});
template <>
inline constexpr auto kEventRow<WatchesRead> = eventRow("watches_read", [](auto& e, auto& v) {
    v("took", e.took);
    v("count", e.count);
    v("answered", e.answered);
    v("servers", e.servers);
    v("refusal", e.refusal);
});

template <class E>
inline constexpr std::string_view kindName = kEventRow<E>.name;

template <class E, class V>
void visitFields(E& e, V&& v)
{
    kEventRow<std::remove_const_t<E>>.fields(e, v);
}

// Kinds of events whose numeric fields are left out of the file when they are 0.
template <class E>
inline constexpr bool zeroIsNone = std::is_same_v<E, LinkState>;

// The names of the enumerators of trace/event.h on disk; base/vocabulary.h has the others.
constexpr auto enumNames(RunPhase)
{
    return std::to_array<std::string_view>({"starting", "running", "paused", "finished", "failed"});
}
constexpr auto enumNames(ServerPhase)
{
    return std::to_array<std::string_view>({"starting", "ready", "down", "stopped"});
}
constexpr auto enumNames(Severity) { return std::to_array<std::string_view>({"info", "warning", "error"}); }
constexpr auto enumNames(Outcome)
{
    return std::to_array<std::string_view>(
        {"ok", "noNode", "nodeExists", "refused", "unknown", "sessionGone"});
}
constexpr auto enumNames(FailReason)
{
    return std::to_array<std::string_view>(
        {"timedOut", "cancelled", "sessionLost", "retriesExhausted", "error"});
}
constexpr auto enumNames(SessionIds) { return std::to_array<std::string_view>({"pseudonyms", "real"}); }
constexpr auto enumNames(PathKind) { return std::to_array<std::string_view>({"missing", "queue", "folder"}); }
constexpr auto enumNames(ResourceAction)
{
    return std::to_array<std::string_view>({"entered", "left", "conflict", "refused"});
}

using lockscope::enumFrom;
using lockscope::nameOf;

} // namespace lockscope::trace
