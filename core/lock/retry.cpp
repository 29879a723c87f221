#include "core/lock/retry.h"

#include <algorithm>

namespace lockscope::lock {

std::optional<Duration> Retry::next(MonotonicTime now)
{
    if (m_tries >= m_policy.most)
        return std::nullopt;
    const std::int64_t factor = std::int64_t{1} << std::min<std::uint32_t>(m_tries, 30);
    ++m_tries;
    const Duration base =
        m_policy.first <= m_policy.longest / factor ? m_policy.first * factor : m_policy.longest;
    const Duration pause =
        base / 2 + Duration{m_random.uniform(0, std::max<std::int64_t>(base.count(), 0) / 2)};
    if (m_policy.total != kForever && now + pause - m_begin > m_policy.total)
        return std::nullopt;
    return pause;
}

} // namespace lockscope::lock
