// Each mistake in a scenario is reported with its place and what was expected.
#include "core/sim/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockscope::sim {
namespace {

using testing::HasSubstr;

struct Mistake
{
    const char* toml;
    const char* place;
    const char* says;
};

class ScenarioMistake : public testing::TestWithParam<Mistake>
{};

TEST_P(ScenarioMistake, IsReportedWithItsPlace)
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
        Mistake{"script = [\"at 1s: shout\"]", "bad.toml:1:11", "after the colon one of \"pause\""},
        Mistake{"script = [\"at 1s: stop the server\"]", "bad.toml:1:11", "stop the server for 2s"},
        Mistake{"script = [\"at 1s: kill ada for 2s\"]", "bad.toml:1:11", "instead of \"ada for 2s\""},
        Mistake{"script = [\"when anna holds: pause\"]", "bad.toml:1:11", "ada, bo, cyd, dee, eli"},
        Mistake{"steps = [\"anna create\"]", "bad.toml:1:10", "instead of \"anna\""},
        Mistake{"clients = 2\nsteps = [\n  \"ada create\",\n  \"zoe create\"]", "bad.toml:4:3",
                "instead of \"zoe\""},
        Mistake{"clients = 2\nscript = [\"when zoe holds: pause\"]", "bad.toml:2:11", "instead of \"zoe\""},
        Mistake{"clients = 2\nscript = [\"at 1s: add a client\", \"at 2s: kill dee\"]", "bad.toml:2:34",
                "instead of \"dee\": ada, bo, cyd"},
        Mistake{"script = [\"at 1s: kill server 2\"]", "bad.toml:1:11", "a server from 1 to 1"},
        Mistake{"servers = 3\nscript = [\"at 1s: kill server 5\"]", "bad.toml:2:11", "a server from 1 to 3"},
        Mistake{"script = [\"at 1s: kill the leader\"]", "bad.toml:1:11", "\"the server\""},
        Mistake{"servers = 3\nscript = [\"at 1s: kill the server\"]", "bad.toml:2:11",
                "which of the 3 servers"},
        Mistake{"duration = \"0s\"", "bad.toml:1:12", "longer than 0"},
        Mistake{"duration = \"11000000h\"", "bad.toml:1:12", "a time such as"},
        Mistake{"think = \"exponential fast\"", "bad.toml:1:9", "exponential 20ms"},
        Mistake{"takes = [\"right\"]", "bad.toml:1:10", "one of \"well\""},
        Mistake{"takes = \"well\"", "bad.toml:1:9", "a list of locks"},
        Mistake{"takes = [\"well:read\"]", "bad.toml", "after the names of read/write locks"},
        Mistake{"give_back = \"never\"", "bad.toml:1:13", "first first"},
        Mistake{"permits = 0", "bad.toml:1:11", "1 to 1000"},
        Mistake{"recipe = \"semaphore\"\nleases = 2\npermits = 3", "bad.toml", "at most the 2 leases"},
        Mistake{"tries = 0", "bad.toml:1:9", "1 to 1000"},
        Mistake{"tries = 2", "bad.toml", "acquire_timeout"},
        Mistake{"revocable = 1", "bad.toml:1:13", "true or false"},
        Mistake{"title_zh = 1", "bad.toml:1:12", "a text in quotes"},
        Mistake{"locks = \"/a\"", "bad.toml:1:9", "a list of paths"},
        Mistake{"locks = []", "bad.toml:1:9", "1 to 100 paths"},
        Mistake{"locks = [\"/a/x\", \"/b/x\"]", "bad.toml", "cannot distinguish them"},
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
        Mistake{"clients = 2\n[cli\x01"
                "ent]",
                "bad.toml:2:5", "control character U+0001"},
        Mistake{"clients = 2\n[/client]", "bad.toml:2:2", "bare key"},
        Mistake{"clients = 2\nc\xEF\xBA\xBA = 1", "bad.toml:2:2", "in quotes"},
        Mistake{"title = \"\"\"\\\n\xEF\xBA\xBA\"\"\"", "bad.toml:2:1", "continued line"},
        Mistake{"title = 'x'\n# \xEF\xBA\xBA\n\xC3\xA4 = 1", "bad.toml:3:1", "in quotes"},
        Mistake{"# \xC3\xA4\x7F", "bad.toml:1:4", "control character U+007F"},
        Mistake{"clients = 2\rcycles = 3", "bad.toml:1:12", "control character U+000D"},
        Mistake{"lock = \"no/slash\"", "bad.toml", "does not begin with a slash"},
        Mistake{"lock = \"/\"", "bad.toml", "root"},
        Mistake{"lock = \"/zookeeper/x\"", "bad.toml", "ZooKeeper itself"}));

TEST(ScenarioTest, AnyLetterMayStandInQuotesAndComments)
{
    for (const std::string_view toml : {"title = \"\xEF\xBA\xBA \\\" \xE9\x94\x81\" # \xEF\xB8\x8F \"",
                                        "title = '''\xEF\xBA\xBA\n''' # '\nclients = 2",
                                        "title = \"\"\"\\\n  \xE9\x94\x81 \xEF\xBA\xBA \"\"\"",
                                        "\xEF\xBB\xBF"
                                        "clients = 2"}) {
        const Result<Scenario> scenario = parseScenario(toml, "s.toml");
        EXPECT_TRUE(scenario) << scenario.error().text();
    }
}

// Who is added takes the next free name.
TEST(ScenarioTest, AScriptMayNameWhoItAdds)
{
    const Result<Scenario> scenario = parseScenario(
        "clients = 2\nscript = [\"at 1s: add a client\", \"at 2s: kill cyd\"]\nsteps = [\"cyd create\"]",
        "s.toml");
    EXPECT_TRUE(scenario) << scenario.error().text();
}

// Before a server is started for it.
TEST(ScenarioTest, APathThatZooKeeperRefusesIsRefused)
{
    const Result<Scenario> scenario = parseScenario("lock = \"/a/\xf0\x9f\x98\x80\"", "s.toml");
    ASSERT_FALSE(scenario);
    EXPECT_THAT(scenario.error().text(), HasSubstr("the character U+1F600 in a path"));
    EXPECT_FALSE(parseScenario("lock = \"/" + std::string(70'000, 'a') + '"', "s.toml"));
}

TEST(ScenarioTest, APathThatNoPacketHoldsIsRefused)
{
    for (const std::string& path : {"/" + std::string(1'100'000, 'a'), [] {
                                        std::string deep;
                                        for (int level = 0; level < 100'000; ++level)
                                            deep += "/a";
                                        return deep;
                                    }()}) {
        const Result<Scenario> scenario = parseScenario("lock = \"" + path + "\"", "s.toml");
        ASSERT_FALSE(scenario);
        EXPECT_EQ(scenario.error().code, ErrorCode::badUsage);
        EXPECT_LT(scenario.error().text().size(), 400U) << "it does not say all of it";
    }
}

TEST(ScenarioTest, AMissingFileNamesTheBuiltInOnes)
{
    const Result<Scenario> scenario = loadScenario("no-such-thing");
    ASSERT_FALSE(scenario);
    EXPECT_THAT(scenario.error().text(), HasSubstr("five-clients"));
}

} // namespace
} // namespace lockscope::sim
