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
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path kExamples = fs::path(LOCKSCOPE_SOURCE) / "resources/judge";
constexpr const char* kPython = "/usr/bin/python3"; // Debian's own: another one does not see its packages
constexpr const char* kKazoo = "/usr/lib/python3/dist-packages/kazoo/client.py";

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

TEST(JudgedPrograms, TheRightOnesAreSound)
{
    std::vector<std::unique_ptr<Judge>> runs;
    for (const Words& program : {Words{LOCKSCOPE_RIGHT}, kazoo("kazoo_right.py"), curatorRight()})
        if (!program.empty())
            runs.push_back(std::make_unique<Judge>("--faults harsh --seed 50 --duration 6s", program));
    for (const auto& run : runs) {
        EXPECT_EQ(run->code(), 0) << run->errors();
        EXPECT_EQ(run->verdict(), "sound");
        EXPECT_THAT(run->violated(), IsEmpty());
        EXPECT_GT(run->report().at("acquired").to_number<int>(), 5);
        EXPECT_FALSE(run->report().at("tried").as_object().empty());
    }
}

TEST(JudgedPrograms, EachWrongOneIsCalledByTheRuleThatItBreaks)
{
    if (kazoo("wrong_locks.py").empty())
        GTEST_SKIP() << "The package python3-kazoo has kazoo.";
    struct Wrong
    {
        const char* name;
        const char* options;
        const char* rule;
    };
    std::vector<std::pair<Wrong, std::unique_ptr<Judge>>> runs;
    for (const Wrong& wrong :
         {Wrong{"herd", "--duration 2s", "no_herd"}, Wrong{"exists", "--duration 2s", "no_stray_watch"},
          Wrong{"persistent", "--faults harsh --seed 4 --duration 8s", "leftover_node"},
          Wrong{"unprotected", "--seed 16 --duration 8s", "leftover_node"},
          Wrong{"trusting", "--faults harsh --seed 18 --duration 8s", "claim_after_loss"}})
        runs.emplace_back(wrong,
                          std::make_unique<Judge>(wrong.options, kazoo("wrong_locks.py", {wrong.name})));
    for (auto& [wrong, run] : runs) {
        // Whether a fault meets a program where it is wrong is up to the pace of the machine, too.
        for (int again = 0; again < 4 && run->code() == 0; ++again)
            run = std::make_unique<Judge>(wrong.options, kazoo("wrong_locks.py", {wrong.name}));
        EXPECT_EQ(run->code(), 1) << wrong.name << ": " << run->errors();
        EXPECT_THAT(run->violated(), Contains(wrong.rule)) << wrong.name << ": " << run->errors();
    }
}

TEST(JudgedPrograms, WhoDoesNotKeepToTheLinesIsNotJudged)
{
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
}

// Two that take no lock at all.
TEST(JudgedPrograms, ClaimsWithoutALockAreTooManyAndAFileForACiSaysSo)
{
    const tests::TempFolder folder;
    const std::string file = folder / "verdicts.xml";
    Judge run("--duration 1s --junit " + file,
              {"sh", "-c", "while true; do echo acquired; sleep 0.1; echo released; sleep 0.01; done"});
    EXPECT_EQ(run.code(), 1) << run.errors();
    EXPECT_THAT(run.violated(), Contains("mutual_exclusion"));
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    EXPECT_THAT(text.str(),
                HasSubstr("<testsuite name=\"lockscope-cli judge\" tests=\"7\" failures=\"1\" errors=\"0\""));
    EXPECT_THAT(text.str(), HasSubstr("name=\"mutual_exclusion\""));
    EXPECT_THAT(text.str(), HasSubstr("The server knew of no node of"));
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
