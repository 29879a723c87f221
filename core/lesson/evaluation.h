// Evaluates metrics and conditions on the events of a run, each with the event that proves it. One thread.
#pragma once

#include "core/lesson/lesson.h"
#include "core/replay/fold/reducer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lesson {

// A run up to some moment, at most to the last published event.
class RunView
{
public:
    explicit RunView(std::shared_ptr<const trace::TraceStore> store);

    // Folds what is published; `inspect` after each event.
    void advance(const std::function<void(const trace::Event&)>& inspect = {});
    void mark() { m_mark = m_position; } // metrics "since" count from here

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

// The value of a metric.
struct Value
{
    std::uint64_t number = 0;         // of a metric of clients: how many
    std::vector<std::string> clients; // in the order of the run
    bool known = true;                // false: no value, as the time until an event that never came
    // The event that proves it; for an absence, the last event (of the client, if given).
    EventIndex proof = EventIndex::none();
    // From events up to the proof; else it is of the moment of the evaluation, as every absence.
    bool counted = false;
    bool operator==(const Value&) const = default;
};
Value evaluate(const Metric& metric, const RunView& run);

struct ConditionResult
{
    bool holds = false;
    // Of the last predicate if it holds, else of the first that does not.
    EventIndex proof = EventIndex::none();
    bool counted = false; // as in the value of that one
};
ConditionResult evaluate(const Condition& condition, const RunView& run);

class MetricEvaluator;

// Evaluates a condition again and again while the run grows: each time it reads only the events since the
// time before. Both must outlive it, and the mark must stay.
class ConditionEvaluator
{
public:
    ConditionEvaluator(const Condition& condition, const RunView& run);
    ~ConditionEvaluator();
    ConditionEvaluator(const ConditionEvaluator&) = delete;
    ConditionEvaluator& operator=(const ConditionEvaluator&) = delete;
    ConditionResult evaluate();

private:
    const Condition& m_condition;
    std::vector<MetricEvaluator> m_measures; // of its predicates
};

// A bet, of the kind of its question.
struct Bet
{
    std::size_t option = 0;
    std::uint64_t number = 0;
    std::vector<std::string> clients; // in any order; empty: no client
    bool operator==(const Bet&) const = default;
};

// The run's answer to a question.
struct Answer
{
    std::optional<Bet> is; // none: no option holds, or no value
    EventIndex proof = EventIndex::none();
    // The number of events after which it is seen: up to the proof, or up to the evaluation where it is of
    // that moment.
    std::size_t moment = 0;
    bool operator==(const Answer&) const = default;
};
Answer answer(const Question& question, const RunView& run);
bool isRight(const Question& question, const Bet& bet, const Answer& answer);
// A bet that differs from the run's answer.
Bet wrongBet(const Question& question, const Answer& answer, const RunView& run);

// The option's text, the number, or the names with commas, in one language.
std::string words(const Question& question, const Bet& bet, bool chinese);
// The proving event in words: "42  312.5 ms  bo  acquired ...".
std::string words(const RunView& run, EventIndex event);

} // namespace lockscope::lesson
