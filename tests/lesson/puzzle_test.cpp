// Puzzles: the learner decides what happens next in a simulated world.
#include "core/lesson/play_through.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <string_view>
#include <unordered_set>

namespace lockscope::lesson {
namespace {

using explore::StepKind;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

RunFactory noRun()
{
    return [](const sim::Scenario&) -> std::unique_ptr<RunHandle> {
        ADD_FAILURE() << "a puzzle needs no run";
        return nullptr;
    };
}

// A lesson that consists of this puzzle.
Lesson lessonOf(const std::string& goal, const std::string& puzzle)
{
    return parseLesson("title = \"P\"\n[[step]]\nname = \"p\"\ntext = \"Look.\"\n[step.task]\ntext = "
                       "\"Do.\"\ngoal = \"" +
                           goal + "\"\n[step.task.puzzle]\n" + puzzle,
                       "p.toml")
        .value();
}

constexpr const char* kOverlooks = "mistake = \"overlooksFirst\"\nsolution = [\"serve ada\"]\n";

const PuzzleGame::Move* find(const std::vector<PuzzleGame::Move>& moves, std::string_view words)
{
    const auto found = std::ranges::find(moves, words, [](const auto& move) { return wordsOf(move.is); });
    return found == moves.end() ? nullptr : &*found;
}

bool take(Player& player, std::string_view words)
{
    const std::vector<PuzzleGame::Move> moves = player.puzzle()->moves();
    const PuzzleGame::Move* move = find(moves, words);
    EXPECT_TRUE(move) << words;
    return move && player.move(move->step);
}

TEST(Puzzle, OffersWhatCanHappenAndSaysItInWords)
{
    const Lesson lesson =
        lessonOf("believers is more than 1", "faults = [\"connection-lost\", \"node-deleted\"]\n"
                                             "most_faults = 2\nsolution = [\"serve ada\"]\n");
    Player player(lesson, noRun());
    ASSERT_TRUE(player.puzzle());
    EXPECT_EQ(player.record().stage, Stage::doing);
    const std::vector<PuzzleGame::Move> moves = player.puzzle()->moves();
    std::vector<std::string> words;
    for (const PuzzleGame::Move& move : moves) {
        words.push_back(wordsOf(move.is));
        EXPECT_EQ(parseMove(words.back()), move.is);
    }
    EXPECT_EQ(words, (std::vector<std::string>{"serve ada", "serve bo", "connection-lost ada",
                                               "connection-lost bo"}));
    EXPECT_EQ(moves[0].text, "ZooKeeper executes: create");
    EXPECT_EQ(moves[3].text, "bo loses its connection, and what is under way to it");
    take(player, "serve bo");
    const std::vector<PuzzleGame::Move> then = player.puzzle()->moves();
    const PuzzleGame::Move* hears = find(then, "deliver bo");
    ASSERT_TRUE(hears);
    EXPECT_EQ(hears->text, "The reply to create reaches it: node 0");
    const PuzzleGame::Move* deletes = find(then, "node-deleted 0");
    ASSERT_TRUE(deletes);
    EXPECT_EQ(deletes->text, "An administrator deletes node 0");
    EXPECT_EQ(player.record().run->state().locks.front().queue.size(), 1U) << "every view can show it";
    take(player, "connection-lost ada");
    EXPECT_EQ(player.puzzle()->faultsLeft(), 1U);
}

TEST(Puzzle, IsDoneWhenTheGoalIsReachedAndCountsTheMoves)
{
    const Lesson lesson = lessonOf("nodes is 2", kOverlooks);
    Player player(lesson, noRun());
    EXPECT_FALSE(take(player, "serve bo"));
    EXPECT_TRUE(take(player, "serve ada"));
    EXPECT_EQ(player.record().stage, Stage::done);
    EXPECT_EQ(player.record().moves, 2U);
    EXPECT_TRUE(player.record().reached && player.record().right(player.step()));
    player.takeBack();
    EXPECT_EQ(player.record().stage, Stage::done) << "what is done is not taken back";
}

TEST(Puzzle, AMoveIsTakenBackAndTheRestIsAsBefore)
{
    const Lesson lesson = lessonOf("believers is 2", kOverlooks);
    Player player(lesson, noRun());
    for (const char* move : {"serve bo", "deliver bo", "serve ada"})
        take(player, move);
    const explore::Fingerprint before = player.puzzle()->fingerprint();
    const auto trace = player.puzzle()->trace();
    take(player, "deliver ada");
    player.takeBack();
    EXPECT_EQ(player.puzzle()->taken().size(), 3U);
    EXPECT_EQ(player.puzzle()->fingerprint(), before);
    EXPECT_NE(player.puzzle()->trace(), trace);
    EXPECT_EQ(&player.record().run->store(), player.puzzle()->trace().get());
    EXPECT_EQ(player.record().run->position(), player.puzzle()->trace()->count());
    for (int i = 0; i < 5; ++i)
        player.takeBack();
    EXPECT_THAT(player.puzzle()->taken(), IsEmpty());
    EXPECT_EQ(player.record().run->marked(), player.record().run->position());
}

TEST(Puzzle, AGoalAtTheEndCountsOnlyWhenNothingElseCanHappen)
{
    const std::string puzzle = "clients = 1\nsolution = [\"serve ada\"]\n";
    const Lesson early = lessonOf("believers is ada", puzzle);
    const Lesson late = lessonOf("believers is no client", puzzle + "at_end = true\n");
    for (const Lesson* lesson : {&early, &late}) {
        Player player(*lesson, noRun());
        int moves = 0;
        while (player.record().stage == Stage::doing && !player.puzzle()->isOver() && moves < 50) {
            player.move(player.puzzle()->moves().front().step);
            ++moves;
        }
        EXPECT_EQ(player.record().stage, Stage::done);
        EXPECT_EQ(player.puzzle()->isOver(), lesson == &late);
    }
}

// ---- those of the built-in lessons ----

struct BuiltInPuzzle
{
    std::string name;
    std::shared_ptr<const Lesson> lesson;
    std::size_t at = 0;

    const Task& task() const { return *lesson->steps[at].task; }
};

std::vector<BuiltInPuzzle> builtInPuzzles()
{
    std::vector<BuiltInPuzzle> all;
    for (const BuiltIn& builtIn : builtIns()) {
        const auto lesson = std::make_shared<const Lesson>(loadLesson(std::string(builtIn.name)).value());
        for (std::size_t i = 0; i < lesson->steps.size(); ++i)
            if (lesson->steps[i].task && lesson->steps[i].task->puzzle)
                all.push_back({lesson->steps[i].name, lesson, i});
    }
    return all;
}

// Plays these moves, without those that are not possible when their turn comes. How many it took to the goal.
std::optional<std::size_t> movesToGoal(const BuiltInPuzzle& puzzle, const std::vector<PuzzleMove>& moves)
{
    Player player(*puzzle.lesson, noRun(), puzzle.at);
    for (const PuzzleMove& one : moves) {
        const std::vector<PuzzleGame::Move> possible = player.puzzle()->moves();
        const PuzzleGame::Move* move = find(possible, wordsOf(one));
        if (move && player.move(move->step))
            return player.record().moves;
    }
    return std::nullopt;
}

TEST(BuiltInPuzzles, AreAtLeastEight) { EXPECT_GE(builtInPuzzles().size(), 8U); }

TEST(BuiltInPuzzles, AreSolvedByTheirSolutionsOfWhichNoMoveCanBeLeftOut)
{
    for (const BuiltInPuzzle& puzzle : builtInPuzzles()) {
        const std::vector<PuzzleMove>& solution = puzzle.task().puzzle->solution;
        EXPECT_EQ(movesToGoal(puzzle, solution), solution.size()) << puzzle.name;
        for (std::size_t i = 0; i < solution.size(); ++i) {
            std::vector<PuzzleMove> fewer = solution;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            EXPECT_EQ(movesToGoal(puzzle, fewer), std::nullopt) << puzzle.name << " without " << i;
        }
    }
}

struct HashOfState
{
    std::size_t operator()(const explore::Fingerprint& state) const { return state.low; }
};

// Breadth first, once from each state: the number of moves to the goal when it is at most `most`.
std::optional<std::size_t> shortestWay(const BuiltInPuzzle& puzzle, std::size_t most)
{
    std::unordered_set<explore::Fingerprint, HashOfState> seen;
    std::deque<explore::Steps> open{{}};
    while (!open.empty() && open.front().size() <= most) {
        const explore::Steps steps = std::move(open.front());
        open.pop_front();
        Player player(*puzzle.lesson, noRun(), puzzle.at);
        for (const explore::Step& step : steps)
            player.move(step);
        if (player.record().stage == Stage::done)
            return steps.size();
        if (!seen.insert(player.puzzle()->fingerprint()).second)
            continue;
        for (const PuzzleGame::Move& move : player.puzzle()->moves()) {
            open.push_back(steps);
            open.back().push_back(move.step);
        }
    }
    return std::nullopt;
}

// The others take minutes: by hand, with their names in LOCKSCOPE_PUZZLES (tests/README.md).
TEST(BuiltInPuzzles, HaveNoShorterWay)
{
    const char* const names = std::getenv("LOCKSCOPE_PUZZLES");
    std::size_t searched = 0;
    for (const BuiltInPuzzle& puzzle : builtInPuzzles()) {
        const std::size_t known = puzzle.task().puzzle->solution.size();
        if (names ? std::string_view(names).find(puzzle.name) == std::string_view::npos : known > 10)
            continue;
        EXPECT_EQ(shortestWay(puzzle, known), known) << puzzle.name;
        ++searched;
    }
    EXPECT_GT(searched, 0U);
}

TEST(BuiltInPuzzles, ArePlayedWithoutALearner)
{
    for (const BuiltInPuzzle& puzzle : builtInPuzzles()) {
        Player player(*puzzle.lesson, noRun(), puzzle.at);
        const PlayedStep played = playStep(player, {});
        EXPECT_TRUE(played.ended && player.record().right(player.step())) << puzzle.name;
    }
}

// ---- mistakes in the file ----

struct Wrong
{
    const char* puzzle;
    const char* said;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.puzzle; }

class PuzzleMistakes : public testing::TestWithParam<Wrong>
{};
INSTANTIATE_TEST_SUITE_P(
    Files, PuzzleMistakes,
    testing::Values(
        Wrong{"recipe = \"mutexx\"", "p.toml:8:10: found 'mutexx', expected a recipe: mutex, read-write"},
        Wrong{"mistake = \"none\"", "expected a mistake: noGuidSearch"},
        Wrong{"faults = [\"pause\"]", "a list of kinds of fault: connection-lost"},
        Wrong{"faults = [\"serve\"]", "a list of kinds of fault"}, Wrong{"clients = 5", "found 5"},
        Wrong{"readers = [\"bo\"]\nsolution = []", "a recipe with readers beside it"},
        Wrong{"clients = 2", "a puzzle without a solution"}, Wrong{"solution = [\"serve zoe\"]", "\"zoe\""},
        Wrong{"solution = [\"apply ada\"]", "a list of moves"},
        Wrong{"solution = [\"node-deleted x\"]", "a list of moves"},
        Wrong{"solution = [\"time ada\"]", "a list of moves"}));

TEST_P(PuzzleMistakes, AreReportedWithTheirPlace)
{
    const Result<Lesson> lesson =
        parseLesson(std::string("title = \"P\"\n[[step]]\ntext = \"Look.\"\n[step.task]\ntext = \"Do.\"\n"
                                "goal = \"nodes is 1\"\n[step.task.puzzle]\n") +
                        GetParam().puzzle + "\n",
                    "p.toml");
    ASSERT_FALSE(lesson);
    EXPECT_THAT(lesson.error().text(), HasSubstr("p.toml:"));
    EXPECT_THAT(lesson.error().text(), HasSubstr(GetParam().said));
}

TEST(PuzzleStep, HasNothingOfARunOnAServer)
{
    const Result<Lesson> lesson = parseLesson(
        "title = \"P\"\n[[step]]\ntext = \"Look.\"\nuntil = \"when ada holds\"\n[step.task]\ntext = \"Do.\"\n"
        "goal = \"nodes is 1\"\n[step.task.puzzle]\nsolution = [\"serve ada\"]\n",
        "p.toml");
    ASSERT_FALSE(lesson);
    EXPECT_THAT(lesson.error().text(), HasSubstr("p.toml:4:9"));
}

} // namespace
} // namespace lockscope::lesson
