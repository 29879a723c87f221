// What passes to the library and what does not, by every field that it would believe.
#include "core/zk/c_client/frame_guard.h"
#include "tests/support/fake_server.h"

#include <gtest/gtest.h>

#include <climits>

namespace lockscope::zk::c_client {
namespace {

using tests::int32;
using tests::packet;
using tests::reply;
using tests::stat;
using tests::text;

bool sound(const std::string& bytes, ReplyKind expected)
{
    const std::string head = bytes.substr(0, kPacketHeadSize);
    return isWellFormed({reinterpret_cast<const unsigned char*>(head.data()), head.size()}, expected);
}

TEST(FrameGuard, PassesWhatIsRight)
{
    EXPECT_TRUE(sound(reply(1, 0), ReplyKind::headerOnly));
    EXPECT_TRUE(sound(reply(1, 0, text("/a") + stat()), ReplyKind::created));
    EXPECT_TRUE(sound(reply(1, 0, text("abc") + stat()), ReplyKind::data));
    EXPECT_TRUE(sound(reply(1, 0, int32(-1) + stat()), ReplyKind::data));
    EXPECT_TRUE(sound(reply(1, 0, stat()), ReplyKind::stat));
    EXPECT_TRUE(sound(reply(1, 0, int32(0) + stat()), ReplyKind::children));
    EXPECT_TRUE(sound(reply(1, 0, int32(2) + text("a") + text("b") + stat()), ReplyKind::children));
    EXPECT_TRUE(sound(tests::watchEvent(3, "/"), ReplyKind::none));
    EXPECT_TRUE(sound(tests::watchEvent(3, "/a/long/path/of/a/node"), ReplyKind::children));
}

TEST(FrameGuard, PassesARefusalOfAnyRequest)
{
    for (const ReplyKind kind :
         {ReplyKind::headerOnly, ReplyKind::created, ReplyKind::data, ReplyKind::stat, ReplyKind::children})
        EXPECT_TRUE(sound(reply(1, -101), kind));
}

TEST(FrameGuard, PassesWhatTheServerSendsUnasked)
{
    for (const std::int32_t xid : {-2, -4, -8})
        EXPECT_TRUE(sound(reply(xid, 0), ReplyKind::none));
}

TEST(FrameGuard, StopsLengthsThatCannotBe)
{
    for (const std::int32_t length : {INT_MIN, -1, 0, 15, kMaxPacketSize + 1, INT_MAX})
        EXPECT_FALSE(sound(int32(length) + std::string(28, '\0'), ReplyKind::headerOnly)) << length;
}

TEST(FrameGuard, StopsAReplyToNothing)
{
    EXPECT_FALSE(sound(reply(1, 0), ReplyKind::none));
    EXPECT_FALSE(sound(reply(1, -101), ReplyKind::none));
}

TEST(FrameGuard, StopsFieldsThatDoNotFitIn)
{
    for (const std::int32_t count : {INT_MIN, -2, 4, 1000, INT_MAX}) {
        EXPECT_FALSE(sound(reply(1, 0, int32(count) + "abc" + stat()), ReplyKind::data)) << count;
        EXPECT_FALSE(sound(reply(1, 0, int32(count) + "abc" + stat()), ReplyKind::created)) << count;
        EXPECT_FALSE(sound(reply(1, 0, int32(count) + "abc" + stat()), ReplyKind::children)) << count;
    }
    EXPECT_FALSE(sound(reply(1, 0, int32(-1) + stat()), ReplyKind::created));
    EXPECT_FALSE(sound(reply(1, 0, int32(-1) + stat()), ReplyKind::children));
    EXPECT_FALSE(sound(reply(1, 0, int32(2) + text("a") + stat()), ReplyKind::children));
}

TEST(FrameGuard, StopsRepliesThatEndTooEarly)
{
    EXPECT_FALSE(sound(reply(1, 0, stat().substr(1)), ReplyKind::stat));
    for (const ReplyKind kind : {ReplyKind::created, ReplyKind::data, ReplyKind::stat, ReplyKind::children}) {
        EXPECT_FALSE(sound(reply(1, 0), kind));
        EXPECT_FALSE(sound(reply(1, 0, int32(0)), kind));
    }
}

} // namespace
} // namespace lockscope::zk::c_client
