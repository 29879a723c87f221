// What a run says of itself: measures and conditions evaluated on its events, each with the event that proves it.
// The lesson's author has no say in it. One thread.
#pragma once

#include "core/lesson/lesson.h"
#include "core/replay/fold/reducer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lesson {

// A run up to some moment: what has been published so far, or less.
class RunView
{
public:
    explicit RunView(std::shared_ptr<const trace::TraceStore> store);

    // Folds what is published; `look` after each event, until it returns false.
    void advance(const std::function<bool(const trace::Event&)>& inspect = {});
    void seek(std::size_t count); // forward only; clamped to what is published
    void mark() { m_mark = m_position; } // measures that say "since" count from here

    const trace::TraceStore& store() const { return *m_store; }
    const replay::RunState& state() const { return m_state; }
    std::size_t position() const { return m_position; } // events folded
    std::size_t marked() const { return m_mark; }

    const replay::ClientRow* client(std::string_view name) const;
    std::string nameOf(ClientId client) const;

private:
    std::shared_ptr<const trace::TraceStore> m_store;
    replay::RunState m_state;
    std::size_t m_position = 0;
    std::size_t m_mark = 0;
};

// What a measure comes to.
struct Value
{
    std::uint64_t number = 0;         // of a measure that names clients: how many
    std::vector<std::string> clients; // by their order in the run
    bool known = true;                // false: there is no such value, as the time until what never came
    EventIndex proof = EventIndex::none(); // the event that made it so; of nothing: the last one of who is named, or of anybody
    bool operator==(const Value&) const = default;
};
Value evaluate(const Measure& measure, const RunView& run);

struct ConditionResult
{
    bool holds = false;
    EventIndex proof = EventIndex::none(); // of the last comparison when it holds, of the first that does not
};
ConditionResult evaluate(const Condition& condition, const RunView& run);

// A bet as it is made. Of the kind of its question.
struct Bet
{
    std::size_t option = 0;
    std::uint64_t number = 0;
    std::vector<std::string> clients; // in any order; empty: nobody
    bool operator==(const Bet&) const = default;
};

// The run's own answer to a question.
struct Answer
{
    std::optional<Bet> is; // none: not one of the options, or nothing that can be said
    EventIndex proof = EventIndex::none();
    bool operator==(const Answer&) const = default;
};
Answer answer(const Question& question, const RunView& run);
bool isRight(const Question& question, const Bet& bet, const Answer& answer);
// Something else than the run's answer: what who is mistaken bets.
Bet wrongBet(const Question& question, const Answer& answer, const RunView& run);

// The option's text, the number, or the names with commas, in one language.
std::string words(const Question& question, const Bet& bet, bool chinese);
// The proving event in words: "42  312.5 ms  bo  acquired ...".
std::string words(const RunView& run, EventIndex event);

} // namespace lockscope::lesson
