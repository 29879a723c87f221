// What comes together for each client over a run, and the events that said what is known of it.
#include "tests/replay/replayed.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;

TEST(Tally, AddsUpWaitsAndHoldsThatEnded)
{
    const Replayed run(R"(10ms ada calls; 20ms ada acquired n1; 50ms ada releases n1; 60ms ada released n1
                          70ms ada calls; 75ms ada acquired n2; 80ms ada releases n2; 85ms ada released n2
                          90ms ada calls; 91ms ada acquired n3)");
    const replay::ClientTally& tally = run.client("ada").tally;
    EXPECT_EQ(tally.waits, 3u);
    EXPECT_EQ(tally.waited, 16ms);
    EXPECT_EQ(tally.holds, 2u) << "the third goes on";
    EXPECT_EQ(tally.held, 35ms) << "from the grant to the call of release";
    EXPECT_TRUE(std::holds_alternative<trace::Acquired>(run.store->at(tally.lastGrant).what));
    EXPECT_TRUE(std::holds_alternative<trace::ReleaseCalled>(run.store->at(tally.lastHeld).what));
}

// A run that is stopped for a reader: nobody waits meanwhile, and the lock is not free.
TEST(Tally, APauseOfTheRunIsNeitherWaitingNorHolding)
{
    const Replayed run(R"(10ms ada calls; 20ms ada acquired n1; 30ms bo calls; 40ms - paused; 9040ms - running
                          9050ms ada releases n1; 9060ms ada released n1; 9070ms bo acquired n2; 9080ms - paused
                          19080ms - running; 19090ms bo releases n2; 19100ms bo released n2)");
    EXPECT_EQ(run.client("ada").tally.held, 30ms);
    EXPECT_EQ(run.client("bo").tally.waited, 40ms);
    EXPECT_EQ(run.client("bo").tally.held, 20ms);
    EXPECT_EQ(run.state.statistics.wait.max(), 40ms);
}

TEST(Tally, AHoldThatIsTakenAwayEndsWhenItsHolderLearnsIt)
{
    const Replayed run("10ms ada calls; 20ms ada acquired n1; 30ms ada killed; 50ms ada holdlost n1; "
                       "60ms ada lost; 70ms ada removed");
    const replay::ClientTally& tally = run.client("ada").tally;
    EXPECT_EQ(tally.holds, 1u) << "once, however many events end it";
    EXPECT_EQ(tally.held, 30ms);
    EXPECT_EQ(tally.faults, 1u);
    EXPECT_TRUE(std::holds_alternative<trace::Command>(run.store->at(tally.lastFault).what));
}

TEST(Tally, CountsRequestsWakeUpsAndFailures)
{
    const Replayed run("ada holds n1; bo waits n2 n1; ada release n1; bo fired n1; cyd calls; "
                       "cyd failed timedOut");
    const replay::ClientTally& bo = run.client("bo").tally;
    EXPECT_EQ(bo.requests, 3u) << "create, list, watch";
    EXPECT_EQ(bo.wakeUps, 1u);
    EXPECT_TRUE(std::holds_alternative<trace::WatchFired>(run.store->at(bo.lastWakeUp).what));
    EXPECT_EQ(run.client("ada").tally.wakeUps, 0u);
    const EventIndex failed = run.client("cyd").tally.lastFailure;
    ASSERT_TRUE(failed.valid());
    EXPECT_TRUE(std::holds_alternative<trace::AcquireFailed>(run.store->at(failed).what));
}

TEST(Tally, MendingIsNoFault)
{
    const Replayed run("ada command freeze; ada command thaw; ada command mend_link; ada command step");
    EXPECT_EQ(run.client("ada").tally.faults, 1u);
}

TEST(Sources, NameTheEventsThatSaidSo)
{
    const Replayed run("ada holds n1; bo waits n2 n1; bo command freeze");
    const replay::ClientRow& bo = run.client("bo");
    const auto payload = [&](EventIndex event) -> const trace::Payload& { return run.store->at(event).what; };
    EXPECT_TRUE(std::holds_alternative<trace::ClientAdded>(payload(bo.addedBy)));
    EXPECT_TRUE(std::holds_alternative<trace::SessionState>(payload(bo.sessionBy)));
    EXPECT_TRUE(std::holds_alternative<trace::Command>(payload(bo.frozenBy)));
    EXPECT_TRUE(std::holds_alternative<trace::Reply>(payload(bo.watchBy)));
    EXPECT_EQ(bo.phaseBy, bo.watchBy) << "it fell asleep when its watch was set";
    EXPECT_FALSE(run.client("ada").watchBy.valid());
}

TEST(Sources, ANodeThatWentIsRememberedWithItsEnd)
{
    const Replayed run("ada holds n1; ada release n1; ada freed n1");
    const std::string name = scriptNode("n1");
    EXPECT_EQ(run.state.node(LockId{0}, name), nullptr);
    const replay::DeletedNode* gone = run.state.deletedNode(LockId{0}, name);
    ASSERT_NE(gone, nullptr);
    EXPECT_EQ(gone->owner, run.client("ada").id);
    EXPECT_TRUE(std::holds_alternative<trace::Reply>(run.store->at(gone->by).what));
    EXPECT_LT(gone->createdBy, gone->by);
    EXPECT_EQ(run.state.deletedNode(LockId{0}, "never there"), nullptr);
}

} // namespace
} // namespace lockscope::tests
