// An inspection as text for people and as JSON for programs. Texts from outside are complete, with control
// and bidi characters escaped. Pure; any thread.
#pragma once

#include "ui/texts/fact.h"

namespace lockscope::ui {

// A line for each fact: "  state: waits · next [event 1204]".
QString asText(const Inspection& inspection);
// An object for each heading. "..._ns" are times since time zero, or durations, in nanoseconds; "..._event"
// is the source event.
QString asJson(const Inspection& inspection);

} // namespace lockscope::ui
