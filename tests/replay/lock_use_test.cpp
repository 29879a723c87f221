// A client with more than one lock, node or lease at a time, and clients that share a session: nothing that
// they hold is lost from sight, and each client is judged by its own.
#include "core/replay/fold/trace_cursor.h"
#include "tests/replay/replayed.h"
#include "tests/support/state_text.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using replay::FindingKind;

TEST(NestedLocks, TheFocusIsWhatAClientWaitsForThenWhatItGotLast)
{
    struct At
    {
        std::string_view event;
        std::string_view line;
    };
    const At steps[] = {
        {"ada@right waits n12 n11", "ada waiting sleep 12 ->11 +holding 1@1"},
        {"bo@right release n11; ada@right fired n11; bo@right freed n11", "ada waiting list 12 +holding 1@1"},
        {"ada@right takes n12", "ada holding hold 12 +holding 1@1"},
        {"ada@left reentered 2", "ada holding hold 12 +holding 1@1 x2"},
        {"ada@left releases n1 2; ada@left released n1 1", "ada holding hold 12 +holding 1@1"},
        {"ada@right release n12", "ada releasing remove 12 +holding 1@1"},
        {"ada@right freed n12", "ada holding hold 1"},
        {"ada@left release n1; ada@left freed n1", "ada idle none"},
    };
    std::string script = kTwoLocks;
    for (const At& at : steps) {
        script += std::string(at.event) + "\n";
        const Replayed run(script);
        const std::string text = clientsText(run.state);
        EXPECT_EQ(text.substr(0, text.find('\n')), at.line) << "after " << at.event;
        EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
    }
}

TEST(NestedLocks, TheFirstOneMayGoFirst)
{
    const Replayed run(kTwoLocks + "cyd@right waits n12 n11; ada@right waits n13 n12; "
                                   "ada@left release n1; ada@left freed n1");
    EXPECT_EQ(clientsText(run.state),
              "ada waiting sleep 13 ->12\nbo holding hold 11\ncyd waiting sleep 12 ->11\n");
    EXPECT_EQ(queueText(run.state, LockId{1}), "");
}

TEST(NestedLocks, AWaitThatFailsLeavesTheHold)
{
    const Replayed run(kTwoLocks + "ada@right waits n12 n11; ada@right delete n12; ada@right deleted n12; "
                                   "ada@right failed timedOut");
    EXPECT_EQ(clientsText(run.state), "ada holding hold 1\nbo holding hold 11\n");
    EXPECT_EQ(run.client("ada").lock, LockId{1});
    EXPECT_EQ(run.client("ada").failed, 1u);
}

TEST(NestedLocks, EveryHoldOfAKilledSessionIsStale)
{
    const std::string killed = kTwoLocks +
                               "ada@right waits n12 n11; bo@right release n11; ada@right fired n11; "
                               "bo@right freed n11; ada@right takes n12; ada killed";
    const Replayed run(killed);
    EXPECT_EQ(clientsText(run.state), "ada holding hold 12 stale +holding 1@1 stale\nbo idle none\n");
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).violated, 2u);
    EXPECT_EQ(queueText(run.state, LockId{1}) + queueText(run.state, LockId{2}), "");
    const Replayed replayed(killed + "; ada lost; ada@right holdlost n12; ada@left holdlost n1");
    EXPECT_EQ(clientsText(replayed.state), "ada lost none\nbo idle none\n");
    EXPECT_FALSE(replayed.client("ada").hasStaleHold());
}

TEST(NestedLocks, ANodeThatRemainsIsFoundOnEveryLock)
{
    const Replayed run(kTwoLocks + "ada@right joins n12; ada clientfinished; bo@right release n11; "
                                   "bo@right freed n11; bo clientfinished; - finished");
    EXPECT_EQ(run.finding(FindingKind::noOrphanNode).violated, 2u);
}

TEST(NestedLocks, ALostWakeUpIsFoundBehindAHold)
{
    const Replayed run("- lock left; - lock right; bo@right holds n11; ada@right waits n12 n11; "
                       "ada:1@left holds n1; bo@right release n11; bo@right freed n11; - finished");
    EXPECT_EQ(run.finding(FindingKind::noLostWakeup).violated, 1u);
    EXPECT_EQ(run.finding(FindingKind::noLostWakeup).detail(),
              "ada still sleeps on node 11, which is gone: its watch never fired.");
}

// ---- both sides of a read/write lock ----

TEST(BothSides, AWriterMayReadBesideItselfAndGoOnReading)
{
    const std::string both = R"(- lock rw read_write
        ada@rw holds w1; bo@rw waits w9 w1; ada@rw calls; ada@rw create; ada@rw created r1; ada@rw listed 3
        ada@rw decided r1 0/3; ada@rw acquired r1 w1)";
    const Replayed before(both);
    EXPECT_EQ(clientsText(before.state), "ada holding hold 1 +holding 1@1\nbo waiting sleep 9 ->1\n");
    EXPECT_EQ(violatedFindings(before.state), 0u) << findingsText(before.state);
    const Replayed after(both + R"(; ada@rw release w1; bo@rw fired w1; ada@rw freed w1; bo@rw again w9 1/2 r1
        bo@rw watch r1; bo@rw watching r1)");
    EXPECT_EQ(clientsText(after.state), "ada holding hold 1\nbo waiting sleep 9 ->1\n");
    EXPECT_EQ(after.client("ada").node, scriptNode("r1"));
    const Replayed end(both + R"(; ada@rw release w1; bo@rw fired w1; ada@rw freed w1; bo@rw again w9 1/2 r1
        bo@rw watch r1; bo@rw watching r1; ada@rw release r1; bo@rw fired r1; ada@rw freed r1; bo@rw takes w9)");
    EXPECT_EQ(violatedFindings(end.state), 0u) << findingsText(end.state);
    EXPECT_EQ(end.client("bo").phase, replay::ClientPhase::holding);
}

TEST(BothSides, AnAcquireOfAHolderIsAReentryUntilItMakesANode)
{
    const Replayed again("- lock rw read_write; ada@rw holds r1; ada@rw calls");
    EXPECT_EQ(clientsText(again.state), "ada holding reenter 1\n");
    const Replayed entered("- lock rw read_write; ada@rw holds r1; ada@rw calls; ada@rw reentered 2");
    EXPECT_EQ(clientsText(entered.state), "ada holding hold 1 x2\n");
    const Replayed other("- lock rw read_write; ada@rw holds r1; ada@rw joins w2");
    EXPECT_EQ(clientsText(other.state), "ada joining decide 2 +holding 1@1\n");
}

TEST(BothSides, AWatchOnTheOwnReadNodeIsAWaitOnlyWhenItIsInFront)
{
    // The hold is watched over while the client waits for another.
    const std::string script = "- lock rw read_write; ada@rw holds r1; bo@rw holds r2; ada@rw waits w3 r2; ";
    const Replayed run(script + "ada@rw watch r1; ada@rw watching r1");
    EXPECT_EQ(clientsText(run.state), "ada waiting sleep 3 ->2 +holding 1@1\nbo holding hold 2\n");
    EXPECT_TRUE(run.finding(FindingKind::noDeadlock).ok());
}

// ---- semaphores ----

std::string leased(const std::string& who, int number)
{
    return who + "@sem calls; " + who + "@door holds n" + std::to_string(number) + "; " + who +
           "@sem create; " + who + "@sem created l" + std::to_string(number) + "; " + who +
           "@sem listed 1; " + who + "@sem decided l" + std::to_string(number) + " 0/1; ";
}

std::string leases(const std::string& who, int number)
{
    const std::string n = std::to_string(number);
    return leased(who, number) + who + "@sem acquired l" + n + "; " + who + "@door release n" + n + "; " +
           who + "@door freed n" + n + "\n";
}

TEST(SemaphoreRun, ThreeClientsShareTwoLeases)
{
    const std::string full = kSemaphore + leases("ada", 1) + leases("bo", 2) +
                             "cyd@sem calls; cyd@door holds n3; dee@sem calls; dee@door waits n4 n3; "
                             "cyd@sem create; cyd@sem created l3; cyd@sem listed 3; cyd@sem decided l3 1/3; "
                             "cyd@sem sleeps l3 1/3\n";
    const Replayed before(full);
    EXPECT_EQ(clientsText(before.state), "ada holding hold 1\nbo holding hold 2\n"
                                         "cyd waiting sleep 3 ->list +holding 3@2\n"
                                         "dee waiting sleep 4 ->3 +joining @1\n");
    const Replayed after(full +
                         "ada@sem release l1; cyd@sem childrenchanged l1; ada@sem freed l1; "
                         "cyd@sem takes l3; cyd@door release n3; dee@door fired n3; cyd@door freed n3");
    EXPECT_EQ(violatedFindings(after.state), 0u) << findingsText(after.state);
    EXPECT_EQ(clientsText(after.state), "ada idle none\nbo holding hold 2\ncyd holding hold 3\n"
                                        "dee waiting list 4 +joining @1\n");
    EXPECT_EQ(after.finding(FindingKind::orderKept).checked, 3u) << "only at the door";
    EXPECT_EQ(after.finding(FindingKind::oneHolder).checked, 6u);
    EXPECT_EQ(after.finding(FindingKind::noHerd).checked, 2u);
    EXPECT_EQ(after.state.locks[1].permits, 2u);
}

TEST(SemaphoreRun, OneMoreThanThePermitsIsAViolation)
{
    const Replayed run(kSemaphore + leases("ada", 1) + leases("bo", 2) + leases("cyd", 3));
    EXPECT_EQ(run.finding(FindingKind::oneHolder).violated, 1u);
    EXPECT_EQ(run.finding(FindingKind::oneHolder).detail(), "cyd was granted a lease while 2 of 2 were out.");
    EXPECT_EQ(violatedFindings(run.state), 1u);
}

TEST(SemaphoreRun, OneClientsLeasesCountEach)
{
    const std::string two =
        kSemaphore + leased("ada", 1) +
        "ada@sem create; ada@sem created l2; ada@sem listed 2; ada@sem decided l2 0/2; "
        "ada@sem acquired l1; ada@sem acquired l2; ada@door release n1; ada@door freed n1; ";
    const Replayed run(two);
    EXPECT_EQ(clientsText(run.state), "ada holding hold 2 +holding 1@1\n");
    EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
    EXPECT_EQ(run.state.statistics.wait.count(), 2u) << "at the door, and once for both";
    const Replayed one(two + "ada@sem release l2; ada@sem freed l2");
    EXPECT_EQ(clientsText(one.state), "ada holding hold 1\n");
    const Replayed third(two + leases("bo", 3));
    EXPECT_EQ(third.finding(FindingKind::oneHolder).violated, 1u);
}

TEST(SemaphoreRun, WhoWantsTwoLeasesWaitsWithBoth)
{
    const Replayed run(kSemaphore + leases("ada", 1) +
                       "bo@sem calls; bo@door holds n2; bo@sem create; bo@sem created l2; bo@sem create; "
                       "bo@sem created l3; bo@sem listed 3; bo@sem sleeps l3 1/3");
    std::vector<replay::NodePhase> phases;
    for (const replay::NodeRow& node : run.state.locks[1].queue)
        phases.push_back(node.phase);
    using enum replay::NodePhase;
    EXPECT_EQ(phases, (std::vector{holds, waits, waits}));
}

TEST(SemaphoreRun, FewerPermitsTakeNoLeaseAway)
{
    const Replayed run(kSemaphore + leases("ada", 1) + leases("bo", 2) + "-@sem limit 1");
    EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
    const Replayed next(kSemaphore + leases("ada", 1) + "-@sem limit 1; " + leases("bo", 2));
    EXPECT_EQ(next.finding(FindingKind::oneHolder).detail(), "bo was granted a lease while 1 of 1 were out.");
}

TEST(SemaphoreRun, WhoHadReadItsListGoesByTheNumberBefore)
{
    const Replayed run(kSemaphore + leases("ada", 1) + leased("bo", 2) + "-@sem limit 1; bo@sem acquired l2");
    EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
}

TEST(SemaphoreRun, GivesUpAllItsNodes)
{
    const Replayed run(kSemaphore + leased("ada", 1) +
                       "ada@sem create; ada@sem created l2; ada@sem delete l1; ada@sem deleted l1; "
                       "ada@sem delete l2; ada@sem deleted l2; ada@sem failed timedOut; ada@door release n1; "
                       "ada@door freed n1; ada clientfinished; - finished");
    EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
    EXPECT_EQ(clientsText(run.state), "ada finished none\n");
    const Replayed left(kSemaphore + leased("ada", 1) + "ada@sem failed timedOut; - finished");
    EXPECT_EQ(left.finding(FindingKind::noOrphanNode).violated, 1u);
}

TEST(SemaphoreRun, TokensOfOneGrantIncrease)
{
    const Replayed run(kSemaphore + leased("ada", 1) +
                       "ada@sem create; ada@sem created l2; ada@sem acquired l2; ada@sem acquired l1");
    EXPECT_EQ(run.finding(FindingKind::tokensIncrease).violated, 1u);
}

// ---- several clients of one session ----

const std::string kShop =
    "- process shop ada bo; - lock right; ada holds n1; bo@right holds n11; cyd waits n2 n1\n";

TEST(SharedSession, EndsForAllWhoShareIt)
{
    const Replayed run(kShop + "- gone shop");
    EXPECT_EQ(clientsText(run.state), "ada holding hold 1 stale\nbo holding hold 11 stale\n"
                                      "cyd waiting sleep 2 ->1\n");
    EXPECT_EQ(queueText(run.state) + queueText(run.state, LockId{1}), "2 cyd waits ->1\n");
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).violated, 2u);
    EXPECT_EQ(run.client("ada").process, "shop");
    EXPECT_EQ(run.client("ada").sessionId, run.client("bo").sessionId);

    replay::TraceCursor cursor(run.store);
    cursor.seek(run.store->count());
    const replay::Timeline& timeline = cursor.timeline();
    EXPECT_EQ(timeline.spanAt(run.client("ada").id, run.state.now, replay::LaneRow::overlays).kind,
              replay::SpanKind::stale);
    EXPECT_EQ(timeline.spanAt(run.client("bo").id, run.state.now, replay::LaneRow::overlays).kind,
              replay::SpanKind::stale);
    EXPECT_EQ(timeline.spanAt(run.client("cyd").id, run.state.now, replay::LaneRow::overlays).kind,
              replay::SpanKind::none);
}

TEST(SharedSession, EndsForAllWhenOneIsNamed)
{
    const Replayed run(kShop + "ada killed");
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).violated, 2u);
    EXPECT_EQ(queueText(run.state, LockId{1}), "");
}

TEST(SharedSession, EachLearnsItForItself)
{
    const Replayed run(kShop + "- gone shop; ada lost; ada holdlost n1");
    EXPECT_EQ(clientsText(run.state), "ada lost none\nbo holding hold 11 stale\ncyd waiting sleep 2 ->1\n");
}

TEST(SharedSession, IsClosedByAllWithoutAComplaint)
{
    const Replayed run(kShop + "ada closed; ada holdlost n1; cyd fired n1; cyd takes n2; bo closed; "
                               "bo@right holdlost n11");
    EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
    EXPECT_EQ(queueText(run.state) + queueText(run.state, LockId{1}), "2 cyd holds token 0x102\n");
}

TEST(SharedSession, FreezesAsAWhole)
{
    const Replayed run(kShop + "ada command freeze");
    EXPECT_TRUE(run.client("bo").frozen);
    EXPECT_FALSE(run.client("cyd").frozen);
    EXPECT_EQ(queueText(run.state, LockId{1}), "11 bo holds token 0x10b frozen\n");
    const Replayed thawed(kShop + "ada command freeze; ada command thaw");
    EXPECT_FALSE(thawed.client("bo").frozen);
}

TEST(SharedSession, ANodeSeenEarlyBelongsToWhoAskedForIt)
{
    const Replayed run(
        "- process shop ada bo; bo calls; bo create; - seen n1 bo; bo created n1; bo listed 1; "
        "bo decided n1 0/1; bo acquired n1");
    EXPECT_EQ(queueText(run.state), "1 bo holds token 0x101\n");
}

} // namespace
} // namespace lockscope::tests
