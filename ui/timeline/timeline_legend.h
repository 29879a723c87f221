// The legend of the timeline: a sample and a word for each tone. The samples are drawn like the lanes. GUI
// thread.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

// As many entries as fit; null without a legend row.
std::shared_ptr<const TimelinePicture> buildLegend(const TimelineInput& input, const TimelineLayout& layout);

} // namespace lockscope::ui
