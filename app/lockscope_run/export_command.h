// lockscope-run --export: converts a trace file for other programs. Writes the target by the rules of OutputFile.
#pragma once

#include "app/lockscope_run/arguments.h"
#include "core/base/error.h"

#include <string>

namespace lockscope::app {

// Errors: badInput, ioFailed.
Result<void> exportTrace(const Export& asked, const std::string& trace);

} // namespace lockscope::app
