#include "core/lock/retry.h"

#include "core/base/random.h"

#include <algorithm>

namespace lockscope::lock {

std::optional<Duration> Retry::next(std::uint64_t seed, MonotonicTime now)
{
    if (m_retries >= m_policy.maxRetries)
        return std::nullopt;
    const std::int64_t factor = std::int64_t{1} << std::min<std::uint32_t>(m_retries, 30);
    const Duration base =
        m_policy.baseDelay <= m_policy.maxDelay / factor ? m_policy.baseDelay * factor : m_policy.maxDelay;
    const Duration pause =
        base / 2 +
        Duration{Random(seed ^ (m_retries + 1)).uniform(0, std::max<std::int64_t>(base.count(), 0) / 2)};
    if (m_policy.maxElapsed != kForever && now + pause - m_begin > m_policy.maxElapsed)
        return std::nullopt;
    ++m_retries;
    return pause;
}

} // namespace lockscope::lock
