// What can be typed into a line of a script, for the completion: the forms with the names of a scenario's own
// clients. Pure functions.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <QStringList>

namespace lockscope::ui {

QStringList conditionCompletions(const sim::Scenario& scenario);
QStringList actionCompletions(const sim::Scenario& scenario);

} // namespace lockscope::ui
