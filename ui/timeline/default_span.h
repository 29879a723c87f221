// The default time range of the timeline: short enough to distinguish the handoffs. Pure; any thread.
#pragma once

#include "core/replay/timeline/timeline.h"

namespace lockscope::ui {

// A length of 1, 2 or 5 times a power of ten that shows about twelve holds as long as those near this moment;
// at most 20 s, or more if the last handoff was longer ago: clients are stepped, or none can continue. Pauses
// of the run do not count. Returns `now`, the current length, while it shows neither too few nor too many
// holds, so that the range does not change with every longer hold.
Duration defaultSpan(const replay::Timeline& timeline, TraceTime near, Duration now);

} // namespace lockscope::ui
