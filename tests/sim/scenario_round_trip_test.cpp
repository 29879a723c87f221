// A scenario that was written reads back as it was.
#include "core/sim/scenario/scenario.h"

#include <gtest/gtest.h>

namespace lockscope::sim {
namespace {

void expectSame(const Scenario& one, const Scenario& other, const std::string& text)
{
    EXPECT_EQ(one.text, other.text) << text;
    EXPECT_EQ(one.clients, other.clients) << text;
    EXPECT_EQ(one.workers, other.workers) << text;
    EXPECT_EQ(one.named, other.named) << text;
    EXPECT_EQ(one.duration, other.duration) << text;
    EXPECT_EQ(one.work, other.work) << text;
    EXPECT_EQ(one.locks, other.locks) << text;
    EXPECT_EQ(one.recipe, other.recipe) << text;
    EXPECT_EQ(one.leases, other.leases) << text;
    EXPECT_EQ(one.handoff, other.handoff) << text;
    EXPECT_EQ(one.sessionTimeout, other.sessionTimeout) << text;
    EXPECT_EQ(one.arrival, other.arrival) << text;
    EXPECT_EQ(one.resource, other.resource) << text;
    EXPECT_EQ(one.fencedResource, other.fencedResource) << text;
    EXPECT_EQ(one.pace, other.pace) << text;
    EXPECT_EQ(one.servers, other.servers) << text;
    EXPECT_EQ(one.connect, other.connect) << text;
    EXPECT_EQ(one.links, other.links) << text;
    EXPECT_EQ(one.stepping, other.stepping) << text;
    EXPECT_EQ(one.steps, other.steps) << text;
    EXPECT_EQ(one.expect, other.expect) << text;
    EXPECT_EQ(one.script, other.script) << text;
    EXPECT_EQ(one.titleZh, other.titleZh) << text;
}

void expectRoundTrip(const Scenario& scenario)
{
    const std::string text = toToml(scenario);
    const Result<Scenario> again = parseScenario(text, scenario.name + ".toml");
    ASSERT_TRUE(again) << again.error().text() << "\n" << text;
    expectSame(scenario, *again, text);
}

TEST(ScenarioTest, EveryBuiltInIsTheSameWhenItWasWrittenAndRead)
{
    for (const BuiltIn& builtIn : builtIns())
        expectRoundTrip(*loadScenario(std::string(builtIn.name)));
}

TEST(ScenarioTest, EveryFieldIsTheSameWhenItWasWrittenAndRead)
{
    const Result<Scenario> scenario = parseScenario(R"(
title = "Quotes \" and \\ and\nlines"
text = "t"
title_zh = "\u9501"
clients = 5
workers = 2
cycles = 7
duration = "90s"
think = "exponential 1500us"
hold = ["1ms", "2ms"]
reenter = [1, 3]
takes = ["left:read", "right:write"]
give_back = "first first"
write_percent = 33
acquire_timeout = "1s"
tries = 3
revocable = true
seed = 42
locks = ["/a/left", "/a/right", "/a/middle"]
recipe = "read-write"
handoff = "announced"
session_timeout = "4s"
arrival = "poisson 5ms"
resource = "stock 12"
fenced = false
pace = "250ms"
servers = 3
links = false
stepping = true
steps = ["bo-1 create", "ada-1 list"]
script = ["at 2s: slow the link of bo-1 by 50ms +- 20ms for 3s", "when bo-1 stands before watch: lose the next create reply to ada-1",
  "when hold_lost to bo-1 happens: restart server 2 without its data"]
expect = ["no_herd violated", "order_kept either", "one_holder holds"]
[[client]]
name = "bo"
process = "shop"
start = "3s"
takes = ["middle:write"]
[[client]]
name = "reader"
count = 2
[[client]]
name = "any"
takes = []
)",
                                                    "all.toml");
    ASSERT_TRUE(scenario) << scenario.error().text();
    expectRoundTrip(*scenario);
}

} // namespace
} // namespace lockscope::sim
