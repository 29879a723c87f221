// The legend of the timeline: a sample and a word for each tone. The samples are drawn like the lanes. What is the
// exception in a run has its entry only while the picture shows it. GUI thread.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

// As many entries as fit; null without a legend row.
std::shared_ptr<const TimelinePicture> buildLegend(const TimelineInput& input, const TimelinePicture& picture);

} // namespace lockscope::ui
