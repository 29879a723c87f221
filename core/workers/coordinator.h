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
        std::string who;                     // "host3, process 4711"
        std::string result;                  // what it handed in; empty: it died
        std::vector<std::string> replaced{}; // who had its place before, and died
    };
    // `by`: the worker that takes the place of the dead one; empty: its clients are gone.
    using OnDeath = std::function<void(std::size_t rank, const std::string& who, const std::string& by)>;

    Coordinator(RunPlace place, Plan plan, IsEnded isEnded);
    ~Coordinator(); // the run ends for all workers, and takes its nodes from the ensemble

    // Looks for nodes of other programs below the run's locks, unless they may be there, and makes the run.
    // Errors: those of RunNodes::open() and of sim::ForeignCheck; busy: there is such a run.
    Result<void> open(bool joinForeign);
    // Waits for the workers and starts them. Errors: timedOut, cancelled, connectionLost.
    Result<void> start();
    // Waits until each worker has handed in its result or died. If the scenario says so, a spare worker takes
    // the place of one that died, as long as others carry on. When the user ends the program, the workers are
    // told; the second time, they are left. Error: connectionLost.
    Result<void> collect(const OnDeath& onDeath);

    const std::vector<Worker>& workers() const { return m_workers; }
    bool wasEnded() const { return m_wasEnded; }
    // Why the run was cut short, if no client of any worker could continue by itself.
    const Message& stall() const { return m_stall; }
    // The lines of the script that were due, but never met their target.
    std::vector<std::string> missedLines();

private:
    Result<void> checkForeign();
    Error notStarted(ErrorCode code, const Message& why) const;
    void makeDue(const std::vector<std::string>& names);
    void makeDue(std::size_t line);
    void countHandoffs();
    void seeWhoEnded(const std::vector<std::string>& names);
    void attendToDead(const std::vector<std::string>& names, const OnDeath& onDeath);
    std::optional<std::string> spareOf(const std::vector<std::string>& names) const;
    bool replaces() const; // a worker that dies now
    bool replace(std::size_t rank, const std::string& spare);
    Result<void> endEarly(std::string_view why);
    Message describeStall(const std::vector<std::string>& names);

    RunPlace m_place;
    Plan m_plan;
    IsEnded m_isEnded;
    std::unique_ptr<RunNodes> m_nodes;
    std::vector<std::string> m_names; // of the workers' nodes, by rank
    std::vector<Worker> m_workers;    // by rank
    std::set<std::size_t> m_open;     // the ranks of those that have not handed in their results
    std::set<std::size_t> m_dead;     // of these
    std::set<std::size_t> m_due;
    std::vector<std::uint64_t> m_counts; // by rank: how often its clients have acquired
    std::uint64_t m_countOfReplaced = 0;
    MonotonicTime m_begun{};
    bool m_isMade = false, m_wasEnded = false;
    Message m_stall;
    MonotonicTime m_lastEnd{}; // of a worker
};

} // namespace lockscope::workers
