// A program's own lock under faults: the right examples are sound, each wrong one is called wrong by the rule
// that it breaks, and a program that does not keep to its lines is not judged. Nothing of it outlives us.
#include "core/server/process/java_install.h"
#include "tests/integration/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

const fs::path kExamples = fs::path(LOCKSCOPE_SOURCE) / "resources/judge";
constexpr const char* kPython = "/usr/bin/python3"; // Debian's own: another one does not see its packages
constexpr const char* kKazoo = "/usr/lib/python3/dist-packages/kazoo/client.py";
constexpr const char* kPytest = "/usr/lib/python3/dist-packages/pytest/__init__.py";

using Words = std::vector<std::string>;

Words words(const std::string& text)
{
    std::istringstream in(text);
    Words all;
    for (std::string word; in >> word;)
        all.push_back(word);
    return all;
}

// A run of judge; several may run at the same time.
class Judge
{
public:
    Judge(const std::string& options, const Words& program)
    {
        Words arguments{"judge", "--report", "-"};
        for (const std::string& word : words(options))
            arguments.push_back(word);
        arguments.emplace_back("--");
        arguments.insert(arguments.end(), program.begin(), program.end());
        m_child = std::make_unique<Child>(LOCKSCOPE_CLI, arguments);
    }
    int code() { return m_child->wait(std::chrono::minutes(4)); }
    std::string verdict() const { return std::string(report().at("verdict").as_string()); }
    std::string errors() const { return m_child->errors(); }
    json::value report() const { return json::parse(m_child->output()); }
    Words violated() const
    {
        Words names;
        const json::value all = report();
        for (const json::value& rule : all.at("rules").as_array())
            if (rule.at("verdict").as_string() == "violated")
                names.emplace_back(rule.at("name").as_string());
        return names;
    }
    Words met() const // faults of the plan
    {
        Words names;
        const json::value all = report();
        for (const json::value& fault : all.at("plan").as_array())
            if (fault.at("met").to_number<int>() > 0)
                names.emplace_back(fault.at("name").as_string());
        return names;
    }
    Child& child() { return *m_child; }

private:
    std::unique_ptr<Child> m_child;
};

Words curatorRight()
{
    const auto java = server::findJavaInstall({});
    std::string classPath = LOCKSCOPE_CURATOR_RIGHT;
    if (!java || !fs::exists(fs::path(classPath) / "CuratorRight.class"))
        return {};
    for (const char* jar :
         {"curator-recipes.jar", "curator-framework.jar", "curator-client.jar", "guava.jar"})
        classPath += std::string(":/usr/share/java/") + jar;
    return {java->java.string(),
            "-XX:-UsePerfData",
            "-Xmx128m",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            classPath + ":" + java->classPath,
            "CuratorRight"};
}

Words kazoo(const char* example, const Words& arguments = {})
{
    if (!fs::exists(kKazoo))
        return {};
    Words all{kPython, "-B", (kExamples / example).string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
}

TEST(JudgedPrograms, TheRightOnesAreSoundAndEachWrongOneIsCalledByTheRuleThatItBreaks)
{
    struct Example
    {
        std::string name;
        Words program;
        const char* options;
        const char* fault; // that must meet it; the seed plans it first
        const char* rule;  // that it breaks
    };
    const auto wrong = [](const char* name) { return kazoo("wrong_locks.py", {name}); };
    const char* right = "--faults harsh --seed 50 --duration 6s";
    std::vector<std::pair<Example, std::unique_ptr<Judge>>> runs;
    for (const Example& one : std::initializer_list<Example>{
             {"ours", {LOCKSCOPE_RIGHT}, right, "expiry", nullptr},
             {"kazoo", kazoo("kazoo_right.py"), right, "expiry", nullptr},
             {"Curator", curatorRight(), right, "expiry", nullptr},
             {"herd", wrong("herd"), "--duration 2s", nullptr, "no_herd"},
             {"exists", wrong("exists"), "--duration 2s", nullptr, "no_stray_watch"},
             {"persistent", wrong("persistent"), "--faults harsh --seed 4", "kill", "leftover_node"},
             {"unprotected", wrong("unprotected"), "--seed 48", "lost_create_reply", "leftover_node"},
             {"trusting", wrong("trusting"), "--faults harsh --seed 117 --duration 8s", "expiry",
              "claim_after_loss"}})
        if (!one.program.empty())
            runs.emplace_back(one, std::make_unique<Judge>(one.options, one.program));
    for (const auto& [one, run] : runs) {
        EXPECT_EQ(run->code(), one.rule ? 1 : 0) << one.name << ": " << run->errors();
        EXPECT_EQ(run->verdict(), one.rule ? "violated" : "sound") << one.name;
        if (one.rule) {
            EXPECT_THAT(run->violated(), Contains(one.rule)) << one.name << ": " << run->errors();
        } else {
            EXPECT_GT(run->report().at("acquired").to_number<int>(), 5) << one.name;
        }
        if (one.fault) {
            EXPECT_THAT(run->met(), Contains(one.fault)) << one.name << ": " << run->errors();
        }
    }
}

TEST(JudgedPrograms, WhoDoesNotKeepToTheLinesIsNotJudgedAndClaimsWithoutALockAreTooMany)
{
    const tests::TempFolder folder;
    const std::string file = folder / "verdicts.xml";
    Judge without("--seed 20 --duration 1s --junit " + file, // its first fault needs no lock
                  {"sh", "-c", "while true; do echo acquired; sleep 0.1; echo released; sleep 0.01; done"});
    struct Other
    {
        const char* script;
        int code;
        const char* said;
    };
    std::vector<std::pair<Other, std::unique_ptr<Judge>>> runs;
    for (const Other& other :
         {Other{"echo Acquired; sleep 1000", 5, "It wrote the line \"Acquired\" to its standard output."},
          Other{"echo acquired; echo acquired; sleep 1000", 5, "It said \"acquired\" twice"},
          Other{"echo acquired soon; sleep 1000", 5, "is no whole number"},
          Other{"exit 3", 5, "has ended before it was told to. It ended with the exit code 3."}})
        runs.emplace_back(other, std::make_unique<Judge>("--duration 5s", Words{"sh", "-c", other.script}));
    for (const auto& [other, run] : runs) {
        EXPECT_EQ(run->code(), other.code) << other.script;
        EXPECT_EQ(run->verdict(), "not judged");
        EXPECT_THAT(run->errors(), HasSubstr(other.said));
    }
    Judge missing("", {"/no/such/program"});
    EXPECT_EQ(missing.code(), 2);
    EXPECT_THAT(missing.errors(),
                HasSubstr("/no/such/program cannot be executed: No such file or directory."));
    EXPECT_EQ(without.code(), 1) << without.errors();
    EXPECT_THAT(without.violated(), Contains("mutual_exclusion"));
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    EXPECT_THAT(text.str(),
                HasSubstr("<testsuite name=\"lockscope-cli judge\" tests=\"7\" failures=\"1\" errors=\"0\""));
    EXPECT_THAT(text.str(), HasSubstr("name=\"mutual_exclusion\""));
    EXPECT_THAT(text.str(), HasSubstr("The server knew of no node of"));
}

TEST(JudgedPrograms, TheFileForPytestFailsWithTheRuleAndTheAdvice)
{
    if (!fs::exists(kPytest) || kazoo("wrong_locks.py").empty())
        GTEST_SKIP() << "The packages python3-pytest and python3-kazoo have pytest and kazoo.";
    const auto tested = [](const std::string& program) {
        return std::make_unique<Child>("/usr/bin/env",
                                       Words{std::string("LOCKSCOPE_CLI=") + LOCKSCOPE_CLI,
                                             "LOCK_OPTIONS=--duration 1s", "LOCK_PROGRAM=" + program, kPython,
                                             "-B", "-m", "pytest", "-p", "no:cacheprovider", "-k",
                                             "gentle and 1", (kExamples / "test_lock.py").string()});
    };
    const auto wrong =
        tested(std::string(kPython) + " -B " + (kExamples / "wrong_locks.py").string() + " herd");
    const auto right = tested(LOCKSCOPE_RIGHT);
    EXPECT_EQ(wrong->wait(), 1);
    EXPECT_THAT(wrong->output(), AllOf(HasSubstr("1 failed, 5 deselected"), HasSubstr("no_herd: "),
                                       HasSubstr("Watch the node in front of your own")));
    EXPECT_EQ(right->wait(), 0) << right->output();
    EXPECT_THAT(right->output(), HasSubstr("1 passed, 5 deselected"));
}

TEST(JudgedPrograms, NothingOfThemOutlivesUs)
{
    for (const int number : {SIGTERM, SIGKILL}) {
        const tests::TempFolder folder;
        const std::string file = folder / "ids";
        Judge run(
            "--duration 60s",
            {"sh", "-c", "sleep 1000 & echo $! >> '" + file + "'; echo acquired; trap : TERM; wait; wait"});
        const auto ids = [&] {
            std::ifstream in(file);
            std::vector<int> all;
            for (int id = 0; in >> id;)
                all.push_back(id);
            return all;
        };
        ASSERT_TRUE(eventually([&] { return ids().size() == 3; }));
        run.child().signal(number);
        EXPECT_EQ(run.code(), number == SIGKILL ? 128 + SIGKILL : 4);
        for (const int id : ids())
            EXPECT_TRUE(eventually([&] { return !isProcessAlive(id); })) << number;
    }
}

} // namespace
} // namespace lockscope::test
