// Scenarios: what is read, and how each mistake is told.
#include "core/sim/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockscope::sim {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(ScenarioTest, EveryBuiltInCanBeRead)
{
    ASSERT_FALSE(builtIns().empty());
    for (const BuiltIn& builtIn : builtIns()) {
        const Result<Scenario> scenario = loadScenario(std::string(builtIn.name));
        ASSERT_TRUE(scenario) << scenario.error().text();
        EXPECT_EQ(scenario->name, builtIn.name);
        EXPECT_FALSE(scenario->title.empty());
    }
}

TEST(ScenarioTest, FiveClientsIsWhatItSays)
{
    const Result<Scenario> scenario = loadScenario("five-clients");
    ASSERT_TRUE(scenario);
    EXPECT_EQ(scenario->clients, 5U);
    EXPECT_EQ(scenario->cycles, 50U);
    EXPECT_EQ(scenario->hold, (Range{0ms, 100ms}));
}

TEST(ScenarioTest, AllFieldsAreRead)
{
    const Result<Scenario> scenario = parseScenario(R"(
title = "T"
text = "Some text"
clients = ["ann", "bob"]
cycles = 7
duration = "3s"
think = "5ms"
hold = ["1ms", "2ms"]
reenter = [1, 3]
seed = 42
lock = "/a/b"
recipe = "mutex"
handoff = "announced"
session_timeout = "4s"
acquire_timeout = "1s"
fenced = false
pace = "250ms"
expect_violated = ["no_herd"]
)", "t.toml");
    ASSERT_TRUE(scenario) << scenario.error().text();
    EXPECT_EQ(scenario->clients, 2U);
    EXPECT_EQ(clientName(*scenario, 1), "bob");
    EXPECT_EQ(scenario->duration, Duration(3s));
    EXPECT_EQ(scenario->think, (Range{5ms, 5ms}));
    EXPECT_EQ(scenario->hold, (Range{1ms, 2ms}));
    EXPECT_EQ(scenario->reenterMin, 1U);
    EXPECT_EQ(scenario->reenterMax, 3U);
    EXPECT_EQ(scenario->seed, 42U);
    EXPECT_EQ(scenario->lockPath, "/a/b");
    EXPECT_EQ(scenario->handoff, Handoff::announced);
    EXPECT_EQ(scenario->sessionTimeout, Duration(4s));
    EXPECT_EQ(scenario->acquireTimeout, Duration(1s));
    EXPECT_FALSE(scenario->fencedResource);
    EXPECT_EQ(scenario->pace, Duration(250ms));
    EXPECT_EQ(scenario->expectViolated, std::vector<std::string>{"no_herd"});
}

struct Mistake
{
    const char* toml;
    const char* place;
    const char* says;
};

class ScenarioMistake : public testing::TestWithParam<Mistake>
{
};

TEST_P(ScenarioMistake, IsToldWithItsPlace)
{
    const Result<Scenario> scenario = parseScenario(GetParam().toml, "bad.toml");
    ASSERT_FALSE(scenario);
    EXPECT_EQ(scenario.error().code, ErrorCode::badUsage);
    EXPECT_THAT(scenario.error().text(), HasSubstr(GetParam().place));
    EXPECT_THAT(scenario.error().text(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, ScenarioMistake,
    testing::Values(Mistake{"clients = 0", "bad.toml:1:11", "1 to 10000"},
                    Mistake{"\nclients = \"x\"", "bad.toml:2:11", "whole number"},
                    Mistake{"clients = []", "bad.toml:1:11", "at least one name"},
                    Mistake{"cycles = -1", "bad.toml:1:10", "whole number"},
                    Mistake{"hold = \"5 parsecs\"", "bad.toml:1:8", "a time such as"},
                    Mistake{"hold = [\"2ms\", \"1ms\"]", "bad.toml:1:8", "smaller time first"},
                    Mistake{"reenter = [3, 1]", "bad.toml:1:11", "smaller number first"},
                    Mistake{"recipe = \"spin\"", "bad.toml:1:10", "\"mutex\""},
                    Mistake{"handoff = 3", "bad.toml:1:11", "curator"},
                    Mistake{"colour = 1", "bad.toml:1:1", "unknown field \"colour\""},
                    Mistake{"fenced = \"yes\"", "bad.toml:1:10", "true or false"},
                    Mistake{"expect_violated = [\"luck\"]", "bad.toml:1:20", "one_holder"},
                    Mistake{"clients = ", "bad.toml:1:", "TOML"},
                    Mistake{"lock = \"no/slash\"", "bad.toml", "does not begin with a slash"},
                    Mistake{"lock = \"/\"", "bad.toml", "root"},
                    Mistake{"lock = \"/zookeeper/x\"", "bad.toml", "ZooKeeper itself"}));

TEST(ScenarioTest, AMissingFileNamesTheBuiltInOnes)
{
    const Result<Scenario> scenario = loadScenario("no-such-thing");
    ASSERT_FALSE(scenario);
    EXPECT_THAT(scenario.error().text(), HasSubstr("five-clients"));
}

TEST(ScenarioTest, Durations)
{
    EXPECT_EQ(durationFrom("250ms"), Duration(250ms));
    EXPECT_EQ(durationFrom("1.5s"), Duration(1500ms));
    EXPECT_EQ(durationFrom("100us"), Duration(100us));
    EXPECT_EQ(durationFrom("2m"), Duration(2min));
    EXPECT_EQ(durationFrom("0"), Duration(0));
    EXPECT_FALSE(durationFrom("5"));
    EXPECT_FALSE(durationFrom("-5ms"));
    EXPECT_FALSE(durationFrom("ms"));
    EXPECT_FALSE(durationFrom("1e300s"));
    EXPECT_FALSE(durationFrom("nan s"));
}

TEST(ScenarioTest, NamesGoOnAfterTheAlphabet)
{
    const Scenario scenario;
    EXPECT_EQ(clientName(scenario, 0), "ada");
    EXPECT_EQ(clientName(scenario, 4), "eli");
    EXPECT_EQ(clientName(scenario, 26), "c27");
}

} // namespace
} // namespace lockscope::sim
