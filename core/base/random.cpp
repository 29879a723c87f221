#include "core/base/random.h"

#include <bit>

namespace lockscope {

namespace {

// splitmix64 (Steele, Lea, Flood 2014): spreads a small seed over the whole state.
std::uint64_t splitMix(std::uint64_t& state)
{
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

} // namespace

Random::Random(std::uint64_t seed)
{
    for (std::uint64_t& word : m_state)
        word = splitMix(seed);
}

// xoshiro256** (Blackman, Vigna 2018).
std::uint64_t Random::next()
{
    const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
    const std::uint64_t t = m_state[1] << 17;
    m_state[2] ^= m_state[0];
    m_state[3] ^= m_state[1];
    m_state[1] ^= m_state[2];
    m_state[0] ^= m_state[3];
    m_state[2] ^= t;
    m_state[3] = std::rotl(m_state[3], 45);
    return result;
}

std::int64_t Random::uniform(std::int64_t low, std::int64_t high)
{
    const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (range == 0)
        return static_cast<std::int64_t>(next());
    // Reject the tail that would favor small values.
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;
    std::uint64_t bits = next();
    while (bits >= limit)
        bits = next();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + bits % range);
}

double Random::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

} // namespace lockscope
