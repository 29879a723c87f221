// Lessons from TOML: what is read, and where each mistake is.
#include "core/lesson/lesson.h"
#include "tests/support/lesson_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::lesson {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kWhole = R"(title = "A lesson"
title_zh = "课"
about = "For tests."
minutes = 3
scenario = "two"

[scenarios.two]
clients = ["ada", "bo"]
hold = "1h"

[[step]]
name = "first"
title = "First"
text = "Look at *ada*."
until = "when bo waits"
cards = ["chain", "timeline"]
point = ["client ada", "node of bo", "handoff", "card log"]
learned = "Something."
after = "So it is."

[step.bet]
question = "How many?"
number = "wake-ups"
do = ["kill ada"]
then = "when bo holds"
within = "3s"

[[step.next]]
when = "right"
step = "last"

[[step]]
name = "second"
text = "Choose."
scenario = "well"

[step.bet]
question = "Who?"

[[step.bet.option]]
text = "One"
when = "holder is adler"

[[step.bet.option]]
text = "None"
when = "holder is no client"

[[step]]
name = "last"
text = "Do it."

[step.task]
text = "Make bo hold."
goal = "holder is bo"
hints = ["Try."]
hints_zh = ["试试。"]
solution = ["freeze ada", "when bo holds: thaw ada"]
)";

Result<Lesson> parsed(std::string_view toml) { return parseLesson(toml, "lesson.toml"); }

TEST(LessonFile, IsRead)
{
    const Result<Lesson> lesson = parsed(kWhole);
    ASSERT_TRUE(lesson) << lesson.error().text();
    EXPECT_EQ(lesson->name, "lesson");
    EXPECT_EQ(lesson->title.english, "A lesson");
    EXPECT_EQ(lesson->title.chinese, "课");
    EXPECT_EQ(lesson->minutes, 3u);
    ASSERT_EQ(lesson->steps.size(), 3u);
    const Step& first = lesson->steps[0];
    ASSERT_TRUE(first.scenario);
    EXPECT_EQ(first.scenario->name, "two");
    // A trace of it says how to run it again.
    const Result<sim::Scenario> again = sim::parseScenario(first.scenario->source, "two.toml");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->named, first.scenario->named);
    EXPECT_EQ(first.until->kind, sim::Trigger::Kind::waits);
    EXPECT_THAT(first.cards, ElementsAre("chain", "timeline"));
    EXPECT_THAT(first.pointers,
                ElementsAre(Pointer{Pointer::Kind::client, "ada"}, Pointer{Pointer::Kind::node, "bo"},
                            Pointer{Pointer::Kind::handoff, ""}, Pointer{Pointer::Kind::card, "log"}));
    ASSERT_TRUE(first.question);
    EXPECT_EQ(first.question->kind, Question::Kind::number);
    EXPECT_EQ(first.question->metric->kind, Metric::Kind::wakeUps);
    EXPECT_EQ(first.question->actions.size(), 1u);
    EXPECT_EQ(first.question->within, std::chrono::seconds(3));
    EXPECT_THAT(first.next, ElementsAre(Branch{Branch::Outcome::right, {}, "last"}));
    EXPECT_EQ(lesson->steps[1].scenario->name, "well");
    EXPECT_EQ(lesson->steps[1].question->options.size(), 2u);
    ASSERT_TRUE(lesson->steps[2].task);
    EXPECT_EQ(lesson->steps[2].task->solution.size(), 2u);
    EXPECT_EQ(lesson->steps[2].task->hints.front().chinese, "试试。");
}

// A part of the whole, what stands there instead, and at its @ the reported place.
struct Mistake
{
    const char* instead_of;
    const char* is;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.is; }

class Mistakes : public testing::TestWithParam<Mistake>
{};

TEST_P(Mistakes, AreReportedWithTheirPlace)
{
    std::string toml(kWhole);
    const std::size_t at = toml.find(GetParam().instead_of);
    ASSERT_NE(at, std::string::npos);
    toml.replace(at, std::string_view(GetParam().instead_of).size(), GetParam().is);
    const std::size_t place = toml.find('@');
    ASSERT_NE(place, std::string::npos);
    toml.erase(place, 1);
    const auto line = std::count(toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(place), '\n') + 1;
    const std::size_t column = place - (toml.rfind('\n', place) + 1) + 1;
    const Result<Lesson> lesson = parsed(toml);
    ASSERT_FALSE(lesson);
    EXPECT_EQ(lesson.error().code, ErrorCode::badUsage);
    EXPECT_THAT(lesson.error().message.english(),
                StartsWith("lesson.toml:" + std::to_string(line) + ":" + std::to_string(column) + ": "));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, Mistakes,
    testing::Values(
        Mistake{"about =", "@abuot ="},                                       // an unknown field
        Mistake{"about = \"For", "about = @5 # \"For"},                       // a text
        Mistake{"about = \"For", "about = @\"\" # \"For"},                    // that says nothing
        Mistake{"minutes = 3", "[min@\x01utes]"},                             // a control character
        Mistake{"minutes = 3", "minutes = @0"},                               // a number
        Mistake{"scenario = \"two\"", "scenario = @\"three\""},               // of the lesson
        Mistake{"hold = \"1h\"", "hold = @\"long\""},                         // inside a scenario
        Mistake{"hold = \"1h\"", "script = [@\"when cyd waits: kill ada\"]"}, // a client there
        Mistake{"name = \"second\"", "name = @\"first\""},                    // twice
        Mistake{"*ada*.\"", "ada\"\nafter_zh = @\"*ada\""},                   // emphasis without an end
        Mistake{"\"when bo waits\"", "@\"when bo sleeps\""},                  // a moment
        Mistake{"\"when bo waits\"", "@\"when zoe waits\""},                  // a client in it
        Mistake{"[\"chain\", \"timeline\"]", "[\"chain\", @\"picture\"]"},    // a card
        Mistake{"[\"chain\", \"timeline\"]", "@[]"},                          // no card
        Mistake{"\"node of bo\"", "@\"the lock\""},                           // a pointer
        Mistake{"\"node of bo\"", "@\"node of zoe\""},                        // a client in it
        Mistake{"number = \"wake-ups\"", "number = @\"wakeups\""},            // a metric
        Mistake{"number = \"wake-ups\"", "number = @\"woken\""},              // of the other kind
        Mistake{"number = \"wake-ups\"", "who = @\"wake-ups\""},
        Mistake{"number = \"wake-ups\"", "who = @\"watched by zoe\""},        // a client in it
        Mistake{"\"kill ada\"", "@\"hug ada\""},                              // an action
        Mistake{"\"kill ada\"", "@\"kill zoe\""},                             // a client in it
        Mistake{"then = \"when bo holds\"", "then = @\"soon\""},              // a moment
        Mistake{"within = \"3s\"", "within = @\"0s\""},                       // a time
        Mistake{"when = \"right\"", "when = @\"perhaps\""},                   // an outcome
        Mistake{"step = \"last\"", "step = @\"later\""},                      // a step
        Mistake{"scenario = \"well\"", "scenario = @\"wel\""},                // a scenario
        Mistake{"\"holder is adler\"", "@\"holder adler\""},                  // a condition
        Mistake{"\"holder is adler\"", "@\"holder is zoe\""},                 // a client in it
        Mistake{"goal = \"holder is bo\"", "goal = @\"bo holds\""},           // a goal
        Mistake{"hints = [\"Try.\"]", "hints = @\"Try.\""},                   // hints
        Mistake{"hints_zh = [\"试试。\"]", "hints_zh = @[\"a\", \"b\"]"},     // as many in both languages
        Mistake{"\"freeze ada\"", "@\"chill ada\""},                          // a solution
        Mistake{"\"when bo holds: thaw ada\"", "@\"if bo holds: thaw ada\""}, // a moment in it
        Mistake{"minutes = 3", "minutes = @\"3\""},                           // no number
        Mistake{"minutes = 3", "minutes = @1000"},                            // too large
        Mistake{"name = \"first\"", "name = @7"},                             // a name
        Mistake{"title = \"First\"", "title = @[\"First\"]"},                 // texts of a step
        Mistake{"text = \"Look at *ada*.\"", "text = @\"\""},
        Mistake{"learned = \"Something.\"", "learned = @1"},
        Mistake{"after = \"So it is.\"", "after = @true"},
        Mistake{"after = \"So it is.\"", "after = \"So.\"\nafter_when = @\"bo holds\""}, // a condition
        Mistake{"after = \"So it is.\"",
                "after = \"So.\"\nafter_when = @\"holder is zoe\""},        // a client in it
        Mistake{"after = \"So it is.\"", "after_when = @\"holder is bo\""}, // of no text
        Mistake{"[\"chain\", \"timeline\"]", "@\"chain\""},                 // no list
        Mistake{"\"card log\"", "@\"card picture\""},                       // a card that is none
        Mistake{"\"client ada\", ", "@5, "},                                // no text
        Mistake{"question = \"How many?\"", "question = @\"*How\""},        // texts of a bet
        Mistake{"do = [\"kill ada\"]", "do = @\"kill ada\""},               // no list
        Mistake{"then = \"when bo holds\"", "then = @\"when zoe holds\""},  // a client in it
        Mistake{"within = \"3s\"", "within = @3"},                          // no time
        Mistake{"within = \"3s\"", "within = @\"11m\""},                    // too long
        Mistake{"text = \"One\"", "text = @1"},                             // texts of an option
        Mistake{"text = \"One\"", "@txt = \"One\""},                        // an unknown field there
        Mistake{"when = \"right\"", "when = @\"holder is zoe\""},           // a client in a branch
        Mistake{"text = \"Make bo hold.\"", "text = @[]"},                  // texts of a task
        Mistake{"goal = \"holder is bo\"", "goal = @\"holder is zoe\""},    // a client in it
        Mistake{"\"freeze ada\"", "@\"freeze zoe\""},                       // a client in a solution
        Mistake{"\"when bo holds: thaw ada\"", "@\"when zoe holds: thaw ada\""},
        Mistake{"[scenarios.two]", "[scenarios.two]\nhandoff = @\"fast\""}, // a scenario of this file
        Mistake{"[scenarios.two]", "[scenarios.two]\nconnect = @\"127.0.0.1:2181\""},
        Mistake{"about = \"For tests.\"", "@about_zh = \"测试用。\""}, // Chinese alone
        Mistake{"learned = \"Something.\"", "@learned_zh = \"某事。\""},
        Mistake{"after = \"So it is.\"", "@after_zh = \"是的。\""},
        Mistake{"hints = [\"Try.\"]\nhints_zh = [", "@hints_zh = ["},
        Mistake{"title = \"First\"", "title = @= \"First\""})); // no TOML

// A missing field is reported at the table that lacks it.
struct Missing
{
    const char* without;
    const char* line; // of the table
    const char* says;
};
void PrintTo(const Missing& missing, std::ostream* out) { *out << missing.without; }

class Lacking : public testing::TestWithParam<Missing>
{};

TEST_P(Lacking, IsReported)
{
    std::string toml(kWhole);
    const std::size_t at = toml.find(GetParam().without);
    ASSERT_NE(at, std::string::npos);
    toml.erase(at, std::string_view(GetParam().without).size());
    const Result<Lesson> lesson = parsed(toml);
    ASSERT_FALSE(lesson);
    EXPECT_THAT(lesson.error().message.english(), StartsWith("lesson.toml:" + std::string(GetParam().line)));
    EXPECT_THAT(lesson.error().message.english(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, Lacking,
    testing::Values(Missing{"title = \"A lesson\"\n", "1:", "without a title"},
                    Missing{"text = \"Look at *ada*.\"\n", "11:", "without text"},
                    Missing{"question = \"How many?\"\n", "21:", "without a question"},
                    Missing{"number = \"wake-ups\"\n", "21:", "one of \"option\", \"number\" and \"who\""},
                    Missing{"then = \"when bo holds\"\n", "21:", "then ="},
                    Missing{"when = \"right\"\n", "28:", "both"},
                    Missing{"text = \"One\"\n", "40:", "without text"},
                    Missing{"when = \"holder is adler\"\n", "40:", "without a condition"},
                    Missing{"goal = \"holder is bo\"\n", "52:", "without a goal"},
                    Missing{"scenario = \"two\"\n", "10:", "scenario ="}));

// A mistake is said on one line, whatever stands there.
TEST(LessonFile, AMistakeInATableIsShownOnOneLine)
{
    std::string toml(kWhole);
    toml.replace(toml.find("[step.task]"), 11, "[[step.task]]");
    const Result<Lesson> lesson = parsed(toml);
    ASSERT_FALSE(lesson);
    const std::string says = lesson.error().message.english();
    EXPECT_EQ(says.find('\n'), std::string::npos) << says;
    EXPECT_THAT(says, HasSubstr("found [ { goal = 'holder is bo', hints = [ 'Try.' ], hints_zh"));
}

TEST(LessonFile, AMistakeIsCutBetweenTwoCharacters)
{
    for (const char* before : {"", "a", "ab"}) {
        std::string toml(kWhole);
        std::string text = before;
        for (int i = 0; i < 40; ++i)
            text += "监";
        toml.replace(toml.find("\"holder is adler\""), 17, "\"" + text + "\"");
        const Result<Lesson> lesson = parsed(toml);
        ASSERT_FALSE(lesson);
        EXPECT_THAT(lesson.error().message.english(), HasSubstr("监…, expected")) << before;
    }
}

TEST(LessonFile, NeedsSteps)
{
    const Result<Lesson> lesson = parsed("title = \"Nothing\"\n");
    ASSERT_FALSE(lesson);
    EXPECT_THAT(lesson.error().message.english(), HasSubstr("without steps"));
}

TEST(LessonFile, IsFoundByNameOrPath)
{
    for (const BuiltIn& builtIn : builtIns()) {
        const Result<Lesson> lesson = loadLesson(std::string(builtIn.name));
        ASSERT_TRUE(lesson) << lesson.error().text();
        EXPECT_EQ(lesson->name, builtIn.name);
    }
    const Result<Lesson> none = loadLesson("/no/such/lesson.toml");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::badUsage);
    EXPECT_THAT(none.error().hint.english(), HasSubstr("lost-reply"));
}

// ---- the built-in ones ----

void expectBoth(const Text& text, const std::string& where)
{
    EXPECT_FALSE(text.english.empty()) << where;
    EXPECT_FALSE(text.chinese.empty()) << where;
    EXPECT_NE(text.english, text.chinese) << where;
}

void expectBothOrNone(const Text& text, const std::string& where)
{
    EXPECT_EQ(text.english.empty(), text.chinese.empty()) << where;
}

TEST(BuiltInLessons, SayEverythingInBothLanguages)
{
    for (const BuiltIn& builtIn : builtIns()) {
        const Result<Lesson> lesson = loadLesson(std::string(builtIn.name));
        ASSERT_TRUE(lesson) << lesson.error().text();
        expectBoth(lesson->title, lesson->name);
        expectBoth(lesson->about, lesson->name);
        for (const Step& step : lesson->steps) {
            const std::string where = lesson->name + ", " + step.name;
            expectBoth(step.title, where);
            expectBoth(step.text, where);
            expectBothOrNone(step.after, where);
            expectBothOrNone(step.learned, where);
            EXPECT_EQ(step.after.empty(), !step.question && !step.task) << where;
            EXPECT_TRUE(!step.question || !step.afterWhen.all.empty())
                << where << ": the text after the answer is of one answer";
            if (step.question)
                expectBoth(step.question->text, where);
            for (const Option& option : step.question ? step.question->options : std::vector<Option>())
                expectBoth(option.text, where);
            if (!step.task)
                continue;
            expectBoth(step.task->text, where);
            EXPECT_FALSE(step.task->hints.empty()) << where;
            EXPECT_TRUE(step.task->puzzle || step.task->mend || !step.task->solution.empty()) << where;
            for (const Text& hint : step.task->hints)
                expectBoth(hint, where);
        }
    }
}

TEST(BuiltInLessons, AreShortAndLetTheLearnerPredictAndAct)
{
    ASSERT_EQ(builtIns().size(), 10u);
    for (const BuiltIn& builtIn : builtIns()) {
        const Result<Lesson> lesson = loadLesson(std::string(builtIn.name));
        ASSERT_TRUE(lesson) << lesson.error().text();
        EXPECT_GE(lesson->steps.size(), 4u) << lesson->name;
        EXPECT_LE(lesson->steps.size(), 8u) << lesson->name;
        EXPECT_TRUE(std::any_of(lesson->steps.begin(), lesson->steps.end(), [](const Step& step) {
            return step.question.has_value() || (step.task && (step.task->puzzle || step.task->mend));
        }));
        EXPECT_TRUE(std::any_of(lesson->steps.begin(), lesson->steps.end(),
                                [](const Step& step) { return step.task.has_value(); }));
    }
}

TEST(BuiltInLessons, NameTheMisconceptionOfEveryWrongOption)
{
    for (const BuiltIn& builtIn : builtIns()) {
        const Result<Lesson> lesson = loadLesson(std::string(builtIn.name));
        ASSERT_TRUE(lesson) << lesson.error().text();
        for (const Step& step : lesson->steps) {
            if (!step.question || step.question->kind != Question::Kind::options)
                continue;
            const auto& options = step.question->options;
            const std::string where = lesson->name + " " + step.name;
            const std::size_t right = tests::lessonAnswers().at(where).option;
            for (std::size_t i = 0; i < options.size(); ++i) {
                EXPECT_EQ(options[i].betrays.english.empty(), i == right) << where << ' ' << i;
                EXPECT_EQ(options[i].betrays.chinese.empty(), i == right) << where << ' ' << i;
            }
        }
    }
}

// Whose run begins with the bet asks about clients that no picture has shown yet: the pictures of the step
// before are of another run.
TEST(BuiltInLessons, DoNotAskWhatTheStepBeforeHasShown)
{
    int asked = 0;
    for (const BuiltIn& builtIn : builtIns()) {
        const Result<Lesson> lesson = loadLesson(std::string(builtIn.name));
        ASSERT_TRUE(lesson) << lesson.error().text();
        for (std::size_t i = 1; i < lesson->steps.size(); ++i) {
            const Step& step = lesson->steps[i];
            if (!step.question || step.until)
                continue;
            ++asked;
            ASSERT_TRUE(lesson->steps[i - 1].scenario);
            EXPECT_NE(step.scenario->source, lesson->steps[i - 1].scenario->source)
                << lesson->name << ", " << step.name;
        }
    }
    EXPECT_EQ(asked, 3);
}

} // namespace
} // namespace lockscope::lesson
