// How much of a run the timeline shows before anybody chooses: so much that the handoffs can be told apart.
// Pure; any thread.
#pragma once

#include "core/replay/timeline/timeline.h"

namespace lockscope::ui {

// A length of 1, 2 or 5 times a power of ten that shows about twelve holds as they are near this moment, but
// at most 20 s. `now` is kept as long as it shows neither few nor many: what is shown does not
// change with every hold that takes longer.
Duration defaultSpan(const replay::Timeline& timeline, TraceTime near, Duration now);

} // namespace lockscope::ui
