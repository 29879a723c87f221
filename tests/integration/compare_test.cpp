// lockscope-cli compare as a user types it: two runs one after the other, or two traces, and what is better
// in which.
#include "core/trace/trace_file.h"
#include "tests/integration/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::HasSubstr;

struct CompareTest : testing::Test
{
    static json::object row(const json::value& report, const std::string& measure)
    {
        for (const json::value& row : report.at("comparison").as_array())
            if (row.at("measure").as_string() == measure)
                return row.as_object();
        ADD_FAILURE() << "no measure " << measure;
        return {};
    }

    tests::TempFolder ownFolder;
    const std::string folder = ownFolder.path();
};

json::value parsed(const std::string& file)
{
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return json::parse(text.str());
}

TEST_F(CompareTest, RunsBothWithTheSameChangesAndTellsThemApart)
{
    const std::string trace = folder + "/runs.jsonl";
    const std::string file = folder + "/report.json";
    Child live(LOCKSCOPE_CLI, {"compare", "herd", "chain", "--clients", "5", "--cycles", "2", "--hold",
                               "20ms", "--trace", trace, "--report", file});
    ASSERT_EQ(live.wait(), 0) << live.errors();
    EXPECT_THAT(live.output(), HasSubstr("clients woken per release"));
    EXPECT_THAT(live.output(), HasSubstr("✗ a herd"));
    EXPECT_THAT(live.output(), HasSubstr("all hold"));

    const json::value report = parsed(file);
    EXPECT_EQ(report.at("a").at("scenario").as_string(), "herd");
    EXPECT_EQ(report.at("b").at("scenario").as_string(), "chain");
    for (const char* side : {"a", "b"}) {
        EXPECT_EQ(report.at(side).at("clients").to_number<int>(), 5);
        EXPECT_EQ(report.at(side).at("acquired").to_number<int>(), 10);
        EXPECT_THAT(std::string(report.at(side).at("server").at("version").as_string()),
                    testing::MatchesRegex("3\\.[0-9]+\\.[0-9]+"));
    }
    const json::object woken = row(report, "wakeups_per_release");
    EXPECT_GT(woken.at("a").to_number<double>(), 1.2);
    EXPECT_EQ(woken.at("b").to_number<double>(), 1.0);
    EXPECT_EQ(woken.at("better").as_string(), "b");

    // The traces are whole, and say the same again.
    Child folded(LOCKSCOPE_CLI,
                 {"compare", folder + "/runs.a.jsonl", folder + "/runs.b.jsonl", "--report", "-"});
    ASSERT_EQ(folded.wait(), 0) << folded.errors();
    EXPECT_THAT(folded.errors(), HasSubstr("clients woken per release"))
        << "the table keeps out of the report";
    EXPECT_EQ(json::parse(folded.output()).at("comparison"), report.at("comparison"));
}

TEST_F(CompareTest, SaysInWhatTheLoadsDifferAndComparesNothingThatTheyDecide)
{
    const std::string file = folder + "/longer.toml", report = folder + "/report.json";
    std::ofstream(file) << "clients = 2\ncycles = 2\nhold = \"3ms\"\n";
    Child child(LOCKSCOPE_CLI,
                {"compare", "bare", file, "--clients", "2", "--cycles", "2", "--report", report});
    ASSERT_EQ(child.wait(), 0) << child.errors();
    EXPECT_THAT(child.output(), HasSubstr("Not the same load: hold 0 against 3 ms."));
    EXPECT_THAT(child.output(), HasSubstr("not compared"));
    const json::value said = parsed(report);
    EXPECT_FALSE(said.at("load").at("same").as_bool());
    EXPECT_EQ(said.at("load").at("differences"), json::value(json::array{"hold 0 against 3 ms"}));
    EXPECT_TRUE(row(said, "wait_p50_us").at("ratio").is_null());
    EXPECT_FALSE(row(said, "requests_per_acquisition").at("ratio").is_null());
}

TEST_F(CompareTest, TheExitCodeIsTheWorseOne)
{
    const std::string file = folder + "/expects.toml";
    std::ofstream(file) << "clients = 2\ncycles = 1\nexpect_violated = [\"no_herd\"]\n";
    Child child(LOCKSCOPE_CLI, {"compare", "bare", file, "--clients", "2", "--cycles", "1", "--quiet"});
    EXPECT_EQ(child.wait(), 1) << child.errors();
    EXPECT_EQ(child.output(), "");
}

TEST_F(CompareTest, ATraceThatWasCutShortIsCutShort)
{
    const std::string file = folder + "/cut.jsonl";
    std::ofstream(file) << R"({"schema":"lockscope-trace","version":1,"scenario":"cut","title":"","seed":1,)"
                        << R"("time_zero":{"wall_ns":1,"monotonic_ns":1},"scenario_toml":""})"
                        << "\n{\"t\":5,\"e\":\"run_state\",\"phase\":\"running\"}\n{\"t\":7,\"e\":\"run_st";
    Child child(LOCKSCOPE_CLI, {"compare", file, file});
    EXPECT_EQ(child.wait(), 4) << child.errors();
    EXPECT_THAT(child.output(), HasSubstr("all hold"));
}

} // namespace
} // namespace lockscope::test
