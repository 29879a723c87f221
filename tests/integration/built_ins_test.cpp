// Every built-in scenario runs headless to the verdict that it promises, and shows what it is there to show.
#include "tests/integration/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <algorithm>

namespace lockscope::test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

json::value run(const std::string& scenario, std::vector<std::string> more = {})
{
    std::vector<std::string> arguments{"run", scenario, "--quiet", "--report", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Child child(LOCKSCOPE_CLI, arguments);
    EXPECT_EQ(child.wait(), 0) << child.errors();
    return json::parse(child.output());
}

std::int64_t number(const json::value& report, const char* field)
{
    return report.at(field).to_number<std::int64_t>();
}

double wakeUps(const json::value& report) { return report.at("wakeups_per_release").to_number<double>(); }

std::vector<std::string> violated(const json::value& report)
{
    std::vector<std::string> names;
    for (const json::value& finding : report.at("findings").as_array())
        if (finding.at("verdict").as_string() == "violated")
            names.emplace_back(finding.at("name").as_string());
    return names;
}

TEST(BuiltIns, TheListNamesThemAll)
{
    Child child(LOCKSCOPE_CLI, {"list"});
    ASSERT_EQ(child.wait(), 0);
    for (const char* name : {"five-clients", "two-clients", "well", "timeout", "chain", "herd", "read-write",
                             "shared-herd", "kill-holder", "kill-waiter", "freeze-holder",
                             "node-deleted-by-admin", "server-pause", "server-restart", "bare"})
        EXPECT_THAT(child.output(), HasSubstr(name));
}

// The same load: what one release wakes.
TEST(BuiltIns, AHerdWakesManyWhereAChainWakesOne)
{
    const json::value chain = run("chain");
    const json::value herd = run("herd");
    EXPECT_EQ(number(chain, "acquired"), number(herd, "acquired"));
    EXPECT_LE(wakeUps(chain), 1.0);
    EXPECT_GT(wakeUps(herd), 3.0);
    EXPECT_THAT(violated(chain), testing::IsEmpty());
    EXPECT_THAT(violated(herd), testing::ElementsAre("no_herd"));
}

TEST(BuiltIns, ReadersComeInTogetherWithAndWithoutAHerd)
{
    const json::value proper = run("read-write");
    const json::value herd = run("shared-herd");
    EXPECT_EQ(number(proper, "acquired"), 200);
    EXPECT_EQ(number(herd, "acquired"), 200);
    EXPECT_THAT(violated(proper), testing::IsEmpty());
    EXPECT_THAT(violated(herd), testing::ElementsAre("no_herd"));
}

TEST(BuiltIns, TimeoutGivesUpAndLeavesNothing)
{
    const json::value report = run("timeout");
    EXPECT_GT(number(report, "timed_out"), 0);
    EXPECT_EQ(number(report, "timed_out") + number(report, "acquired"), 36);
    EXPECT_THAT(violated(report), testing::IsEmpty());
}

TEST(BuiltIns, AHolderWhoseNodeWasDeletedLearnsItAndTheNextIsIn)
{
    const json::value report = run("node-deleted-by-admin");
    EXPECT_EQ(number(report, "acquired"), 24);
    EXPECT_EQ(report.at("ops").at("delete").to_number<std::int64_t>(), 23) << "its own was gone already";
    EXPECT_THAT(violated(report),
                testing::AnyOf(testing::IsEmpty(), testing::ElementsAre("belief_matches_server")));
}

struct Promise
{
    const char* scenario;
    std::int64_t acquired;
    std::vector<std::string> violated;
};

class BuiltIn : public testing::TestWithParam<Promise>
{};

TEST_P(BuiltIn, RunsToItsVerdict)
{
    const json::value report = run(GetParam().scenario);
    EXPECT_EQ(number(report, "acquired"), GetParam().acquired);
    EXPECT_EQ(violated(report), GetParam().violated);
}

const std::vector<std::string> kStale{"belief_matches_server"};

INSTANTIATE_TEST_SUITE_P(Scenarios, BuiltIn,
                         testing::Values(Promise{"two-clients", 2, {}}, Promise{"well", 25, {}},
                                         Promise{"kill-holder", 30, kStale}, Promise{"kill-waiter", 15, {}},
                                         Promise{"freeze-holder", 24, kStale},
                                         Promise{"server-pause", 32, {}}, Promise{"server-restart", 40, {}}),
                         [](const auto& promise) {
                             std::string name = promise.param.scenario;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace
} // namespace lockscope::test
