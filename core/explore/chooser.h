// Where every choice of a schedule comes from: small integers, drawn from a seed or taken from a list that an
// earlier run recorded. The same seed, or the same list, gives the same run.
#pragma once

#include "core/base/random.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace lockscope::explore {

class Chooser
{
public:
    explicit Chooser(std::uint64_t seed);
    explicit Chooser(std::vector<std::uint16_t> recorded); // zeros when it is used up

    std::size_t below(std::size_t count);                         // count > 0
    std::size_t weighted(std::span<const std::uint32_t> weights); // an index; not all of them are zero
    bool oneIn(std::size_t count) { return below(count) == 0; }
    template <class T>
    T from(std::initializer_list<T> values)
    {
        return values.begin()[below(values.size())];
    }

    const std::vector<std::uint16_t>& made() const { return m_made; }

private:
    std::size_t note(std::size_t choice);

    Random m_random;
    bool m_replays = false;
    std::vector<std::uint16_t> m_recorded;
    std::vector<std::uint16_t> m_made;
};

} // namespace lockscope::explore
