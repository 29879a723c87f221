// Writes a whole text to a file or standard output by the rules of OutputFile; reports errors on standard
// error.
#pragma once

#include "core/base/error.h"

#include <string>
#include <string_view>
#include <system_error>

namespace lockscope::app {

// Reports the error on standard error. Returns the exit code.
int fail(const Error& error);
// `what`: "The report cannot be written to". Error: ioFailed.
Result<void> writeText(std::string_view what, const std::string& path, std::string_view text);

// For the report of --report; an empty name means no report.
Result<void> checkReport(const std::string& file); // before the run, so that the run is not in vain
Result<void> writeReport(const std::string& file, std::string_view text);
Error reportError(const std::string& file, std::error_code error);

} // namespace lockscope::app
