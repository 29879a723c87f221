// A command of the run, which a trace names "kill_holder", as text. Pure; any thread.
#pragma once

#include <QString>

#include "core/trace/event.h"

namespace lockscope::ui {

// "kill the session of bo", "remove the lock's container". `whom`: the target client; empty when there is
// none. An unknown name is shown as it is.
QString commandText(trace::Text verb, const QString& whom);
// The same of a command that was carried out: "killed bo's session", where there is such a form.
QString commandDoneText(trace::Text verb, const QString& whom);

} // namespace lockscope::ui
