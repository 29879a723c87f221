// The man pages of both programs and their completions for bash, zsh and fish, made from the same options as
// --help.
#pragma once

#include "core/base/error.h"

#include <filesystem>

namespace lockscope::app {

// Writes into `folder`: NAME.1, NAME.bash, NAME.zsh and NAME.fish for each program. Error: ioFailed.
Result<void> writePages(const std::filesystem::path& folder);

} // namespace lockscope::app
