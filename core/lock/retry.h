// How often and how soon something is tried again: a value, in the words of Curator's retry policies. Any
// thread.
#pragma once

#include "core/base/random.h"
#include "core/base/time.h"

#include <cstdint>
#include <optional>

namespace lockscope::lock {

struct RetryPolicy
{
    std::uint32_t maxRetries = 29;                        // tries after the first; Curator's limit
    Duration baseDelay = std::chrono::milliseconds(10); // doubled each time; of that a random half to whole
    Duration maxDelay = std::chrono::seconds(1);
    Duration maxElapsed = kForever; // no try begins later than this after the first

    static RetryPolicy never() { return RetryPolicy{0, {}, {}, kForever}; }
    static RetryPolicy times(std::uint32_t n, Duration pause)
    {
        return RetryPolicy{n, pause, pause, kForever};
    }
    static RetryPolicy untilElapsed(Duration maxElapsed, Duration pause)
    {
        return RetryPolicy{UINT32_MAX, pause, pause, maxElapsed};
    }
    static RetryPolicy forever(Duration baseDelay, Duration maxDelay)
    {
        return RetryPolicy{UINT32_MAX, baseDelay, maxDelay, kForever};
    }
};

class Retry
{
public:
    // `begin`: when the first try began; it matters to a policy with a total only.
    Retry(RetryPolicy policy, std::uint64_t seed, MonotonicTime begin = {})
        : m_policy(policy)
        , m_random(seed)
        , m_begin(begin)
    {}
    // The pause before the next try; none when there is no next one.
    std::optional<Duration> next(MonotonicTime now = {});
    std::uint32_t tries() const { return m_tries; }

private:
    RetryPolicy m_policy;
    Random m_random;
    MonotonicTime m_begin;
    std::uint32_t m_tries = 0;
};

// For what must not be given up while its session lasts: pauses from 20 ms to a second, for ever.
inline Retry unlimitedRetry()
{
    return Retry(RetryPolicy::forever(std::chrono::milliseconds(20), std::chrono::seconds(1)), 1);
}

} // namespace lockscope::lock
