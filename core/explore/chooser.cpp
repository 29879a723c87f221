#include "core/explore/chooser.h"

#include <algorithm>
#include <numeric>

namespace lockscope::explore {

Chooser::Chooser(std::uint64_t seed)
    : m_random(seed)
{}

Chooser::Chooser(std::vector<std::uint16_t> recorded)
    : m_random(0)
    , m_replays(true)
    , m_recorded(std::move(recorded))
{}

std::size_t Chooser::note(std::size_t choice)
{
    m_made.push_back(static_cast<std::uint16_t>(choice));
    return choice;
}

std::size_t Chooser::below(std::size_t count)
{
    if (m_replays) {
        const std::size_t recorded = m_made.size() < m_recorded.size() ? m_recorded[m_made.size()] : 0;
        return note(std::min(recorded, count - 1));
    }
    return note(static_cast<std::size_t>(m_random.uniform(0, static_cast<std::int64_t>(count) - 1)));
}

std::size_t Chooser::weighted(std::span<const std::uint32_t> weights)
{
    if (m_replays) {
        std::size_t choice = below(weights.size());
        while (weights[choice] == 0)
            choice = (choice + 1) % weights.size();
        return choice;
    }
    const auto total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    std::int64_t left = m_random.uniform(0, total - 1);
    std::size_t choice = 0;
    while (left >= weights[choice])
        left -= weights[choice++];
    return note(choice);
}

} // namespace lockscope::explore
