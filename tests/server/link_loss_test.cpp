// Losing one reply: the server has got the request, the client never sees the answer and loses the connection
// with it, and everything before and beside it passes.
#include "link_test.h"

#include "core/server/relay/reply_loss.h"

#include <algorithm>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;
using testing::handshake;
using testing::reply;
using testing::request;

class LinkLoss : public LinkTest
{
protected:
    void SetUp() override
    {
        LinkTest::SetUp();
        client = connectClient();
        client->send(handshake());
        ASSERT_TRUE(becomes([&] { return server.peers.size() == 1 && atServer().received == handshake(); }));
        atServer().send(handshake());
        ASSERT_TRUE(becomes([&] { return client->received == handshake(); }));
        client->received.clear();
        atServer().received.clear();
    }
    void lose(std::optional<Operation> kind)
    {
        link->loseNextReply(kind, [this] { ++losses; });
    }
    // The server has got all of this.
    ::testing::AssertionResult ask(const std::string& requests)
    {
        const auto expected = atServer().received + requests;
        client->send(requests);
        return becomes([&] { return atServer().received == expected; });
    }

    std::unique_ptr<testing::Peer> client;
    int losses = 0;
};

TEST_F(LinkLoss, SwallowsTheReplyToTheNextRequestOfThatKind)
{
    ASSERT_TRUE(ask(request(1, 15)));
    lose(Operation::create);
    ASSERT_TRUE(ask(request(2, 4) + request(3, 15) + request(4, 15)));
    const auto before = reply(1) + reply(2, "data") + reply(-1, "event") + reply(-2);
    atServer().send(before + reply(3) + reply(4));
    ASSERT_TRUE(becomes([&] { return client->ending; }));
    EXPECT_TRUE(client->wasReset());
    EXPECT_EQ(client->received, before) << "what came before it is delivered, nothing after it";
    EXPECT_EQ(losses, 1);
    EXPECT_TRUE(becomes([&] { return atServer().ending; }));

    const auto second = connect();
    EXPECT_EQ(losses, 1) << "only one is lost";
    EXPECT_FALSE(second->ending);
}

TEST_F(LinkLoss, ATapMayOrderItForTheRequestThatItSees)
{
    link->onTraffic([&](std::uint64_t, bool fromClient, std::string_view bytes) {
        if (fromClient && bytes == request(2, 1))
            lose(Operation::create);
    });
    ASSERT_TRUE(ask(request(1, 1)));
    ASSERT_TRUE(ask(request(2, 1)));
    atServer().send(reply(1) + reply(2));
    ASSERT_TRUE(becomes([&] { return client->ending; }));
    EXPECT_EQ(client->received, reply(1));
    EXPECT_EQ(losses, 1);
}

TEST_F(LinkLoss, KnowsEachKind)
{
    const std::vector<std::pair<std::optional<Operation>, std::vector<int>>> kinds = {
        {Operation::create, {1, 15, 19, 21}},
        {Operation::remove, {2}},
        {Operation::exists, {3}},
        {Operation::getData, {4}},
        {Operation::setData, {5}},
        {Operation::getChildren, {8, 12}},
        {Operation::sync, {9}},
        {std::nullopt, {1, 2, 3, 4, 5, 8, 9, 12, 14}}};
    const std::vector<int> all = {1, 2, 3, 4, 5, 8, 9, 12, 14, 15, 19, 21, -11};
    for (const auto& [kind, types] : kinds)
        for (const int type : all) {
            ReplyLoss loss;
            loss.order(kind, {});
            loss.onRequest(this, {.xid = 5, .type = type});
            const bool expected =
                !kind ? type != -11 : std::find(types.begin(), types.end(), type) != types.end();
            EXPECT_EQ(loss.isReplyToLose(this, {.xid = 5}), expected)
                << (kind ? nameOf(*kind) : "any") << ' ' << type;
        }
}

TEST_F(LinkLoss, NeverTakesAHeartbeatOrTheWatchesSetAgain)
{
    lose(std::nullopt);
    ASSERT_TRUE(ask(request(-2, 11, "") + request(-8, 101) + request(-4, 100)));
    atServer().send(reply(-2) + reply(-8) + reply(-4));
    ASSERT_TRUE(becomes([&] { return client->received == reply(-2) + reply(-8) + reply(-4); }));
    EXPECT_EQ(losses, 0);
}

TEST_F(LinkLoss, FindsTheReplyThoughItComesByteByByte)
{
    lose(Operation::getData);
    for (const char byte : request(1, 9, "x") + request(2, 4))
        ASSERT_TRUE(ask(std::string(1, byte)));
    for (const char byte : reply(1, "longer than its head")) {
        const auto before = client->received.size();
        atServer().send(std::string(1, byte));
        ASSERT_TRUE(becomes([&] { return client->received.size() > before; }));
    }
    for (const char byte : reply(2)) {
        atServer().send(std::string(1, byte));
        runReady();
    }
    EXPECT_TRUE(becomes([&] { return client->wasReset(); }));
    EXPECT_EQ(losses, 1);
    EXPECT_LT(client->received.size(), (reply(1, "longer than its head") + reply(2)).size());
}

TEST_F(LinkLoss, WhatCameBeforeIsDeliveredInItsTime)
{
    link->set({.latency = 20ms});
    lose(std::nullopt);
    ASSERT_TRUE(ask(request(1, 4)));
    atServer().send(reply(-1, "event"));
    runReady();
    atServer().send(reply(1));
    ASSERT_TRUE(becomes([&] { return client->ending; }));
    EXPECT_EQ(client->received, reply(-1, "event"));
}

TEST_F(LinkLoss, TakesAnotherOneWhenTheConnectionEndsFirst)
{
    lose(Operation::create);
    ASSERT_TRUE(ask(request(1, 15)));
    link->reset();
    EXPECT_EQ(losses, 0);
    client = connectClient();
    client->send(handshake() + request(2, 15));
    ASSERT_TRUE(becomes([&] { return server.peers.size() == 2 && !atServer().received.empty(); }));
    atServer().send(handshake() + reply(2));
    EXPECT_TRUE(becomes([&] { return losses == 1; }));
}

TEST_F(LinkLoss, IsCanceledByHealing)
{
    lose(Operation::create);
    ASSERT_TRUE(ask(request(1, 15)));
    link->heal();
    atServer().send(reply(1));
    EXPECT_TRUE(becomes([&] { return client->received == reply(1); }));
    EXPECT_EQ(losses, 0);
}

TEST_F(LinkLoss, LeavesWhatIsNotZooKeepersProtocolAlone)
{
    const auto other = connectClient();
    lose(std::nullopt);
    other->send("srvr");
    ASSERT_TRUE(becomes([&] { return server.peers.size() == 2 && atServer().received == "srvr"; }));
    const std::string answer = "Zookeeper version: 3.8.0\n" + std::string(5000, '\0');
    atServer().send(answer);
    EXPECT_TRUE(becomes([&] { return other->received == answer; }));
    EXPECT_EQ(losses, 0);
}

TEST_F(LinkLoss, TakesAnotherOneWhenTheServerForgetsTheConnectionFirst)
{
    lose(Operation::create);
    ASSERT_TRUE(ask(request(1, 15)));
    link->halfOpen();
    const auto second = connectClient();
    second->send(handshake() + request(2, 15));
    ASSERT_TRUE(becomes([&] { return server.peers.size() == 2 && !atServer().received.empty(); }));
    atServer().send(handshake() + reply(2));
    EXPECT_TRUE(becomes([&] { return second->ending; }));
    EXPECT_EQ(losses, 1);
}

} // namespace
} // namespace lockscope::server
