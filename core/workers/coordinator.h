// Brings several workers together for one run: writes the plan below the run's path, waits for the workers,
// starts them, makes the lines of the script due that one of them cannot decide, and takes their results.
// Used by one thread; blocks.
#pragma once

#include "core/workers/seat.h"

#include <set>

namespace lockscope::workers {

class Coordinator
{
public:
    struct Worker
    {
        std::string who;    // "host3, process 4711"
        std::string result; // what it handed in; empty: it died
    };

    Coordinator(RunPlace place, Plan plan, IsEnded isEnded);
    ~Coordinator(); // the run ends for all workers, and takes its nodes from the ensemble

    // Looks for nodes of other programs below the run's locks, unless they may be there, and makes the run.
    // Errors: those of RunNodes::open() and of sim::ForeignCheck; busy: there is such a run.
    Result<void> open(bool joinForeign);
    // Waits for the workers and starts them. Errors: timedOut, cancelled, connectionLost.
    Result<void> start();
    // Waits until each worker has handed in its result or died; `onEnd` is called for each. When the user
    // ends the program, the workers are told; the second time, they are left. Error: connectionLost.
    Result<void> collect(const std::function<void(std::size_t rank)>& onEnd);

    const std::vector<Worker>& workers() const { return m_workers; }
    bool wasEnded() const { return m_wasEnded; }
    // The lines of the script that were due, but never met their target.
    std::vector<std::string> missedLines();

private:
    Result<void> checkForeign();
    Error notStarted(ErrorCode code, const Message& why) const;
    void makeDue(const std::vector<std::string>& names);
    void makeDue(std::size_t line);
    void countHandoffs();

    RunPlace m_place;
    Plan m_plan;
    IsEnded m_isEnded;
    std::unique_ptr<RunNodes> m_nodes;
    std::vector<std::string> m_names; // of the workers' nodes, by rank
    std::vector<Worker> m_workers;    // by rank
    std::set<std::size_t> m_due;
    bool m_isMade = false, m_wasEnded = false;
};

} // namespace lockscope::workers
