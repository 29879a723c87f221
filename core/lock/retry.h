// How often and how soon a request is retried, in terms of Curator's retry policies. A value; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>
#include <optional>

namespace lockscope::lock {

struct RetryPolicy
{
    std::uint32_t maxRetries = 29; // retries after the first try; Curator's limit
    Duration baseDelay =
        std::chrono::milliseconds(10); // doubled for each retry; the pause is 50 to 100 % of it
    Duration maxDelay = std::chrono::seconds(1);
    Duration maxElapsed = kForever; // no retry begins later than this after the first try

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
    // `begin`: the start of the first try; used only by a policy with maxElapsed.
    explicit Retry(RetryPolicy policy, MonotonicTime begin = {})
        : m_policy(policy)
        , m_begin(begin)
    {}
    // The pause before the next retry; none when the policy is exhausted. Its random part depends on the
    // seed. Use a different seed for each client, such as its session id, so that clients refused together do
    // not retry together.
    std::optional<Duration> next(std::uint64_t seed, MonotonicTime now = {});
    std::optional<Duration> next(SessionId session, MonotonicTime now = {})
    {
        return next(static_cast<std::uint64_t>(session.value), now);
    }
    std::uint32_t retries() const { return m_retries; } // how many retries next() has allowed

private:
    RetryPolicy m_policy;
    MonotonicTime m_begin;
    std::uint32_t m_retries = 0;
};

// Unlimited retries, for requests that must not be given up while their session lasts. The first pause is 10
// to 20 ms; the pauses double up to one second.
inline Retry unlimitedRetry()
{
    return Retry(RetryPolicy::forever(std::chrono::milliseconds(20), std::chrono::seconds(1)));
}

} // namespace lockscope::lock
