// The text of an empty view when no run is open, or the run could not start.
#pragma once

#include <QString>

namespace lockscope::ui {

class RunModel;

// Empty when neither applies.
QString emptyStateText(const RunModel& run);

} // namespace lockscope::ui
