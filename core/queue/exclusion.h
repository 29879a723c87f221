// The one rule of exclusion: shared nodes hold together, everything else excludes. Pure; header only, so that
// the installed lock library needs no other library for it. Any thread.
#pragma once

#include "core/base/vocabulary.h"

namespace lockscope::queue {

// Whether a node waits for one ahead of it. `sideAhead` is called only when it matters.
template <class SideAhead>
constexpr bool waitsFor(Side own, SideAhead&& sideAhead)
{
    return own == Side::exclusive || sideAhead() == Side::exclusive;
}

} // namespace lockscope::queue
