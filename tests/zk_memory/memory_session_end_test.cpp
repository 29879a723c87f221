// The simulated ensemble when sessions end: expired, killed, lost by their own clock, closed.
#include "tests/zk_memory/memory_test.h"

namespace lockscope::zk::memory {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

TEST_F(MemoryFaults, TheServerEndsASessionThatStaysAwayAndTheClientLearnsItWhenItIsBack)
{
    TestClient& client = addConnected({10s, 15s});
    create(client, "/e", CreateMode::ephemeral);
    // Its own clock counts from the same moment: the client stands still until the server was faster.
    ensemble->pause(client.process);
    pass(10s);
    EXPECT_NE(ensemble->head().find("/e"), nullptr);
    ASSERT_TRUE(move(TransitionKind::expire));
    EXPECT_EQ(ensemble->head().find("/e"), nullptr);
    EXPECT_EQ(ensemble->log().back().change, Change::sessionClosed);
    EXPECT_EQ(client->phase(), SessionPhase::connected) << "it has heard nothing yet";
    ensemble->resume(client.process);
    Answered<Data> data;
    client->getData("/e", data.handler());
    ensemble->settle();
    EXPECT_EQ(client->phase(), SessionPhase::lost);
    EXPECT_EQ(client->server(), "");
    EXPECT_EQ(data.get().code, Code::unknown);
    EXPECT_EQ(get(client, "/e").code, Code::sessionLost);
}

TEST_F(MemoryFaults, OurOwnClockEndsASessionWhoseServerStaysAway)
{
    TestClient& client = addConnected({10s, 15s});
    create(client, "/e", CreateMode::ephemeral);
    ensemble->refuse(client->index(), 1h);
    cut(client);
    pass(9s);
    EXPECT_EQ(client->phase(), SessionPhase::suspended);
    pass(1s);
    EXPECT_EQ(client->phase(), SessionPhase::lost);
    EXPECT_EQ(client->lossReason(), LossReason::timedOut);
    EXPECT_THAT(client.phases, ElementsAre(SessionPhase::suspended, SessionPhase::lost));
    EXPECT_NE(ensemble->head().find("/e"), nullptr) << "the server may be later than we";
    ASSERT_TRUE(move(TransitionKind::expire));
    EXPECT_EQ(ensemble->head().find("/e"), nullptr);
}

TEST_F(MemoryFaults, ALostSessionAnswersWhatWasUnderWayWithLost)
{
    TestClient& client = addConnected();
    ensemble->refuse(client->index(), 1h);
    cut(client);
    deliver(client);
    Answered<Created> created;
    client->create("/a", "", CreateMode::persistent, created.handler());
    clock.advanceTo(clock.now() + 10s);
    clock.runReady();
    EXPECT_EQ(client->phase(), SessionPhase::lost);
    EXPECT_EQ(created.get().code, Code::sessionLost);
}

TEST_F(MemoryFaults, AClosedSessionWithoutAConnectionLivesUntilTheServerEndsIt)
{
    TestClient& client = addConnected({10s, 15s});
    create(client, "/e", CreateMode::ephemeral);
    cut(client);
    deliver(client);
    client->close();
    pass(9s);
    EXPECT_FALSE(move(TransitionKind::expire));
    EXPECT_NE(ensemble->head().find("/e"), nullptr);
    pass(1s);
    EXPECT_TRUE(move(TransitionKind::expire));
    EXPECT_EQ(ensemble->head().find("/e"), nullptr);
}

} // namespace
} // namespace lockscope::zk::memory
