// Reading the answers to four-letter words, as a 3.8 server writes them.
#include "core/server/probe/four_letter.h"

#include "core/server/deadline.h"
#include "core/server/probe/session_probe.h"
#include "core/server/process/free_port.h"
#include "core/server/process/server_config.h"

#include <gmock/gmock.h>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(ServerStatus, IsReadFromSrvr)
{
    const auto status =
        parseServerStatus("Zookeeper version: 3.8.0-${mvngit.commit.id}, built on 2024-06-16 10:02 UTC\n"
                          "Latency min/avg/max: 0/0.0/0\nReceived: 1\nSent: 0\nConnections: 1\n"
                          "Outstanding: 0\nZxid: 0x0\nMode: standalone\nNode count: 5\n");
    ASSERT_TRUE(status);
    EXPECT_EQ(status->version, "3.8.0");
    EXPECT_EQ(status->mode, "standalone");
}

TEST(ServerStatus, WithoutAVersionIsAnError)
{
    EXPECT_FALSE(parseServerStatus(""));
    EXPECT_FALSE(parseServerStatus("Mode: leader\n"));
}

TEST(WatchTable, IsReadFromWchp)
{
    const auto table =
        parseWatchTable("/lock/a b\n\t0x10000d2f2a90001\n\t0xffffffffffffffff\n/lock/c\n\t0x1\n\n");
    ASSERT_TRUE(table);
    EXPECT_THAT(*table,
                ElementsAre(Pair("/lock/a b", ElementsAre(SessionId{0x10000d2f2a90001}, SessionId{-1})),
                            Pair("/lock/c", ElementsAre(SessionId{1}))));
}

TEST(WatchTable, AnEmptyAnswerIsAnEmptyTable)
{
    const auto table = parseWatchTable("\n");
    ASSERT_TRUE(table);
    EXPECT_TRUE(table->empty());
}

TEST(WatchTable, AnAnswerThatIsCutOffIsAnError)
{
    const std::string whole = "/a\n\t0x1\n\t0x2\n/b\n\t0x3\n\n";
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(parseWatchTable(whole.substr(0, size))) << size << " bytes of it";
    EXPECT_TRUE(parseWatchTable(whole));
}

TEST(WatchTable, AnythingElseIsAnError)
{
    EXPECT_FALSE(parseWatchTable("wchp is not executed\n"));
    EXPECT_FALSE(parseWatchTable("\t0x1\n"));
    EXPECT_FALSE(parseWatchTable("/a\n\t0x1g\n"));
    EXPECT_FALSE(parseWatchTable("/a\n\t0x\n"));
    EXPECT_FALSE(parseWatchTable("/a\n\t0x11111111111111111\n"));
}

TEST(FourLetterWord, NoServer)
{
    const auto port = pickFreePort();
    ASSERT_TRUE(port);
    const auto address = "127.0.0.1:" + std::to_string(*port);
    const auto answer = sendFourLetterWord(address, "srvr", 2s);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::noServer);
    EXPECT_THAT(answer.error().message.english(), HasSubstr(address));
    EXPECT_FALSE(probeSession(address, deadlineIn(2s)));
}

TEST(FourLetterWord, AMalformedAddress)
{
    for (const char* address : {"", "localhost", ":2181", "localhost:"}) {
        const auto answer = sendFourLetterWord(address, "srvr", 1s);
        ASSERT_FALSE(answer) << address;
        EXPECT_EQ(answer.error().code, ErrorCode::badUsage) << address;
    }
}

TEST(CleanEnvironment, KeepsNothingThatSteersJava)
{
    const char* const given[] = {"PATH=/usr/bin",
                                 "CLASSPATH=/evil.jar",
                                 "JAVA_TOOL_OPTIONS=-javaagent:x",
                                 "JDK_JAVA_OPTIONS=-Xmx1m",
                                 "JVMFLAGS=-Dx",
                                 "_JAVA_OPTIONS=-Xint",
                                 "LD_PRELOAD=/evil.so",
                                 "LC_ALL=C.UTF-8",
                                 "PATHS=/x",
                                 nullptr};
    EXPECT_THAT(cleanEnvironment(given), ElementsAre("PATH=/usr/bin", "LC_ALL=C.UTF-8"));
    EXPECT_TRUE(cleanEnvironment(nullptr).empty());
}

TEST(ServerConfig, IsForLoopbackOnlyAndRaisesTheLimits)
{
    const auto text = configText({.port = 21233, .tickTime = 500ms});
    for (const char* line : {"clientPort=21233\n", "clientPortAddress=127.0.0.1\n",
                             "clientPortListenBacklog=4096\n", "maxClientCnxns=0\n", "maxCnxns=0\n",
                             "tickTime=500\n", "minSessionTimeout=500\n", "admin.enableServer=false\n"})
        EXPECT_THAT(text, HasSubstr(line));
}

} // namespace
} // namespace lockscope::server
