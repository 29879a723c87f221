// What the tones of the timeline mean: a sample and a word each, in a row of their own. The samples are drawn
// as everything else is.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

// As many as its row has room for; null where there is no row.
std::shared_ptr<const TimelinePicture> buildLegend(const TimelineInput& input, const TimelineLayout& layout);

} // namespace lockscope::ui
