// The one rule of exclusion: shared nodes hold together, everything else excludes. Pure; header only, so that
// the installed lock library needs no other library for it. Any thread.
#pragma once

#include <cstdint>

namespace lockscope::queue {

enum class Side : std::uint8_t { exclusive, shared };

// Whether a node waits for one ahead of it. `sideAhead` is called only when it matters.
template <class SideAhead>
constexpr bool waitsFor(Side own, SideAhead&& sideAhead)
{
    return own == Side::exclusive || sideAhead() == Side::exclusive;
}

} // namespace lockscope::queue
