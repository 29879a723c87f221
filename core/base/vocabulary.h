// The words of the whole project, each once: what ZooKeeper's clients and locks do, as every layer names it.
// Plain values; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace lockscope {

// The requests of a client that a lock sends.
enum class Operation : std::uint8_t { create, remove, getChildren, getData, setData, exists, sync };

// In the order of ZooKeeper's numbers (Watcher.Event.EventType), which begin with 1.
enum class WatchKind : std::uint8_t { created, deleted, changed, childrenChanged };

constexpr std::optional<WatchKind> watchKindOf(int eventType)
{
    return eventType >= 1 && eventType <= 4 ? std::optional(static_cast<WatchKind>(eventType - 1))
                                            : std::nullopt;
}

enum class SessionPhase : std::uint8_t { connecting, connected, suspended, lost, closed };

constexpr bool isOver(SessionPhase phase)
{
    return phase == SessionPhase::lost || phase == SessionPhase::closed;
}

// Why a hold was lost: the server reported that the session is over; it was killed (only older traces say
// so); the server was silent for the session timeout; the node was deleted; the session was closed by its
// user.
enum class LostReason : std::uint8_t { sessionExpired, sessionKilled, sessionTimedOut, nodeDeleted, closed };

// Of a lock: readers share, writers and holders of a mutex exclude.
enum class Side : std::uint8_t { exclusive, shared };

// How the next holder of a mutex learns that the lock is free. curator: it lists the children after every
// wake-up. announced: a holder writes into its node that it holds the lock, so that its successor needs no
// list.
enum class HandoffPolicy : std::uint8_t { curator, announced };

// The names of the enumerators in files, in the order of the enum: enumNames(E{}) is an array of them.
constexpr auto enumNames(Operation)
{
    return std::to_array<std::string_view>(
        {"create", "delete", "getChildren", "getData", "setData", "exists", "sync"});
}
constexpr auto enumNames(WatchKind)
{
    return std::to_array<std::string_view>(
        {"NodeCreated", "NodeDeleted", "NodeDataChanged", "NodeChildrenChanged"});
}
constexpr auto enumNames(SessionPhase)
{
    return std::to_array<std::string_view>({"connecting", "connected", "suspended", "lost", "closed"});
}
constexpr auto enumNames(LostReason)
{
    return std::to_array<std::string_view>(
        {"sessionExpired", "sessionKilled", "sessionTimedOut", "nodeDeleted", "closed"});
}
constexpr auto enumNames(HandoffPolicy) { return std::to_array<std::string_view>({"curator", "announced"}); }

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

} // namespace lockscope
