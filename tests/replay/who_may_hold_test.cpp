// The findings about who may hold: one holder at a time, in the order of the queue, readers together.
#include "tests/replay/replayed.h"
#include "tests/support/state_text.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

using replay::Finding;
using replay::FindingKind;

TEST(OneHolder, IsViolatedByTwoLiveHolders)
{
    const Replayed run("ada holds n1; bo joins n2; bo decided n2 0/1; bo acquired n2");
    const Finding& finding = run.finding(FindingKind::oneHolder);
    ASSERT_EQ(finding.violated, 1u);
    EXPECT_EQ(finding.detail(), "bo was granted the lock while ada held it with a live node.");
    EXPECT_EQ(finding.violations[0].client, run.client("bo").id);
    EXPECT_EQ(finding.violations[0].at.value, run.store->count() - 1);
    const auto* against = std::get_if<trace::Acquired>(&run.store->at(finding.violations[0].against).what);
    ASSERT_NE(against, nullptr);
    EXPECT_EQ(against->node, scriptNode("n1"));
}

TEST(OneHolder, IsViolatedByAConflictAtTheResource)
{
    const Replayed run("ada holds n1; ada entered; bo joins n2; bo conflict n1");
    EXPECT_EQ(run.finding(FindingKind::oneHolder).violated, 1u);
    EXPECT_EQ(run.finding(FindingKind::oneHolder).detail(),
              "bo was inside the protected section together with ada.");
    EXPECT_EQ(violatedFindings(run.state), 1u);
}

TEST(OneHolder, IsViolatedByTwoInsideAtOnce)
{
    // ada's record says that it left only after bo had entered.
    const Replayed run(R"(ada holds n1; ada entered; bo waits n2 n1; ada release n1; bo fired n1
                          bo takes n2; bo entered; bo conflict n1; ada left)");
    EXPECT_EQ(run.finding(FindingKind::oneHolder).violated, 1u);
    EXPECT_EQ(run.finding(FindingKind::oneHolder).detail(),
              "bo was inside the protected section together with ada.");
}

TEST(OneHolder, IsNotViolatedByAStaleHolder)
{
    const Replayed run(R"(ada holds n1; ada entered; bo waits n2 n1; ada killed; bo fired n1; bo takes n2
                          bo entered; bo conflict n1; ada lost; ada holdlost n1)");
    EXPECT_EQ(run.finding(FindingKind::oneHolder).violated, 0u);
    EXPECT_EQ(run.finding(FindingKind::beliefMatchesServer).violated, 1u);
}

TEST(OneHolder, IsNotViolatedByAHolderThatWasNotifiedAndHasNotLeftYet)
{
    const Replayed run(
        R"(ada holds n1; ada entered; bo waits n2 n1; ada lost; ada holdlost n1; ada gone; bo fired n1
                          bo takes n2; bo entered; bo conflict n1; ada refused)");
    EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
}

TEST(OrderKept, IsViolatedByAGrantBehindALiveWaiter)
{
    const Replayed run(R"(ada holds n1; bo waits n2 n1; cyd waits n3 n2; ada release n1; ada freed n1
                          cyd list; cyd listed 2; cyd decided n3 1/2 n2; cyd acquired n3)");
    const Finding& finding = run.finding(FindingKind::orderKept);
    EXPECT_EQ(finding.violated, 1u);
    EXPECT_EQ(finding.detail(),
              "cyd was granted the lock with node 3 while node 2 of bo was still in front.");
    EXPECT_EQ(violatedFindings(run.state), 1u);
}

TEST(OrderKept, IsViolatedBehindAForeignNode)
{
    const Replayed run("- seen n1 foreign; ada joins n2; ada decided n2 1/2 n1; ada acquired n2");
    EXPECT_EQ(run.finding(FindingKind::orderKept).violated, 1u);
}

// A worker learns late of nodes of another one; with announced handoff it does not list again.
TEST(OrderKept, IsNotViolatedByAnAnnouncedHandoffBehindAForeignNodeThatMayBeGone)
{
    const Replayed run("- lock quick mutex announced; -@quick seen n1 foreign; ada@quick holds n2; "
                       "bo@quick waits n3 n2; ada@quick release n2; bo@quick fired n2; bo@quick takes n3");
    EXPECT_EQ(run.finding(FindingKind::orderKept).violated, 0u) << findingsText(run.state);
    const Replayed own("- lock quick mutex announced; ada@quick joins n1; bo@quick joins n2; "
                       "bo@quick decided n2 1/2 n1; bo@quick acquired n2");
    EXPECT_EQ(own.finding(FindingKind::orderKept).violated, 1u);
}

TEST(ReadersAndWriters, HoldTogetherWhenAllAreReaders)
{
    const Replayed run("ada holds a-__READ__0000000001; bo joins b-__READ__0000000002; "
                       "bo decided b-__READ__0000000002 0/2; bo acquired b-__READ__0000000002");
    EXPECT_EQ(violatedFindings(run.state), 0u);
    EXPECT_EQ(run.finding(FindingKind::oneHolder).checked, 2u);
}

TEST(ReadersAndWriters, AWriterBesideAReaderIsAViolation)
{
    const Replayed run("ada holds a-__READ__0000000001; bo joins b-__WRIT__0000000002; "
                       "bo decided b-__WRIT__0000000002 0/2; bo acquired b-__WRIT__0000000002");
    EXPECT_EQ(run.finding(FindingKind::oneHolder).violated, 1u);
    EXPECT_EQ(run.finding(FindingKind::orderKept).violated, 1u);
}

TEST(ReadersAndWriters, AWriterThatGoesMayWakeAllReadersBehindIt)
{
    const Replayed run(
        "ada holds a-__WRIT__0000000001; bo waits b-__READ__0000000002 a-__WRIT__0000000001; "
        "cyd waits c-__READ__0000000003 a-__WRIT__0000000001; ada release a-__WRIT__0000000001; "
        "bo fired a-__WRIT__0000000001; cyd fired a-__WRIT__0000000001");
    EXPECT_EQ(run.finding(FindingKind::noHerd).violated, 0u);
    EXPECT_EQ(run.finding(FindingKind::noHerd).checked, 2u);
}

} // namespace
} // namespace lockscope::tests
