// Circles of clients that wait for each other: found when they close, reported once, gone when one gives up.
// And watches that can never fire.
#include "tests/replay/replayed.h"
#include "tests/support/state_text.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using replay::Finding;
using replay::FindingKind;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string kCircle = kTwoLocks + "ada@right waits n12 n11; bo@left waits n2 n1\n";

TEST(NoDeadlock, IsViolatedByTwoWhoTakeTwoLocksInOppositeOrder)
{
    const Replayed run(kCircle);
    const Finding& finding = run.finding(FindingKind::noDeadlock);
    ASSERT_EQ(finding.violated, 1u);
    EXPECT_EQ(finding.detail(), "bo holds right and waits for ada on left, ada waits for bo on right.");
    EXPECT_EQ(finding.checked, 2u);
    EXPECT_EQ(finding.violations[0].client, run.client("bo").id);
    const auto* against =
        std::get_if<trace::AcquireCalled>(&run.store->at(finding.violations[0].against).what);
    EXPECT_NE(against, nullptr);
    EXPECT_THAT(run.state.cycle, ElementsAre(run.client("bo").id, run.client("ada").id));
    EXPECT_EQ(violatedFindings(run.state), 1u);
}

TEST(NoDeadlock, HoldsForTheSameOrder)
{
    const Replayed run(
        "- lock left; - lock right; ada@left holds n1; bo@left waits n2 n1; ada@right holds n11; "
        "cyd@right waits n12 n11");
    EXPECT_TRUE(run.finding(FindingKind::noDeadlock).ok());
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).checked, 2u);
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).detail(),
              "2 waits checked: no clients wait for each other in a circle.");
    EXPECT_THAT(run.state.cycle, IsEmpty());
}

TEST(NoDeadlock, TheCircleEndsWhenOneGivesUp)
{
    const Replayed run(kCircle + "bo@left delete n2; bo@left deleted n2; bo@left failed timedOut");
    EXPECT_THAT(run.state.cycle, IsEmpty());
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).violated, 1u);
    const Replayed killed(kCircle + "ada killed");
    EXPECT_THAT(killed.state.cycle, IsEmpty());
}

TEST(NoDeadlock, TellsACircleOnce)
{
    // The watch is set anew: a change of the node, a look after a reconnect.
    const std::string again = kCircle + "bo@left changed n1; bo@left watch n1; bo@left watching n1\n";
    const Replayed run(again);
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).violated, 1u);
    EXPECT_EQ(run.state.cycle.size(), 2u);
    const Replayed next(
        again + "bo@left delete n2; bo@left deleted n2; bo@left failed timedOut; bo@left waits n3 n1");
    EXPECT_EQ(next.finding(FindingKind::noDeadlock).violated, 2u) << "another acquire, another circle";
}

TEST(NoDeadlock, WhoOnlyWaitsBehindACircleIsNoNewOne)
{
    const Replayed run(kCircle + "cyd@left waits n3 n2");
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).violated, 1u);
    EXPECT_EQ(run.state.cycle.size(), 2u);
}

TEST(NoDeadlock, IsClosedByAWaiterBetweenTwoHolders)
{
    // cyd has a node between them and falls asleep last.
    const Replayed run(kTwoLocks + "cyd@left joins n2; ada@right waits n12 n11; bo@left waits n3 n2; "
                                   "cyd@left decided n2 1/3 n1; cyd@left watch n1; cyd@left watching n1");
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).violated, 1u);
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).detail(),
              "cyd waits for ada on left, ada waits for bo on right, bo waits for cyd on left.");
}

TEST(NoDeadlock, IsViolatedByWhoReadsAndWantsToWrite)
{
    const Replayed run("- lock rw read_write; ada@rw holds r1; ada@rw waits w2 r1");
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).detail(), "ada holds rw and waits for itself on rw.");
    EXPECT_THAT(run.state.cycle, ElementsAre(run.client("ada").id));
}

TEST(NoDeadlock, IsViolatedByTwoReadersThatWantToWrite)
{
    const Replayed run(
        "- lock rw read_write; ada@rw holds r1; bo@rw holds r2; ada@rw waits w3 r2; bo@rw waits w4 w3");
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).violated, 1u);
}

TEST(NoDeadlock, AnotherThreadOfTheSameClientGoesOn)
{
    const Replayed run("ada:1 holds n1; ada:2 waits n2 n1");
    EXPECT_TRUE(run.finding(FindingKind::noDeadlock).ok());
    EXPECT_EQ(clientsText(run.state), "ada waiting sleep 2 ->1 +holding 1@0\n");
}

TEST(NoDeadlock, WhatAForeignOwnerWaitsForIsUnknown)
{
    const Replayed run("- lock left; - seen n1 foreign; ada@left holds n5; ada waits n2 n1");
    EXPECT_TRUE(run.finding(FindingKind::noDeadlock).ok());
}

std::string leases(const std::string& who, const std::string& n)
{
    return who + "@sem calls; " + who + "@door holds n" + n + "; " + who + "@sem create; " + who +
           "@sem created l" + n + "; " + who + "@sem listed 1; " + who + "@sem decided l" + n + " 0/1; " +
           who + "@sem acquired l" + n + "; " + who + "@door release n" + n + "; " + who + "@door freed n" +
           n + "\n";
}

TEST(NoDeadlock, OnLeasesIsOneOnlyWhenAllHoldersWait)
{
    const std::string first = kSemaphore + leases("ada", "1") + leases("bo", "2") +
                              "ada@sem calls; ada@door holds n3; ada@sem create; ada@sem created l3; "
                              "ada@sem sleeps l3 1/3\n";
    const Replayed open(first);
    EXPECT_TRUE(open.finding(FindingKind::noDeadlock).ok()) << "bo may give one back";
    const Replayed closed(first + "bo@sem calls; bo@door waits n4 n3");
    EXPECT_EQ(closed.finding(FindingKind::noDeadlock).violated, 1u);
    EXPECT_EQ(closed.state.cycle.size(), 2u);
}

TEST(NoDeadlock, NamesASemaphoreByItsOwnName)
{
    const Replayed run(
        kSemaphore + leases("ada", "1") + leases("ada", "2") +
        "ada@sem calls; ada@door holds n3; ada@sem create; ada@sem created l3; ada@sem sleeps l3 1/3");
    EXPECT_EQ(run.finding(FindingKind::noDeadlock).detail(),
              "ada holds sem/leases and waits for itself on sem/leases.");
}

// ---- stray watches ----

TEST(NoStrayWatch, IsViolatedByExistsOnANumberedNodeThatIsGone)
{
    const Replayed run(
        "ada holds n1; bo joins n2; ada release n1; ada freed n1; bo exists n1; bo notthere n1");
    const Finding& finding = run.finding(FindingKind::noStrayWatch);
    EXPECT_EQ(finding.violated, 1u);
    EXPECT_EQ(finding.detail(),
              "bo set a watch on node 1, which is gone and never comes back: the server keeps "
              "the watch as long as the session.");
    EXPECT_EQ(violatedFindings(run.state), 1u);
}

TEST(NoStrayWatch, HoldsForANodeThatIsThereAndForANameThatComesBack)
{
    const Replayed run(
        "ada holds n1; bo joins n2; bo exists n1; bo there n1; cyd exists lock; cyd notthere lock; "
        "dee watch n0; dee nonode n0");
    const Finding& finding = run.finding(FindingKind::noStrayWatch);
    EXPECT_TRUE(finding.ok());
    EXPECT_EQ(finding.checked, 2u) << "getData leaves no watch on what is not there";
    EXPECT_EQ(finding.detail(), "2 exists watches checked: each can still fire.");
}

} // namespace
} // namespace lockscope::tests
