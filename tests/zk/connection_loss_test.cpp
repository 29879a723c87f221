// A connection that breaks, a server that stays away, a process that stands still.
#include "tests/support/lossy_relay.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <boost/asio/ip/tcp.hpp>

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using zk::Code;
using zk::CreateMode;
using zk::LossReason;
using zk::SessionPhase;

constexpr auto kShort = std::chrono::seconds(1);

class ConnectionLoss : public ZkTest
{
protected:
    // A server that takes connections and does not answer: they are not accepted.
    class SilentServer
    {
    public:
        std::string address() const
        {
            return "127.0.0.1:" + std::to_string(m_acceptor.local_endpoint().port());
        }

    private:
        boost::asio::io_context m_io;
        boost::asio::ip::tcp::acceptor m_acceptor{m_io, {boost::asio::ip::address_v4::loopback(), 0}};
    };
    std::vector<SessionPhase> phases;
    void note(zk::Session& session)
    {
        session.addListener([this](SessionPhase phase) { phases.push_back(phase); });
    }
};

TEST_F(ConnectionLoss, ASessionLivesOnAfterTheServerWasAway)
{
    const auto session = world->connect();
    const SessionId id = session->id();
    world->create(*session, path(), "", CreateMode::ephemeral);
    note(*session);
    ASSERT_TRUE(server().killNow());
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::suspended));
    EXPECT_EQ(session->server(), "");
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::connected));
    EXPECT_EQ(session->id(), id);
    EXPECT_EQ(world->get(*session, path()).stat.ephemeralOwner, id);
    EXPECT_THAT(phases, ElementsAre(SessionPhase::suspended, SessionPhase::connected));
}

TEST_F(ConnectionLoss, RequestsUnderWayAreUnknown)
{
    const auto session = world->connect();
    ASSERT_TRUE(server().suspend());
    Later<zk::Created> created;
    Later<Code> removed;
    Later<Children> listed;
    session->create(path(), "", CreateMode::ephemeral, created.handler());
    session->remove(path() + "x", removed.handler());
    requestChildren(*session, "/", listed);
    world->runReady(); // they are in the server's hands
    ASSERT_TRUE(server().killNow());
    world->runUntil([&] { return created.arrived() && removed.arrived() && listed.arrived(); },
                    "the answers");
    EXPECT_EQ(created->code, Code::unknown);
    EXPECT_EQ(*removed, Code::unknown);
    EXPECT_EQ(listed->code, Code::unknown);
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::connected));
    EXPECT_EQ(world->children(*session, "/").code, Code::ok);
}

TEST_F(ConnectionLoss, ALostReplyIsUnknownAlthoughItWasDone)
{
    LossyRelay relay(server().address());
    const auto session = world->connect(std::chrono::seconds(30), relay.address());
    relay.loseReplyTo(LossyRelay::Op::create);
    EXPECT_EQ(world->create(*session, path(), "").code, Code::unknown);
    EXPECT_TRUE(world->exists(path()));
    EXPECT_EQ(relay.losses(), 1);
}

TEST_F(ConnectionLoss, ALostRequestIsUnknownAlthoughItWasNotDone)
{
    LossyRelay relay(server().address());
    const auto session = world->connect(std::chrono::seconds(30), relay.address());
    relay.loseRequest(LossyRelay::Op::create);
    EXPECT_EQ(world->create(*session, path(), "").code, Code::unknown);
    EXPECT_FALSE(world->exists(path()));
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::connected));
    EXPECT_EQ(world->create(*session, path(), "").code, Code::ok);
}

TEST_F(ConnectionLoss, ALostSessionAnswersEverythingWithLost)
{
    const auto session = world->connect(kShort);
    ASSERT_TRUE(server().killNow());
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::lost));
    EXPECT_EQ(world->create(*session, path(), "").code, Code::sessionLost);
    EXPECT_EQ(world->remove(*session, path()), Code::sessionLost);
    EXPECT_EQ(world->children(*session, path()).code, Code::sessionLost);
    EXPECT_EQ(world->get(*session, path()).code, Code::sessionLost);
}

// The server throws it out while it stands still; when it looks again, it learns so.
TEST_F(ConnectionLoss, AFrozenSessionFindsItselfExpired)
{
    const auto session = world->connect(kShort);
    world->create(*session, path(), "", CreateMode::ephemeral);
    session->freeze();
    EXPECT_TRUE(session->frozen());
    world->runUntil([&] { return !world->exists(path()); }, "the server to expire it");
    EXPECT_EQ(session->phase(), SessionPhase::connected) << "it does not know yet: this is the lesson";
    session->thaw();
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::lost));
    EXPECT_THAT(session->lossReason(), ::testing::AnyOf(LossReason::expired, LossReason::timedOut));
}

TEST_F(ConnectionLoss, AShortFreezeIsForgotten)
{
    const auto session = world->connect();
    session->freeze();
    Later<zk::Data> data;
    session->getData("/", data.handler());
    world->settle(world->observer());
    EXPECT_FALSE(data.arrived());
    session->thaw();
    world->runUntil([&] { return data.arrived(); }, "the answer");
    EXPECT_EQ(data->code, Code::ok);
    EXPECT_EQ(session->phase(), SessionPhase::connected);
}

TEST_F(ConnectionLoss, ALinkThatBreaksAgainAndAgainIsSurvived)
{
    LossyRelay relay(server().address());
    const auto session = world->connect(std::chrono::seconds(30), relay.address());
    const SessionId id = session->id();
    for (int i = 0; i < 5; ++i) {
        relay.cut();
        ASSERT_TRUE(world->waitFor(*session, SessionPhase::suspended));
        relay.heal();
        ASSERT_TRUE(world->waitFor(*session, SessionPhase::connected));
    }
    EXPECT_EQ(session->id(), id);
    EXPECT_EQ(world->children(*session, "/").code, Code::ok);
}

// The library notices a dead connection when it writes, and says nothing (ZOOKEEPER-4210). We must.
TEST_F(ConnectionLoss, ADeadConnectionThatAWriteFindsIsNoticed)
{
    LossyRelay relay(server().address());
    const auto session = world->connect(std::chrono::seconds(30), relay.address());
    note(*session);
    relay.cut();
    relay.heal();
    // Nothing has been read since: these writes find the connection reset.
    std::vector<Code> answers;
    for (int i = 0; i < 3; ++i)
        session->create(path() + std::to_string(i), "", CreateMode::ephemeral,
                        [&](zk::Created created) { answers.push_back(created.code); });
    world->runUntil([&] { return answers.size() == 3; }, "the answers");
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::connected));
    world->settle(*session);
    ASSERT_FALSE(phases.empty());
    EXPECT_EQ(phases.front(), SessionPhase::suspended);
    for (std::size_t i = 0; i < answers.size(); ++i)
        EXPECT_TRUE(answers[i] == Code::unknown ||
                    (answers[i] == Code::ok && world->exists(path() + std::to_string(i))));
}

} // namespace
} // namespace lockscope::tests
