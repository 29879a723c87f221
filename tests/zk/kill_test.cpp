// Ending a session from outside: the server removes it at once, and its owner learns it the hard way.
#include "tests/support/lossy_relay.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using zk::CreateMode;
using zk::LossReason;
using zk::SessionPhase;

class Kill : public ZkTest
{};

TEST_F(Kill, RemovesTheEphemeralNodesLongBeforeTheTimeout)
{
    const auto victim = world->connect(std::chrono::seconds(60));
    world->create(*victim, path(), "", CreateMode::ephemeral);
    ASSERT_TRUE(world->exists(path()));
    ASSERT_TRUE(world->kill(*victim));
    EXPECT_FALSE(world->exists(path()));
}

TEST_F(Kill, TheVictimLearnsThatItExpired)
{
    const auto victim = world->connect(std::chrono::seconds(60));
    ASSERT_TRUE(world->kill(*victim));
    ASSERT_TRUE(world->waitFor(*victim, SessionPhase::lost));
    EXPECT_EQ(victim->lossReason(), LossReason::expired);
    EXPECT_EQ(world->get(*victim, "/").code, zk::Code::sessionLost);
}

TEST_F(Kill, AnswersWhatIsUnderWay)
{
    LossyRelay relay(server().address());
    const auto victim = world->connect(std::chrono::seconds(60), relay.address());
    relay.muteConnection(1); // so that the request stays under way
    Later<zk::Data> data;
    victim->getData("/", data.handler());
    ASSERT_TRUE(world->kill(*victim));
    world->runUntil([&] { return data.arrived(); }, "the answer");
    EXPECT_THAT(data->code, ::testing::AnyOf(zk::Code::unknown, zk::Code::sessionLost));
}

TEST_F(Kill, TwiceAtOnceIsOnce)
{
    const auto victim = world->connect(std::chrono::seconds(60));
    Later<Result<void>> first;
    Later<Result<void>> second;
    victim->kill(first.handler());
    victim->kill(second.handler());
    world->runUntil([&] { return first.arrived() && second.arrived(); }, "both answers");
    EXPECT_TRUE(first->has_value() || second->has_value());
    ASSERT_TRUE(world->waitFor(*victim, SessionPhase::lost));
    EXPECT_EQ(victim->lossReason(), LossReason::expired);
}

TEST_F(Kill, OfALostSessionSaysThatThereIsNone)
{
    const auto victim = world->connect(std::chrono::seconds(60));
    ASSERT_TRUE(world->kill(*victim));
    ASSERT_TRUE(world->waitFor(*victim, SessionPhase::lost));
    const Result<void> again = world->kill(*victim);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::sessionLost);
}

TEST_F(Kill, OfASessionThatIsNotConnectedYetSaysThatThereIsNone)
{
    const auto victim = world->connecting({{}, std::chrono::seconds(10), std::chrono::seconds(25)});
    const Result<void> killed = world->kill(*victim);
    ASSERT_FALSE(killed);
    EXPECT_EQ(killed.error().code, ErrorCode::sessionLost);
    EXPECT_TRUE(world->waitFor(*victim, SessionPhase::connected));
}

TEST_F(Kill, EndsAFrozenSessionOnTheServer)
{
    const auto victim = world->connect(std::chrono::seconds(60));
    world->create(*victim, path(), "", CreateMode::ephemeral);
    victim->freeze();
    ASSERT_TRUE(world->kill(*victim));
    EXPECT_FALSE(world->exists(path()));
    EXPECT_EQ(victim->phase(), SessionPhase::connected) << "it stands still and cannot know";
    victim->thaw();
    EXPECT_TRUE(world->waitFor(*victim, SessionPhase::lost));
}

TEST_F(Kill, LeavesTheOthersAlone)
{
    const auto victim = world->connect(std::chrono::seconds(60));
    const auto other = world->connect(std::chrono::seconds(60));
    world->create(*other, path(), "", CreateMode::ephemeral);
    ASSERT_TRUE(world->kill(*victim));
    ASSERT_TRUE(world->waitFor(*victim, SessionPhase::lost));
    EXPECT_EQ(other->phase(), SessionPhase::connected);
    EXPECT_TRUE(world->exists(path()));
}

TEST_F(Kill, WithoutAServerSaysSo)
{
    const auto victim = world->connect(std::chrono::seconds(60));
    ASSERT_TRUE(server().killNow());
    const Result<void> killed = world->kill(*victim);
    ASSERT_FALSE(killed);
    EXPECT_EQ(killed.error().code, ErrorCode::noServer);
}

// Interleaving: the second connection has the session, the victim reconnects and takes it back, and only then
// would the close go out. The first close then does nothing, so it is tried again.
TEST_F(Kill, AVictimThatTakesItsSessionBackIsKilledAllTheSame)
{
    LossyRelay relay(server().address());
    const auto victim = world->connect(std::chrono::seconds(20), relay.address());
    world->create(*victim, path(), "", CreateMode::ephemeral);
    relay.muteConnection(2); // the second connection gets the session, but its close never arrives
    Later<Result<void>> done;
    victim->kill(done.handler());
    ASSERT_TRUE(world->waitFor(*victim, SessionPhase::lost));
    EXPECT_EQ(victim->lossReason(), LossReason::expired);
    EXPECT_GE(relay.connections(), 4);
    world->runUntil([&] { return done.arrived(); }, "the answer");
    EXPECT_TRUE(*done);
    EXPECT_FALSE(world->exists(path()));
}

} // namespace
} // namespace lockscope::tests
