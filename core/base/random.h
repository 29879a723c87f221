// Seeded random numbers whose sequence does not depend on the standard library: the same seed gives the
// same run everywhere. Not thread safe; one generator per client.
#pragma once

#include <cstdint>

namespace lockscope {

class Random
{
public:
    explicit Random(std::uint64_t seed);

    std::uint64_t next();                                      // all 64 bits
    std::int64_t uniform(std::int64_t low, std::int64_t high); // both ends included, low <= high
    double unit();                                             // [0, 1)

private:
    std::uint64_t m_state[4];
};

} // namespace lockscope
