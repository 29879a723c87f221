// lockscope-cli run --workers and join: one run, carried out by several processes.
#pragma once

#include "app/lockscope_cli/arguments.h"

namespace lockscope::app {

// Return the exit code; report errors on standard error.
int runCoordinator(const RunArguments& arguments);
int runWorker(const JoinArguments& arguments);

} // namespace lockscope::app
