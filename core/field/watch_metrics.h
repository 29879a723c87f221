// What a watch measures, for Prometheus: text of its exposition format (version 0.0.4), with its names: base
// units, _total for what only grows. Of the first kMostLocks locks each has its own series; all others share
// those of the lock "(others)", so that a path for each job makes no series for each job. Any thread.
#pragma once

#include "core/field/snapshot.h"
#include "core/history/lock_event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace lockscope::field {

class WatchMetrics
{
public:
    static constexpr std::size_t kMostLocks = 200;

    void note(const history::LockEvent& event); // as LockWatcher::listen()
    void update(const Snapshot& snapshot);      // several times a second
    std::string text() const;

private:
    // From 1 ms to 10 minutes, in seconds.
    static constexpr std::array<double, 12> kBounds{0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 120, 600};
    struct Histogram
    {
        std::array<std::uint64_t, kBounds.size() + 1> counts{}; // of each class; the last has no bound
        double sum = 0;
        void add(std::int64_t ms);
    };
    struct Series // of a lock, or of all others
    {
        std::uint32_t holders = 0, waiters = 0;
        std::int64_t longestWaitMs = 0;
        std::map<std::string, std::uint32_t> verdicts{}; // that stand, by kind
        std::uint64_t acquisitions = 0, handoffs = 0, deleted = 0, sessionGone = 0, gaveUp = 0;
        Histogram holds{}, waits{};
    };
    struct Seen // at the last update
    {
        std::uint64_t acquisitions = 0, handoffs = 0, deleted = 0, sessionGone = 0, gaveUp = 0;
    };
    Series& seriesOf(const std::string& path);
    void histogram(std::string& out, const char* name, const char* help, Histogram Series::*which) const;

    mutable std::mutex m_mutex; // guards all below
    std::map<std::string, Series> m_series;
    Series m_others;
    std::map<std::string, Seen> m_seen;
    std::set<std::pair<std::string, std::string>> m_standing; // verdicts: the lock, the kind
    std::map<std::string, std::uint64_t> m_given;             // verdicts so far, by kind
    Snapshot m_last{};                                        // without its locks
    std::size_t m_locks = 0;
};

} // namespace lockscope::field
