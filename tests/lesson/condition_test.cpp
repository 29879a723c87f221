// The words of conditions and metrics.
#include "core/lesson/condition.h"
#include "core/replay/findings/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace lockscope::lesson {
namespace {

using Kind = Metric::Kind;
using Relation = Predicate::Relation;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Metrics, AreReadFromTheirWords)
{
    const std::pair<const char*, Kind> words[] = {{"wake-ups", Kind::wakeUps},
                                                  {"requests", Kind::requests},
                                                  {"requests create", Kind::requests},
                                                  {"requests of ada", Kind::requests},
                                                  {"requests getChildren of ada", Kind::requests},
                                                  {"events watch_fired", Kind::events},
                                                  {"events acquired of bo", Kind::events},
                                                  {"milliseconds until acquired of bo", Kind::milliseconds},
                                                  {"milliseconds until session_gone", Kind::milliseconds},
                                                  {"nodes", Kind::nodes},
                                                  {"nodes of a b", Kind::nodes},
                                                  {"depth of ada", Kind::depth},
                                                  {"violations of no_herd", Kind::violations},
                                                  {"value", Kind::value},
                                                  {"woken", Kind::woken},
                                                  {"holder", Kind::holder},
                                                  {"believers", Kind::believers},
                                                  {"waiters", Kind::waiters},
                                                  {"next holder", Kind::nextHolder},
                                                  {"first in line", Kind::firstInLine},
                                                  {"watcher of ada", Kind::watcherOf},
                                                  {"watched by ada", Kind::watchedBy},
                                                  {"refused", Kind::refused},
                                                  {"conflicts", Kind::conflicts}};
    for (const auto& [text, kind] : words) {
        const auto metric = parseMetric(text);
        ASSERT_TRUE(metric) << text;
        EXPECT_EQ(metric->kind, kind) << text;
    }
}

TEST(Metrics, RefuseWhatTheyAreNot)
{
    for (const char* text :
         {"", "wake", "wake-ups of ada", "requests fly", "requests of ", "events", "events no_such_event",
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
    for (const char* text :
         {"", "holder", "holder is", "holder is ", "holder is more than ada", "nodes is ada",
          "depth of ada is", "one_holder", "no_such holds", "holder is ada and", "holder is ada, "})
        EXPECT_FALSE(parseCondition(text)) << text;
}

TEST(Conditions, AreWrittenAsTheyAreRead)
{
    for (const char* text :
         {"woken is bo, cyd", "waiters is no client", "requests create of ada is less than 3",
          "events acquired of ada is 2", "watched by bo is ada", "watcher of bo is ada",
          "milliseconds until acquired of bo is more than 2", "violations of one_holder is 1"}) {
        const std::optional<Condition> condition = parseCondition(text);
        ASSERT_TRUE(condition) << text;
        EXPECT_EQ(wordsOf(condition->all.front()), text);
    }
}

} // namespace
} // namespace lockscope::lesson
