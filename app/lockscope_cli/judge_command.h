// lockscope-cli judge: runs copies of a program under faults, and judges its lock. Main thread.
#pragma once

#include "app/lockscope_cli/arguments.h"

namespace lockscope::app {

// Returns the exit code: 0 no rule was violated under what was tried, 1 one was, 4 cut short, 5 the program
// did not keep to its lines or ended early, or the code of an error.
int runJudge(const JudgeArguments& arguments);

} // namespace lockscope::app
