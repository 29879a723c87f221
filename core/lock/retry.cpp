#include "core/lock/retry.h"

#include <algorithm>

namespace lockscope::lock {

std::optional<Duration> Retry::next()
{
    if (m_tries >= m_policy.most)
        return std::nullopt;
    const std::uint32_t doublings = std::min<std::uint32_t>(m_tries, 30);
    ++m_tries;
    const Duration base = std::min(m_policy.longest, m_policy.first * (std::int64_t{1} << doublings));
    if (base <= Duration{})
        return Duration{};
    return base / 2 + Duration{m_random.uniform(0, base.count() / 2)};
}

} // namespace lockscope::lock
