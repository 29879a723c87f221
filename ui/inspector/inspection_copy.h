// An inspection as text for a person and as JSON for a program. Texts from outside are whole there, with
// control and bidi characters escaped. Pure.
#pragma once

#include "ui/inspector/fact.h"

namespace lockscope::ui {

// A line for each fact: "  state: waits · next [event 1204]".
QString asText(const Inspection& inspection);
// An object for each heading; "..._ns" are nanoseconds since time zero or long, "..._event" the event that
// said so.
QString asJson(const Inspection& inspection);

} // namespace lockscope::ui
