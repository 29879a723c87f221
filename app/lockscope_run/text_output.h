// A whole text into a file or standard output, by the rules of OutputFile.
#pragma once

#include "core/base/error.h"

#include <string>
#include <string_view>

namespace lockscope::app {

// `what`: "The report cannot be written to". Error: ioFailed.
Result<void> writeText(std::string_view what, const std::string& path, std::string_view text);

} // namespace lockscope::app
