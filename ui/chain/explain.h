// Says in one or two sentences what an event did and why, for a person who learns the recipe. Pure: the
// event, and the run at about that moment for names and the recipe. Every kind of event has its words.
#pragma once

#include "core/replay/state/run_state.h"

#include <QString>

namespace lockscope::ui {

struct Explanation
{
    QString what; // what happened; never empty
    QString why;  // why, or what follows; may be empty
};

Explanation explain(const replay::RunState& state, const trace::Event& event);

} // namespace lockscope::ui
