// Recipes that are mended: each change is proved on all schedules.
#include "core/lesson/play_through.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace lockscope::lesson {
namespace {

using testing::HasSubstr;
using testing::Not;

std::unique_ptr<RunHandle> noServer(const sim::Scenario&)
{
    ADD_FAILURE() << "a recipe is mended without a run on a server";
    return nullptr;
}

Lesson mendLesson(const std::string& mend)
{
    return parseLesson(
               "title = \"M\"\n[[step]]\nname = \"m\"\ntext = \"Look.\"\n[step.task]\ntext = \"Do.\"\n"
               "[step.task.mend]\n" +
                   mend,
               "m.toml")
        .value();
}

// Until a proof has come to its end.
bool waitForProof(Player& player)
{
    const MonotonicClock::time_point most = MonotonicClock::now() + std::chrono::minutes(2);
    while (MonotonicClock::now() < most) {
        if (player.refresh(std::chrono::time_point_cast<Duration>(MonotonicClock::now())))
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

TEST(Mend, ShowsHowTheRecipeBreaksAndProvesEachChange)
{
    const Lesson lesson = mendLesson("recipe = \"order-by-name\"\nsolution = \"order number\"\n");
    Player player(lesson, noServer);
    EXPECT_EQ(player.record().stage, Stage::preparing);
    EXPECT_FALSE(player.record().run);
    ASSERT_TRUE(waitForProof(player));
    ASSERT_EQ(player.record().stage, Stage::doing);
    EXPECT_THAT(player.record().verdict.english(), HasSubstr("It breaks in"));
    EXPECT_EQ(player.record().run->position(), player.record().run->store().count());
    EXPECT_FALSE(player.record().run->state().locks.empty()) << "every view can show it";
    const std::shared_ptr<RunView> first = player.record().run;

    const std::vector<MendChange> changes = player.mend()->changes();
    for (const MendChange& change : changes)
        EXPECT_EQ(parseChange(wordsOf(change)), change);
    EXPECT_EQ(changes.size(), 10U);
    player.change(parseChange("node persistent").value());
    EXPECT_TRUE(player.record().verdict.english().empty());
    EXPECT_TRUE(player.mend()->recipe().isPersistent());
    ASSERT_TRUE(waitForProof(player));
    EXPECT_EQ(player.record().stage, Stage::doing);
    EXPECT_THAT(player.record().verdict.english(), HasSubstr("It breaks"));
    EXPECT_NE(player.record().run, first) << "another way in which it breaks";
    EXPECT_FALSE(player.record().right(player.step()));

    player.change(lesson.steps.front().task->mend->solution);
    EXPECT_FALSE(player.mend()->recipe().isPersistent()) << "one change at a time";
    ASSERT_TRUE(waitForProof(player));
    EXPECT_EQ(player.record().stage, Stage::done);
    EXPECT_TRUE(player.record().right(player.step()));
    EXPECT_THAT(player.record().verdict.english(), HasSubstr("The rules hold in all"));
    player.change(changes.front());
    EXPECT_EQ(player.record().stage, Stage::done) << "what is done stays so";
}

TEST(Mend, ARecipeThatHoldsIsAMistakeOfTheLesson)
{
    const Lesson lesson = mendLesson("recipe = \"curator\"\nsolution = \"watch exists\"\n");
    Player player(lesson, noServer);
    ASSERT_TRUE(waitForProof(player));
    EXPECT_EQ(player.record().stage, Stage::failed);
    ASSERT_TRUE(player.record().failure);
    EXPECT_THAT(player.record().failure->text(), HasSubstr("No way was found"));
}

// Somebody has a node, or believes that it holds.
bool isBusyAt(const RunView& run, EventIndex moment)
{
    replay::RunState state;
    for (std::size_t i = 0; i <= moment.value; ++i)
        replay::apply(state, run.store(), i);
    return !state.locks.front().queue.empty() ||
           std::ranges::any_of(state.clients, [](const replay::ClientRow& row) { return row.holds(); });
}

// Where it breaks, by the names that the views show; then the mended recipe in the same order of events.
TEST(BuiltInMends, ShowTheBreachAndThenARunThatIsRight)
{
    const Lesson lesson = loadLesson("mend").value();
    Player player(lesson, noServer);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const std::string where = lesson.steps[i].name;
        player.goTo(i);
        ASSERT_TRUE(waitForProof(player)) << where;
        const StepRecord& record = player.record();
        EXPECT_THAT(record.verdict.english(), Not(HasSubstr("client 0"))) << where;
        EXPECT_THAT(record.verdict.english(), Not(HasSubstr("client 1"))) << where;
        EXPECT_THAT(record.verdict.english(), Not(HasSubstr("#"))) << where;
        EXPECT_TRUE(record.run->client("ada") && record.run->client("bo")) << where;
        ASSERT_TRUE(record.moment.valid()) << where;
        // A node that is left when all is done is a breach at the end; any other is before it.
        const std::string verdict = record.verdict.english();
        EXPECT_TRUE(isBusyAt(*record.run, record.moment) || testing::Value(verdict, HasSubstr("All is done")))
            << where << ": " << verdict;
        const std::shared_ptr<RunView> broken = record.run;

        player.change(lesson.steps[i].task->mend->solution);
        ASSERT_TRUE(waitForProof(player)) << where;
        ASSERT_EQ(record.stage, Stage::done) << where;
        EXPECT_EQ(record.change, lesson.steps[i].task->mend->solution) << where;
        ASSERT_NE(record.run, broken) << where << ": it does not show any more how it broke";
        EXPECT_EQ(record.run->state().phase, trace::RunPhase::finished) << where;
        EXPECT_TRUE(record.run->state().locks.front().queue.empty()) << where << ": all are done";
        EXPECT_EQ(record.run->state().locks.front().valueFaults, 0U) << where;
        ASSERT_TRUE(record.moment.valid()) << where;
        ASSERT_LT(record.moment.value, record.run->store().count()) << where;
        if (where == "sleeps") { // who slept for ever gets the lock, and that is shown
            const trace::Event& shown = record.run->store().at(record.moment);
            EXPECT_TRUE(std::holds_alternative<trace::Acquired>(shown.what));
            EXPECT_EQ(shown.client, record.run->client("bo")->id);
        }
    }
}

TEST(BuiltInMends, AreAtLeastFourAndHoldWithTheirSolutions)
{
    std::size_t count = 0;
    const Lesson lesson = loadLesson("mend").value();
    Player player(lesson, noServer);
    PlayThrough how;
    how.limit = std::chrono::minutes(5);
    how.onStep = [&](const PlayedStep& played) {
        ++count;
        EXPECT_TRUE(played.ended) << played.step->name;
        EXPECT_TRUE(played.record->right(*played.step)) << played.step->name;
        EXPECT_FALSE(played.record->goalAtStart) << played.step->name;
    };
    EXPECT_TRUE(play(player, how));
    EXPECT_GE(count, 4U);
}

struct WrongMend
{
    const char* mend;
    const char* said;
};
void PrintTo(const WrongMend& wrong, std::ostream* out) { *out << wrong.mend; }

class MendMistakes : public testing::TestWithParam<WrongMend>
{};
INSTANTIATE_TEST_SUITE_P(
    Files, MendMistakes,
    testing::Values(WrongMend{"recipe = \"none\"",
                              "m.toml:8:10: found 'none', expected a recipe: curator, kazoo"},
                    WrongMend{"recipe = \"no-watch\"", "both \"recipe\" and \"solution\""},
                    WrongMend{"recipe = \"no-watch\"\nsolution = \"watch all\"", "a choice and its option"},
                    WrongMend{"recipe = \"no-watch\"\nsolution = \"watch nothing\"", "is so already"},
                    WrongMend{"faults = [\"serve\"]", "a list of kinds of fault"}));

TEST_P(MendMistakes, AreReportedWithTheirPlace)
{
    const Result<Lesson> lesson = parseLesson(
        std::string("title = \"M\"\n[[step]]\nname = \"m\"\ntext = \"Look.\"\n[step.task]\ntext = \"Do.\"\n"
                    "[step.task.mend]\n") +
            GetParam().mend + "\n",
        "m.toml");
    ASSERT_FALSE(lesson);
    EXPECT_THAT(lesson.error().text(), HasSubstr("m.toml:"));
    EXPECT_THAT(lesson.error().text(), HasSubstr(GetParam().said));
}

TEST(Mend, HasNoGoalBesideIt)
{
    const Result<Lesson> lesson = parseLesson(
        "title = \"M\"\n[[step]]\ntext = \"Look.\"\n[step.task]\ntext = \"Do.\"\ngoal = \"nodes is 1\"\n"
        "[step.task.mend]\nrecipe = \"no-watch\"\nsolution = \"watch getData\"\n",
        "m.toml");
    ASSERT_FALSE(lesson);
    EXPECT_THAT(lesson.error().text(), HasSubstr("without a goal or a puzzle"));
}

} // namespace
} // namespace lockscope::lesson
