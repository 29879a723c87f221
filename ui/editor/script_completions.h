// The completions of a line of a script: the forms, filled with the names of the scenario's clients. Pure
// functions.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <QStringList>

namespace lockscope::ui {

QStringList conditionCompletions(const sim::Scenario& scenario);
QStringList actionCompletions(const sim::Scenario& scenario);

} // namespace lockscope::ui
