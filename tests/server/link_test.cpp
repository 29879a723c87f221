// A faulty link without ZooKeeper: what passes is whole and in order, every rule does what it says to open
// and to new connections, every fault applies at once, and nothing happens after the link is gone.
#include "link_test.h"

#include "core/base/random.h"

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;
using testing::Peer;
using testing::PlainServer;

TEST_F(LinkTest, PassesBothWaysAndTheEndOfEachWay)
{
    const auto client = connect();
    client->send("question");
    ASSERT_TRUE(becomes([&] { return atServer().received == "question"; }));
    client->finish();
    ASSERT_TRUE(becomes([&] { return atServer().closedByOther(); }));
    EXPECT_FALSE(client->ending) << "the other way is still open";
    atServer().send("answer");
    ASSERT_TRUE(becomes([&] { return client->received == "answer"; }));
    EXPECT_EQ(link->openConnections(), 1u);
    atServer().finish();
    ASSERT_TRUE(becomes([&] { return client->closedByOther(); }));
    EXPECT_TRUE(becomes([&] { return link->openConnections() == 0; }));
}

TEST_F(LinkTest, ATapSeesWhatPassesAndNothingThatARuleDrops)
{
    std::string fromClient, fromServer;
    std::size_t ends = 0;
    link->onTraffic([&](std::uint64_t, bool client, std::string_view bytes) {
        (client ? fromClient : fromServer) += bytes;
        ends += bytes.empty() ? 1 : 0;
    });
    const auto client = connect();
    client->send("question");
    atServer().send("answer");
    ASSERT_TRUE(becomes([&] { return atServer().received == "question" && client->received == "answer"; }));
    link->set({.dropToServer = true});
    client->send("lost");
    runReady();
    EXPECT_EQ(fromClient, "xquestion");
    EXPECT_EQ(fromServer, "answer");
    EXPECT_EQ(ends, 0u);
    link->reset();
    EXPECT_EQ(ends, 1u);
    link.reset();
    runReady();
    EXPECT_EQ(ends, 1u);
}

TEST_F(LinkTest, AHundredMegabytesArriveWhole)
{
    constexpr std::size_t blocks = 100;
    Random random(1);
    std::string block(1 << 20, '\0');
    for (char& byte : block)
        byte = static_cast<char>(random.next());
    const auto client = connect();
    std::size_t arrived = 0;
    bool same = true;
    atServer().sink = [&](std::string_view bytes) {
        while (!bytes.empty()) {
            const auto expected = std::string_view(block).substr(arrived % block.size(), bytes.size());
            same = same && bytes.starts_with(expected);
            arrived += expected.size();
            bytes.remove_prefix(expected.size());
        }
    };
    for (std::size_t i = 0; i < blocks; ++i)
        client->send(block);
    ASSERT_TRUE(becomes([&] { return arrived == blocks * block.size(); })) << arrived;
    EXPECT_TRUE(same);
}

TEST_F(LinkTest, ASideThatDoesNotReadHoldsTheOtherBack)
{
    constexpr std::size_t all = 64u << 20;
    server.reads = false;
    const auto client = connect();
    client->send(std::string(all, 'a'));
    runReady();
    EXPECT_LT(client->sent, all / 2) << "the link must not read what its other end does not accept";
    atServer().readAll();
    EXPECT_TRUE(becomes([&] { return atServer().received.size() == all + 1; }));
}

TEST_F(LinkTest, LatencyHoldsEachWay)
{
    const auto client = connect();
    link->set({.latency = 60ms});
    const auto before = MonotonicClock::now();
    client->send("question");
    ASSERT_TRUE(becomes([&] { return atServer().received == "question"; }));
    const auto there = MonotonicClock::now();
    EXPECT_GE(there - before, 60ms);
    atServer().send("answer");
    ASSERT_TRUE(becomes([&] { return client->received == "answer"; }));
    EXPECT_GE(MonotonicClock::now() - there, 60ms);
}

TEST_F(LinkTest, WhatIsUnderWayDoesNotWaitForARuleThatIsGone)
{
    const auto client = connect();
    link->set({.latency = std::chrono::hours(1)});
    client->send("late");
    runReady();
    EXPECT_TRUE(atServer().received.empty());
    link->heal();
    EXPECT_TRUE(becomes([&] { return atServer().received == "late"; }));
    client->send("r");
    EXPECT_TRUE(becomes([&] { return atServer().received == "later"; }));
}

TEST_F(LinkTest, JitterKeepsOrderAndContent)
{
    const auto client = connect();
    link->set({.latency = 3ms, .jitter = 3ms});
    std::string expected;
    for (int i = 0; i < 300; ++i) {
        const auto piece = std::to_string(i) + " ";
        expected += piece;
        client->send(piece);
        io.restart();
        io.run_one_for(1ms);
    }
    ASSERT_TRUE(becomes([&] { return client->sent == expected.size() + 1; }));
    client->finish();
    ASSERT_TRUE(becomes([&] { return atServer().closedByOther(); })) << "the end comes last";
    EXPECT_EQ(atServer().received, expected);
}

TEST_F(LinkTest, BandwidthLimitsEachWay)
{
    const auto client = connect();
    link->set({.bytesPerSecond = 400'000});
    for (const bool toServer : {true, false}) {
        Peer& from = toServer ? *client : atServer();
        Peer& to = toServer ? atServer() : *client;
        const auto before = MonotonicClock::now();
        from.send(std::string(100'000, 'a'));
        ASSERT_TRUE(becomes([&] { return to.received.size() == 100'000; }));
        EXPECT_GE(MonotonicClock::now() - before, 240ms);
    }
}

TEST_F(LinkTest, AHoleToTheServerSwallowsAndTheOtherWayGoesOn)
{
    const auto client = connect();
    link->set({.dropToServer = true});
    client->send("lost");
    atServer().send("heard");
    ASSERT_TRUE(becomes([&] { return client->received == "heard"; }));
    client->close();
    runReady();
    EXPECT_TRUE(atServer().received.empty());
    EXPECT_FALSE(atServer().ending) << "the server does not learn that the client has gone";
    link->heal();
    EXPECT_TRUE(becomes([&] { return atServer().wasReset(); })) << "nothing can come over it any more";
}

TEST_F(LinkTest, AHoleToTheClientSwallowsEvenTheEnd)
{
    const auto client = connect();
    link->set({.dropToClient = true});
    atServer().send("lost");
    client->send("heard");
    ASSERT_TRUE(becomes([&] { return atServer().received == "heard"; }));
    atServer().close();
    client->send("into nothing");
    runReady();
    client->send("and again");
    runReady();
    EXPECT_TRUE(client->received.empty());
    EXPECT_FALSE(client->ending) << "the client does not learn that the server has gone";
    link->heal();
    EXPECT_TRUE(becomes([&] { return client->wasReset(); }));
}

TEST_F(LinkTest, CutResetsWhatIsOpenAndWhatComesUntilHealed)
{
    const auto client = connect();
    link->set({.cut = true});
    EXPECT_TRUE(becomes([&] { return client->wasReset() && atServer().wasReset(); }));
    const auto second = connectClient();
    EXPECT_TRUE(becomes([&] { return second->wasReset(); }));
    EXPECT_EQ(server.peers.size(), 1u) << "the server hears nothing of it";
    link->heal();
    const auto third = connect();
    third->send("again");
    EXPECT_TRUE(becomes([&] { return atServer().received == "again"; }));
}

TEST_F(LinkTest, HalfOpenTheServerForgetsAndTheClientHearsNothing)
{
    const auto client = connect();
    link->halfOpen();
    EXPECT_TRUE(becomes([&] { return atServer().ending; }));
    client->send("anybody there?");
    ASSERT_TRUE(becomes([&] { return client->sent == 15; }));
    runReady();
    EXPECT_FALSE(client->ending);
    const auto second = connect();
    second->send("new ones work");
    EXPECT_TRUE(becomes([&] { return atServer().received == "new ones work"; }));
    link->heal();
    EXPECT_TRUE(becomes([&] { return client->wasReset(); }));
    EXPECT_FALSE(second->ending);
}

TEST_F(LinkTest, ADeadServerClosesTheClientAtOnceAndTheOtherDoorWorks)
{
    PlainServer second(io);
    link = *Link::open(io, {server.address(), second.address()}, 7);
    server.stopListening();
    const auto refused = connectClient(0);
    EXPECT_TRUE(becomes([&] { return refused->ending; }));
    const auto client = connectClient(1);
    client->send("hello");
    EXPECT_TRUE(becomes([&] { return !second.peers.empty() && second.peers[0]->received == "hello"; }));
}

TEST_F(LinkTest, ADestroyedLinkClosesEverythingAndCallsNothing)
{
    const auto client = connect();
    bool called = false;
    link->loseNextReply(std::nullopt, [&] { called = true; });
    link->set({.latency = 1ms});
    client->send(testing::handshake() + testing::request(1, 1));
    runReady();
    link.reset();
    EXPECT_TRUE(becomes([&] { return client->ending && atServer().ending; }));
    runReady();
    EXPECT_FALSE(called);
}

TEST(Link, RefusesWhatIsNoNumericAddress)
{
    boost::asio::io_context io;
    for (const char* wrong : {"localhost:2181", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:99999",
                              "127.0.0.1:21x", ":2181", ""}) {
        const auto link = Link::open(io, {wrong}, 1);
        ASSERT_FALSE(link) << wrong;
        EXPECT_EQ(link.error().code, ErrorCode::badUsage);
    }
    EXPECT_FALSE(Link::open(io, {}, 1));
    EXPECT_TRUE(Link::open(io, {"[::1]:2181"}, 1));
}

} // namespace
} // namespace lockscope::server
