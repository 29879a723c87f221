// The built-in lessons on a real server: played right and wrong, with answers that come from the run.
#include "core/engine/lesson_run.h"
#include "core/lesson/play_through.h"
#include "core/server/process/managed_server.h"
#include "core/sim/script/script_text.h"
#include "core/trace/event_fields.h"
#include "tests/support/lesson_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <thread>

namespace lockscope::lesson {
namespace {

using sim::Action;
using testing::ElementsAre;
using testing::Not;

// What came of one step.
struct Played
{
    bool ended = false;
    bool asked = false;
    bool task = false;
    bool right = false;
    bool reachedByItself = false;
    bool afterHolds = false;
    std::optional<Bet> bet;
    std::optional<Bet> answer;
    std::string proofKind;
    bool proofIsNew = false; // it came after the bet, or after the beginning of the task
};
using PlayedSteps = std::map<std::string, Played>;

class LessonPlay : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        auto server = server::ManagedServer::start({});
        ASSERT_TRUE(server) << server.error().text();
        s_server = std::move(*server);
    }
    static void TearDownTestSuite() { s_server.reset(); }

    // Many at a time on one server, each below a path of its own.
    static RunFactory maker()
    {
        return [](const sim::Scenario& scenario) {
            static std::atomic<int> runs{0};
            sim::Scenario own = scenario;
            own.locks.front() = "/run" + std::to_string(++runs) + own.locks.front();
            return std::make_unique<engine::LessonRun>(own, s_server->address());
        };
    }

    static Played summary(const PlayedStep& played)
    {
        const StepRecord& record = *played.record;
        Played one;
        one.ended = played.ended;
        one.asked = played.step->question.has_value();
        one.task = played.step->task.has_value();
        one.right = record.right(*played.step);
        one.reachedByItself = played.reachedByItself;
        one.afterHolds = record.afterHolds;
        one.bet = record.bet;
        if (record.answer)
            one.answer = record.answer->is;
        const EventIndex proof =
            record.answer ? record.answer->proof : record.reached.value_or(EventIndex::none());
        one.proofIsNew = record.run && proof.valid() && proof.value >= record.run->marked();
        if (proof.valid() && proof.value < record.run->store().count())
            one.proofKind = std::visit(
                [](const auto& what) {
                    return std::string(trace::kindName<std::remove_cvref_t<decltype(what)>>);
                },
                record.run->store().at(proof).what);
        return one;
    }

    // A busy machine is slow: only the test's own time limit counts.
    static PlayThrough unlimited(Answers answers)
    {
        PlayThrough how;
        how.answers = answers;
        how.limit = std::chrono::hours(1);
        return how;
    }

    static PlayedSteps playAll(const Lesson& lesson, Answers answers)
    {
        PlayedSteps all;
        PlayThrough how = unlimited(answers);
        how.onStep = [&](const PlayedStep& played) { all[played.step->name] = summary(played); };
        Player player(lesson, maker());
        play(player, how);
        return all;
    }

    static Played playOne(const Lesson& lesson, const std::string& step, Answers answers = Answers::right)
    {
        std::size_t position = 0;
        while (position < lesson.steps.size() && lesson.steps[position].name != step)
            ++position;
        // The first step has begun by then: its run is given up.
        Player player(lesson, maker());
        player.goTo(position);
        return summary(playStep(player, unlimited(answers)));
    }

    // A built-in with a change in its text.
    static Lesson changed(std::string_view name, const std::string& from, const std::string& to)
    {
        for (const BuiltIn& builtIn : builtIns()) {
            if (builtIn.name != name)
                continue;
            std::string toml(builtIn.toml);
            const std::size_t at = toml.find(from);
            EXPECT_NE(at, std::string::npos);
            toml.replace(at, from.size(), to);
            return parseLesson(toml, std::string(name) + ".toml").value();
        }
        ADD_FAILURE() << "no lesson " << name;
        return {};
    }
    // Without those whose recipes are mended: they need no server, and their proofs would take the processors
    // from the lessons that have one (mend_test.cpp).
    static std::vector<std::string> playedLessons()
    {
        std::vector<std::string> names;
        for (const BuiltIn& one : builtIns())
            if (const Lesson lesson = loadLesson(std::string(one.name)).value(); std::ranges::none_of(
                    lesson.steps, [](const Step& step) { return step.task && step.task->mend; }))
                names.emplace_back(one.name);
        return names;
    }

    static Lesson builtIn(const std::string& name) { return loadLesson(name).value(); }

    static inline std::unique_ptr<server::ManagedServer> s_server;
};

std::string shown(const std::optional<Bet>& bet)
{
    std::string text =
        bet ? "option " + std::to_string(bet->option) + ", number " + std::to_string(bet->number) : "none";
    for (const std::string& client : bet ? bet->clients : std::vector<std::string>())
        text += ", " + client;
    return text;
}

// Clients that wait and send nothing: the last reply before the bet proves it.
bool asksWhereNothingHappens(const std::string& step)
{
    return step == "opening a-then-b" || step == "watch asks";
}

void expectRight(const std::string& lesson, const PlayedSteps& steps)
{
    for (const auto& [name, step] : steps) {
        const std::string where = lesson + " " + name;
        EXPECT_TRUE(step.ended) << where;
        EXPECT_TRUE(step.right || !(step.asked || step.task)) << where;
        EXPECT_TRUE(step.afterHolds || !(step.asked || step.task)) << where << ": its text is of this run";
        if (step.asked) {
            EXPECT_EQ(shown(step.answer), shown(tests::lessonAnswers().at(where))) << where;
        }
        if (step.asked || step.task) {
            EXPECT_THAT(step.proofKind, Not(testing::IsEmpty())) << where;
            EXPECT_EQ(step.proofIsNew, !asksWhereNothingHappens(where)) << where << ": " << step.proofKind;
        }
    }
}

void expectWrong(const std::string& lesson, const PlayedSteps& steps, const PlayedSteps& right)
{
    for (const auto& [name, step] : steps) {
        const std::string where = lesson + " " + name;
        EXPECT_TRUE(step.ended) << where;
        EXPECT_FALSE(step.reachedByItself) << where;
        if (step.task) {
            EXPECT_TRUE(step.right) << where;
        }
        if (!step.asked)
            continue;
        EXPECT_FALSE(step.right) << where;
        EXPECT_TRUE(step.bet && step.bet != step.answer) << where;
        EXPECT_EQ(shown(step.answer), shown(tests::lessonAnswers().at(where))) << where;
        // The same event. (A node is there when anybody has seen it first: its maker, or the observer.)
        if (where != "lost-reply found") {
            EXPECT_EQ(step.proofKind, right.at(name).proofKind) << where;
        }
    }
}

TEST_F(LessonPlay, EveryLessonComesToItsEndWithRightAndWithWrongAnswers)
{
    struct Both
    {
        std::string name;
        Lesson lesson;
        std::future<PlayedSteps> right, wrong;
    };
    std::vector<Both> all;
    for (const std::string& name : playedLessons())
        all.push_back({name, loadLesson(name).value(), {}, {}});
    for (Both& one : all) {
        one.right = std::async(std::launch::async, [&one] { return playAll(one.lesson, Answers::right); });
        one.wrong = std::async(std::launch::async, [&one] { return playAll(one.lesson, Answers::wrong); });
    }
    std::map<std::string, PlayedSteps> right, wrong;
    for (Both& one : all) {
        right[one.name] = one.right.get();
        wrong[one.name] = one.wrong.get();
        expectRight(one.name, right[one.name]);
        expectWrong(one.name, wrong[one.name], right[one.name]);
    }
    // The outcome chooses the step.
    EXPECT_FALSE(right["watch"].contains("why"));
    EXPECT_TRUE(wrong["watch"].contains("why"));
    for (const Both& one : all)
        EXPECT_EQ(wrong[one.name].size(), one.lesson.steps.size()) << one.name;
}

// ada is thawed when bo holds, and not before its session is over.
TEST_F(LessonPlay, ALineOfASolutionWaitsForItsTrigger)
{
    Lesson lesson = changed("pause", "goal = \"believers is more than 1\"", "goal = \"refused is ada\"");
    lesson.steps.back().task->solution = {
        {std::nullopt, *sim::parseAction("freeze ada")},
        {sim::parseTrigger("when bo holds"), *sim::parseAction("thaw ada")},
    };
    const Played played = playOne(lesson, "task");
    EXPECT_TRUE(played.ended && played.right);
    EXPECT_EQ(played.proofKind, "resource_use");
}

// Whatever the learner ends, and when: the bet is answered or the step can be done again, and the lesson goes
// on.
enum class Ended { server, client, everything };

std::string clientIn(const Action& action)
{
    return action.target == Action::Target::named ? action.client : std::string();
}

// The client that the step is about: which it points at, or which the bet or the solution does something to.
std::string clientInQuestion(const Step& step)
{
    std::vector<std::string> names;
    for (const Pointer& pointer : step.pointers)
        if (pointer.kind == Pointer::Kind::client || pointer.kind == Pointer::Kind::node)
            names.push_back(pointer.name);
    for (const Action& action : step.question ? step.question->actions : std::vector<Action>())
        names.push_back(clientIn(action));
    for (const SolutionLine& line : step.task ? step.task->solution : std::vector<SolutionLine>())
        names.push_back(clientIn(line.action));
    names.push_back(sim::participants(*step.scenario).front().name);
    return *std::find_if(names.begin(), names.end(), [](const std::string& name) { return !name.empty(); });
}

void end(Player& player, Ended what)
{
    std::vector<std::string> actions;
    if (what != Ended::client)
        actions.emplace_back("kill the server");
    if (what == Ended::client)
        actions.push_back("kill " + clientInQuestion(player.step()));
    if (what == Ended::everything)
        for (const sim::Participant& client : sim::participants(*player.step().scenario))
            actions.push_back("remove " + client.name);
    for (const std::string& action : actions) {
        const auto parsed = sim::parseAction(action);
        ASSERT_TRUE(parsed) << action;
        player.runHandle()->execute(*parsed);
    }
}

void waitFor(Player& player, const std::function<bool(Stage)>& enough)
{
    const MonotonicTime deadline = monotonicNow() + std::chrono::seconds(60);
    while (!enough(player.record().stage) && player.record().stage != Stage::failed) {
        ASSERT_LT(monotonicNow(), deadline) << "stage " << static_cast<int>(player.record().stage);
        player.refresh(std::chrono::time_point_cast<Duration>(MonotonicClock::now()));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}
bool hasBegun(Stage stage) { return stage != Stage::preparing; }

// A bet is answered, whatever was ended before or meanwhile; nothing else needs to come to an end.
void answerTheBet(Player& player, const std::string& where, std::optional<Ended> meanwhile = {})
{
    if (player.record().stage != Stage::asking)
        return;
    player.bet(Bet{0, 0, {}});
    if (meanwhile) {
        ASSERT_NO_FATAL_FAILURE(end(player, *meanwhile)) << where;
    }
    waitFor(player, [](Stage stage) { return stage == Stage::done; });
    EXPECT_EQ(player.record().stage, Stage::done) << where;
    ASSERT_TRUE(player.record().answer) << where << ": the run says something, whatever it is";
    if (player.record().afterHolds) {
        EXPECT_EQ(shown(player.record().answer->is), shown(tests::lessonAnswers().at(where)))
            << where << ": else the author's text would contradict the run";
    }
}

// While the run comes to the beginning of the step, at its beginning, and after the bet; then the step is
// done as if nothing had happened.
void loseNothing(Lesson lesson, Ended what, const RunFactory& maker)
{
    for (Step& step : lesson.steps)
        if (step.question)
            step.question->within = std::min<Duration>(step.question->within, std::chrono::seconds(3));
    Player player(lesson, maker);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        if (lesson.steps[i].task && lesson.steps[i].task->puzzle)
            continue; // has neither a server nor a run that could end
        if (player.position() != i || !player.runHandle())
            player.goTo(i);
        const std::string where = lesson.name + " " + player.step().name;
        ASSERT_TRUE(player.step().scenario) << where;
        ASSERT_NO_FATAL_FAILURE(end(player, what)) << where;
        player.redo();
        waitFor(player, hasBegun);
        const Stage first = player.record().stage;
        ASSERT_NE(first, Stage::failed) << where;
        ASSERT_NO_FATAL_FAILURE(end(player, what)) << where;
        ASSERT_NO_FATAL_FAILURE(answerTheBet(player, where));
        if (first == Stage::asking) {
            player.redo();
            waitFor(player, hasBegun);
            ASSERT_NO_FATAL_FAILURE(answerTheBet(player, where, what));
        }
        player.redo();
        PlayThrough how;
        how.limit = std::chrono::hours(1);
        EXPECT_TRUE(playStep(player, how).ended) << where << ": as if nothing had happened";
        EXPECT_TRUE(first == Stage::reading || player.record().right(player.step())) << where;
        player.next();
        EXPECT_TRUE(player.atEnd() || player.position() != i) << where;
        EXPECT_EQ(player.recordOf(i)->stage, Stage::done) << where << ": back() leads to its record";
    }
}

std::unique_ptr<RunHandle> runOnItsOwnServer(const sim::Scenario& scenario)
{
    return std::make_unique<engine::LessonRun>(scenario, std::string());
}

TEST_F(LessonPlay, WhenTheClientInQuestionIsKilledInAnyStepTheLessonGoesOn)
{
    std::vector<std::future<void>> all;
    for (const std::string& name : playedLessons())
        all.push_back(std::async(std::launch::async,
                                 [name] { loseNothing(loadLesson(name).value(), Ended::client, maker()); }));
    for (std::future<void>& one : all)
        one.get();
}

TEST_F(LessonPlay, WhenTheServerIsKilledInTheOpeningTheLessonGoesOn)
{
    loseNothing(loadLesson("opening").value(), Ended::everything, runOnItsOwnServer);
}

// Its servers take minutes: tests/lessons.
TEST_F(LessonPlay, DISABLED_WhenTheServerIsKilledInEveryLessonItGoesOn)
{
    for (const std::string& name : playedLessons()) {
        const Lesson lesson = loadLesson(name).value();
        auto server =
            std::async(std::launch::async, [&] { loseNothing(lesson, Ended::server, runOnItsOwnServer); });
        loseNothing(lesson, Ended::everything, runOnItsOwnServer);
        server.get();
    }
}

} // namespace
} // namespace lockscope::lesson
