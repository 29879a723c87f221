// Numbers of a run: latency histograms and counters. Plain values, part of RunState.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockscope::replay {

// Log-linear histogram: 64 steps per power of two (1.6 % wide), 1 us to about 70 minutes; lower and higher
// values are counted in the first and last step. Percentiles are exact to one step.
class Histogram
{
public:
    void add(Duration value);
    void join(const Histogram& other); // as if the other's values had been added here
    // As numbers, to be read elsewhere: how many values each step has, from the lowest on. Never more than
    // kMostSteps.
    static constexpr std::size_t kMostSteps = 2048;
    const std::vector<std::uint32_t>& steps() const { return m_steps; }
    static Histogram of(std::vector<std::uint32_t> steps, Duration max);
    std::uint64_t count() const { return m_count; }
    Duration percentile(double p) const; // p in [0, 100]; 0 ns if empty
    Duration max() const { return m_max; }
    // For charts: the counts in `bins` bins of equal width over [0, upTo).
    std::vector<std::uint64_t> bins(Duration upTo, std::size_t bins) const;
    std::size_t memoryBytes() const { return m_steps.capacity() * sizeof(m_steps[0]); }
    bool operator==(const Histogram&) const = default;

private:
    std::vector<std::uint32_t> m_steps; // grows to the highest step used
    std::uint64_t m_count = 0;
    Duration m_max{};
};

struct OpCounts
{
    std::uint64_t create = 0, remove = 0, getChildren = 0, getData = 0, setData = 0, exists = 0, sync = 0;
    bool operator==(const OpCounts&) const = default;
    std::uint64_t sum() const { return create + remove + getChildren + getData + setData + exists + sync; }
};

// Of all locks together.
struct Statistics
{
    // ReleaseCalled of the previous holder (or its session's end) -> Acquired; without handoffs during which
    // the run was paused.
    Histogram handoff;
    Histogram wait;             // AcquireCalled -> Acquired; several leases count once
    OpCounts ops;               // requests sent
    std::uint64_t acquired = 0; // depth 0 -> 1
    // Requests sent for these acquisitions, from the acquire call to the end of the release, including
    // retries, but not those for acquires in progress or that failed, nor those of the observer.
    std::uint64_t acquisitionRequests = 0;
    std::uint64_t reentered = 0;
    std::uint64_t timedOut = 0;
    std::uint64_t failed = 0; // other reasons
    std::uint64_t handoffs = 0;
    std::uint64_t releases = 0; // releases to depth 0
    std::uint64_t wakeUps = 0;  // watches on a lock's nodes that fired because of a deletion
    std::uint64_t watchedGone = 0;
    std::uint32_t queued = 0;           // nodes in all queues now
    std::uint32_t longestQueue = 0;     // the maximum of `queued`
    std::uint64_t acquiringClients = 0; // clients that have called acquire
    std::uint64_t acquiredSquares = 0;  // the sum over the clients of their acquisitions squared
    // A sleeping acquire is overtaken when another acquire of the same lock that was called after it fell
    // asleep is granted before it. This is the highest number of times that this happened to one acquire. An
    // acquire in progress is counted while it is the oldest of its lock, every other one at its end: its
    // grant, its failure or the end of its session on the server.
    std::uint64_t longestOvertaking = 0;

    bool operator==(const Statistics&) const = default;

    void count(std::uint32_t acquiredByClient); // one more acquisition; the argument includes it
    double wakeUpsPerRelease() const;           // wake-ups per deleted node that was watched; 0 without any
    double requestsPerAcquisition() const;      // `acquisitionRequests` / `acquired`; 0 without acquisitions
    // Jain's index of the acquisitions per client (ClientRow::acquired), over the clients that have called
    // acquire: 1 if all have the same number, 1/n if one of n has all. 1 without acquisitions.
    double fairness() const;
};

} // namespace lockscope::replay
