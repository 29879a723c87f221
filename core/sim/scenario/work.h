// The work of a client: what it does with its locks in each cycle. A plain value, for all clients of a
// scenario or for one named client. Times are drawn with the scenario's seed.
#pragma once

#include "core/base/recipe.h"
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::sim {

// Ten years, the longest time in a scenario, so that sums of several times do not overflow.
inline constexpr Duration kMaxDuration = std::chrono::hours(24 * 3650);

// A random time: uniform between both ends (constant if they are equal), or exponential with the mean `low`.
struct Range
{
    Duration low{};
    Duration high{};
    bool exponential = false;
    bool operator==(const Range&) const = default;
};

// One of a scenario's locks, as a cycle acquires it.
struct Take
{
    std::uint32_t lock = 0;     // index into Scenario::locks
    std::optional<Side> side{}; // of a read/write lock
    bool operator==(const Take&) const = default;
};
enum class ReleaseOrder : std::uint8_t { lastAcquiredFirst, firstAcquiredFirst };

struct Work
{
    std::uint32_t cycles = 50; // 0 = no limit
    Range think{};
    Range hold{};
    std::uint32_t reenterMin = 0; // re-entries per hold, uniform
    std::uint32_t reenterMax = 0;
    // Acquired one after the other in each cycle, and held together. Empty: the first lock; for a read/write
    // lock, the side is drawn with writePercent.
    std::vector<Take> takes;
    ReleaseOrder releaseOrder = ReleaseOrder::lastAcquiredFirst;
    std::uint32_t writePercent = 10;
    std::uint32_t permitsMin = 1; // leases per acquire of a semaphore, uniform
    std::uint32_t permitsMax = 1;
    std::optional<Duration> acquireTimeout;
    std::uint32_t tries = 1; // of acquireTimeout each; then the cycle ends without the lock
    bool revocable = false;  // releases the lock when another client asks for it
    bool operator==(const Work&) const = default;
};

std::string recipeNames();                                // all of them: "\"mutex\", \"read-write\", ..."
std::optional<Recipe> parseRecipe(std::string_view text); // one that a scenario may name
std::string queuePath(Recipe recipe, const std::string& lock); // the parent of the nodes that hold the lock
std::string mutexPath(const std::string& semaphore);           // of the mutex for its acquires
std::string semaphoreSizePath(const std::string& semaphore);   // of the number of leases

// "250ms", "2s", "100us", "1m", "0"; none for any other text.
std::optional<Duration> parseDuration(std::string_view text);
std::string formatDuration(Duration time); // the largest unit with a whole number: "1500ms"

} // namespace lockscope::sim
