// Adds to a timeline's picture what a person set and looks for: flags of bookmarks, and where a search found something.
// Costs what is visible. GUI thread (measures text).
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

void addFlags(const TimelineInput& input, TimelinePicture& picture);
void addMatches(const TimelineInput& input, TimelinePicture& picture);

} // namespace lockscope::ui
