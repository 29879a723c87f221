// The rows above the lanes that say who holds, for runs with more lanes than are in sight.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

inline constexpr int kHolderGap = 2; // pixels of a bar that tell it from the next one

// How many rows there is something for: one for each lock and for each further one that held it at the same
// time.
int countHolderRows(const LockHolders& holders);
void addHolders(const TimelineInput& input, TimelinePicture& picture);

} // namespace lockscope::ui
