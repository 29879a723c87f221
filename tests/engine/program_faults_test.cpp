// The plan of the faults that are tried on a program.
#include "core/engine/program_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lockscope::engine {
namespace {

std::vector<std::string> names(FaultPlan& plan, std::size_t count)
{
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i)
        all.emplace_back(plan.next().fault->name);
    return all;
}

TEST(FaultPlan, ARoundHasEveryFaultOnceAndTheSeedDecidesTheOrder)
{
    std::vector<std::string> gentle, harsh;
    for (const ProgramFault& fault : programFaults()) {
        harsh.emplace_back(fault.name);
        if (!fault.harsh)
            gentle.emplace_back(fault.name);
    }
    for (const auto& [isHarsh, all] : {std::pair(false, gentle), std::pair(true, harsh)}) {
        FaultPlan plan(isHarsh, 7), same(isHarsh, 7), other(isHarsh, 8);
        const auto first = names(plan, all.size()), second = names(plan, all.size());
        EXPECT_THAT(first, testing::UnorderedElementsAreArray(all));
        EXPECT_THAT(second, testing::UnorderedElementsAreArray(all));
        EXPECT_EQ(names(same, all.size()), first);
        EXPECT_NE(names(other, all.size()), first);
    }
}

TEST(FaultPlan, AReplyIsLostToTheRequestThatIsJustSeenAndEveryRuleHasAMoment)
{
    FaultPlan plan(true, 1);
    for (int i = 0; i < 200; ++i) {
        const FaultPlan::Rule rule = plan.next();
        EXPECT_NE(rule.when, ProgramMoment::bySeed);
        EXPECT_GE(rule.times, 1);
        EXPECT_TRUE(rule.after == Duration{} || !rule.does(sim::Action::Kind::loseReply)) << rule.fault->name;
    }
}

} // namespace
} // namespace lockscope::engine
