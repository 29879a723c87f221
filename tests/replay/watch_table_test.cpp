// The server's watch table beside what the clients believe: what is called a difference, and what is only on
// its way.
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"
#include "tests/support/state_text.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using replay::ComparedWatch;
using replay::RunState;
using replay::WatchVerdict;
using testing::ElementsAre;

std::vector<WatchVerdict> verdicts(const RunState& state)
{
    std::vector<WatchVerdict> all;
    for (const ComparedWatch& watch : state.locks[0].watches.compared)
        all.push_back(watch.verdict);
    return all;
}

bool anyDifference(const RunState& state)
{
    for (const WatchVerdict verdict : verdicts(state))
        if (verdict == WatchVerdict::missing || verdict == WatchVerdict::stray)
            return true;
    return false;
}

TEST(WatchTable, AgreesWhenBothHaveTheSame)
{
    const Replayed run(
        "ada holds n1; bo waits n2 n1; cyd waits n3 n2; - table n1:bo n2:cyd; - table n1:bo n2:cyd");
    EXPECT_THAT(verdicts(run.state), ElementsAre(WatchVerdict::agrees, WatchVerdict::agrees));
    EXPECT_EQ(run.state.watchReading.count, 2U);
    EXPECT_EQ(run.state.watchReading.took, std::chrono::microseconds(500));
}

TEST(WatchTable, WhatTheServerLacksIsMissingFromTheSecondTableOn)
{
    const std::string script = "ada holds n1; bo waits n2 n1; - table";
    EXPECT_THAT(verdicts(Replayed(script).state), ElementsAre(WatchVerdict::underWay));
    const Replayed run(script + "; - table");
    EXPECT_THAT(verdicts(run.state), ElementsAre(WatchVerdict::missing));
    EXPECT_TRUE(run.state.locks[0].watches.believed[0].missing);
}

TEST(WatchTable, AWatchThatIsSetAnewBetweenTwoTablesIsNotMissing)
{
    const Replayed run(
        "ada holds n1; bo waits n2 n1; - table; bo changed n1; bo watch n1; bo watching n1; - table");
    EXPECT_THAT(verdicts(run.state), ElementsAre(WatchVerdict::underWay));
}

TEST(WatchTable, AWatchAskedForAfterTheQuestionIsNotComparedWithTheAnswer)
{
    const Replayed run("ada holds n1; 10ms bo waits n2 n1; 10100us - table; 10200us - table");
    EXPECT_FALSE(anyDifference(run.state)) << "both questions were put before";
}

TEST(WatchTable, ExistsOnANodeThatIsGoneLeavesAStray)
{
    const Replayed run(
        "ada holds n1; bo joins n2; ada release n1; ada freed n1; bo exists n1; bo notthere n1;"
        "bo takes n2; - table n1:bo; - table n1:bo");
    EXPECT_THAT(verdicts(run.state), ElementsAre(WatchVerdict::stray));
    EXPECT_TRUE(run.state.locks[0].watches.served[0].stray);
    EXPECT_TRUE(run.state.locks[0].watches.believed.empty());
}

TEST(WatchTable, GetDataOnANodeThatIsGoneLeavesNone)
{
    const Replayed run("ada holds n1; bo joins n2; ada release n1; ada freed n1; bo watch n1; bo nonode n1;"
                       "bo takes n2; - table; - table");
    EXPECT_TRUE(run.state.locks[0].watches.compared.empty());
}

TEST(WatchTable, WhoGivesUpLeavesAStray)
{
    const std::string script = "ada holds n1; bo waits n2 n1; - table n1:bo; bo delete n2; bo deleted n2;"
                               "bo failed timedOut; - table n1:bo";
    EXPECT_THAT(verdicts(Replayed(script).state), ElementsAre(WatchVerdict::underWay));
    EXPECT_THAT(verdicts(Replayed(script + "; - table n1:bo").state), ElementsAre(WatchVerdict::stray));
}

TEST(WatchTable, AFrozenClientBelievesInWhatWentWithItsSession)
{
    const Replayed run(
        "ada holds n1; bo waits n2 n1; - table n1:bo; bo command freeze; bo gone; - table; - table");
    EXPECT_THAT(verdicts(run.state), ElementsAre(WatchVerdict::missing));
    const Replayed replayed("ada holds n1; bo waits n2 n1; bo gone; bo lost; - table; - table");
    EXPECT_TRUE(replayed.state.locks[0].watches.compared.empty());
}

TEST(WatchTable, AHandoffBetweenTwoTablesIsNoDifference)
{
    const Replayed run("ada holds n1; bo waits n2 n1; - table n1:bo; ada release n1; ada freed n1; - table;"
                       "bo fired n1; bo takes n2; - table");
    EXPECT_TRUE(run.state.locks[0].watches.compared.empty());
    for (std::size_t i = 0; i < run.store->count(); ++i) {
        const RunState then = folded(*run.store, i + 1);
        EXPECT_FALSE(!then.locks.empty() && anyDifference(then)) << i;
    }
}

TEST(WatchTable, OneOfSeveralServersThatIsSilentSaysNothingOfItsWatches)
{
    const Replayed run("ada holds n1; bo waits n2 n1; - table 2/3; - table 2/3");
    EXPECT_THAT(verdicts(run.state), ElementsAre(WatchVerdict::unknown));
}

TEST(WatchTable, SessionsOfOthersAndOwnNodesAreNotJudged)
{
    const Replayed run(
        "ada holds n1; bo waits n2 n1; - table n1:bo n1:0x7 n2:bo; - table n1:bo n1:0x7 n2:bo");
    EXPECT_THAT(verdicts(run.state),
                ElementsAre(WatchVerdict::foreign, WatchVerdict::agrees, WatchVerdict::ownNode));
}

// It waits for it as for the node of another client.
TEST(WatchTable, ANodeThatItsClientForgotIsNotItsOwn)
{
    const Replayed run("ada holds n1; bo calls; bo create; bo createlost; - seen n2 bo; bo waits n3 n2;"
                       "- table n2:bo");
    EXPECT_EQ(queueText(run.state), "1 ada holds token 0x101\n2 bo orphan\n3 bo waits ->2\n");
    ASSERT_EQ(run.state.locks[0].watches.compared.size(), 1U);
    EXPECT_FALSE(run.state.locks[0].watches.compared[0].own);
}

TEST(WatchTable, TheWatchOfAWaiterOnItsOwnNodeEndsWithTheWait)
{
    // Announcing makes it fire, and no client listens any more.
    const Replayed run("ada joins n1; ada watch n1; ada watching n1; ada decided n1 0/1; ada acquired n1;"
                       "ada announce n1; - table; - table; - table");
    EXPECT_TRUE(run.state.locks[0].watches.compared.empty());
}

TEST(WatchTable, WorkersOfAProcessShareItsWatch)
{
    const Replayed run(
        "- process p ada bo; dee holds n1; ada waits n2 n1; bo waits n3 n1; - table n1:ada; - table n1:ada");
    EXPECT_THAT(verdicts(run.state), ElementsAre(WatchVerdict::agrees, WatchVerdict::agrees));
}

TEST(WatchTable, ATraceWithoutOneHasNothingCompared)
{
    const auto store = sampleRun();
    const RunState state = folded(*store);
    EXPECT_FALSE(state.watchReading.event.valid());
    EXPECT_TRUE(state.locks[0].watches.compared.empty());
    EXPECT_TRUE(state.locks[0].watches.believed.empty()) << "all clients are done";
}

TEST(WatchTable, TheTimeoutOfASessionIsKnownFromItsConnection)
{
    EXPECT_EQ(Replayed("ada calls").client("ada").sessionTimeout, std::chrono::seconds(10));
}

} // namespace
} // namespace lockscope::tests
