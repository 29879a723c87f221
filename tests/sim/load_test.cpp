// In what the loads of two scenarios differ.
#include "core/sim/load.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using sim::LoadTrait;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Load, IsTheSameForAnotherRecipe)
{
    sim::Scenario one, other;
    other.recipe = sim::Recipe::herd;
    other.title = "another";
    EXPECT_THAT(loadDifferences(one, other), IsEmpty());
}

TEST(Load, SaysInWhatItDiffers)
{
    sim::Scenario one, other;
    one.work.hold = {0ms, 100ms};
    other.work.hold = {2ms, 2ms};
    other.work.cycles = 0;
    other.named.emplace_back().name = "slow";
    EXPECT_THAT(loadDifferences(one, other),
                ElementsAre(LoadTrait::hold, LoadTrait::cycles, LoadTrait::named));
    EXPECT_EQ(loadTraitWords(LoadTrait::hold, one).english(), "0–100 ms");
    EXPECT_EQ(loadTraitWords(LoadTrait::hold, other).english(), "2 ms");
    EXPECT_EQ(loadTraitWords(LoadTrait::cycles, other).english(), "no limit");
    EXPECT_STREQ(loadTraitTitle(LoadTrait::named), "what single clients do");
}

TEST(Load, HowManyWriteCountsWhereSomebodyDoes)
{
    sim::Scenario one, other;
    other.work.writePercent = 90;
    EXPECT_THAT(loadDifferences(one, other), IsEmpty());
    one.recipe = other.recipe = sim::Recipe::readWrite;
    EXPECT_THAT(loadDifferences(one, other), ElementsAre(LoadTrait::writes));
}

} // namespace
} // namespace lockscope::tests
