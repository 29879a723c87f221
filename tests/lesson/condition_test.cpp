// The words of conditions and metrics.
#include "core/lesson/condition.h"
#include "core/replay/findings/findings.h"
#include "core/sim/scenario/scenario_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockscope::lesson {
namespace {

using Kind = Metric::Kind;
using Relation = Predicate::Relation;
using testing::ElementsAre;
using testing::IsEmpty;

class Words : public testing::TestWithParam<const char*>
{};

TEST_P(Words, OfAMeasureReadBack)
{
    const auto metric = parseMetric(GetParam());
    ASSERT_TRUE(metric);
    EXPECT_EQ(toString(*metric), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Measures, Words,
                         testing::Values("wake-ups", "requests", "requests create", "requests of ada",
                                         "requests getChildren of ada", "events watch_fired", "events acquired of bo",
                                         "milliseconds until acquired of bo", "milliseconds until session_gone", "nodes",
                                         "nodes of a b", "depth of ada", "violations of no_herd", "value", "woken",
                                         "holder", "believers", "waiters", "next holder", "first in line",
                                         "watcher of ada", "watched by ada", "refused", "conflicts"));

TEST(Measures, KnowTheirParts)
{
    const auto metric = parseMetric("requests getData of ada");
    ASSERT_TRUE(metric);
    EXPECT_EQ(metric->kind, Kind::requests);
    EXPECT_EQ(metric->op, trace::Op::getData);
    EXPECT_EQ(metric->client, "ada");
    EXPECT_FALSE(metric->namesClients());
    EXPECT_TRUE(parseMetric("woken")->namesClients());
}

TEST(Measures, RefuseWhatTheyAreNot)
{
    for (const char* text : {"", "wake", "wake-ups of ada", "requests fly", "requests of ", "events", "events no_such_event",
                             "depth", "violations", "violations of nothing", "watched by ", "holders", "woken bo"})
        EXPECT_FALSE(parseMetric(text)) << text;
}

TEST(Conditions, CompareNumbersAndNames)
{
    const auto both = parseCondition("woken is bo, cyd and nodes of ada is more than 2");
    ASSERT_TRUE(both);
    ASSERT_EQ(both->all.size(), 2u);
    EXPECT_EQ(both->all[0].metric.kind, Kind::woken);
    EXPECT_THAT(both->all[0].clients, ElementsAre("bo", "cyd"));
    EXPECT_EQ(both->all[0].number, std::nullopt);
    EXPECT_EQ(both->all[1].relation, Relation::moreThan);
    EXPECT_EQ(both->all[1].number, 2u);
    const auto none = parseCondition("waiters is no client");
    ASSERT_TRUE(none);
    EXPECT_THAT(none->all[0].clients, IsEmpty());
    EXPECT_EQ(none->all[0].number, std::nullopt);
    const auto several = parseCondition("believers is less than 3");
    ASSERT_TRUE(several);
    EXPECT_EQ(several->all[0].relation, Relation::lessThan);
}

TEST(Conditions, NameFindings)
{
    const auto holds = parseCondition("one_holder holds");
    ASSERT_TRUE(holds);
    EXPECT_EQ(holds->all[0].metric.finding, replay::FindingKind::oneHolder);
    EXPECT_EQ(holds->all[0].relation, Relation::is);
    EXPECT_EQ(holds->all[0].number, 0u);
    const auto violated = parseCondition("no_herd is violated");
    ASSERT_TRUE(violated);
    EXPECT_EQ(violated->all[0].relation, Relation::moreThan);
}

TEST(Conditions, RefuseWhatTheyAreNot)
{
    for (const char* text : {"", "holder", "holder is", "holder is ", "holder is more than ada", "nodes is ada",
                             "depth of ada is", "one_holder", "no_such holds", "holder is ada and", "holder is ada, "})
        EXPECT_FALSE(parseCondition(text)) << text;
}

// A scenario names the findings that it expects without including replay.
TEST(FindingNames, AreTheSameInScenariosAndRuns)
{
    std::string names;
    for (std::size_t i = 0; i < replay::kFindingKinds; ++i)
        names += (i > 0 ? ", " : "") + std::string(replay::findingName(static_cast<replay::FindingKind>(i)));
    EXPECT_EQ(sim::findingNames(), names);
}

} // namespace
} // namespace lockscope::lesson
