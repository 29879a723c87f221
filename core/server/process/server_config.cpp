#include "core/server/process/server_config.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockscope::server {

namespace {

std::string line(std::string_view key, const std::string& value)
{
    return std::string(key) + "=" + value + "\n";
}

// In ticks: how long a member may take to copy the leader's data, or to answer the leader, before it is
// dropped. A killed member is noticed at once by its closed connections. These limits are for a suspended
// member, and long enough for a busy machine.
constexpr int kInitLimit = 40;
constexpr int kSyncLimit = 10;

std::string peerLines(const std::vector<PeerPorts>& peers)
{
    std::string text =
        line("initLimit", std::to_string(kInitLimit)) + line("syncLimit", std::to_string(kSyncLimit));
    int number = 0;
    for (const PeerPorts& peer : peers)
        text += line("server." + std::to_string(++number),
                     "127.0.0.1:" + std::to_string(peer.quorum) + ":" + std::to_string(peer.election));
    return text;
}

} // namespace

std::string configText(const ServerConfig& config)
{
    using std::chrono::milliseconds;
    const auto tick = std::to_string(std::chrono::duration_cast<milliseconds>(config.tickTime).count());
    // The backlog: the default of 50 loses connections when a thousand clients come at once.
    // wchp, cons and dump list watches and sessions. They are costly and open to every client, so only for a
    // private server.
    auto text = line("dataDir", std::string("./") + kDataFolder) +
                line("clientPort", std::to_string(config.port)) + line("clientPortAddress", "127.0.0.1") +
                line("clientPortListenBacklog", "4096") + line("maxClientCnxns", "0") +
                line("maxCnxns", "0") + line("tickTime", tick) + line("minSessionTimeout", tick) +
                line("maxSessionTimeout", "60000") + line("admin.enableServer", "false") +
                line("4lw.commands.whitelist", "srvr,mntr,wchp,ruok,cons,dump") +
                line("autopurge.purgeInterval", "1") + line("autopurge.snapRetainCount", "3");
    if (!config.peers.empty())
        text += peerLines(config.peers);
    return text;
}

std::vector<std::pair<std::string, std::string>> loggerFiles()
{
    return {{"logback.xml", R"(<configuration>
  <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d %level %logger - %msg%n</pattern></encoder>
  </appender>
  <logger name="org.apache.zookeeper.server.NIOServerCnxn" level="ERROR"/>
  <logger name="org.apache.zookeeper.server.WorkerService" level="ERROR"/>
  <root level="WARN"><appender-ref ref="OUT"/></root>
</configuration>
)"},
            {"log4j.properties", R"(log4j.rootLogger=WARN, OUT
log4j.logger.org.apache.zookeeper.server.NIOServerCnxn=ERROR
log4j.logger.org.apache.zookeeper.server.WorkerService=ERROR
log4j.appender.OUT=org.apache.log4j.ConsoleAppender
log4j.appender.OUT.layout=org.apache.log4j.PatternLayout
log4j.appender.OUT.layout.ConversionPattern=%d %p %c - %m%n
)"}};
}

std::vector<std::string> javaCommand(const JavaInstall& install, JavaMemory memory)
{
    const bool alone = memory == JavaMemory::alone;
    // Serial collector and first-tier compiler only, measured on two cores: ready in 0.21 s instead of 0.28
    // s, the first 500 operations a quarter faster and their p99 halved (no compiler threads beside the
    // clients), half the memory. The price is 15 % on the median of a server that has been busy for long.
    return {install.java.string(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            alone ? "-Xms128m" : "-Xms48m", alone ? "-Xmn64m" : "-Xmn24m", alone ? "-Xmx1g" : "-Xmx384m",
            // Nothing outside the private directory: no hsperfdata, attach socket, core or error file.
            "-XX:-UsePerfData", "-XX:+DisableAttachMechanism", "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=./java-error.log", "-Djava.io.tmpdir=.", "-Djava.net.preferIPv4Stack=true",
            "-Djava.awt.headless=true", "-Dlogback.configurationFile=./logback.xml",
            "-Dlog4j.configuration=file:./log4j.properties", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-Dorg.slf4j.simpleLogger.showDateTime=true",
            // These log every broken connection as a warning with a stack trace.
            "-Dorg.slf4j.simpleLogger.log.org.apache.zookeeper.server.NIOServerCnxn=error",
            "-Dorg.slf4j.simpleLogger.log.org.apache.zookeeper.server.WorkerService=error",
            // Throw-away data: no flush to disk, small log files, few snapshots.
            "-Dzookeeper.forceSync=no", "-Dzookeeper.preAllocSize=4096", "-Dzookeeper.snapCount=500000",
            "-Dzookeeper.snapshot.trust.empty=true", "-Dzookeeper.globalOutstandingLimit=10000",
            // In an election, a member notifies the others again after a second at most, not a minute.
            "-Dzookeeper.fastleader.maxNotificationInterval=1000", "-Dzookeeper.jmx.log4j.disable=true",
            "-cp", install.classPath, "org.apache.zookeeper.server.quorum.QuorumPeerMain",
            std::string("./") + kConfigFile};
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
