#include "core/server/server_config.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockscope::server {

std::string configText(std::uint16_t port, Duration tickTime)
{
    using std::chrono::milliseconds;
    const auto tick = std::chrono::duration_cast<milliseconds>(tickTime).count();
    // The backlog: the default of 50 loses connections when a thousand clients come at once.
    // wchp is the server's own watch table; costly and open to everybody, so only for a server of our own.
    return "dataDir=./" + std::string(kDataFolder) +
           "\n"
           "clientPort=" +
           std::to_string(port) +
           "\n"
           "clientPortAddress=127.0.0.1\n"
           "clientPortListenBacklog=4096\n"
           "maxClientCnxns=0\n"
           "maxCnxns=0\n"
           "tickTime=" +
           std::to_string(tick) +
           "\n"
           "minSessionTimeout=" +
           std::to_string(tick) +
           "\n"
           "maxSessionTimeout=60000\n"
           "admin.enableServer=false\n"
           "4lw.commands.whitelist=srvr,mntr,wchp\n"
           "autopurge.purgeInterval=1\n"
           "autopurge.snapRetainCount=3\n";
}

std::vector<std::string> javaCommand(const JavaInstall& install)
{
    // Serial collector and first-tier compiler only, measured on two cores: ready in 0.21 s instead of 0.28
    // s, the first 500 operations a quarter faster and their p99 halved (no compiler threads beside the
    // clients), half the memory. The price is 15 % on the median of a server that has been busy for long.
    return {install.java.string(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xms128m", "-Xmn64m",
            "-Xmx1g",
            // Nothing outside the private directory: no hsperfdata, attach socket, core or error file.
            "-XX:-UsePerfData", "-XX:+DisableAttachMechanism", "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=./java-error.log", "-Djava.io.tmpdir=.", "-Djava.net.preferIPv4Stack=true",
            "-Djava.awt.headless=true", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-Dorg.slf4j.simpleLogger.showDateTime=true",
            // Every connection that breaks is a warning with a stack trace there: noise, and room in memory.
            "-Dorg.slf4j.simpleLogger.log.org.apache.zookeeper.server.NIOServerCnxn=error",
            "-Dorg.slf4j.simpleLogger.log.org.apache.zookeeper.server.WorkerService=error",
            // Throw-away data: no flush to disk, small log files, few snapshots.
            "-Dzookeeper.forceSync=no", "-Dzookeeper.preAllocSize=4096", "-Dzookeeper.snapCount=500000",
            "-Dzookeeper.snapshot.trust.empty=true", "-Dzookeeper.globalOutstandingLimit=10000",
            "-Dzookeeper.jmx.log4j.disable=true", "-cp", install.classPath,
            "org.apache.zookeeper.server.quorum.QuorumPeerMain", std::string("./") + kConfigFile};
}

std::vector<std::string> cleanEnvironment(const char* const* from)
{
    static constexpr std::array<std::string_view, 10> kept = {
        "PATH", "HOME",         "LANG",         "LC_ALL",        "LC_CTYPE",
        "TZ",   "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"};
    std::vector<std::string> clean;
    for (; from != nullptr && *from != nullptr; ++from) {
        const std::string_view entry(*from);
        if (std::find(kept.begin(), kept.end(), entry.substr(0, entry.find('='))) != kept.end())
            clean.emplace_back(entry);
    }
    return clean;
}

} // namespace lockscope::server
