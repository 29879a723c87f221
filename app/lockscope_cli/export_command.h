// lockscope-cli export: converts a trace file for other programs. Writes the target by the rules of
// OutputFile.
#pragma once

#include "app/lockscope_cli/arguments.h"
#include "core/base/error.h"

namespace lockscope::app {

// Errors: badInput, ioFailed.
Result<void> exportTrace(const ExportArguments& asked);

} // namespace lockscope::app
