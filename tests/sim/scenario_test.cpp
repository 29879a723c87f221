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
                    Mistake{"write_percent = 101", "bad.toml:1:17", "0 to 100"},
                    Mistake{"script = \"kill ada\"", "bad.toml:1:10", "a list of lines"},
                    Mistake{"script = [\"kill ada\"]", "bad.toml:1:11", "a moment, a colon"},
                    Mistake{"script = [\n  \"when ada sleeps: kill ada\"]", "bad.toml:2:3", "before the colon \"at 2s\""},
                    Mistake{"script = [\"after no handoffs: pause\"]", "bad.toml:1:11", "before the colon"},
                    Mistake{"script = [\"at 1s: shout\"]", "bad.toml:1:11", "after the colon \"kill ada\""},
                    Mistake{"script = [\"at 1s: stop the server\"]", "bad.toml:1:11", "stop the server for 2s"},
                    Mistake{"script = [\"at 1s: kill ada for 2s\"]", "bad.toml:1:11", "after the colon"},
                    Mistake{"expect_violated = [\"luck\"]", "bad.toml:1:20", "one_holder"},
                    Mistake{"clients = ", "bad.toml:1:", "TOML"},
                    Mistake{"lock = \"no/slash\"", "bad.toml", "does not begin with a slash"},
                    Mistake{"lock = \"/\"", "bad.toml", "root"},
                    Mistake{"lock = \"/zookeeper/x\"", "bad.toml", "ZooKeeper itself"}));

TEST(ScenarioTest, AScriptSaysWhenWhatHappensToWhom)
{
    const Result<Scenario> scenario = parseScenario(R"(script = [
        "at 1.5s: pause",
        "after 3 handoffs: freeze the holder for 4s",
        "when anybody waits: delete the node of the first waiter",
        "when bo is lost: stop the server for 2s",
        "when ada holds: kill bo"])",
                                                    "s.toml");
    ASSERT_TRUE(scenario) << scenario.error().text();
    const std::vector<ScriptLine>& script = scenario->script;
    ASSERT_EQ(script.size(), 5U);
    EXPECT_EQ(script[0].when.kind, When::Kind::at);
    EXPECT_EQ(script[0].when.time, Duration(1500ms));
    EXPECT_EQ(script[0].deed.kind, Deed::Kind::pause);
    EXPECT_EQ(script[1].when.kind, When::Kind::handoffs);
    EXPECT_EQ(script[1].when.count, 3U);
    EXPECT_EQ(script[1].deed.target, Deed::Target::holder);
    EXPECT_EQ(script[1].deed.span, Duration(4s));
    EXPECT_EQ(script[2].when.client, "") << "anybody";
    EXPECT_EQ(script[2].deed.kind, Deed::Kind::deleteNode);
    EXPECT_EQ(script[2].deed.target, Deed::Target::firstWaiter);
    EXPECT_EQ(script[3].when.kind, When::Kind::lost);
    EXPECT_EQ(script[3].when.client, "bo");
    EXPECT_EQ(script[3].deed.span, Duration(2s));
    EXPECT_EQ(script[4].deed.client, "bo");
    EXPECT_EQ(script[4].text, "when ada holds: kill bo");
}

TEST(ScenarioTest, EveryRecipeHasANameThatIsReadBack)
{
    for (const Recipe recipe : {Recipe::mutex, Recipe::readWrite, Recipe::herd, Recipe::herdReadWrite,
                                Recipe::existsMutex, Recipe::unprotectedMutex}) {
        EXPECT_EQ(recipeFrom(toString(recipe)), recipe);
        EXPECT_THAT(recipeNames(), HasSubstr(std::string(toString(recipe))));
    }
}

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
