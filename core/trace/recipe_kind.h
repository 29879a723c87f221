// The kind of lock that the recipe's name in a LockAdded stands for. Pure; any thread.
#pragma once

#include "core/trace/event.h"

#include <array>
#include <utility>

namespace lockscope::trace {

enum class RecipeKind : std::uint8_t {
    unknown, // a name that a later version wrote
    mutex,
    readWrite,
    semaphore,      // several leases
    semaphoreMutex, // a semaphore used as a mutex
    multiLock,
    herd,          // a release wakes all waiters; there is no order
    herdReadWrite, // all waiters watch the list
    existsMutex,   // this and the next two: locks with a bug that a scenario shows
    unprotectedMutex,
    oldReadWrite,
    none,   // the clients take no lock
    watched // a lock of other programs, whose recipe is unknown
};

inline constexpr Text kAnnouncedHandoff = "announced"; // a value of LockAdded::handoff

inline constexpr std::array<std::pair<Text, RecipeKind>, 12> kRecipeKinds{{
    {"mutex", RecipeKind::mutex},
    {"read-write", RecipeKind::readWrite},
    {"semaphore", RecipeKind::semaphore},
    {"semaphore-mutex", RecipeKind::semaphoreMutex},
    {"multi-lock", RecipeKind::multiLock},
    {"herd", RecipeKind::herd},
    {"herd-read-write", RecipeKind::herdReadWrite},
    {"exists-mutex", RecipeKind::existsMutex},
    {"unprotected-mutex", RecipeKind::unprotectedMutex},
    {"old-read-write", RecipeKind::oldReadWrite},
    {"none", RecipeKind::none},
    {kWatchedRecipe, RecipeKind::watched},
}};

constexpr RecipeKind recipeKind(Text recipe)
{
    for (const auto& [name, kind] : kRecipeKinds)
        if (name == recipe)
            return kind;
    return RecipeKind::unknown;
}

constexpr bool isReadWrite(RecipeKind kind)
{
    return kind == RecipeKind::readWrite || kind == RecipeKind::herdReadWrite ||
           kind == RecipeKind::oldReadWrite;
}
constexpr bool isSemaphore(RecipeKind kind)
{
    return kind == RecipeKind::semaphore || kind == RecipeKind::semaphoreMutex;
}
constexpr bool isHerd(RecipeKind kind)
{
    return kind == RecipeKind::herd || kind == RecipeKind::herdReadWrite;
}
// Whether the waiters queue.
constexpr bool isOrdered(RecipeKind kind) { return kind != RecipeKind::herd && kind != RecipeKind::none; }

} // namespace lockscope::trace
