// The configuration files and the Java command line of a private server. Pure; all paths are relative to the
// private directory, which is Java's working directory.
#pragma once

#include "core/base/time.h"
#include "core/server/process/java_install.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::server {

inline constexpr const char* kConfigFile = "zoo.cfg";
inline constexpr const char* kDataFolder = "data";
inline constexpr const char* kLogFile = "server.log"; // the supervisor opens it for Java's output

inline constexpr const char* kMemberFile = "myid"; // in the data folder

// One of the servers of an ensemble, all on 127.0.0.1.
struct PeerPorts
{
    std::uint16_t quorum = 0;
    std::uint16_t election = 0;
};

struct ServerConfig
{
    std::uint16_t port = 0; // for clients
    Duration tickTime{};
    std::vector<PeerPorts> peers{}; // empty for a standalone server; otherwise numbered from 1
    int number = 0;                 // which of the peers it is
};

std::string configText(const ServerConfig& config);

// Names and texts of the files that tell the loggers of Apache's archive (Logback, before 3.8 Log4j) to write
// warnings to standard output. Their own configuration may write elsewhere; without one, Logback writes every
// request.
std::vector<std::pair<std::string, std::string>> loggerFiles();

enum class JavaMemory { alone, member }; // several members share one machine
std::vector<std::string> javaCommand(const JavaInstall& install, JavaMemory memory);

// The environment for Java: only a few harmless variables. JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS, CLASSPATH,
// LD_PRELOAD and the like would change the program or print into its log.
std::vector<std::string> cleanEnvironment(const char* const* from);

} // namespace lockscope::server
