// The recipes of LockScope's own clients, and the steps in which they take a lock. Plain values; any thread.
#pragma once

#include "core/base/vocabulary.h"

namespace lockscope {

enum class Recipe : std::uint8_t {
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
    none,    // the clients take no lock; the last that a scenario may name
    watched, // a lock of other programs, whose recipe is unknown
    unknown  // a name that a later version wrote
};

constexpr auto enumNames(Recipe)
{
    return std::to_array<std::string_view>(
        {"mutex", "read-write", "semaphore", "semaphore-mutex", "multi-lock", "herd", "herd-read-write",
         "exists-mutex", "unprotected-mutex", "old-read-write", "none", "watched", "unknown"});
}
constexpr Recipe recipeOf(std::string_view name) { return enumFrom<Recipe>(name).value_or(Recipe::unknown); }

constexpr bool isReadWrite(Recipe recipe)
{
    return recipe == Recipe::readWrite || recipe == Recipe::herdReadWrite || recipe == Recipe::oldReadWrite;
}
// Has leases.
constexpr bool isSemaphore(Recipe recipe)
{
    return recipe == Recipe::semaphore || recipe == Recipe::semaphoreMutex;
}
constexpr bool isHerd(Recipe recipe) { return recipe == Recipe::herd || recipe == Recipe::herdReadWrite; }
// Whether the waiters queue.
constexpr bool isOrdered(Recipe recipe) { return recipe != Recipe::herd && recipe != Recipe::none; }

// The steps at which a client can be held, in the order of an acquire and a release: before its create is
// sent, after the create was applied, before a list, before its decision takes effect, before the watch,
// before sleeping, after a wake-up, before the grant, before a re-entry, before a release of one of several
// levels (a client that is stepped also waits there before its last release, while it still holds), before
// its delete is sent, after its node is gone.
enum class GateStep : std::uint8_t {
    create,
    created,
    list,
    decide,
    watch,
    sleep,
    woken,
    acquired,
    reenter,
    release,
    remove,
    gone
};

constexpr auto enumNames(GateStep)
{
    return std::to_array<std::string_view>({"create", "created", "list", "decide", "watch", "sleep", "woken",
                                            "acquired", "reenter", "release", "remove", "gone"});
}

} // namespace lockscope
