// Ends: every request is answered, ephemeral nodes go, and nothing is used after it is gone.
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using zk::Code;
using zk::CreateMode;
using zk::SessionPhase;

class Lifetime : public ZkTest
{
protected:
    // One request of every kind, none of them answered yet.
    void askEverything(zk::Session& session)
    {
        const auto count = [this](Code code) { answers.push_back(code); };
        session.create(path() + "/a", "", CreateMode::ephemeral,
                       [count](zk::Created reply) { count(reply.code); });
        session.remove(path() + "/b", count);
        session.getChildren(path(), [count](Code code, zk::ChildNames, const zk::Stat&) { count(code); });
        session.getData(path(), [count](zk::Data reply) { count(reply.code); });
        session.setData(path(), "x", [count](zk::StatReply reply) { count(reply.code); });
        session.sync(path(), count);
        watches.push_back(session.getData(
            path(), [this](zk::WatchKind) { ++watchCalls; }, [count](zk::Data reply) { count(reply.code); }));
        watches.push_back(session.exists(
            path(), [this](zk::WatchKind) { ++watchCalls; },
            [count](zk::StatReply reply) { count(reply.code); }));
        watches.push_back(session.getChildren(
            path(), [this](zk::WatchKind) { ++watchCalls; },
            [count](Code code, zk::ChildNames, const zk::Stat&) { count(code); }));
    }
    static constexpr std::size_t kRequests = 9;
    std::vector<Code> answers;
    std::vector<zk::WatchPtr> watches;
    int watchCalls = 0;
};

// The server is busy with large replies when the close comes; who hangs up on them takes the close with it.
TEST_F(Lifetime, CloseIsHeardAmongRepliesUnderWay)
{
    world->create(world->observer(), path(), std::string(900'000, 'x'));
    for (int round = 0; round < 20; ++round) {
        const auto session = world->connect();
        world->create(*session, path() + "/n-", "", CreateMode::ephemeralSequential);
        for (int i = 0; i < 10; ++i)
            session->getData(path(), [](zk::Data) {});
        session->close();
        Later<bool> closed;
        world->hub().whenClosed([handler = closed.handler()] { handler(true); });
        world->runUntil([&] { return closed.arrived(); }, "the close");
        ASSERT_THAT(world->children(path()), ::testing::IsEmpty()) << "round " << round;
    }
}

TEST_F(Lifetime, ASessionMayBeClosedBeforeItIsConnected)
{
    const auto session = world->connecting({{}, std::chrono::seconds(10), std::chrono::seconds(25)});
    session->close();
    world->settle(world->observer());
    EXPECT_EQ(session->phase(), SessionPhase::closed);
    EXPECT_FALSE(session->id().valid());
}

TEST_F(Lifetime, ASessionMayBeClosedByItsOwnHandler)
{
    const auto session = world->connect();
    Later<Code> synced;
    session->sync("/", [&, handler = synced.handler()](Code code) {
        session->close();
        handler(code);
    });
    Later<zk::Data> behind;
    session->getData("/", behind.handler());
    world->runUntil([&] { return synced.arrived() && behind.arrived(); }, "both answers");
    EXPECT_EQ(*synced, Code::ok);
    EXPECT_THAT(behind->code, ::testing::AnyOf(Code::closed, Code::ok));
}

TEST_F(Lifetime, ASessionMayGoWithRequestsAndWatchesUnderWay)
{
    auto session = world->connect();
    world->create(*session, path(), "");
    askEverything(*session);
    session.reset();
    world->runUntil([&] { return answers.size() == kRequests; }, "the answers");
    EXPECT_THAT(answers, ::testing::Each(Code::closed));
    world->settle(world->observer());
    EXPECT_EQ(watchCalls, 0);
}

TEST_F(Lifetime, TheHubMayGoBeforeItsSessions)
{
    const auto session = world->connect();
    const auto connecting = world->connecting({{}, std::chrono::seconds(10), std::chrono::seconds(25)});
    world->create(*session, path(), "");
    askEverything(*session);
    world->destroyHub();
    EXPECT_EQ(session->phase(), SessionPhase::closed);
    EXPECT_EQ(connecting->phase(), SessionPhase::closed);
    session->close();
    EXPECT_EQ(watchCalls, 0);
}

TEST_F(Lifetime, TheHubMayGoWhileASessionIsKilled)
{
    const auto session = world->connect();
    bool notified = false;
    ASSERT_TRUE(world->server().suspend()); // so that it is not over at once
    session->kill([&](Result<void>) { notified = true; });
    world->runReady();
    world->destroyHub();
    EXPECT_FALSE(notified);
    ASSERT_TRUE(world->server().resume());
}

// Closing takes up to 1.5 s a session when the server stands still; the hub does not wait that long for each.
TEST_F(Lifetime, TheHubGoesSoonThoughTheServerStandsStill)
{
    constexpr int kSessions = 40;
    std::vector<HubSessionPtr> sessions;
    for (int i = 0; i < kSessions; ++i)
        sessions.push_back(world->connect());
    ASSERT_TRUE(server().suspend());
    const auto before = MonotonicClock::now();
    world->destroyHub();
    const auto took = MonotonicClock::now() - before;
    ASSERT_TRUE(server().resume());
    EXPECT_LT(took, kSessions * std::chrono::milliseconds(1500) / 4);
}

} // namespace
} // namespace lockscope::tests
