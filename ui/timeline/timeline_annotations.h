// The part of a TimelinePicture that belongs to no single lane: handoff arrows, marks of commands, server
// outages, bookmark flags, search matches and the time axis. Its cost depends on what is visible. GUI thread:
// it measures text.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

// Layout and scale must be set.
void addAnnotations(const TimelineInput& input, TimelinePicture& picture);

// The place of a mark's label while `pill`, the cursor's label, is in the same band: its own place, else the
// other side of the line, else cut before the pill; empty: none of these has room.
QRect markLabel(const TimelinePicture& picture, std::size_t mark, const QRect& pill);

} // namespace lockscope::ui
