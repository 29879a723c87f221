// Scenarios: what is read, and who takes part.
#include "core/sim/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockscope::sim {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

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
)",
                                                    "t.toml");
    ASSERT_TRUE(scenario) << scenario.error().text();
    const std::vector<Participant> all = participants(*scenario);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].name, "bob");
    EXPECT_EQ(all[1].work.cycles, 7U) << "named clients do what the scenario says";
    EXPECT_EQ(scenario->duration, Duration(3s));
    EXPECT_EQ(scenario->work.think, (Range{5ms, 5ms}));
    EXPECT_EQ(scenario->work.hold, (Range{1ms, 2ms}));
    EXPECT_EQ(scenario->work.reenterMin, 1U);
    EXPECT_EQ(scenario->work.reenterMax, 3U);
    EXPECT_EQ(scenario->seed, 42U);
    EXPECT_EQ(scenario->locks, std::vector<std::string>{"/a/b"});
    EXPECT_EQ(scenario->handoff, HandoffPolicy::announced);
    EXPECT_EQ(scenario->sessionTimeout, Duration(4s));
    EXPECT_EQ(scenario->work.acquireTimeout, Duration(1s));
    EXPECT_FALSE(scenario->fencedResource);
    EXPECT_EQ(scenario->pace, Duration(250ms));
    EXPECT_EQ(expected(*scenario, "no_herd"), ExpectedOutcome::violated);
    EXPECT_EQ(expected(*scenario, "one_holder"), ExpectedOutcome::holds);
}

// A run without clients may watch foreign servers; on a private server there would be nothing to see.
TEST(ScenarioTest, NoClientMayJoinOnAForeignServer)
{
    const Result<Scenario> watches = parseScenario("clients = 0\nconnect = \"127.0.0.1:2181\"", "watch.toml");
    ASSERT_TRUE(watches) << watches.error().text();
    EXPECT_TRUE(participants(*watches).empty());
    const Result<Scenario> again = parseScenario(toToml(*watches), "again.toml");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(participants(*again).empty());
    Scenario alone = *watches;
    alone.connect.clear();
    EXPECT_FALSE(validate(alone));
}

TEST(ScenarioTest, EveryRecipeHasANameThatIsReadBack)
{
    for (const Recipe recipe : {Recipe::mutex, Recipe::readWrite, Recipe::herd, Recipe::herdReadWrite,
                                Recipe::existsMutex, Recipe::unprotectedMutex}) {
        EXPECT_EQ(parseRecipe(nameOf(recipe)), recipe);
        EXPECT_THAT(recipeNames(), HasSubstr(std::string(nameOf(recipe))));
    }
}

TEST(ScenarioTest, Durations)
{
    EXPECT_EQ(parseDuration("250ms"), Duration(250ms));
    EXPECT_EQ(parseDuration("1.5s"), Duration(1500ms));
    EXPECT_EQ(parseDuration("100us"), Duration(100us));
    EXPECT_EQ(parseDuration("2m"), Duration(2min));
    EXPECT_EQ(parseDuration("0"), Duration(0));
    EXPECT_FALSE(parseDuration("5"));
    EXPECT_FALSE(parseDuration("-5ms"));
    EXPECT_FALSE(parseDuration("ms"));
    EXPECT_FALSE(parseDuration("1e300s"));
    EXPECT_FALSE(parseDuration("nan s"));
}

TEST(ScenarioTest, NamesGoOnAfterTheAlphabet)
{
    const Scenario scenario;
    EXPECT_EQ(clientName(0), "ada");
    EXPECT_EQ(clientName(4), "eli");
    EXPECT_EQ(clientName(26), "c27");
}

// ---- who takes part ----

std::vector<std::string> namesOf(const std::string& toml)
{
    const Result<Scenario> scenario = parseScenario(toml, "who.toml");
    EXPECT_TRUE(scenario) << scenario.error().text();
    std::vector<std::string> names;
    if (scenario)
        for (const Participant& one : participants(*scenario))
            names.push_back(one.process.empty() ? one.name : one.name + "@" + one.process);
    return names;
}

TEST(ScenarioTest, WhoTakesPart)
{
    using testing::ElementsAre;
    EXPECT_THAT(namesOf("clients = 3"), ElementsAre("ada", "bo", "cyd"));
    EXPECT_THAT(namesOf("clients = 1\nworkers = 3"), ElementsAre("ada-1@ada", "ada-2@ada", "ada-3@ada"));
    EXPECT_THAT(namesOf("clients = 3\n[[client]]\nname = \"bo\"\nprocess = \"p\""),
                ElementsAre("bo@p", "ada", "cyd"));
    EXPECT_THAT(namesOf("[[client]]\nname = \"reader\"\ncount = 2\n[[client]]\nname = \"writer\""),
                ElementsAre("reader-1", "reader-2", "writer"));
}

TEST(ScenarioTest, ANamedClientKeepsWhatItDoesNotSayItself)
{
    const Result<Scenario> scenario = parseScenario(R"(
clients = ["ada", "bo"]
cycles = 9
hold = "7ms"
[[client]]
name = "bo"
cycles = 2
)",
                                                    "n.toml");
    ASSERT_TRUE(scenario) << scenario.error().text();
    const std::vector<Participant> all = participants(*scenario);
    EXPECT_EQ(all[0].work.cycles, 9U);
    EXPECT_EQ(all[1].work.cycles, 2U);
    EXPECT_EQ(all[1].work.hold, (Range{7ms, 7ms}));
}

TEST(ScenarioTest, TheNumberOfClientsCanBeChangedFromOutside)
{
    Result<Scenario> scenario = parseScenario("clients = [\"x\", \"y\", \"z\"]", "n.toml");
    ASSERT_TRUE(scenario);
    setClientCount(*scenario, 2);
    EXPECT_EQ(participants(*scenario).size(), 2U);
    setClientCount(*scenario, 5);
    const std::vector<Participant> all = participants(*scenario);
    ASSERT_EQ(all.size(), 5U);
    EXPECT_EQ(all[0].name, "x");
    EXPECT_EQ(all[4].name, "cyd");
}

} // namespace
} // namespace lockscope::sim
