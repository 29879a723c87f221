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
    EXPECT_EQ(scenario->work.cycles, 50U);
    EXPECT_EQ(scenario->work.hold, (Range{0ms, 100ms}));
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
    EXPECT_EQ(scenario->handoff, Handoff::announced);
    EXPECT_EQ(scenario->sessionTimeout, Duration(4s));
    EXPECT_EQ(scenario->work.acquireTimeout, Duration(1s));
    EXPECT_FALSE(scenario->fencedResource);
    EXPECT_EQ(scenario->pace, Duration(250ms));
    EXPECT_EQ(expected(*scenario, "no_herd"), Verdict::violated);
    EXPECT_EQ(expected(*scenario, "one_holder"), Verdict::holds);
}

struct Mistake
{
    const char* toml;
    const char* place;
    const char* says;
};

class ScenarioMistake : public testing::TestWithParam<Mistake>
{};

// Where others lock, nobody need join to see it; on a server of our own there would be nothing to see.
TEST(ScenarioTest, NobodyMayJoinOnAServerOfOthers)
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
    testing::Values(
        Mistake{"clients = 0", "bad.toml:1:11", "1 to 10000"},
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
        Mistake{"script = [\"at 1s: shout\"]", "bad.toml:1:11", "after the colon one of \"kill ada\""},
        Mistake{"script = [\"at 1s: stop the server\"]", "bad.toml:1:11", "stop the server for 2s"},
        Mistake{"script = [\"at 1s: kill ada for 2s\"]", "bad.toml:1:11", "instead of \"ada for 2s\""},
        Mistake{"script = [\"when anna holds: pause\"]", "bad.toml:1:11", "ada, bo, cyd, dee, eli"},
        Mistake{"steps = [\"anna create\"]", "bad.toml:1:10", "instead of \"anna\""},
        Mistake{"think = \"exponential fast\"", "bad.toml:1:9", "exponential 20ms"},
        Mistake{"takes = [\"right\"]", "bad.toml:1:10", "one of \"well\""},
        Mistake{"takes = \"well\"", "bad.toml:1:9", "a list of locks"},
        Mistake{"takes = [\"well:read\"]", "bad.toml", "behind the names of read/write locks"},
        Mistake{"give_back = \"never\"", "bad.toml:1:13", "first first"},
        Mistake{"permits = 0", "bad.toml:1:11", "1 to 1000"},
        Mistake{"recipe = \"semaphore\"\nleases = 2\npermits = 3", "bad.toml", "at most the 2 leases"},
        Mistake{"tries = 0", "bad.toml:1:9", "1 to 1000"},
        Mistake{"tries = 2", "bad.toml", "acquire_timeout"},
        Mistake{"revocable = 1", "bad.toml:1:13", "true or false"},
        Mistake{"title_zh = 1", "bad.toml:1:12", "a text in quotes"},
        Mistake{"locks = \"/a\"", "bad.toml:1:9", "a list of paths"},
        Mistake{"locks = []", "bad.toml:1:9", "1 to 100 paths"},
        Mistake{"locks = [\"/a/x\", \"/b/x\"]", "bad.toml", "cannot tell them apart"},
        Mistake{"lock = \"/a\"\nlocks = [\"/b\"]", "bad.toml:2:9", "either"},
        Mistake{"recipe = \"multi-lock\"", "bad.toml", "two or more"},
        Mistake{"leases = -1", "bad.toml:1:10", "1 to 10000"},
        Mistake{"resource = \"gold\"", "bad.toml:1:12", "stock 1000"},
        Mistake{"workers = 0", "bad.toml:1:11", "1 to 10000"},
        Mistake{"arrival = \"soon\"", "bad.toml:1:11", "together by 100"},
        Mistake{"servers = 2", "bad.toml:1:11", "1 or 3"},
        Mistake{"connect = 2181", "bad.toml:1:11", "a text in quotes"},
        Mistake{"links = \"on\"", "bad.toml:1:9", "true or false"},
        Mistake{"stepping = \"on\"", "bad.toml:1:12", "true or false"},
        Mistake{"steps = [\"ada jump\"]", "bad.toml:1:10", "create, created, list"},
        Mistake{"expect = [\"no_herd maybe\"]", "bad.toml:1:11", "\"violated\" or \"either\""},
        Mistake{"client = 3", "bad.toml:1:10", "under [[client]]"},
        Mistake{"[[client]]\ncycles = 3", "bad.toml:1:1", "name = \"ada\""},
        Mistake{"[[client]]\nname = \"ada\"\nhold = 3", "bad.toml:3:8", "a time such as"},
        Mistake{"[[client]]\nname = \"ada\"\ncolour = 3", "bad.toml:3:1", "unknown field"},
        Mistake{"[[client]]\nname = \"ada\"\n[[client]]\nname = \"ada\"", "bad.toml:3:1", "each name once"},
        Mistake{"clients = [\"ada\", \"ada\"]", "bad.toml:1:11", "each name once"},
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

// ---- what is written reads back ----

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
steps = ["bo create", "ada list"]
script = ["at 2s: slow the link of bo by 50ms +- 20ms for 3s", "when bo stands before watch: lose the next create reply to ada",
  "when hold_lost to bo happens: restart server 2 without its data"]
expect = ["no_herd violated", "order_kept either", "one_holder holds"]
[[client]]
name = "bo"
process = "shop"
start = "3s"
takes = ["middle:write"]
[[client]]
name = "reader"
count = 2
)",
                                                    "all.toml");
    ASSERT_TRUE(scenario) << scenario.error().text();
    expectRoundTrip(*scenario);
}

TEST(ScenarioTest, EveryWayToArriveAndEveryDeedIsUnderstood)
{
    for (const char* arrival : {"at once", "together", "together by 100", "every 20ms", "poisson 50ms"})
        EXPECT_TRUE(parseScenario("arrival = \"" + std::string(arrival) + "\"", "a.toml")) << arrival;
    for (const char* deed : {"kill ada",
                             "close the session of ada",
                             "freeze the holder for 4s",
                             "thaw ada",
                             "remove the first waiter",
                             "rejoin ada",
                             "add a client",
                             "delete the node of ada",
                             "write to the node of ada",
                             "revoke the holder",
                             "reap the container",
                             "set the leases to 5",
                             "stop the server for 2s",
                             "stop the leader for 1s",
                             "kill the leader",
                             "kill server 2",
                             "kill the server",
                             "restart server 2 without its data",
                             "restart the server",
                             "cut the link of ada for 2s",
                             "slow the link of ada by 50ms +- 20ms",
                             "slow the link of everybody by 5ms for 1s",
                             "limit the link of ada to 10 kB/s",
                             "mute the link of ada from the server",
                             "mute the link of ada to the server for 3s",
                             "reset the link of ada",
                             "half-open the link of ada",
                             "lose the next reply to ada",
                             "lose the next create reply to ada",
                             "mend the link of ada",
                             "hold ada before watch",
                             "hold everybody",
                             "step ada",
                             "step the next",
                             "let ada go",
                             "let ada go before watch",
                             "pause",
                             "resume",
                             "finish"}) {
        const Result<Scenario> scenario =
            parseScenario("script = [\"at 1s: " + std::string(deed) + "\"]", "d.toml");
        EXPECT_TRUE(scenario) << deed << ": " << scenario.error().text();
    }
    for (const char* deed :
         {"kill", "kill ", "freeze ada for ever", "stop the server", "restart the leader",
          "set the leases to many", "slow the link of ada", "limit the link of ada to 5",
          "mute the link of ada", "lose the next", "let ada", "lose the next song reply to ada",
          "hold ada before dawn", "let ada go before dawn", "kill server 0", "reset the link of ada for 2s"})
        EXPECT_FALSE(parseScenario("script = [\"at 1s: " + std::string(deed) + "\"]", "d.toml")) << deed;
}

} // namespace
} // namespace lockscope::sim
