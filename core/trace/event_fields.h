// The only list of all event and field names. The codec, the text of the log and the tests visit events with it.
// visitFields(event, v) calls v(name, field) for each field in order; kindName<T> is the name on disk.
#pragma once

#include "core/trace/event.h"
#include "core/trace/session_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>

namespace lockscope::trace {

template <class T>
inline constexpr std::string_view kindName = "";

template <> inline constexpr std::string_view kindName<RunPhaseChanged> = "run_state";
template <> inline constexpr std::string_view kindName<ServerState> = "server_state";
template <> inline constexpr std::string_view kindName<MemberState> = "member_state";
template <> inline constexpr std::string_view kindName<LockAdded> = "lock_added";
template <> inline constexpr std::string_view kindName<LockLimit> = "lock_limit";
template <> inline constexpr std::string_view kindName<ClientAdded> = "client_added";
template <> inline constexpr std::string_view kindName<ClientRemoved> = "client_removed";
template <> inline constexpr std::string_view kindName<Command> = "command";
template <> inline constexpr std::string_view kindName<CommandRefused> = "command_refused";
template <> inline constexpr std::string_view kindName<PaceChanged> = "pace_changed";
template <> inline constexpr std::string_view kindName<Notice> = "notice";
template <> inline constexpr std::string_view kindName<LinkState> = "link_state";
template <> inline constexpr std::string_view kindName<StepHeld> = "step_held";
template <> inline constexpr std::string_view kindName<StepTaken> = "step_taken";
template <> inline constexpr std::string_view kindName<SessionState> = "session_state";
template <> inline constexpr std::string_view kindName<SessionGone> = "session_gone";
template <> inline constexpr std::string_view kindName<Thinks> = "thinks";
template <> inline constexpr std::string_view kindName<AcquireCalled> = "acquire_called";
template <> inline constexpr std::string_view kindName<Decided> = "decided";
template <> inline constexpr std::string_view kindName<Acquired> = "acquired";
template <> inline constexpr std::string_view kindName<Reentered> = "reentered";
template <> inline constexpr std::string_view kindName<AcquireFailed> = "acquire_failed";
template <> inline constexpr std::string_view kindName<StartedOver> = "started_over";
template <> inline constexpr std::string_view kindName<ReleaseCalled> = "release_called";
template <> inline constexpr std::string_view kindName<Released> = "released";
template <> inline constexpr std::string_view kindName<HoldLost> = "hold_lost";
template <> inline constexpr std::string_view kindName<ResourceUse> = "resource_use";
template <> inline constexpr std::string_view kindName<ResourceValue> = "resource_value";
template <> inline constexpr std::string_view kindName<ClientFinished> = "client_finished";
template <> inline constexpr std::string_view kindName<Request> = "request";
template <> inline constexpr std::string_view kindName<Reply> = "reply";
template <> inline constexpr std::string_view kindName<WatchFired> = "watch_fired";
template <> inline constexpr std::string_view kindName<NodeSeen> = "node_seen";
template <> inline constexpr std::string_view kindName<NodeVanished> = "node_vanished";
template <> inline constexpr std::string_view kindName<Observed> = "observed";
template <> inline constexpr std::string_view kindName<PathState> = "path_state";
template <> inline constexpr std::string_view kindName<WatchSeen> = "watch_seen";
template <> inline constexpr std::string_view kindName<WatchVanished> = "watch_vanished";
template <> inline constexpr std::string_view kindName<WatchesRead> = "watches_read";

// Kinds of events whose numeric fields are left out of the file when they are 0.
template <class E>
inline constexpr bool zeroIsNone = std::is_same_v<E, LinkState>;

template <class E, class V>
void visitFields(E& e, V&& v)
{
    using T = std::remove_const_t<E>;
    if constexpr (std::is_same_v<T, RunPhaseChanged>) { v("phase", e.phase); v("detail", e.detail); v("cut_short", e.cutShort); }
    else if constexpr (std::is_same_v<T, ServerState>) {
        v("phase", e.phase); v("address", e.address); v("version", e.version); v("mode", e.mode); v("detail", e.detail);
    }
    else if constexpr (std::is_same_v<T, MemberState>) { v("member", e.member); v("phase", e.phase); v("mode", e.mode); }
    else if constexpr (std::is_same_v<T, LockAdded>) { v("path", e.path); v("recipe", e.recipe); v("handoff", e.handoff); }
    else if constexpr (std::is_same_v<T, LockLimit>) { v("permits", e.permits); }
    else if constexpr (std::is_same_v<T, ClientAdded>) { v("name", e.name); v("colour", e.colour); v("process", e.process); }
    else if constexpr (std::is_same_v<T, ClientRemoved>) { }
    else if constexpr (std::is_same_v<T, Command>) { v("verb", e.verb); v("argument", e.argument); }
    else if constexpr (std::is_same_v<T, CommandRefused>) { v("verb", e.verb); v("reason", e.reason); }
    else if constexpr (std::is_same_v<T, PaceChanged>) { v("step", e.step); }
    else if constexpr (std::is_same_v<T, Notice>) {
        v("severity", e.severity); v("text", e.text); v("code", e.code); v("right", e.right); v("path", e.path);
    }
    else if constexpr (std::is_same_v<T, LinkState>) {
        v("cut", e.cut); v("delay", e.delay); v("jitter", e.jitter); v("bytes_per_second", e.bytesPerSecond);
        v("muted_to_server", e.mutedToServer); v("muted_to_client", e.mutedToClient); v("half_open", e.halfOpen);
    }
    else if constexpr (std::is_same_v<T, StepHeld>) { v("step", e.step); }
    else if constexpr (std::is_same_v<T, StepTaken>) { v("step", e.step); }
    else if constexpr (std::is_same_v<T, SessionState>) { v("phase", e.phase); v("session", e.session); v("timeout", e.timeout); }
    else if constexpr (std::is_same_v<T, SessionGone>) { v("session", e.session); }
    else if constexpr (std::is_same_v<T, Thinks>) { v("planned", e.planned); }
    else if constexpr (std::is_same_v<T, AcquireCalled>) { v("owner", e.owner); v("timeout", e.timeout); }
    else if constexpr (std::is_same_v<T, Decided>) {
        v("node", e.node); v("position", e.position); v("count", e.count); v("ahead", e.ahead);
    }
    else if constexpr (std::is_same_v<T, Acquired>) { v("node", e.node); v("token", e.token); v("owner", e.owner); }
    else if constexpr (std::is_same_v<T, Reentered>) { v("depth", e.depth); v("owner", e.owner); }
    else if constexpr (std::is_same_v<T, AcquireFailed>) { v("reason", e.reason); v("owner", e.owner); v("detail", e.detail); }
    else if constexpr (std::is_same_v<T, StartedOver>) { v("node", e.node); v("why", e.why); }
    else if constexpr (std::is_same_v<T, ReleaseCalled>) { v("node", e.node); v("depth", e.depth); v("owner", e.owner); }
    else if constexpr (std::is_same_v<T, Released>) { v("node", e.node); v("depth", e.depth); v("owner", e.owner); }
    else if constexpr (std::is_same_v<T, HoldLost>) { v("node", e.node); v("reason", e.reason); v("owner", e.owner); }
    else if constexpr (std::is_same_v<T, ResourceUse>) { v("action", e.action); v("token", e.token); }
    else if constexpr (std::is_same_v<T, ResourceValue>) { v("name", e.name); v("value", e.value); v("fault", e.fault); }
    else if constexpr (std::is_same_v<T, ClientFinished>) { }
    else if constexpr (std::is_same_v<T, Request>) {
        v("op", e.op); v("node", e.node); v("watch", e.watch); v("together", e.together);
    }
    else if constexpr (std::is_same_v<T, Reply>) {
        v("op", e.op); v("outcome", e.outcome); v("node", e.node); v("zxid", e.zxid); v("count", e.count);
    }
    else if constexpr (std::is_same_v<T, WatchFired>) { v("kind", e.kind); v("node", e.node); }
    else if constexpr (std::is_same_v<T, NodeSeen>) {
        v("node", e.node); v("session", e.session); v("czxid", e.czxid); v("foreign", e.foreign);
    }
    else if constexpr (std::is_same_v<T, NodeVanished>) { v("node", e.node); }
    else if constexpr (std::is_same_v<T, Observed>) { v("count", e.count); }
    else if constexpr (std::is_same_v<T, PathState>) { v("kind", e.kind); v("locks", e.locks); v("children", e.children); }
    else if constexpr (std::is_same_v<T, WatchSeen>) { v("node", e.node); v("session", e.session); }
    else if constexpr (std::is_same_v<T, WatchVanished>) { v("node", e.node); v("session", e.session); }
    else if constexpr (std::is_same_v<T, WatchesRead>) {
        v("took", e.took); v("count", e.count); v("answered", e.answered); v("servers", e.servers); v("refusal", e.refusal);
    }
    else static_assert(sizeof(T) == 0, "an event without fields(): add it here");
}

// The names of the enumerators on disk, in the order of the enum: enumNames(E{}) is an array of them.
constexpr auto enumNames(RunPhase) { return std::to_array<std::string_view>({"starting", "running", "paused", "finished", "failed"}); }
constexpr auto enumNames(ServerPhase) { return std::to_array<std::string_view>({"starting", "ready", "down", "stopped"}); }
constexpr auto enumNames(SessionPhase) { return std::to_array<std::string_view>({"connecting", "connected", "suspended", "lost", "closed"}); }
constexpr auto enumNames(Severity) { return std::to_array<std::string_view>({"info", "warning", "error"}); }
constexpr auto enumNames(Op) { return std::to_array<std::string_view>({"create", "delete", "getChildren", "getData", "setData", "exists", "sync"}); }
constexpr auto enumNames(WatchKind) { return std::to_array<std::string_view>({"NodeDeleted", "NodeDataChanged", "NodeCreated", "NodeChildrenChanged"}); }
constexpr auto enumNames(Outcome) { return std::to_array<std::string_view>({"ok", "noNode", "nodeExists", "refused", "unknown", "sessionGone"}); }
constexpr auto enumNames(FailReason) { return std::to_array<std::string_view>({"timedOut", "cancelled", "sessionLost", "retriesExhausted", "error"}); }
constexpr auto enumNames(LostReason) { return std::to_array<std::string_view>({"sessionExpired", "sessionKilled", "sessionTimedOut", "nodeDeleted", "closed"}); }
constexpr auto enumNames(SessionIds) { return std::to_array<std::string_view>({"pseudonyms", "real"}); }
constexpr auto enumNames(GateStep) { return std::to_array<std::string_view>({"create", "created", "list", "decide", "watch", "sleep", "woken", "acquired", "reenter", "release", "remove", "gone"}); }
constexpr auto enumNames(PathKind) { return std::to_array<std::string_view>({"missing", "queue", "folder"}); }
constexpr auto enumNames(ResourceAction) { return std::to_array<std::string_view>({"entered", "left", "conflict", "refused"}); }

template <class E>
requires std::is_enum_v<E>
constexpr std::string_view nameOf(E value)
{
    constexpr auto names = enumNames(E{});
    return names[std::min(static_cast<std::size_t>(value), names.size() - 1)];
}

template <class E>
constexpr std::optional<E> enumFrom(std::string_view name)
{
    constexpr auto names = enumNames(E{});
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<E>(found - names.begin()));
}

} // namespace lockscope::trace
