// The finding that compares what clients believe with what the server says.
#include "tests/replay/replayed.h"
#include "tests/support/state_text.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

using replay::Finding;
using replay::FindingKind;

TEST(BeliefMatchesServer, MeasuresTheStaleWindowOfAKilledHolder)
{
    const Replayed run(
        R"(1ms eli holds n1; 2ms bo waits n2 n1; 10ms eli killed; 11ms bo fired n1; 12ms bo takes n2
                          50ms eli refused; 128ms eli lost; 128ms eli holdlost n1)");
    const Finding& finding = run.finding(FindingKind::beliefMatchesServer);
    EXPECT_EQ(finding.violated, 1u);
    EXPECT_EQ(finding.detail(),
              "eli believed it held for 118 ms after its session was gone; its token 0x101 was refused.");
    EXPECT_EQ(run.client("eli").staleFor, std::chrono::milliseconds(118));
    EXPECT_FALSE(run.client("eli").isStale);
    EXPECT_EQ(violatedFindings(run.state), 1u);
}

TEST(BeliefMatchesServer, SaysSoWhileTheWindowIsOpen)
{
    const Replayed run("1ms eli holds n1; 10ms eli killed");
    EXPECT_TRUE(run.client("eli").isStale);
    EXPECT_EQ(run.client("eli").staleSince, std::chrono::milliseconds(10));
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).detail(),
              "eli believes that it holds the lock, but its session is gone.");
}

TEST(BeliefMatchesServer, SeesANodeDeletedByAnotherClient)
{
    const Replayed run("ada holds n1; - seen n1 ada; - vanished n1");
    EXPECT_TRUE(run.client("ada").isStale);
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).violated, 1u);
}

TEST(BeliefMatchesServer, SeesAFrozenHolderThatAnotherListLeavesOut)
{
    // No event says that ada's session expired; cyd's list, read later, does not have ada's node.
    const Replayed run("ada holds n1; ada command freeze; cyd joins n2; cyd decided n2 0/1; cyd acquired n2");
    EXPECT_TRUE(run.client("ada").isStale);
    EXPECT_EQ(run.finding(FindingKind::oneHolder).violated, 0u);
    EXPECT_EQ(run.finding(FindingKind::orderKept).violated, 0u);
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).violated, 1u);
}

TEST(BeliefMatchesServer, CallsAnExpiryByItsName)
{
    const Replayed run(
        R"(1ms ada holds n1; 2ms bo waits n2 n1; 3ms ada command freeze; 500ms bo fired n1; 501ms bo takes n2
                          700ms ada command thaw; 700ms ada lost; 700ms ada holdlost n1)");
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).detail(),
              "ada believed it held for 200 ms after its session was gone.");
    // The same when it calls release before it learns of its loss.
    const Replayed released(R"(1ms ada holds n1; 2ms bo waits n2 n1; 3ms ada command freeze; 500ms bo fired n1
                               501ms bo takes n2; 700ms ada command thaw; 700ms ada release n1; 701ms ada lost)");
    EXPECT_EQ(released.finding(FindingKind::beliefMatchesServer).detail(),
              "ada believed it held for 200 ms after its session was gone.");
}

TEST(BeliefMatchesServer, EndsItsWindowWithARelease)
{
    const Replayed run(
        R"(1ms ada holds n1; 1ms ada entered; 10ms ada killed; 14ms ada refused; 14ms ada release n1
                          15ms ada deleted n1 unknown; 90ms ada lost; 90ms ada released n1)");
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).detail(),
              "ada believed it held for 4 ms after its session was gone; its token 0x101 was refused.");
    EXPECT_EQ(clientsText(run.state), "ada lost none\n");
}

TEST(BeliefMatchesServer, IsNotViolatedByClosingTheSession)
{
    const Replayed run("ada holds n1; ada closed; ada holdlost n1; ada removed; - finished");
    EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
    EXPECT_EQ(queueText(run.state), "");
}

TEST(BeliefMatchesServer, HoldsWhenTheHolderLearnsItFirst)
{
    const Replayed run("ada holds n1; ada lost; ada holdlost n1; ada gone");
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).violated, 0u);
}

} // namespace
} // namespace lockscope::tests
