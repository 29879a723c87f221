// Whether a program's lock is right, by what its copies say: what no program can prevent is no violation.
#include "core/replay/findings/claims.h"
#include "tests/support/trace_script.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

using replay::ClaimRule;

replay::ClaimsJudged judged(std::string_view script) { return replay::judgeClaims(*traceScript(script)); }

std::uint64_t violated(const replay::ClaimsJudged& claims, ClaimRule rule)
{
    return claims.of(rule).violated;
}

TEST(Claims, TwoAtATimeAreOneTooManyWhenTheFirstHasItsNode)
{
    const auto claims = judged("ada holds n1; bo joins n2; bo acquired n2");
    EXPECT_EQ(violated(claims, ClaimRule::exclusion), 1u);
    EXPECT_EQ(
        claims.of(ClaimRule::exclusion).what,
        "bo said that it has the lock while ada had not given it up. The server had node 1 of ada in the "
        "queue: ada was entitled to the lock.");
    EXPECT_EQ(claims.claims, 2u);
    EXPECT_TRUE(judged("ada holds n1; ada release n1; bo holds n2").ok());
}

TEST(Claims, AHolderThatWasToldOfItsLossHasAMomentToStop)
{
    const std::string lost = "1ms ada holds n1; 10ms ada killed; 20ms bo holds n2; 500ms ada suspended; "
                             "600ms ada lost; ";
    EXPECT_TRUE(judged(lost + "2000ms ada holdlost n1").ok());
    const auto claims = judged(lost + "3200ms ada holdlost n1");
    EXPECT_EQ(violated(claims, ClaimRule::staleClaim), 1u);
    EXPECT_EQ(violated(claims, ClaimRule::exclusion), 0u) << "the server had taken it from ada";
    EXPECT_EQ(claims.of(ClaimRule::staleClaim).what,
              "ada still said that it has the lock 2.6 s after it could know that its session is over.");
}

TEST(Claims, WithoutContactItsOwnClockMustTell)
{
    const std::string cut = "1ms ada holds n1; 10ms ada suspended; 9000ms ada gone; ";
    EXPECT_TRUE(judged(cut + "11000ms ada holdlost n1").ok()) << "its timeout is 10 s";
    EXPECT_EQ(violated(judged(cut + "13000ms ada holdlost n1"), ClaimRule::staleClaim), 1u);
}

TEST(Claims, AProcessThatIsPausedCannotKnow)
{
    const std::string paused = "1ms ada holds n1; 2ms ada command freeze; 3ms ada killed; 4ms bo holds n2; "
                               "60000ms ada command thaw; "
                               "60001ms ada suspended; 60002ms ada lost; ";
    const auto claims = judged(paused + "60900ms ada holdlost n1");
    EXPECT_TRUE(claims.ok());
    EXPECT_EQ(claims.excused, 1u);
    EXPECT_EQ(violated(judged(paused + "63000ms ada holdlost n1"), ClaimRule::staleClaim), 1u)
        << "it runs again, and was told";
}

TEST(Claims, ALineThatComesAfterTheEndOfTheSessionIsLateAndNotASecondHolder)
{
    const auto claims =
        judged("1ms ada joins n1; 2ms ada killed; 3ms bo holds n2; 4ms ada acquired n1; 5ms ada lost; "
               "6ms ada holdlost n1");
    EXPECT_TRUE(claims.ok());
    EXPECT_EQ(claims.claims, 2u);
}

TEST(Claims, NameWhatStandsInFrontWhenNobodyGetsTheLock)
{
    const auto persistent = judged("ada joins n1; - seen n1; bo waits n2 n1; - notice stuck no_progress");
    EXPECT_EQ(persistent.of(ClaimRule::leftover).what,
              "ada made node 1 as a persistent node: nothing deletes it when its session ends, and everybody "
              "waits for it.");
    const auto forgotten =
        judged("ada calls; ada create; - seen n1 ada; ada create; ada created n2; bo waits n3 n2; "
               "- notice stuck no_progress");
    EXPECT_EQ(
        forgotten.of(ClaimRule::leftover).what,
        "ada has forgotten node 1, which it has made: it stays in front of everybody as long as its session "
        "lives.");
    const auto other = judged("ada joins n1; bo waits n2 n1; - notice stuck no_progress");
    EXPECT_EQ(violated(other, ClaimRule::leftover), 0u);
    EXPECT_EQ(other.of(ClaimRule::progress).what, "stuck");
    EXPECT_TRUE(judged("ada joins n1; bo waits n2 n1").ok()) << "nobody has waited in vain yet";
}

TEST(Claims, TellWhichFaultsOfThePlanMetACopyAndWhetherTheProgramCanBeJudged)
{
    using Verdict = replay::ClaimsJudged::Verdict;
    const std::string two = "ada holds n1; bo joins n2; bo acquired n2; ";
    const auto met = judged("ada holds n1; - notice its_session_ends fault_met:expiry; - notice no_copy "
                            "fault_missed:kill; - notice its_session_ends fault_met:expiry");
    EXPECT_EQ(met.verdict(), Verdict::sound);
    EXPECT_EQ(met.plan.at("expiry").met, 2u);
    EXPECT_EQ(met.plan.at("kill").missed, 1u);
    EXPECT_EQ(met.plan.size(), 2u);
    EXPECT_EQ(judged(two).verdict(), Verdict::violated);
    EXPECT_EQ(judged(two + "- notice ended program_ended").verdict(), Verdict::violated);
    EXPECT_EQ(judged(two + "- notice which broken_line").verdict(), Verdict::notJudged)
        << "what else it said may be wrong, too";
    const auto ended = judged("ada holds n1; - notice ended program_ended");
    EXPECT_EQ(ended.verdict(), Verdict::notJudged);
    EXPECT_EQ(ended.whyNot, "ended");
}

TEST(Claims, ReadTheOtherRulesFromTheFindings)
{
    EXPECT_EQ(
        violated(
            judged(
                "ada holds n1; bo waits n2 n1; cyd waits n3 n1; ada release n1; bo fired n1; cyd fired n1"),
            ClaimRule::herd),
        1u);
    EXPECT_EQ(violated(judged("ada joins n1; ada exists n0; ada notthere n0"), ClaimRule::strayWatch), 1u);
    EXPECT_EQ(violated(judged("ada holds n5; ada release n5; ada freed n5; bo joins n6; bo decided n6 0/1; "
                              "bo acquired n6 n4"),
                       ClaimRule::tokens),
              1u);
}

} // namespace
} // namespace lockscope::tests
