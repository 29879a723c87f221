// A command of the run, as a trace names it ("kill_holder"), in words. Pure.
#pragma once

#include <QString>

#include "core/trace/event.h"

namespace lockscope::ui {

// "kill the session of bo", "remove the lock's container". `whom`: the client it is for; empty when there is
// none. A name that this version does not know is shown as it is.
QString commandText(trace::Text verb, const QString& whom);

} // namespace lockscope::ui
