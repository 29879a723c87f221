// What learners have bet: the file of each of them, and the counts of a class.
#include "core/lesson/class_result.h"
#include "core/lesson/lesson.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockscope::lesson {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(GivenBets, AreReadBackAsTheyWereWritten)
{
    const GivenBets given{"watch", {{"asks", "30", false}, {"whom", "\"eli\", \\ 雪", true}}};
    const Result<GivenBets> read = parseGivenBets(toToml(given), "watch.toml");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, given);
}

TEST(GivenBets, KeepTheFirstBetOfAStep)
{
    GivenBets given{"watch", {}};
    EXPECT_TRUE(given.add({"asks", "30", false}));
    EXPECT_FALSE(given.add({"asks", "0", true}));
    EXPECT_THAT(given.bets, ElementsAre(GivenBet{"asks", "30", false}));
}

TEST(GivenBets, SayWhereAFileIsWrong)
{
    const auto said = [](const char* toml) {
        const Result<GivenBets> read = parseGivenBets(toml, "w.toml");
        return read ? std::string() : read.error().text();
    };
    EXPECT_THAT(said("lesson = 3"), HasSubstr("w.toml:1:10"));
    EXPECT_THAT(said("lesson = \"w\"\nname = \"ann\""), HasSubstr("w.toml:2:"));
    EXPECT_THAT(said("[[bet]]\nstep = \"a\""), HasSubstr("w.toml"));
}

std::vector<std::pair<std::string, std::size_t>> counts(const ClassStep& step)
{
    std::vector<std::pair<std::string, std::size_t>> all;
    for (const ClassBet& bet : step.bets)
        all.emplace_back(bet.bet, bet.learners);
    return all;
}

TEST(ClassResults, CountTheBetsOfEachStep)
{
    const std::vector<GivenBets> learners{
        {"mine", {{"first", "bo", true}}},
        {"watch", {{"whom", "ada", false}, {"asks", "30", false}}},
        {"watch", {{"asks", "0", true}}},
        {"watch", {{"asks", "30", false}}},
    };
    const std::vector<ClassResult> results = classResults(learners);
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].lesson, "watch") << "built-in ones come first";
    EXPECT_EQ(results[0].title, "The watch");
    EXPECT_EQ(results[0].learners, 3U);
    ASSERT_EQ(results[0].steps.size(), 2U) << "only those with a bet";
    EXPECT_EQ(results[0].steps[0].name, "asks") << "in the order of the lesson";
    EXPECT_THAT(results[0].steps[0].question, HasSubstr("How many requests"));
    EXPECT_EQ(results[0].steps[0].learners, 3U);
    EXPECT_EQ(results[0].steps[0].right, 1U);
    EXPECT_THAT(counts(results[0].steps[0]), ElementsAre(std::pair("30", 2U), std::pair("0", 1U)));
    EXPECT_EQ(results[0].steps[1].name, "whom");
    EXPECT_EQ(results[1].lesson, "mine");
    EXPECT_EQ(results[1].title, "");
}

TEST(ClassResults, HaveTheOptionsOnWhichNobodyBet)
{
    for (const BuiltIn& builtIn : builtIns()) {
        const Lesson lesson = loadLesson(std::string(builtIn.name)).value();
        for (const Step& step : lesson.steps) {
            if (!step.question || step.question->options.empty())
                continue;
            const std::string& last = step.question->options.back().text.english;
            const std::vector<GivenBets> learners{{lesson.name, {{step.name, last, false}}}};
            const ClassStep row = classResults(learners).at(0).steps.at(0);
            ASSERT_EQ(row.bets.size(), step.question->options.size()) << lesson.name << " " << step.name;
            EXPECT_EQ(row.bets.front().bet, last);
            EXPECT_EQ(row.bets.back().learners, 0U);
        }
    }
}

} // namespace
} // namespace lockscope::lesson
