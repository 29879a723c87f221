// In what the loads of two scenarios differ.
#include "core/sim/scenario/workload.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> differences(const sim::Scenario& one, const sim::Scenario& other)
{
    std::vector<std::string> texts;
    for (const Message& text : sim::compareWorkloads({1, &one}, {1, &other}).differences)
        texts.push_back(text.english());
    return texts;
}

TEST(Workload, IsTheSameForAnotherRecipe)
{
    sim::Scenario one, other;
    other.recipe = Recipe::herd;
    other.title = "another";
    EXPECT_THAT(differences(one, other), IsEmpty());
}

TEST(Workload, SaysInWhatItDiffers)
{
    sim::Scenario one, other;
    one.work.hold = {0ms, 100ms};
    other.work.hold = {2ms, 2ms};
    other.work.cycles = 0;
    other.named.emplace_back().name = "slow";
    EXPECT_THAT(differences(one, other), ElementsAre("hold 0–100 ms against 2 ms",
                                                     "cycles 50 against no limit", "work of single clients"));
}

TEST(Workload, TheNumberOfWritersCountsWhereThereAreAny)
{
    sim::Scenario one, other;
    other.work.writePercent = 90;
    EXPECT_THAT(differences(one, other), IsEmpty());
    one.recipe = other.recipe = Recipe::readWrite;
    EXPECT_THAT(differences(one, other), ElementsAre("writes 10 % against 90 %"));
}

} // namespace
} // namespace lockscope::tests
