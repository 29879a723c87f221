// Who believes to hold what several may share, and how much of it. More than there is may be believed only
// when a fault excuses one of them (BeliefChecker::isExcused). I/O thread.
#pragma once

#include "tests/faults/belief_checker.h"

#include <fmt/core.h>

#include <array>
#include <map>

namespace lockscope::tests {

class SharedBeliefs
{
public:
    enum class Pool : std::size_t { readWrite, semaphore, multi };
    static constexpr std::uint32_t kAll = 1000; // the weight of an exclusive hold
    static constexpr std::uint32_t kMaxLeases = 4;

    explicit SharedBeliefs(BeliefChecker& checker)
        : m_checker(checker)
    {}
    void granted(Pool pool, ClientId client, std::uint32_t weight)
    {
        std::map<ClientId, std::uint32_t>& believers = m_believers[static_cast<std::size_t>(pool)];
        believers[client] = weight;
        std::uint32_t sum = 0;
        std::string who;
        for (const auto& [each, held] : believers)
            if (!m_checker.isExcused(each)) {
                sum += held;
                who += fmt::format(" {} ({})", each.value, held);
            }
        if (!m_checker.isExcused(client) && sum > m_sizes[static_cast<std::size_t>(pool)])
            m_checker.violated(fmt::format("Of pool {} clients hold more than there is:{}",
                                           static_cast<std::size_t>(pool), who));
    }
    void end(Pool pool, ClientId client) { m_believers[static_cast<std::size_t>(pool)].erase(client); }

private:
    BeliefChecker& m_checker;
    const std::array<std::uint32_t, 3> m_sizes{kAll, kMaxLeases, kAll};
    std::array<std::map<ClientId, std::uint32_t>, 3> m_believers;
};

} // namespace lockscope::tests
