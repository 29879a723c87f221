// The pseudo-code of a recipe, line by line, and which line each step of a client is. Pure.
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

// `recipe` and `handoff` as a lock's row names them; an unknown recipe is shown as the mutex. The lines live
// as long as the program.
const std::vector<AlgorithmLine>& algorithmLines(replay::Text recipe, replay::Text handoff);
// The line of a step; -1 when it is on none.
int lineOf(const std::vector<AlgorithmLine>& lines, replay::Step step);
// The step of the algorithm at which a client stands that is held before this one.
replay::Step stepOf(trace::GateStep step);
// Before which steps of this line a client can be stopped, in the order in which it comes by; empty for a
// line that is none of them.
std::vector<trace::GateStep> gatesOf(const AlgorithmLine& line);
// Those of them at which a breakpoint on the line stops it: before each step of the line. After a create, a
// wake-up and a delete it has come by already.
std::vector<trace::GateStep> breakpointsOf(const AlgorithmLine& line);
// The comment of a line in the person's language, empty when it has none.
QString commentOf(const AlgorithmLine& line);

} // namespace lockscope::ui::chain
