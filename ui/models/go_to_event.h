// Travelling: every view goes to the moment of an event. GUI thread.
#pragma once

#include "core/base/ids.h"

namespace lockscope::ui {

class RunModel;
class Selection;

// The cursor goes right behind the event, which is selected with this client and, if the run knows it, its
// lock. An event that the run does not have changes nothing.
void goToEvent(RunModel& run, Selection& selection, EventIndex event, ClientId client);

} // namespace lockscope::ui
