// The proof of a recipe that is data: all schedules of a few clients, on threads of its own, beside a window.
// The functions of a Proof: one thread.
#pragma once

#include "core/explore/built_lock.h"
#include "core/explore/counterexample.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace lockscope::explore {

// A rule of a lock, as the checker calls it. It is written once: here.
struct RuleText
{
    std::string_view name; // "S1"
    Message title;         // "One holder at a time"
    Message meaning;       // a sentence
    Message violation;     // what its breach is: "an orphan node"
};
const RuleText& ruleNamed(std::string_view name); // a rule that a Violation names

struct ProofOptions
{
    std::uint32_t clients = 2;
    std::uint32_t faults = 1;                    // at most
    std::vector<StepKind> kinds = usualFaults(); // of them
    unsigned threads = 1;                        // at least 1
    std::chrono::milliseconds most{0};           // of real time; 0: no bound
    std::chrono::milliseconds shortest{0};       // how long to look for the shortest counterexample
};

struct ProofResult
{
    Workload workload; // of `found`; its recipe lives as long as this
    std::shared_ptr<const Recipe> recipe;
    SearchResult search;                      // search.end == SearchEnd::all: the rules hold in all schedules
    std::optional<Counterexample> found;      // a rule is violated
    std::shared_ptr<trace::TraceStore> trace; // of `found`, to be opened in every view; null: none
    EventIndex breach = EventIndex::none();   // in `trace`
};

// A sentence: that a herd is one.
Message herdText();
// One sentence or more: that the rules hold, in how many schedules, and whether these were all; or which rule
// is violated, and what that does to the data. A herd is said to be one.
Message verdictOf(const BuiltRecipe& recipe, const ProofResult& result);

Workload workloadOf(const Recipe& recipe, const ProofOptions& options);
// Blocks until it is done.
ProofResult prove(const BuiltRecipe& recipe, const ProofOptions& options,
                  const std::function<void(const SearchCount&)>& onProgress = {},
                  const std::function<bool()>& cancelled = {});

class Proof
{
public:
    Proof(const BuiltRecipe& recipe, const ProofOptions& options); // begins at once
    ~Proof();                                                      // cancels, and waits for the thread
    Proof(const Proof&) = delete;
    Proof& operator=(const Proof&) = delete;

    SearchCount progress() const; // so far; renewed about once a second
    void cancel();                // the result says how far it came
    void wait();                  // until it is done
    // Null until it is done; lives as long as the proof.
    const ProofResult* result() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace lockscope::explore
