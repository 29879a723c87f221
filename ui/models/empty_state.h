// What an empty view says when that is nothing of its own: no run is open, or the one that is could not start.
#pragma once

#include <QString>

namespace lockscope::ui {

class RunModel;

// Empty when neither is so.
QString emptyStateText(const RunModel& run);

} // namespace lockscope::ui
