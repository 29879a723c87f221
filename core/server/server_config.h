// What the private server is started with: its configuration file and the command line of its Java. Pure;
// both use paths relative to the private directory, which is Java's working directory.
#pragma once

#include "core/base/time.h"
#include "core/server/java_install.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::server {

inline constexpr const char* kConfigFile = "zoo.cfg";
inline constexpr const char* kDataFolder = "data";
inline constexpr const char* kLogFile = "server.log"; // the supervisor opens it for Java's output

std::string configText(std::uint16_t port, Duration tickTime);
std::vector<std::string> javaCommand(const JavaInstall& install);

// The environment Java gets: a short list of harmless names. JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS, CLASSPATH,
// LD_PRELOAD and the like would change what is run or print into its log.
std::vector<std::string> cleanEnvironment(const char* const* from);

} // namespace lockscope::server
