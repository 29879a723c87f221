// What passes to the library and what does not, by every field that it would believe.
#include "core/base/unique_fd.h"
#include "core/zk/c_client/frame_guard.h"
#include "tests/support/fake_server.h"

#include <gtest/gtest.h>

#include <sys/socket.h>

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

class ConnectionGuard : public ::testing::Test
{
protected:
    void SetUp() override
    {
        int ends[2];
        ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        client = UniqueFd(ends[0]);
        server = UniqueFd(ends[1]);
    }
    void send(const std::string& bytes)
    {
        ASSERT_EQ(::send(server.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    }

    UniqueFd client;
    UniqueFd server;
    FrameGuard guard;
};

class PacketGuard : public ConnectionGuard
{
protected:
    FrameGuard::Status check() { return guard.check(client.get(), {}, MonotonicTime{}); }
};

TEST_F(PacketGuard, StopsOneThatIsCutOffInItsHead)
{
    const std::string event = tests::watchEvent(3, "/a");
    send(event.substr(0, 3));
    EXPECT_EQ(check(), FrameGuard::Status::incomplete) << "in its length";
    send(event.substr(3, 7));
    EXPECT_EQ(check(), FrameGuard::Status::incomplete);
    server.reset();
    EXPECT_EQ(check(), FrameGuard::Status::broken);
}

TEST_F(PacketGuard, StopsOneThatIsCutOffInItsLength)
{
    send(tests::watchEvent(3, "/a").substr(0, 3));
    server.reset();
    EXPECT_EQ(check(), FrameGuard::Status::broken);
}

TEST_F(PacketGuard, PassesAWholeOneBeforeTheEnd)
{
    send(tests::watchEvent(3, "/a"));
    server.reset();
    EXPECT_EQ(check(), FrameGuard::Status::pass);
}

class HandshakeGuard : public ConnectionGuard
{
protected:
    FrameGuard::Status check() { return guard.checkHandshake(client.get()); }

    const std::string answer = tests::handshake(1000, 1);
};

TEST_F(HandshakeGuard, WaitsForEnoughBytesOfIt)
{
    EXPECT_EQ(check(), FrameGuard::Status::nothing);
    for (const char byte : answer.substr(0, 7)) {
        send(std::string(1, byte));
        EXPECT_EQ(check(), FrameGuard::Status::incomplete);
    }
    send(answer.substr(7, 1));
    EXPECT_EQ(check(), FrameGuard::Status::pass);
}

TEST_F(HandshakeGuard, StopsAWrongOneInPieces)
{
    const std::string wrong = int32(1000) + answer.substr(4);
    EXPECT_EQ(check(), FrameGuard::Status::nothing);
    send(wrong.substr(0, 3));
    EXPECT_EQ(check(), FrameGuard::Status::incomplete);
    send(wrong.substr(3));
    EXPECT_EQ(check(), FrameGuard::Status::broken);
}

TEST_F(HandshakeGuard, StopsOneThatIsCutOff)
{
    send(answer.substr(0, 3));
    ASSERT_EQ(::shutdown(client.get(), SHUT_RDWR), 0);
    EXPECT_EQ(check(), FrameGuard::Status::broken);
}

TEST_F(HandshakeGuard, LetsTheLibraryFindTheEnd)
{
    server.reset();
    EXPECT_EQ(check(), FrameGuard::Status::pass);
}

} // namespace
} // namespace lockscope::zk::c_client
