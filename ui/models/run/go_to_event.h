// Moves every view to an event. GUI thread.
#pragma once

#include "core/base/ids.h"

namespace lockscope::ui {

class RunModel;
class Selection;

// Moves the cursor right after the event, and selects the event, this client and, if the run knows it, the
// lock. Does nothing for an event that the run does not have.
void goToEvent(RunModel& run, Selection& selection, EventIndex event, ClientId client);

} // namespace lockscope::ui
