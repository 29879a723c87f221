// A lesson: steps with a text, a run of a scenario, and a bet or a task. It contains no answers: bets and
// goals are conditions that are evaluated on the run. Read from TOML (built-in or file). A plain value.
#pragma once

#include "core/base/error.h"
#include "core/explore/built_recipe.h"
#include "core/explore/step.h"
#include "core/lesson/condition.h"
#include "core/sim/scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::lesson {

// A text for the learner. *Emphasis* is the only markup.
struct Text
{
    std::string english;
    std::string chinese; // may be empty in a user's lesson
    const std::string& in(bool wantsChinese) const
    {
        return wantsChinese && !chinese.empty() ? chinese : english;
    }
    bool empty() const { return english.empty(); }
    bool operator==(const Text&) const = default;
};

// The thing that a step points at.
struct Pointer
{
    enum class Kind : std::uint8_t { client, node, handoff, card, message };
    Kind kind = Kind::client;
    // Of the client, the node's owner, the card or the message's sender; empty for a handoff, always the
    // last.
    std::string name;
    Operation op{}; // message: the client's first request of this operation since the mark, else its last one
    bool operator==(const Pointer&) const = default;
};

struct Option
{
    Text text;
    Condition when; // the option is right when this holds
    Text betrays;   // the misconception of those who bet on it wrongly; may be empty
    bool operator==(const Option&) const = default;
};

// A prediction. After the bet, the run continues and provides the answer.
struct Question
{
    enum class Kind : std::uint8_t { options, number, who };
    Kind kind = Kind::options;
    Text text;
    std::vector<Option> options;      // options: the answer is the first that holds
    std::optional<Metric> metric;     // number, who
    std::vector<sim::Action> actions; // executed when the bet is made
    std::optional<sim::Trigger> then; // the run continues until this; none: answered at once
    Duration within =
        std::chrono::seconds(10); // the longest time until `then`; the answer is evaluated after it
    bool operator==(const Question&) const = default;
};

// One line of a solution: an action, executed at once or when its trigger fires.
struct SolutionLine
{
    std::optional<sim::Trigger> when;
    sim::Action action;
    bool operator==(const SolutionLine&) const = default;
};

// One move of a puzzle: "serve ada", "node-deleted 0", "time".
struct PuzzleMove
{
    explore::StepKind kind{};
    std::string client;    // empty: of none
    std::uint8_t node = 0; // nodeDeleted: counted from the first that was ever made
    bool operator==(const PuzzleMove&) const = default;
};
std::string wordsOf(const PuzzleMove& move);
// None for any other text.
std::optional<PuzzleMove> parseMove(std::string_view text);

// The faults of a simulated world.
struct Faults
{
    std::vector<explore::StepKind> kinds;
    std::uint32_t most = 0; // so many may happen in all
    bool operator==(const Faults&) const = default;
};

// A simulated world in which the learner decides what happens next: the clients ada, bo, ... acquire and
// release a lock once.
struct Puzzle
{
    std::string recipe = "mutex"; // a name that core/explore knows
    std::string mistake;          // of allFlaws(); empty: the recipe is right
    std::uint32_t clients = 2;
    Faults faults;
    std::vector<std::string> readers; // of a read/write lock
    bool atEnd = false;               // the goal counts only when nothing else can happen any more
    std::vector<PuzzleMove> solution; // the shortest known
    bool operator==(const Puzzle&) const = default;
};

// Another option of one of a recipe's choices: "protected true".
struct MendChange
{
    explore::Choice choice{};
    std::uint8_t option = 0;
    bool operator==(const MendChange&) const = default;
};
std::string wordsOf(const MendChange& change);
// None for any other text.
std::optional<MendChange> parseChange(std::string_view text);
explore::BuiltRecipe withChange(explore::BuiltRecipe recipe, const std::optional<MendChange>& change);

// A recipe that breaks. The learner changes one of its choices until it holds in all schedules.
struct Mend
{
    explore::BuiltRecipe recipe;
    std::uint32_t clients = 2;
    Faults faults;
    MendChange solution; // a change with which it holds
    bool operator==(const Mend&) const = default;
};

// A goal to reach, by any means.
struct Task
{
    Text text;
    Condition goal; // must hold at some moment after the task began; of `mend`: empty
    std::vector<Text> hints;
    std::vector<SolutionLine> solution; // one way to reach the goal, for play()
    // With one of these the step has no scenario, and `solution` is empty.
    std::optional<Puzzle> puzzle;
    std::optional<Mend> mend;
    bool operator==(const Task&) const = default;
};

// A sentence about what the learner's run did, shown beside Step::after when the condition holds.
struct Remark
{
    Condition when;
    Text text;
    bool operator==(const Remark&) const = default;
};

// Selects the next step by the outcome. The first branch that applies counts; without one, the next in order.
struct Branch
{
    enum class Outcome : std::uint8_t { right, wrong, condition };
    Outcome outcome = Outcome::right; // right: the bet is right, or the task is done
    Condition when;
    std::string step;
    bool operator==(const Branch&) const = default;
};

struct Step
{
    std::string name;
    Text title;
    Text text;
    Text after;                  // shown after the answer, or when the goal is reached, if afterWhen holds
    Condition afterWhen;         // evaluated at that moment; empty: always holds
    std::vector<Remark> remarks; // shown after the answer, or when the goal is reached, each if it holds then
    Text learned;                // one sentence for the list of things learned; may be empty
    std::optional<sim::Scenario> scenario; // run from its beginning for this step; none: text only
    std::optional<sim::Trigger> until;     // the run pauses here, and the step begins
    std::vector<std::string> cards;        // to show, in this order; empty: as in the step before
    std::vector<Pointer> pointers;
    std::optional<Question> question;
    std::optional<Task> task;
    std::vector<Branch> next;

    bool isOnlyRead() const { return !question && !task; }
};

struct Lesson
{
    std::string name; // "queue", or the file's stem
    Text title;
    Text about; // one line
    std::uint32_t minutes = 10;
    std::vector<Step> steps; // at least one; their names are distinct
};

// The names of the window's cards: chain, timeline, protocol, ...
const std::vector<std::string_view>& cardNames();
// The name of a view under which it was known before, or the name itself.
std::string viewName(const std::string& name);

using sim::BuiltIn;
const std::vector<BuiltIn>& builtIns(); // in the order of learning

// Errors: badUsage with "file:line:column: found ..., expected ...".
Result<Lesson> parseLesson(std::string_view toml, std::string_view fileName);
// A built-in's name or a path to a .toml file.
Result<Lesson> loadLesson(const std::string& nameOrPath);

} // namespace lockscope::lesson
