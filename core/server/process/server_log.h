// Reads the end of the private server's log. Any thread; reads at most 64 KB of the file.
#pragma once

#include "core/base/message.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace lockscope::server {

// The last lines, control characters removed.
std::string logTail(const std::filesystem::path& log);
// The last three lines since the last start, without stack traces; empty when there are none.
Message lastLogErrors(const std::filesystem::path& log);
bool logContains(const std::filesystem::path& log, std::string_view text); // since the last start
// Marks a new start at the end of the log. No effect on a log that does not exist yet.
void markRestartInLog(const std::filesystem::path& log);

} // namespace lockscope::server
