// A whole file as text. Blocks; any thread.
#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <string>

namespace lockscope {

// Errors: ioFailed, with the file and the reason.
Result<std::string> readFile(const std::filesystem::path& file);

} // namespace lockscope
