// A worker's part in a run of several: it takes a seat, waits for the start, and hands in what it found. The
// run itself is the caller's. Used by one thread.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "core/sim/scenario/share.h"
#include "core/workers/run_nodes.h"

namespace lockscope::workers {

// What the coordinator asks of each worker.
struct Plan
{
    sim::Scenario scenario;
    std::uint32_t workers = 1;
    Duration contact{}, grace{}; // limits of the run, as in engine::Limits
    bool restricted = false;     // to those who have the credentials (RunPlace)
};
std::string toText(const Plan& plan);
Result<Plan> planFrom(const std::string& text); // Errors: badInput, and those of parseScenario()

class Seat
{
public:
    // Waits for the run to be there. Errors: those of RunNodes::open(), timedOut, cancelled, badInput.
    static Result<std::unique_ptr<Seat>> take(const RunPlace& place, const IsEnded& isEnded);

    const Plan& plan() const { return m_plan; }
    // Waits for all workers, and returns the part of this one when the run starts. When the run replaces
    // workers and has them all, calls `onSpare` and waits for one to die; none: the run ended without that.
    // Errors: busy (it has its workers already), cancelled, connectionLost, sessionLost (the coordinator has
    // gone).
    Result<std::optional<sim::Share>> waitForStart(const IsEnded& isEnded,
                                                   const std::function<void()>& onSpare);

    enum class Standing { runs, ended, alone };
    // Call it several times a second during the run. ended: the run is to end early; alone: its coordinator
    // has gone, or the connection to it.
    Standing standing();
    std::string_view whyEnded() const { return m_whyEnded; } // one of sim/run/cut_short.h

    // Hands in the result and waits until the coordinator has taken it. False: the coordinator has gone.
    bool deliver(const std::string& result, const IsEnded& isEnded);
    // Takes everything of this worker from the ensemble, and the rest if it is the last one.
    void leave();

private:
    explicit Seat(std::unique_ptr<RunNodes> nodes)
        : m_nodes(std::move(nodes))
    {}
    bool hasNode(const char* name) const;
    void look();                                           // again, if anything has changed
    Result<bool> isAmongTheFirst(const std::string& name); // and then knows its rank
    Result<std::optional<sim::Share>> takeOver(const std::string& node);
    sim::Share share(Duration missed) const;
    Error gone() const;

    std::unique_ptr<RunNodes> m_nodes;
    Plan m_plan;
    std::vector<std::string> m_own; // nodes of this worker
    std::uint32_t m_rank = 0;
    std::vector<std::string> m_seen; // the run's nodes
    std::string_view m_whyEnded;
};

} // namespace lockscope::workers
