// A lesson: steps that say something, run a scenario, and let the learner predict or do. What is right is never
// written in it: bets and goals are conditions that are evaluated on the run. Read from TOML (built-in or file). A
// plain value.
#pragma once

#include "core/base/error.h"
#include "core/lesson/condition.h"
#include "core/sim/scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::lesson {

// A text for the learner. *This* is emphasized; nothing else is marked up.
struct Text
{
    std::string english;
    std::string chinese; // may be empty in somebody's own lesson
    const std::string& in(bool wantsChinese) const
    {
        return wantsChinese && !chinese.empty() ? chinese : english;
    }
    bool empty() const { return english.empty(); }
    bool operator==(const Text&) const = default;
};

// What a step points at.
struct Pointer
{
    enum class Kind : std::uint8_t { client, node, handoff, card };
    Kind kind = Kind::client;
    std::string name; // of the client (also of a node: its owner's), or of the card; handoff: the last one
    bool operator==(const Pointer&) const = default;
};

struct Option
{
    Text text;
    Condition when; // the run says so
    bool operator==(const Option&) const = default;
};

// A prediction. After it was made the run goes on, and says itself what is so.
struct Question
{
    enum class Kind : std::uint8_t { options, number, who };
    Kind kind = Kind::options;
    Text text;
    std::vector<Option> options;        // options: the run's answer is the first that holds
    std::optional<Measure> measure;     // number, who
    std::vector<sim::Action> actions;       // carried out when the bet is made
    std::optional<sim::Trigger> then;      // the run goes on until this; none: it is asked about the moment
    Duration within = std::chrono::seconds(10); // and no longer: what has not happened by then is judged so
    bool operator==(const Question&) const = default;
};

// One line of a solution: at once, or when its moment has come.
struct SolutionLine
{
    std::optional<sim::Trigger> when;
    sim::Action action;
    bool operator==(const SolutionLine&) const = default;
};

// Something to bring about, by any means.
struct Task
{
    Text text;
    Condition goal; // at some moment from the beginning of the task on
    std::vector<Text> hints;
    std::vector<SolutionLine> solution; // one way, for who plays a lesson without hands
    bool operator==(const Task&) const = default;
};

// Where a step leads, by its outcome: the first that holds. None: to the next one.
struct Branch
{
    enum class Outcome : std::uint8_t { right, wrong, condition };
    Outcome outcome = Outcome::right; // right: the bet, or the task is done; wrong: the bet
    Condition when;
    std::string step;
    bool operator==(const Branch&) const = default;
};

struct Step
{
    std::string name;
    Text title;
    Text text;
    Text after;   // said when the run has answered, or the goal is reached
    Text learned; // one sentence that the learner knows from now on; may be empty
    std::optional<sim::Scenario> scenario; // run from its beginning for this step; none: it only says something
    std::optional<sim::Trigger> until;        // the run stops here, and the step begins
    std::vector<std::string> cards;        // shown, in this order; empty: as in the step before
    std::vector<Pointer> pointers;
    std::optional<Question> question;
    std::optional<Task> task;
    std::vector<Branch> next;
    bool operator==(const Step&) const = default;
};

struct Lesson
{
    std::string name; // "queue", or the file's stem
    Text title;
    Text about; // one line
    std::uint32_t minutes = 10;
    std::vector<Step> steps; // at least one; their names are distinct
    bool operator==(const Lesson&) const = default;
};

// The cards there are to be shown and pointed at, as the window names them: chain, timeline, ladder, ...
const std::vector<std::string_view>& cardNames();

using sim::BuiltIn;
const std::vector<BuiltIn>& builtIns(); // in the order in which they are to be learned

// Errors: badUsage with "file:line:column: found ..., expected ...".
Result<Lesson> parseLesson(std::string_view toml, std::string_view fileName);
// A built-in's name or a path to a .toml file.
Result<Lesson> loadLesson(const std::string& nameOrPath);

} // namespace lockscope::lesson
