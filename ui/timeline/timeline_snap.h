// Snaps a place in the timeline to the nearest edge of a drawn item, as an exact time. Pure; any thread.
#pragma once

#include "ui/timeline/timeline_picture.h"

#include <QPoint>

#include <optional>

namespace lockscope::ui {

// Within a lane, the edges of its bars; elsewhere the bars of all visible lanes. Marks and bookmarks count
// everywhere.
std::optional<TraceTime> nearestEdge(const TimelinePicture& picture, const std::vector<Bookmark>& notes,
                                     QPoint at);

} // namespace lockscope::ui
