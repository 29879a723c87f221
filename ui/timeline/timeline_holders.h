// The holder rows above the lanes, for runs with more lanes than are visible.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

inline constexpr int kHolderGap = 2; // pixels between adjacent bars

// The number of rows: one for each lock, and one for each further simultaneous holder.
int countHolderRows(const replay::LockHolders& holders);
void addHolders(const TimelineInput& input, TimelinePicture& picture);

} // namespace lockscope::ui
