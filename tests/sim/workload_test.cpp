// In what the loads of two scenarios differ.
#include "core/sim/scenario/workload.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using sim::WorkloadTrait;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Workload, IsTheSameForAnotherRecipe)
{
    sim::Scenario one, other;
    other.recipe = Recipe::herd;
    other.title = "another";
    EXPECT_THAT(workloadDifferences(one, other), IsEmpty());
}

TEST(Workload, SaysInWhatItDiffers)
{
    sim::Scenario one, other;
    one.work.hold = {0ms, 100ms};
    other.work.hold = {2ms, 2ms};
    other.work.cycles = 0;
    other.named.emplace_back().name = "slow";
    EXPECT_THAT(workloadDifferences(one, other),
                ElementsAre(WorkloadTrait::hold, WorkloadTrait::cycles, WorkloadTrait::named));
    EXPECT_EQ(workloadTraitText(WorkloadTrait::hold, one).english(), "0–100 ms");
    EXPECT_EQ(workloadTraitText(WorkloadTrait::hold, other).english(), "2 ms");
    EXPECT_EQ(workloadTraitText(WorkloadTrait::cycles, other).english(), "no limit");
    EXPECT_EQ(workloadTraitTitle(WorkloadTrait::named), "work of single clients");
}

TEST(Workload, TheNumberOfWritersCountsWhereThereAreAny)
{
    sim::Scenario one, other;
    other.work.writePercent = 90;
    EXPECT_THAT(workloadDifferences(one, other), IsEmpty());
    one.recipe = other.recipe = Recipe::readWrite;
    EXPECT_THAT(workloadDifferences(one, other), ElementsAre(WorkloadTrait::writes));
}

} // namespace
} // namespace lockscope::tests
