// A run that was stepped by hand as a scenario of its own.
#include "core/sim/run/step_order.h"

#include <gtest/gtest.h>

namespace lockscope::sim {
namespace {

trace::Event event(std::uint32_t client, trace::Payload what)
{
    return {TraceTime{}, EventIndex::none(), ClientId{client}, LockId::none(), what};
}

// Its steps name who was added by hand, too: the scenario has all of them, or it could not be read again.
TEST(StepOrder, WhoWasAddedByHandTakesPart)
{
    trace::Header header;
    header.scenario = "two";
    header.scenarioToml = "clients = 1\n";
    const auto store = std::make_shared<trace::TraceStore>(header);
    store->append(event(0, trace::ClientAdded{"ada", 0}));
    store->append(event(1, trace::ClientAdded{"bo", 1}));
    store->append(event(1, trace::StepTaken{GateStep::create}));
    store->append(event(0, trace::StepTaken{GateStep::create}));
    const Result<Scenario> saved = StepOrder(store).scenario(store->count(), false);
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_EQ(participants(*saved).size(), 2U);
    const Result<Scenario> again = parseScenario(saved->source, "two.toml");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->steps, saved->steps);
}

} // namespace
} // namespace lockscope::sim
