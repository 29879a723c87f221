// cons and dump, as servers write them, and as they do not.
#include "core/field/session_answers.h"
#include "core/field/session_poll.h"

#include <gmock/gmock.h>

namespace lockscope::field {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// ZooKeeper 3.8.0.
const std::string kCons = " /"
                          "127.0.0.1:44486[1](queued=0,recved=6,sent=6,sid=0x100002292710000,lop=CREA,est="
                          "1795411736276,to=10000,lcxid=0x5,"
                          "lzxid=0x4,lresp=2309102,llat=2,minlat=0,avglat=18,maxlat=50)\n"
                          " /"
                          "[0:0:0:0:0:0:0:1]:5000[1](queued=0,recved=9,sent=9,sid=0xffffffffffffffff,lop="
                          "PING,est=1,to=4000,lcxid=0xfffffffffffffffe,lzxid=0x4)\n"
                          " /127.0.0.1:44494[0](queued=0,recved=1,sent=0)\n\n";

const std::string kDump =
    "SessionTracker dump:\nSession Sets (2)/(1):\n0 expire at Mon Nov 23 05:29:06 UTC 2026:\n"
    "1 expire at Mon Nov 23 05:29:09 UTC 2026:\n\t0x100002292710000\n"
    "2 expire at Mon Nov 23 05:30:01 UTC 2026:\n\t0x2\n"
    "ephemeral nodes dump:\nSessions with Ephemerals (1):\n0x100002292710000:\n\t/l/x\n"
    "Connections dump:\nConnections Sets (1)/(2):\n2 expire at Mon Nov 23 05:29:07 UTC 2026:\n"
    "\tip: /127.0.0.1:44506 sessionId: 0x0\n";

TEST(Connections, AreThoseThatHaveASession)
{
    const auto lines = parseConnections(kCons);
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].session, SessionId{0x100002292710000});
    EXPECT_EQ(lines[0].address, "127.0.0.1:44486");
    EXPECT_EQ(lines[0].received, 6);
    EXPECT_EQ(lines[0].timeoutMs, 10000);
    EXPECT_EQ(lines[0].lastRequest, 5);
    EXPECT_EQ(lines[0].lastResponseMs, 2309102);
    EXPECT_EQ(lines[0].establishedMs, 1795411736276);
    EXPECT_EQ(lines[1].session, SessionId{-1});
    EXPECT_EQ(lines[1].address, "[0:0:0:0:0:0:0:1]:5000");
}

TEST(Connections, OfRubbishThereAreNone)
{
    EXPECT_THAT(parseConnections(""), IsEmpty());
    EXPECT_THAT(parseConnections("sid=0x1\n/[(,,,sid=,\n[(sid=0x5)\n/a(sid=0x7)\n"), IsEmpty());
    EXPECT_THAT(parseConnections(std::string(10'000, '(')), IsEmpty());
}

TEST(Dump, SaysWhenSessionsExpire)
{
    const SessionDump dump = parseDump(kDump);
    EXPECT_TRUE(dump.hasTimes);
    ASSERT_THAT(dump.sessions, SizeIs(2));
    EXPECT_EQ(dump.sessions[0].id, SessionId{0x100002292710000});
    EXPECT_EQ(dump.sessions[1].id, SessionId{2});
    EXPECT_EQ(*dump.sessions[1].expiresAtS - *dump.sessions[0].expiresAtS, 52);
}

TEST(Dump, OfAFollowerHasNoTimes)
{
    const SessionDump dump =
        parseDump("SessionTracker dump:\nGlobal Sessions(2):\n0x1\t10000ms\n0x2\t4000ms\nephemeral nodes "
                  "dump:\n0x3:\n");
    EXPECT_FALSE(dump.hasTimes);
    ASSERT_THAT(dump.sessions, SizeIs(2));
    EXPECT_FALSE(dump.sessions[0].expiresAtS);
}

TEST(Dump, WithDatesThatAreNoneHasNoTimes)
{
    EXPECT_FALSE(
        parseDump("Session Sets (1)/(1):\n1 expire at yesterday:\n\t0x1\n").sessions.at(0).expiresAtS);
    EXPECT_FALSE(
        parseDump("Session Sets (1)/(1):\n1 expire at Mon Foo 99 aa:bb:cc UTC 2026:\n\t0x1\n").hasTimes);
}

TEST(Watches, AreOfAServersPathsAndBelowAChrootOnlyPartlyOurs)
{
    const server::WatchTable all{
        {"/app", {SessionId{1}}}, {"/app/lock/a", {SessionId{2}}}, {"/apple/lock/a", {SessionId{3}}}};
    EXPECT_EQ(belowChroot(all, ""), all);
    EXPECT_EQ(belowChroot(all, "/app"),
              (server::WatchTable{{"/", {SessionId{1}}}, {"/lock/a", {SessionId{2}}}}));
}

} // namespace
} // namespace lockscope::field
