// The legend of the timeline: a sample and a text for each tone. The samples are drawn like the lanes.
// Exceptional states have an entry only while the picture shows them. GUI thread.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

// As many entries as fit; null without a legend row.
std::shared_ptr<const TimelinePicture> buildLegend(const TimelineInput& input,
                                                   const TimelinePicture& picture);

} // namespace lockscope::ui
