// However a kill goes on, it is answered, once.
#include "tests/support/fake_server.h"
#include "tests/zk/driven_hub.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

using zk::SessionPhase;

class KillAnswers : public ::testing::Test
{
protected:
    KillAnswers()
    {
        zk::ConnectOptions options{server.address(), std::chrono::seconds(30), std::chrono::seconds(15)};
        options.killHosts = second.address();
        victim = world.hub().connect(options);
        EXPECT_TRUE(world.runUntil([&] { return victim->phase() == SessionPhase::connected; }));
    }
    void kill()
    {
        victim->kill([this](Result<void> result) {
            ++answers;
            succeeded = result.has_value();
        });
    }
    bool answered()
    {
        return world.runUntil([&] { return answers > 0; }, std::chrono::seconds(4));
    }

    FakeServer server;
    FakeServer second; // where the second connection goes
    DrivenHub world;
    std::shared_ptr<zk::HubSession> victim;
    int answers = 0;
    bool succeeded = false;
};

// The second connection has done its work, and the victim's next phase would have been the answer.
TEST_F(KillAnswers, WhenAVictimThatIsReconnectingIsLetGoOf)
{
    server.hangUp();
    ASSERT_TRUE(world.runUntil([&] { return victim->phase() == SessionPhase::suspended; }));
    kill();
    ASSERT_TRUE(world.runUntil([&] { return second.connections() == 1; }));
    bool closed = false;
    ASSERT_TRUE(world.runUntil([&] { return world.hub().sessionCount() == 1; }));
    world.hub().whenClosed([&] { closed = true; });
    ASSERT_TRUE(world.runUntil([&] { return closed; }));
    EXPECT_EQ(answers, 0);
    victim.reset();
    EXPECT_TRUE(answered());
    EXPECT_EQ(answers, 1);
    EXPECT_TRUE(succeeded);
}

TEST_F(KillAnswers, WhenTheVictimIsLetGoOfAtOnce)
{
    kill();
    victim.reset();
    EXPECT_TRUE(answered());
    EXPECT_EQ(answers, 1);
}

TEST_F(KillAnswers, WhenTheVictimIsClosedMeanwhile)
{
    kill();
    victim->close();
    EXPECT_TRUE(answered());
    EXPECT_EQ(answers, 1);
}

TEST_F(KillAnswers, WhenTheVictimStandsStill)
{
    victim->freeze();
    kill();
    EXPECT_TRUE(answered());
    EXPECT_EQ(answers, 1);
    EXPECT_TRUE(succeeded);
}

} // namespace
} // namespace lockscope::tests
