// The steps that lead to a moment of a recorded run: the manual ones, and between them those that requests,
// replies and grants prove. A new run in which every client is held and the same steps are taken one at a
// time reaches the same queue, the same holder and the same position of every client. Pure; any thread that
// may read the store.
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

// Why steps alone cannot lead to a moment.
struct StepBlocker
{
    enum class Kind : std::uint8_t {
        noScenario,     // the trace has no scenario
        severalServers, // the server that answers decides what a list contains
        timeLimit,      // clients give up waiting after a time
        notHeld,        // only manual steps of this recipe are known, and not all clients were held
        tooManySteps,   // more than kMaxSteps
        fault,          // the command `what` was executed on `who`
        left,           // `who` left before its end
        noContact,      // `who` lost its connection or session
        failed,         // a request or an acquire of `who` failed, or it lost its node or hold
        foreignNode,    // the node `what` belongs to another program
        timeIsUp,       // the scenario's duration has passed: no client starts a cycle
        over            // the run has ended
    };
    Kind kind{};
    EventIndex since = EventIndex::none(); // the event that caused it; none: it applies from the start
    std::string who{};
    std::string what{};

    Message text() const; // a sentence
    bool operator==(const StepBlocker&) const = default;
};

class StepOrder
{
public:
    static constexpr std::size_t kMaxSteps = 20'000;

    explicit StepOrder(std::shared_ptr<const trace::TraceStore> store);
    StepOrder(const StepOrder&) = delete;
    StepOrder& operator=(const StepOrder&) = delete;

    const trace::TraceStore& store() const { return *m_store; }
    // Why the state after the first `events` events cannot be reached again; none: it can. Reads the
    // published events up to there that it has not read yet.
    std::optional<StepBlocker> blocker(std::size_t events);
    // The steps to that state, in order. Empty when there is a blocker.
    std::vector<TakenStep> steps(std::size_t events);
    // The scenario with these steps; afterwards all clients stay held if `stay`, otherwise they continue.
    // Error: badInput with the blocker's sentence.
    Result<Scenario> scenario(std::size_t events, bool stay);

private:
    void checkScenario();
    void checkEvent(std::size_t index);

    std::shared_ptr<const trace::TraceStore> m_store;
    std::optional<Scenario> m_scenario;
    bool m_derivable = false; // steps that were not manual can be derived from their effects
    std::size_t m_read = 0;
    std::size_t m_effects = 0;
    std::optional<TraceTime> m_begun;     // when the clients started
    std::optional<StepBlocker> m_blocker; // the first; it applies to every later moment
    std::vector<std::string> m_names;     // by client
    std::vector<bool> m_done;             // by client: all its cycles are done
};

// The manual steps among the first `events` events, in order.
std::vector<TakenStep> manualSteps(const trace::TraceStore& store, std::size_t events);

} // namespace lockscope::sim
