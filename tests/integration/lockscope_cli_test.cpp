// The program lockscope-cli as a user types it: report, exit codes, trace, and nothing left behind.
#include "core/trace/trace_file.h"
#include "tests/integration/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;

struct LockScopeCliTest : testing::Test
{
    tests::TempFolder ownFolder;
    const std::string folder = ownFolder.path();
};

TEST_F(LockScopeCliTest, ReportsEveryFindingOkAndExitsWithZero)
{
    Child child(LOCKSCOPE_CLI, {"run", "five-clients", "--cycles", "5", "--hold", "1ms", "--report", "-"});
    ASSERT_EQ(child.wait(), 0) << child.errors();
    const json::value report = json::parse(child.output());
    EXPECT_EQ(report.at("scenario").as_string(), "five-clients");
    EXPECT_EQ(report.at("acquired").to_number<int>(), 25);
    EXPECT_EQ(report.at("ops").at("delete").to_number<int>(), 25);
    EXPECT_GT(report.at("handoff_us").at("p50").to_number<double>(), 0.0);
    EXPECT_LE(report.at("handoff_us").at("p50").to_number<double>(),
              report.at("handoff_us").at("p99").to_number<double>());
    EXPECT_THAT(std::string(report.at("server").at("version").as_string()),
                testing::MatchesRegex("3\\.[0-9]+\\.[0-9]+"));
    ASSERT_EQ(report.at("findings").as_array().size(), 9U);
    for (const json::value& finding : report.at("findings").as_array()) {
        if (finding.at("name").as_string() == "no_stray_watch") {
            EXPECT_TRUE(finding.at("ok").is_null())
                << "a mutex sets no watch with exists: nothing was checked";
            EXPECT_EQ(finding.at("verdict").as_string(), "not checked");
            continue;
        }
        EXPECT_TRUE(finding.at("ok").as_bool()) << finding.at("detail").as_string();
        EXPECT_EQ(finding.at("verdict").as_string(), "holds");
        EXPECT_GT(finding.at("checked").to_number<int>(), 0) << finding.at("name").as_string();
    }
}

TEST_F(LockScopeCliTest, TheAnnouncedPolicyNeedsFewerListsThanCurators)
{
    std::map<std::string, std::int64_t> lists;
    for (const std::string policy : {"curator", "announced"}) {
        Child child(LOCKSCOPE_CLI, {"run", "bare", "--clients", "10", "--cycles", "20", "--hold", "1ms",
                                    "--handoff", policy, "--report", "-", "--quiet"});
        ASSERT_EQ(child.wait(), 0) << child.errors();
        lists[policy] = json::parse(child.output()).at("ops").at("get_children").to_number<std::int64_t>();
    }
    EXPECT_LT(lists["announced"], lists["curator"]);
}

TEST_F(LockScopeCliTest, AnUnmetExpectationExitsWithOne)
{
    const std::string file = folder + "/expects.toml";
    std::ofstream(file) << "clients = 2\ncycles = 1\nexpect_violated = [\"no_herd\"]\n";
    Child child(LOCKSCOPE_CLI, {"run", file, "--quiet"});
    EXPECT_EQ(child.wait(), 1) << child.errors();
}

struct BadUsage
{
    std::vector<std::string> arguments;
    int code;
    std::string says;
};

class LockScopeCliUsage : public testing::TestWithParam<BadUsage>
{};

TEST_P(LockScopeCliUsage, IsExplained)
{
    Child child(LOCKSCOPE_CLI, GetParam().arguments);
    EXPECT_EQ(child.wait(), GetParam().code);
    EXPECT_THAT(child.errors(), HasSubstr(GetParam().says));
    EXPECT_EQ(child.output(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Arguments, LockScopeCliUsage,
    testing::Values(
        BadUsage{{}, 2, "run, list, compare"}, BadUsage{{"five-clients"}, 2, "five-clients is no command"},
        BadUsage{{"run"}, 2, "SCENARIO is required"},
        BadUsage{{"run", "bare", "--clients"}, 2, "--clients needs a value: N."},
        BadUsage{{"run", "bare", "--clients", "0"}, 2, "1 to 10000"},
        BadUsage{{"run", "bare", "--clients", "1000000"}, 2, "1 to 10000"},
        BadUsage{{"run", "bare", "--clients", "many"}, 2, "--clients"},
        BadUsage{{"run", "bare", "--hold", "soon"}, 2, "a time such as"},
        BadUsage{{"run", "bare", "--recipe", "spin"}, 2, "mutex"},
        BadUsage{{"run", "bare", "--lock", "well"}, 2, "slash"},
        BadUsage{{"run", "bare", "--frobnicate"}, 2, "--frobnicate"},
        BadUsage{{"run", "bare", "--join-foreign"}, 2, "goes with --connect"},
        BadUsage{{"run", "no-such.toml"}, 2, "five-clients"},
        BadUsage{{"run", "run.jsonl"}, 2, "lockscope-cli export"},
        BadUsage{{"run", "bare", "--connect", "nowhere"}, 2, "HOST:PORT"},
        BadUsage{{"run", "bare", "--connect", "127.0.0.1:1"}, 3, "127.0.0.1:1"},
        BadUsage{{"run", "bare", "--zookeeper", "/nowhere"}, 2, "--zookeeper: found \"/nowhere\""},
        BadUsage{{"run", "bare", "--zookeeper", "/proc", "--connect", "127.0.0.1:1"}, 2, "--zookeeper"},
        BadUsage{{"run", "bare", "--zookeeper", "/proc"}, 3, "There is no ZooKeeper in /proc"},
        BadUsage{{"run", "bare", "--trace", "/no/such/folder/t.jsonl"}, 4, "/no/such/folder"},
        BadUsage{{"compare", "herd"}, 2, "B is required"},
        BadUsage{{"compare", "herd", "chain", "bare"}, 2, "bare: compare takes A, B"},
        BadUsage{{"compare", "herd", "a.jsonl"}, 2, "a.jsonl"},
        BadUsage{{"compare", "herd", "no-such"}, 2, "five-clients"},
        BadUsage{{"compare", "herd", "chain", "--hold", "soon"}, 2, "a time such as"},
        BadUsage{{"compare", "nowhere.jsonl", "nowhere.jsonl"}, 2, "nowhere.jsonl"},
        BadUsage{{"compare", "bare", "bare", "--connect", "127.0.0.1:1"}, 3, "127.0.0.1:1"}));

INSTANTIATE_TEST_SUITE_P(
    NumbersAndPaths, LockScopeCliUsage,
    testing::Values(BadUsage{{"run", "bare", "--duration", "0"}, 2, "longer than 0"},
                    BadUsage{{"run", "bare", "--duration", "-5s"}, 2, "--duration"},
                    BadUsage{{"run", "bare", "--duration", "1e300s"}, 2, "--duration"},
                    BadUsage{{"run", "bare", "--hold", "99999999999h"}, 2, "--hold"},
                    BadUsage{{"run", "bare", "--cycles", "0"}, 2, "--duration"},
                    BadUsage{{"run", "bare", "--cycles", "-1"}, 2, "--cycles"},
                    BadUsage{{"run", "bare", "--cycles", "99999999999999999999"}, 2, "--cycles"},
                    BadUsage{{"run", "bare", "--clients", "-3"}, 2, "--clients"},
                    BadUsage{{"run", "bare", "--seed", "-1"}, 2, "--seed"},
                    BadUsage{{"run", "bare", "--server-limit", "0"}, 2, "--server-limit"},
                    BadUsage{{"run", "bare", "--grace", "soon"}, 2, "--grace"},
                    BadUsage{{"run", "bare", "--lock", "locks/x"}, 2, "slash"},
                    BadUsage{{"run", "bare", "--lock", "/locks/"}, 2, "slash"},
                    BadUsage{{"run", "bare", "--lock", "/locks//x"}, 2, "empty part"},
                    BadUsage{{"run", "bare", "--lock", "/zookeeper/x"}, 2, "ZooKeeper itself"}));

INSTANTIATE_TEST_SUITE_P(
    OptionsWithoutAnEffect, LockScopeCliUsage,
    testing::Values(
        BadUsage{{"watch", "127.0.0.1:1", "--lock", "/x", "--connect", "127.0.0.1:1"},
                 2,
                 "--connect: watch takes HOSTS"},
        BadUsage{{"watch", "127.0.0.1:1", "--lock", "/x", "--clients", "3"}, 2, "--clients: watch takes"},
        BadUsage{{"watch", "127.0.0.1:1", "--lock", "/x", "--history", "/no", "--follow"},
                 2,
                 "--follow: watch takes"},
        BadUsage{{"who", "/x", "--connect", "127.0.0.1:1", "--key-file", "key"},
                 2,
                 "--key-file: who takes PATH, --connect, --tls, --ca, --cert, --key, --any-host-name, "
                 "--auth-file, --sasl, --sasl-file, --sasl-service, --history and --json, and nothing else."},
        BadUsage{{"who", "/x", "--connect", "127.0.0.1:1", "--report", "-"}, 2, "--report: who takes"},
        BadUsage{{"history", "/no", "--connect", "127.0.0.1:1"}, 2, "--connect: history takes LOGS, --locks"},
        BadUsage{{"history", "/no", "--hold", "1ms"}, 2, "--hold: history takes"},
        BadUsage{{"lesson", "queue", "--watches"},
                 2,
                 "--watches: lesson takes LESSON, --answers, --connect, --zookeeper and --sheet, and nothing "
                 "else."},
        BadUsage{{"run", "bare", "--lock", "/a", "--lock", "/b"}, 2, "--lock is given more than once."},
        BadUsage{{"run", "bare", "--json"}, 2, "--json: run takes SCENARIO, --connect"},
        BadUsage{{"run", "bare", "--grace", "1s"}, 2, "--grace has no effect: this run has no duration."},
        BadUsage{{"list", "bare"}, 2, "bare: list takes nothing else."},
        BadUsage{{"lessons", "--report", "-"}, 2, "--report has no effect without --result."},
        BadUsage{{"export", "csv", "out", "t.jsonl", "--trace", "-"},
                 2,
                 "--trace: export takes KIND, OUT and TRACE, and nothing else."},
        BadUsage{{"compare", "a.jsonl", "b.jsonl", "--clients", "3"},
                 2,
                 "--clients has no effect: both a.jsonl and b.jsonl are traces"}));

TEST_F(LockScopeCliTest, EachCommandHasAPageOfHelpWithItsOwnOptionsAndExamples)
{
    Child program(LOCKSCOPE_CLI, {"--help"});
    ASSERT_EQ(program.wait(), 0) << program.errors();
    EXPECT_THAT(program.output(), HasSubstr("Exit codes:"));
    for (const std::string name :
         {"run", "list", "compare", "export", "history", "watch", "who", "lessons", "lesson", "explore"}) {
        EXPECT_THAT(program.output(), HasSubstr("\n  " + name + " "));
        Child command(LOCKSCOPE_CLI, {name, "--help"});
        EXPECT_EQ(command.wait(), 0) << command.errors();
        EXPECT_THAT(command.output(), testing::StartsWith("Usage: lockscope-cli " + name));
        EXPECT_THAT(command.output(), HasSubstr("\nExamples:\n  lockscope-cli " + name));
        EXPECT_EQ(command.output().find("--auth-file") != std::string::npos,
                  name == "run" || name == "watch" || name == "who");
        std::istringstream lines(command.output().substr(0, command.output().find("\nExamples:")));
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(line.size(), 80U) << line;
    }
}

// Steps alone, and steps with a reply that is lost.
TEST_F(LockScopeCliTest, ACounterexampleViolatesTheSameFindingOnARealServer)
{
    struct Known
    {
        std::vector<std::string> explored;
        const char* finding;
    };
    for (const Known& known :
         {Known{{"mutex", "--mistake", "existsInsteadOfGet", "--faults", "0"}, "no_stray_watch"},
          Known{{"mutex", "--mistake", "noGuidSearch", "--clients", "1"}, "no_orphan_node"},
          Known{{"unprotected", "--clients", "1"}, "no_orphan_node"}}) {
        const std::string scenario = folder + "/found.toml", trace = folder + "/found.jsonl";
        std::vector<std::string> words = known.explored;
        words.insert(words.begin(), "explore");
        words.insert(words.end(), {"--scenario", scenario});
        Child explored(LOCKSCOPE_CLI, words);
        ASSERT_EQ(explored.wait(), 1) << explored.errors();
        Child run(LOCKSCOPE_CLI, {"run", scenario, "--report", "-", "--trace", trace});
        EXPECT_EQ(run.wait(), 0) << run.output() << run.errors();
        std::size_t violated = 0;
        const json::value report = json::parse(run.output());
        for (const json::value& finding : report.at("findings").as_array())
            violated += finding.at("name").as_string() == known.finding &&
                        finding.at("verdict").as_string() == "violated";
        EXPECT_EQ(violated, 1U) << run.output();
        const Result<trace::LoadedTrace> loaded = trace::loadTrace(trace);
        ASSERT_TRUE(loaded) << loaded.error().text();
        for (std::size_t i = 0; i < loaded->store->count(); ++i)
            if (const auto* notice = std::get_if<trace::Notice>(&loaded->store->at(i).what)) {
                EXPECT_THAT(std::string(notice->text.source()),
                            testing::Not(HasSubstr("The order of steps")));
            }
    }
}

TEST_F(LockScopeCliTest, ACounterexampleWithoutAnEquivalentOnARealServerSaysWhy)
{
    const std::string scenario = folder + "/none.toml";
    Child mistake(LOCKSCOPE_CLI, {"explore", "mutex", "--mistake", "overlooksFirst", "--faults", "0",
                                  "--scenario", scenario});
    EXPECT_EQ(mistake.wait(), 4);
    EXPECT_THAT(mistake.errors(), HasSubstr("no recipe of scenarios has this mistake"));
    EXPECT_FALSE(fs::exists(scenario));
}

TEST_F(LockScopeCliTest, ANameMayBeThatOfACommand)
{
    Child lesson(LOCKSCOPE_CLI, {"lesson", "watch", "--connect", "127.0.0.1:1"});
    EXPECT_EQ(lesson.wait(), 3) << lesson.errors();
}

TEST_F(LockScopeCliTest, AFullDiskUnderTheTraceIsSaidAndCutsTheRunShort)
{
    Child child(LOCKSCOPE_CLI, {"run", "bare", "--trace", "/dev/full"});
    EXPECT_EQ(child.wait(), 4);
    EXPECT_THAT(child.errors(), HasSubstr("/dev/full"));
    EXPECT_THAT(child.errors(), HasSubstr("No space left"));
}

TEST_F(LockScopeCliTest, ASignalEndsTheRunWithAWholeTrace)
{
    const std::string file = folder + "/cut.jsonl";
    Child child(LOCKSCOPE_CLI, {"run", "five-clients", "--cycles", "1000000", "--trace", file, "--quiet"});
    ASSERT_TRUE(eventually([&] { return fs::exists(file) && fs::file_size(file) > 20'000; }));
    child.signal(SIGTERM);
    EXPECT_EQ(child.wait(), 4) << child.errors();
    const auto loaded = trace::loadTrace(file);
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->truncation, "");
    const trace::Event& last = loaded->store->at(loaded->store->count() - 1);
    const auto* ended = std::get_if<trace::RunPhaseChanged>(&last.what);
    ASSERT_NE(ended, nullptr);
    EXPECT_EQ(ended->phase, trace::RunPhase::finished);
}

TEST_F(LockScopeCliTest, Kill9LeavesNoProcessAndNoFolderAndAReadableTrace)
{
    const std::string file = folder + "/killed.jsonl";
    Child child(LOCKSCOPE_CLI, {"run", "five-clients", "--cycles", "1000000", "--trace", file, "--quiet"});
    ASSERT_TRUE(eventually([&] { return fs::exists(file) && fs::file_size(file) > 20'000; }));
    const std::vector<int> family = descendants(child.pid());
    ASSERT_GE(family.size(), 2U) << "the supervisor and Java";
    std::set<std::string> own;
    for (const int pid : family) {
        std::error_code ignored;
        const fs::path folderOfProcess = fs::read_symlink("/proc/" + std::to_string(pid) + "/cwd", ignored);
        if (folderOfProcess.string().find("lockscope-" + std::to_string(getuid()) + "-") != std::string::npos)
            own.insert(folderOfProcess);
    }
    ASSERT_FALSE(own.empty()) << "Java works in its private folder";

    child.signal(SIGKILL);
    EXPECT_EQ(child.wait(), 128 + SIGKILL);
    EXPECT_TRUE(eventually([&] { return std::none_of(family.begin(), family.end(), isProcessAlive); }));
    EXPECT_TRUE(eventually([&] {
        return std::none_of(own.begin(), own.end(), [](const std::string& path) { return fs::exists(path); });
    }));
    const auto loaded = trace::loadTrace(file);
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_GT(loaded->store->count(), 50U);
}

// A terminal, as standard error of a program that a shell starts.
class Terminal
{
public:
    Terminal()
    {
        if (grantpt(m_fd) == 0 && unlockpt(m_fd) == 0)
            m_name = ptsname(m_fd);
    }
    ~Terminal() { close(m_fd); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    const std::string& name() const { return m_name; }
    // All that was written on it so far.
    const std::string& shown()
    {
        char bytes[512];
        for (ssize_t count = 0; (count = read(m_fd, bytes, sizeof bytes)) > 0;)
            m_shown.append(bytes, static_cast<std::size_t>(count));
        return m_shown;
    }

private:
    int m_fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    std::string m_name, m_shown;
};

TEST_F(LockScopeCliTest, ProgressCountsAgainstNothingWhenOnlyTheDurationIsGiven)
{
    Terminal terminal;
    ASSERT_FALSE(terminal.name().empty());
    Child child("/bin/sh", {"-c", "exec \"$0\" \"$@\" 2>" + terminal.name(), LOCKSCOPE_CLI, "run",
                            "five-clients", "--cycles", "0", "--duration", "1s", "--hold", "1ms"});
    EXPECT_TRUE(eventually([&] { return terminal.shown().find(" acquired, ") != std::string::npos; }));
    EXPECT_EQ(child.wait(), 0) << terminal.shown();
    EXPECT_THAT(terminal.shown(), testing::Not(HasSubstr(" of ")))
        << "no number of cycles: nothing to count to";
}

TEST_F(LockScopeCliTest, ListsTheBuiltInScenarios)
{
    Child child(LOCKSCOPE_CLI, {"list"});
    EXPECT_EQ(child.wait(), 0);
    EXPECT_THAT(child.output(), HasSubstr("five-clients"));
    EXPECT_THAT(child.output(), HasSubstr("bare"));
}

} // namespace
} // namespace lockscope::test
