// Lessons at the command line, with a ZooKeeper of their own.
#include "core/server/process/managed_server.h"
#include "tests/integration/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <sstream>
#include <vector>

namespace lockscope::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Lessons, AreListedNameFirst)
{
    Child child(LOCKSCOPE_CLI, {"lessons"});
    ASSERT_EQ(child.wait(), 0);
    EXPECT_THAT(child.output(), StartsWith("opening "));
    for (const char* name : {"\nqueue ", "\nwatch ", "\nreentrancy ", "\ndeath ", "\nconnection ",
                             "\nlost-reply ", "\npause ", "\nbreak ", "\nmend "})
        EXPECT_THAT(child.output(), HasSubstr(name));
}

// The files that the window writes, in folders of any depth.
TEST(Lessons, TheResultOfAClassCountsItsBetsWithoutNames)
{
    tests::TempFolder folder;
    std::filesystem::create_directory(folder.path() / "ann");
    std::ofstream(folder.path() / "ann" / "watch.toml")
        << "lesson = \"watch\"\n[[bet]]\nstep = \"asks\"\nbet = \"30\"\nright = false\n";
    std::ofstream(folder.path() / "watch.toml")
        << "lesson = \"watch\"\n[[bet]]\nstep = \"asks\"\nbet = \"0\"\nright = true\n";
    Child text(LOCKSCOPE_CLI, {"lessons", "--result", folder.path().string()});
    EXPECT_EQ(text.wait(), 0) << text.errors();
    EXPECT_THAT(text.output(), StartsWith("watch (The watch): 2 learners\n  asks: How many requests"));
    EXPECT_THAT(text.output(), HasSubstr(" 1 of 2 right\n       1  30\n       1  0\n"));
    EXPECT_THAT(text.output(), testing::Not(HasSubstr("ann")));
    Child report(LOCKSCOPE_CLI, {"lessons", "--result", folder.path().string(), "--report", "-"});
    EXPECT_EQ(report.wait(), 0) << report.errors();
    const boost::json::value step = boost::json::parse(report.output()).at("lessons").at(0).at("steps").at(0);
    EXPECT_EQ(step.at("step").as_string(), "asks");
    EXPECT_EQ(step.at("learners").to_number<int>(), 2);
    EXPECT_EQ(step.at("right").to_number<int>(), 1);
    EXPECT_EQ(step.at("bets").as_array().size(), 2U);
    Child missing(LOCKSCOPE_CLI, {"lessons", "--result", (folder.path() / "none").string()});
    EXPECT_EQ(missing.wait(), 2);
    Child nothing(LOCKSCOPE_CLI, {"lessons", "--report", "-"});
    EXPECT_EQ(nothing.wait(), 2);
    EXPECT_THAT(nothing.errors(), HasSubstr("--report has no effect without --result."));
}

constexpr const char* kShort = R"(title = "Short"
[scenarios.two]
clients = ["ada", "bo"]
cycles = 1
hold = "1h"
script = ["at 0s: hold bo before create", "when ada holds: let bo go"]

[[step]]
name = "next"
text = "ada leaves."
scenario = "two"
until = "when bo waits"
[step.bet]
question = "Who holds next?"
who = "next holder"
do = ["remove ada"]
then = "when anybody holds"
)";

// A page in both languages that needs nothing else: the question with room for the answer, and the run's in
// the key.
TEST(Lessons, AnExerciseSheetAsksAndItsKeyHasTheAnswerOfTheRun)
{
    tests::TempFolder folder;
    const std::string file = (folder.path() / "short.toml").string();
    const std::string sheet = (folder.path() / "sheet.html").string();
    std::ofstream(file) << kShort << "question_zh = \"接下来谁持有？\"\n";
    Child child(LOCKSCOPE_CLI, {"lesson", file, "--sheet", sheet});
    EXPECT_EQ(child.wait(), 0) << child.errors();
    EXPECT_THAT(child.output(), HasSubstr("  run:   bo\n"));
    std::ostringstream text;
    text << std::ifstream(sheet).rdbuf();
    const std::string page = text.str();
    EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(page, HasSubstr("<p><b>Who holds next?</b></p>"));
    EXPECT_THAT(page, HasSubstr("<p><b>接下来谁持有？</b></p>"));
    EXPECT_THAT(page, HasSubstr("<li>ada</li>\n<li>bo</li>\n<li>No client</li>"));
    const std::size_t key = page.find("<h1>Key</h1>");
    ASSERT_NE(key, std::string::npos);
    EXPECT_NE(page.find("<p><b>bo</b></p>", key), std::string::npos);
    EXPECT_EQ(page.substr(0, key).find("<p><b>bo</b></p>"), std::string::npos) << "only the key has it";
    EXPECT_EQ(page.find("http"), std::string::npos);
}

TEST(Lessons, OneIsPlayedOnAServerOfItsOwnWithTheEventThatProvesTheAnswer)
{
    tests::TempFolder folder;
    const std::string file = (folder.path() / "short.toml").string();
    std::ofstream(file) << kShort;
    Child child(LOCKSCOPE_CLI, {"lesson", file, "--answers", "wrong"});
    EXPECT_EQ(child.wait(), 0) << child.errors();
    EXPECT_THAT(child.output(), StartsWith("next\n"));
    EXPECT_THAT(child.output(), HasSubstr("  bet:   ada\n"));
    EXPECT_THAT(child.output(), HasSubstr("  run:   bo\n"));
    EXPECT_THAT(child.output(), HasSubstr("bo: acquired 0000000001"));
}

TEST(Lessons, AMistakeIsReportedWithItsPlace)
{
    tests::TempFolder folder;
    const std::string file = (folder.path() / "broken.toml").string();
    std::ofstream(file) << "title = \"Broken\"\nminutes = 0\n[[step]]\ntext = \"x\"\n";
    Child child(LOCKSCOPE_CLI, {"lesson", file});
    EXPECT_EQ(child.wait(), 2);
    EXPECT_THAT(child.errors(), HasSubstr("broken.toml:2:11: found 0"));
    Child none(LOCKSCOPE_CLI, {"lesson", "no-such-lesson"});
    EXPECT_EQ(none.wait(), 2);
    Child answers(LOCKSCOPE_CLI, {"lesson", "queue", "--answers", "maybe"});
    EXPECT_EQ(answers.wait(), 2);
    EXPECT_THAT(answers.errors(), HasSubstr("--answers"));
    Child traced(LOCKSCOPE_CLI, {"lesson", "queue", "--trace", (folder.path() / "never.jsonl").string()});
    EXPECT_EQ(traced.wait(), 2);
    EXPECT_THAT(traced.errors(), HasSubstr("--trace"));
}

// What can never happen is reported: the step does not begin, or does not end.
TEST(Lessons, AStepThatCannotBeginIsReported)
{
    tests::TempFolder folder;
    const std::string file = (folder.path() / "never.toml").string();
    std::ofstream(file) << R"(title = "Never"
[scenarios.short]
clients = ["ada"]
cycles = 2
hold = "1ms"
[[step]]
name = "never"
text = "After the end."
scenario = "short"
until = "after 99 handoffs"
)";
    Child child(LOCKSCOPE_CLI, {"lesson", file});
    EXPECT_EQ(child.wait(), 4);
    EXPECT_THAT(child.output(), HasSubstr("never\n  the run ended before the step could begin"));
    EXPECT_THAT(child.errors(), HasSubstr("\"never\" did not come to its end"));
}

// A goal that needs nobody is a mistake of the file; of one that is not reached, what was measured is said.
TEST(Lessons, AGoalThatCannotBeReachedOrHoldsAlreadyIsReported)
{
    tests::TempFolder folder;
    const auto play = [&](const std::string& goal) {
        const std::string file = (folder.path() / "goal.toml").string();
        std::ofstream(file) << R"(title = "Goals"
[scenarios.short]
clients = ["ada"]
cycles = 1
hold = "1ms"
[[step]]
name = "one"
text = "Look."
scenario = "short"
[step.task]
text = "Do it."
goal = ")" << goal << "\"\n";
        return std::make_unique<Child>(LOCKSCOPE_CLI, std::vector<std::string>{"lesson", file});
    };
    const auto before = play("events acquired of ada is 0");
    EXPECT_EQ(before->wait(), 2);
    EXPECT_THAT(before->output(), HasSubstr("held before anything was done: events acquired of ada is 0"));
    EXPECT_THAT(before->errors(), HasSubstr("\"one\" holds from the start"));
    const auto never = play("events acquired of ada is more than 5");
    EXPECT_EQ(never->wait(), 4);
    EXPECT_THAT(never->output(), HasSubstr("did not come to its end: the goal was not reached\n"
                                           "  events acquired of ada is more than 5: 1\n"));
}

// ---- copies of the built-in lessons with another lock: the same bets, other answers ----

struct Copy
{
    const char* lesson;
    const char* replaced;
    const char* by;
    const char* answers;                    // the bets
    std::map<std::string, std::string> run; // by step, what the run says
    bool hasTask = true;                    // its goal can be reached
    // Further texts to replace, where that lock asks for another task.
    std::vector<std::pair<const char*, const char*>> further = {};
};

void replaceAll(std::string& text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

// The steps and what the run says of them.
std::map<std::string, std::string> answersIn(const std::string& output)
{
    std::map<std::string, std::string> answers;
    std::istringstream lines(output);
    std::string step;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(" "))
            step = line.substr(0, line.find(':'));
        else if (line.starts_with("  run:   "))
            answers[step] = line.substr(9);
        else if (line == "  reached without any action")
            answers[step] = "by itself";
    }
    return answers;
}

std::string copyOf(const Copy& copy, const std::string& lockFolder)
{
    std::ifstream file(std::string(LOCKSCOPE_SOURCE "/resources/lessons/") + copy.lesson + ".toml");
    std::string toml{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(toml.find(copy.replaced), std::string::npos) << copy.lesson;
    replaceAll(toml, copy.replaced, copy.by);
    for (const auto& [from, to] : copy.further) {
        EXPECT_NE(toml.find(from), std::string::npos) << copy.lesson << ": " << from;
        replaceAll(toml, from, to);
    }
    if (!copy.hasTask)
        toml.resize(toml.find("[[step]]\nname = \"task\""));
    replaceAll(toml, "lock = \"/", "lock = \"/" + lockFolder + "/"); // all copies share a server
    return toml;
}

TEST(Lessons, ACopyWithAnotherLockGetsOtherAnswersFromTheSameBets)
{
    const auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    constexpr auto kChain = "handoff = \"curator\"\n", kHerd = "recipe = \"herd\"\n",
                   kBare = "recipe = \"unprotected-mutex\"\n";
    const std::vector<Copy> copies = {
        {"watch",
         kChain,
         kHerd,
         "wrong",
         {{"asks", "0"},
          {"whom", "ada"},
          {"release", "All three: the lock has changed"},
          {"herd", "4"},
          {"gives-up", "no client"}},
         true,
         // eli watches ada's node from the start
         {{"watched by eli is ada", "waiters is eli"}}},
        {"watch",
         kHerd,
         "",
         "right",
         {{"asks", "0"},
          {"whom", "eli"},
          {"release", "Only bo, which watches ada's node"},
          {"herd", "1"},
          {"gives-up", "eli"}}},
        {"queue",
         kChain,
         kHerd,
         "right",
         {{"holder", "cyd"},
          {"late", "It gets no node while the lock is taken"},
          {"who-was-first", "ada: its create reaches the server first"}},
         false},
        {"death",
         kChain,
         kHerd,
         "wrong",
         {{"holder", "The quickest of the three"},
          {"middle", "no client"},
          {"freeze", "When the session's timeout is over"}},
         false},
        {"lost-reply", kChain, kBare, "wrong", {{"found", "2"}, {"ghost", "bo"}, {"stuck", "No client"}}},
        {"lost-reply",
         kBare,
         "",
         "right",
         {{"found", "1"}, {"ghost", "ada"}, {"stuck", "bo: it is the next client"}}},
        {"pause",
         "fenced = false\n",
         "",
         "wrong",
         {{"pause", "ada, bo"},
          {"truth", "cyd"},
          {"fence", "It is refused: its token is too old"},
          {"no-fence", "It is refused, as before"}}},
        {"pause",
         "session_timeout = \"2s\"\nlock",
         "session_timeout = \"2s\"\nfenced = false\nlock",
         "right",
         {{"pause", "ada, bo"},
          {"truth", "cyd"},
          {"fence", "It is accepted, though bo holds"},
          {"no-fence", "It is accepted, though bo holds"}}}};
    tests::TempFolder folder;
    std::vector<std::future<void>> all;
    for (std::size_t i = 0; i < copies.size(); ++i)
        all.push_back(std::async(std::launch::async, [&, i] {
            const Copy& copy = copies[i];
            const std::string file = (folder.path() / (std::to_string(i) + ".toml")).string();
            std::ofstream(file) << copyOf(copy, "copy" + std::to_string(i));
            Child child(LOCKSCOPE_CLI,
                        {"lesson", file, "--answers", copy.answers, "--connect", (*server)->address()});
            EXPECT_EQ(child.wait(), 0) << copy.lesson << ' ' << copy.by << '\n' << child.errors();
            auto answers = answersIn(child.output());
            if (copy.by == kHerd)
                answers.erase("next"); // the quickest
            EXPECT_EQ(answers, copy.run) << copy.lesson << ' ' << copy.by << '\n' << child.output();
        }));
    for (std::future<void>& one : all)
        one.get();
}

TEST(Lessons, WithoutAZooKeeperItEndsWithThreeAndSaysWhereItWasLookedFor)
{
    Child child(LOCKSCOPE_CLI, {"lesson", "queue", "--zookeeper", "/proc"});
    EXPECT_EQ(child.wait(), 3);
    EXPECT_THAT(child.errors(), HasSubstr("There is no ZooKeeper in /proc"));
}

TEST(Lessons, AnAddressThatIsNoneEndsTheLesson)
{
    Child child(LOCKSCOPE_CLI, {"lesson", "queue", "--connect", "127.0.0.1:99999"});
    EXPECT_EQ(child.wait(), 2);
    EXPECT_THAT(child.errors(), StartsWith("lockscope-cli: "));
}

} // namespace
} // namespace lockscope::test
