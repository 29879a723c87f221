// Which steps lead to a moment of a recorded run, so that a new run can be brought there: those that were
// taken by hand, and between them those that requests, replies and grants tell of. A new run in which every
// client is held and the same steps are taken one at a time comes to the same queue, the same holder and the
// same place in every client. Pure; any thread that may read the store.
#pragma once

#include "core/base/error.h"
#include "core/sim/scenario/scenario.h"
#include "core/trace/store.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::sim {

// Why steps alone do not lead to a moment.
struct StepObstacle
{
    enum class Kind : std::uint8_t {
        noScenario,     // the trace does not say which scenario it is of
        severalServers, // which of them answers decides what a list says
        timeLimit,      // clients give up after a time
        notHeld,        // with this recipe only steps taken by hand are known; since then somebody was not held
        tooManySteps,   // more than kMaxSteps
        fault,          // `what`, the verb of a command, was done to `who`
        left,           // `who` left before its time
        noContact,      // `who` was without its connection or session
        failed,         // `who` did not get what it asked for, or lost it
        foreignNode,    // `what` in the queue is of another program
        timeIsUp,       // the scenario's duration has passed: clients begin nothing any more
        over            // the run has ended
    };
    Kind kind{};
    EventIndex since = EventIndex::none(); // the event that brought it about; none: it is there from the start
    std::string who{};
    std::string what{};

    Message text() const; // a sentence
    bool operator==(const StepObstacle&) const = default;
};

class StepOrder
{
public:
    static constexpr std::size_t kMaxSteps = 20'000;

    explicit StepOrder(std::shared_ptr<const trace::TraceStore> store);
    StepOrder(const StepOrder&) = delete;
    StepOrder& operator=(const StepOrder&) = delete;

    const trace::TraceStore& store() const { return *m_store; }
    // Why the state behind the first `events` events cannot be had again; none: it can. Reads what was
    // published and not read yet, up to there.
    std::optional<StepObstacle> obstacle(std::size_t events);
    // The steps that lead to that state, in order. Empty for a moment that has an obstacle.
    std::vector<TakenStep> steps(std::size_t events);
    // The scenario with these steps; behind them everybody is held when `stay`, and runs free otherwise.
    // Error badInput with the obstacle's sentence.
    Result<Scenario> scenario(std::size_t events, bool stay);

private:
    void checkScenario();
    void checkEvent(std::size_t index);

    std::shared_ptr<const trace::TraceStore> m_store;
    std::optional<Scenario> m_scenario;
    bool m_derivable = false; // steps that nobody took by hand are known from what they did
    std::size_t m_read = 0;
    std::size_t m_effects = 0;
    std::optional<TraceTime> m_begun;        // the run proper
    std::optional<StepObstacle> m_obstacle;  // the first; it binds every later moment, too
    std::vector<std::string> m_names;        // by client
    std::vector<bool> m_done;                // by client: all its cycles are
};

// Those among the first `events` events that were let go by hand, in order.
std::vector<TakenStep> manualSteps(const trace::TraceStore& store, std::size_t events);

} // namespace lockscope::sim
