// What a command line says about a trace that it is given. Any thread.
#pragma once

#include <filesystem>
#include <string>

namespace lockscope::trace {

// Why the file cannot be a trace, when it does not exist or is no regular file (a folder, a FIFO, a device).
std::string noTraceFile(const std::filesystem::path& path);

} // namespace lockscope::trace
