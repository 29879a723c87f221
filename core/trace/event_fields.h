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

// An event without a row does not compile, nor does one with another number of fields. [0]: the name of the
// event; then those of its fields, in the order of its members.
template <class E>
inline constexpr int kEventRow = 0;

template <class... Names>
constexpr auto eventRow(Names... names)
{
    return std::array<std::string_view, sizeof...(names)>{names...};
}

template <>
inline constexpr auto kEventRow<RunPhaseChanged> = eventRow("run_state", "phase", "detail", "cut_short");
template <>
inline constexpr auto kEventRow<ServerState> = eventRow("server_state", "phase", "address", "version", "mode",
                                                        "detail");
template <>
inline constexpr auto kEventRow<MemberState> = eventRow("member_state", "member", "phase", "mode");
template <>
inline constexpr auto kEventRow<LockAdded> = eventRow("lock_added", "path", "recipe", "handoff");
template <>
inline constexpr auto kEventRow<LockLimit> = eventRow("lock_limit", "permits");
template <>
inline constexpr auto kEventRow<ClientAdded> = eventRow("client_added", "name", "colour", "process", "trace");
template <>
inline constexpr auto kEventRow<ClientRemoved> = eventRow("client_removed");
template <>
inline constexpr auto kEventRow<Command> = eventRow("command", "verb", "argument");
template <>
inline constexpr auto kEventRow<CommandRefused> = eventRow("command_refused", "verb", "reason");
template <>
inline constexpr auto kEventRow<PaceChanged> = eventRow("pace_changed", "step");
template <>
inline constexpr auto kEventRow<Notice> = eventRow("notice", "severity", "text", "code", "right", "path");
template <>
inline constexpr auto kEventRow<LinkState> = eventRow("link_state", "cut", "delay", "jitter",
                                                      "bytes_per_second", "muted_to_server",
                                                      "muted_to_client", "half_open");
template <>
inline constexpr auto kEventRow<StepHeld> = eventRow("step_held", "step");
template <>
inline constexpr auto kEventRow<StepTaken> = eventRow("step_taken", "step");
template <>
inline constexpr auto kEventRow<SessionState> = eventRow("session_state", "phase", "session", "timeout");
template <>
inline constexpr auto kEventRow<SessionGone> = eventRow("session_gone", "session");
template <>
inline constexpr auto kEventRow<Thinks> = eventRow("thinks", "planned");
template <>
inline constexpr auto kEventRow<AcquireCalled> = eventRow("acquire_called", "owner", "timeout");
template <>
inline constexpr auto kEventRow<Decided> = eventRow("decided", "node", "position", "count", "ahead");
template <>
inline constexpr auto kEventRow<Acquired> = eventRow("acquired", "node", "token", "owner");
template <>
inline constexpr auto kEventRow<Reentered> = eventRow("reentered", "depth", "owner");
template <>
inline constexpr auto kEventRow<AcquireFailed> = eventRow("acquire_failed", "reason", "owner", "detail");
template <>
inline constexpr auto kEventRow<StartedOver> = eventRow("started_over", "node", "why");
template <>
inline constexpr auto kEventRow<ReleaseCalled> = eventRow("release_called", "node", "depth", "owner");
template <>
inline constexpr auto kEventRow<Released> = eventRow("released", "node", "depth", "owner");
template <>
inline constexpr auto kEventRow<HoldLost> = eventRow("hold_lost", "node", "reason", "owner");
template <>
inline constexpr auto kEventRow<ResourceUse> = eventRow("resource_use", "action", "token");
template <>
inline constexpr auto kEventRow<ResourceValue> = eventRow("resource_value", "name", "value", "fault");
template <>
inline constexpr auto kEventRow<ClientFinished> = eventRow("client_finished");
template <>
inline constexpr auto kEventRow<Request> = eventRow("request", "op", "node", "watch", "together");
template <>
inline constexpr auto kEventRow<Reply> = eventRow("reply", "op", "outcome", "node", "zxid", "count");
template <>
inline constexpr auto kEventRow<WatchFired> = eventRow("watch_fired", "kind", "node");
template <>
inline constexpr auto kEventRow<NodeSeen> = eventRow("node_seen", "node", "session", "czxid", "foreign",
                                                     "age");
template <>
inline constexpr auto kEventRow<NodeVanished> = eventRow("node_vanished", "node");
template <>
inline constexpr auto kEventRow<Observed> = eventRow("observed", "count");
template <>
inline constexpr auto kEventRow<PathState> = eventRow("path_state", "kind", "locks", "children");
template <>
inline constexpr auto kEventRow<WatchSeen> = eventRow("watch_seen", "node", "session");
template <>
inline constexpr auto kEventRow<WatchVanished> = eventRow("watch_vanished", "node", "session");
template <>
inline constexpr auto kEventRow<WatchesRead> = eventRow("watches_read", "took", "count", "answered",
                                                        "servers", "refusal");

template <class E>
inline constexpr std::string_view kindName = kEventRow<E>[0];

template <class E, class V>
void visitFields(E& event, V&& v)
{
    constexpr auto& names = kEventRow<std::remove_const_t<E>>;
    [[maybe_unused]] const auto visit = [&](auto&... field) {
        std::size_t next = 1;
        (v(names[next++], field), ...);
    };
    constexpr std::size_t count = names.size() - 1;
    static_assert(count <= 7);
    if constexpr (count == 1) {
        auto& [a] = event;
        visit(a);
    }
    if constexpr (count == 2) {
        auto& [a, b] = event;
        visit(a, b);
    }
    if constexpr (count == 3) {
        auto& [a, b, c] = event;
        visit(a, b, c);
    }
    if constexpr (count == 4) {
        auto& [a, b, c, d] = event;
        visit(a, b, c, d);
    }
    if constexpr (count == 5) {
        auto& [a, b, c, d, e] = event;
        visit(a, b, c, d, e);
    }
    if constexpr (count == 6) {
        auto& [a, b, c, d, e, f] = event;
        visit(a, b, c, d, e, f);
    }
    if constexpr (count == 7) {
        auto& [a, b, c, d, e, f, g] = event;
        visit(a, b, c, d, e, f, g);
    }
}

// Kinds of events whose numeric fields are left out of the file when they are 0.
template <class E>
inline constexpr bool zeroIsNone = std::is_same_v<E, LinkState> || std::is_same_v<E, NodeSeen>;

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
