// Each finding: a run that keeps it, and the shortest one that breaks it.
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"
#include "tests/support/state_text.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using replay::Finding;
using replay::FindingKind;
using testing::HasSubstr;

constexpr std::string_view kHandoff = R"(
    ada holds n1; ada entered; bo waits n2 n1
    ada left; ada release n1; bo fired n1; ada freed n1; bo takes n2; bo entered
    bo left; bo release n2; bo freed n2; ada clientfinished; bo clientfinished; - finished)";

TEST(Findings, AllHoldInAnOrderlyHandoff)
{
    const Replayed run(kHandoff);
    EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
    EXPECT_EQ(run.finding(FindingKind::oneHolder).checked, 2u);
    EXPECT_EQ(run.finding(FindingKind::orderKept).checked, 2u);
    EXPECT_EQ(run.finding(FindingKind::noHerd).checked, 1u);
    EXPECT_EQ(run.finding(FindingKind::noOrphanNode).checked, 2u);
    EXPECT_EQ(run.finding(FindingKind::noLostWakeup).checked, 1u);
    EXPECT_EQ(run.finding(FindingKind::tokensIncrease).checked, 2u);
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).checked, 2u);
    EXPECT_EQ(run.finding(FindingKind::oneHolder).detail(), "2 grants checked: never two holders at a time.");
}

// Readers hold together, and so do leases: the sentence must not say that they never do.
TEST(Findings, SayTheRuleOfTheRecipe)
{
    const Replayed readers("- lock book read-write; ada@book holds a-__READ__0000000001; "
                           "bo@book joins b-__READ__0000000002; bo@book decided b-__READ__0000000002 0/2; "
                           "bo@book acquired b-__READ__0000000002");
    EXPECT_EQ(readers.finding(FindingKind::oneHolder).detail(),
              "2 grants checked: no other holder beside a writer.");
    EXPECT_EQ(readers.finding(FindingKind::orderKept).detail(),
              "2 grants checked: none was blocked by an earlier request.");
    const Replayed leases("- lock pool semaphore; ada@pool holds lease-0000000001");
    EXPECT_EQ(leases.finding(FindingKind::oneHolder).detail(), "1 grant checked: never too many leases out.");
}

TEST(Findings, SayThatNothingWasChecked)
{
    const Replayed run("- running; - finished");
    for (const Finding& finding : run.state.findings.all) {
        EXPECT_TRUE(finding.ok());
        EXPECT_EQ(finding.checked, 0u);
        EXPECT_THAT(finding.detail().english(), HasSubstr("Nothing was checked"));
    }
}

TEST(Findings, CountsInSentencesAreGrouped)
{
    SampleOptions options;
    options.cycles = 250;
    const auto store = sampleRun(options);
    EXPECT_THAT(folded(*store).findings.of(FindingKind::oneHolder).detail().english(),
                HasSubstr("1,250 grants checked"));
}

TEST(NoHerd, IsViolatedByASecondWaiterWokenByTheSameNode)
{
    const Replayed run(
        R"(ada holds n1; bo waits n2 n1; cyd waits n3 n1; ada release n1; bo fired n1; cyd fired n1)");
    const Finding& finding = run.finding(FindingKind::noHerd);
    EXPECT_EQ(finding.violated, 1u);
    EXPECT_EQ(finding.checked, 2u);
    EXPECT_EQ(finding.detail(), "cyd was the second client woken by node 1 going.");
    EXPECT_EQ(run.state.locks[0].lastWakeUp.woken, 2u);
}

TEST(NoHerd, CountsTheWokenInOrdinalNumbers)
{
    const auto lastOf = [](int woken) {
        std::string script = "ada holds n1";
        for (int i = 1; i <= woken; ++i)
            script += "; c" + std::to_string(i) + " waits n" + std::to_string(i + 1) + " n1";
        script += "; ada release n1";
        for (int i = 1; i <= woken; ++i)
            script += "; c" + std::to_string(i) + " fired n1";
        return Replayed(script).finding(FindingKind::noHerd).detail().english();
    };
    EXPECT_EQ(lastOf(3), "c3 was the 3rd client woken by node 1 going.");
    EXPECT_EQ(lastOf(4), "c4 was the 4th client woken by node 1 going.");
    EXPECT_EQ(lastOf(12), "c12 was the 12th client woken by node 1 going.");
    EXPECT_EQ(lastOf(21), "c21 was the 21st client woken by node 1 going.");
    EXPECT_EQ(lastOf(22), "c22 was the 22nd client woken by node 1 going.");
}

TEST(Findings, CutALongNameBetweenCharacters)
{
    std::string name = "x";
    std::string kept = name;
    for (int i = 0; i < 30; ++i) {
        name += "\u00fc";
        kept += i < 19 ? "\u00fc" : "";
    }
    const Replayed run("ada holds n1; bo waits n2 n1; " + name +
                       " waits n3 n1; ada release n1; bo fired n1; " + name + " fired n1");
    EXPECT_EQ(run.finding(FindingKind::noHerd).detail(),
              kept + "\u2026 was the second client woken by node 1 going.");
}

struct Judged
{
    FindingKind kind;
    const char* script;
    std::uint64_t violated;
    const char* says = ""; // part of the sentence
};

TEST(Findings, JudgeTheShortestRuns)
{
    using enum FindingKind;
    for (const Judged& one : {
             Judged{noHerd,
                    R"(ada holds n1; bo joins n2; cyd joins n3; ada release n1
                       bo childrenchanged n1; cyd childrenchanged n1)",
                    1, "cyd was the second client woken by one change of the list."},
             // A watch on the own node.
             Judged{noHerd, "ada holds n1; bo waits n2 n1; ada release n1; ada fired n1; bo fired n1", 0},
             // The server keeps bo's watch on n1 after bo has timed out; cyd watches n1 since.
             Judged{noHerd,
                    R"(ada holds n1; bo waits n2 n1; cyd waits n3 n2; bo delete n2; bo deleted n2
                       bo failed timedOut; cyd fired n2; cyd again n3 1/2 n1; cyd watch n1; cyd watching n1
                       ada release n1; bo fired n1; cyd fired n1; ada freed n1; cyd takes n3)",
                    0},
             // The create's reply is lost and ada gives up without looking for what it made.
             Judged{noOrphanNode,
                    "ada calls; ada create; ada createlost; - seen n1 foreign ada; ada failed timedOut; "
                    "- finished",
                    1, "node 1 of ada remains at the end, and ada does not know of it."},
             Judged{noOrphanNode, "ada holds n1; ada clientfinished; - finished", 1,
                    "ada is done, but its node 1 remains."},
             // It is gone again with the session before the run ends; until then it blocked all clients.
             Judged{noOrphanNode,
                    "ada calls; ada create; ada createlost; - seen n1 foreign ada; ada failed timedOut; "
                    "ada clientfinished; ada closed; - finished",
                    1, "never knew of node 1"},
             // It is not judged before the end.
             Judged{noOrphanNode, "ada calls; ada create; ada createlost; - seen n1 ada; ada failed timedOut",
                    0},
             // No event has said yet that the server deleted the node of a dead session.
             Judged{noOrphanNode,
                    "ada waits n2 n1; ada lost; ada failed sessionLost; ada connecting; ada connected; "
                    "- finished",
                    0},
             Judged{noOrphanNode, "- seen n1 foreign; ada waits n2 n1; - finished", 0},
             // Found again after a lost reply.
             Judged{noOrphanNode,
                    R"(ada calls; ada create; ada createlost; ada suspended; ada connected; - seen n1 ada
                       ada takes n1; ada release n1; ada freed n1; ada clientfinished; - finished)",
                    0},
             Judged{noLostWakeup, "ada holds n1; bo waits n2 n1; ada release n1; ada freed n1; - finished", 1,
                    "bo still sleeps on node 1, which is gone: its watch never fired."},
             // It looks again by itself.
             Judged{noLostWakeup,
                    R"(ada holds n1; bo waits n2 n1; ada release n1; ada freed n1; bo suspended; bo connected
                       bo takes n2; bo release n2; bo freed n2; - finished)",
                    0},
             Judged{noLostWakeup,
                    "ada holds n1; bo waits n2 n1; bo command freeze; ada release n1; ada freed n1; "
                    "- finished",
                    0},
             Judged{tokensIncrease, "ada holds n5; ada release n5; ada freed n5; bo holds n4", 1,
                    "bo was granted the lock with token 0x104, not above 0x105 of an earlier grant."},
         }) {
        const Replayed run(one.script);
        EXPECT_EQ(run.finding(one.kind).violated, one.violated) << one.script << findingsText(run.state);
        EXPECT_EQ(violatedFindings(run.state), one.violated) << one.script << findingsText(run.state);
        EXPECT_THAT(run.finding(one.kind).detail().english(), HasSubstr(one.says)) << one.script;
    }
}

TEST(Findings, KeepTheFirstHundredViolationsAndTheLastHundred)
{
    std::string script = "ada holds n1";
    for (int i = 0; i < 350; ++i)
        script += "; bo conflict";
    const Replayed run(script);
    const Finding& finding = run.finding(FindingKind::oneHolder);
    EXPECT_EQ(finding.violated, 350u);
    ASSERT_EQ(finding.violations.size(), 200u);
    const std::uint32_t last = static_cast<std::uint32_t>(run.store->count()) - 1;
    EXPECT_EQ(finding.violations.back().at.value, last);
    EXPECT_EQ(finding.violations[100].at.value, last - 99);
    EXPECT_EQ(finding.violations[99].at.value, last - 250) << "the first hundred";
}

// The sentence is about the violation that the window goes to.
TEST(Findings, TellOfTheLastOfTwoStaleHolders)
{
    const Replayed run("ada holds n1; ada killed; bo holds n2; bo killed; ada lost; ada holdlost n1");
    const Finding& finding = run.finding(FindingKind::beliefMatchesServer);
    ASSERT_EQ(finding.violations.size(), 2u);
    EXPECT_EQ(finding.violations.back().client, run.client("bo").id);
    EXPECT_EQ(finding.detail(), "bo believes that it holds the lock, but its session is gone.");
}

} // namespace
} // namespace lockscope::tests
