// The pseudo-code of each recipe, and the line of each step. Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <QString>

#include <array>
#include <vector>

namespace lockscope::ui::chain {

struct AlgorithmLine
{
    const char* code = "";    // not translated: it is code
    const char* comment = ""; // translated when shown
    int indent = 0;
    bool title = false; // acquire():, release():
    std::array<replay::Step, 2> steps{replay::Step::none, replay::Step::none};
    bool is(replay::Step step) const
    {
        return step != replay::Step::none && (steps[0] == step || steps[1] == step);
    }
};

// `recipe` and `handoff`: of the lock's row; an unknown recipe is shown as a mutex. The lines are static.
const std::vector<AlgorithmLine>& algorithmLines(Recipe recipe, bool announced);
// The index of the step's line; -1: no line has this step.
int lineOf(const std::vector<AlgorithmLine>& lines, replay::Step step);
// The algorithm step of a client that is stopped before this gate step.
replay::Step stepOf(GateStep step);
// The steps of this line before which a client can be stopped, in their order; may be empty.
std::vector<GateStep> gatesOf(const AlgorithmLine& line);
// The gate steps at which a breakpoint on the line stops a client: those before the step. The points after a
// create, a wake-up and a delete are excluded, because the client has passed the line by then.
std::vector<GateStep> breakpointsOf(const AlgorithmLine& line);
// The comment of a line in the user's language; empty: it has none.
QString commentOf(const AlgorithmLine& line);

} // namespace lockscope::ui::chain
