// A command of the run, such as "kill_holder" in a trace, as text. Pure; any thread.
#pragma once

#include <QString>

#include "core/trace/event.h"

namespace lockscope::ui {

// "kill the session of bo", "remove the lock's container". `whom`: the target client; empty when there is
// none. An unknown name is shown as it is.
QString commandText(trace::Text verb, const QString& whom);
// A command that was carried out: "killed bo's session". Without such a form, as commandText() names it.
QString commandDoneText(trace::Text verb, const QString& whom);

} // namespace lockscope::ui
