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

// The state of a run after its first position() events.
class RunView
{
public:
    explicit RunView(std::shared_ptr<const trace::TraceStore> store);

    // Folds the events published since the last call, and calls `inspect` after each.
    void advance(const std::function<void(const trace::Event&)>& inspect = {});
    void mark() { m_mark = m_position; } // metrics with "since" count from here

    const trace::TraceStore& store() const { return *m_store; }
    const replay::RunState& state() const { return m_state; }
    std::size_t position() const { return m_position; } // number of events folded
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
    std::uint64_t number = 0;         // for a metric of clients: their number
    std::vector<std::string> clients; // in the order of their ids
    bool known = true; // false: no value, such as the time until an event that has not occurred
    // The event that proves the value; for an absence, the last event of the metric's client (or of any
    // client).
    EventIndex proof = EventIndex::none();
    // The value was counted from events up to the proof. Otherwise, and for an absence, it describes the
    // moment of the evaluation.
    bool counted = false;
    bool operator==(const Value&) const = default;
};
Value evaluate(const Metric& metric, const RunView& run);

struct ConditionResult
{
    bool holds = false;
    // Of the last predicate if the condition holds, otherwise of the first predicate that does not.
    EventIndex proof = EventIndex::none();
    bool counted = false; // as Value::counted, of the same predicate
};
ConditionResult evaluate(const Condition& condition, const RunView& run);

class MetricEvaluator;

// Evaluates a condition repeatedly while the run grows; each evaluation reads only the new events. The
// condition and the run must outlive the evaluator, and the mark must not change.
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

// The request that a pointer at a message means; none: it was not sent yet.
EventIndex messageOf(const Pointer& pointer, const RunView& run);

// A bet; the kind of its question selects the field.
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
    // The number of events after which the answer is visible: up to the proof if it was counted, otherwise up
    // to the evaluation.
    std::size_t moment = 0;
    bool operator==(const Answer&) const = default;
};
Answer answer(const Question& question, const RunView& run);
bool isRight(const Question& question, const Bet& bet, const Answer& answer);
// A bet that differs from the run's answer.
Bet wrongBet(const Question& question, const Answer& answer, const RunView& run);

// The option's text, the number, or the names with commas, in one language.
std::string words(const Question& question, const Bet& bet, bool chinese);
// The misconception that a wrong bet betrays; null: none is named.
const Text* betrayedBy(const Question& question, const Bet& bet, const Answer& answer);
// The measures of a condition with their values, such as "holder is ada, not bo".
std::string words(const Condition& condition, const RunView& run);
// An event in words, such as "event 42 at 312.5 ms, bo: acquired ..."; empty for an invalid index.
std::string words(const RunView& run, EventIndex event);

} // namespace lockscope::lesson
