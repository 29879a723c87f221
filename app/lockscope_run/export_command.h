// lockscope-run --export: a trace file turned into one for other programs. The target is treated as
// the rules of OutputFile.
#pragma once

#include "app/lockscope_run/arguments.h"
#include "core/base/error.h"

#include <string>

namespace lockscope::app {

// Errors: badInput, ioFailed.
Result<void> exportTrace(const Export& asked, const std::string& trace);

} // namespace lockscope::app
