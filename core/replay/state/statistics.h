// Numbers of a run: latency histograms and counters. Plain values, part of RunState.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockscope::replay {

// Log-linear histogram: 64 steps per power of two (1.6 % wide), 1 us to about 70 minutes; below and above are
// counted in the first and last step. Percentiles are within one step.
class Histogram
{
public:
    void add(Duration value);
    void join(const Histogram& other); // as if its values had been added here
    std::uint64_t count() const { return m_count; }
    Duration percentile(double p) const; // p in [0, 100]; 0 ns when empty
    Duration max() const { return m_max; }
    // For charts: counts of `bins` equal-width bins over [0, upTo).
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
    // ReleaseCalled (or the session's end) of the one before -> Acquired; without those in which the run was
    // paused
    Histogram handoff;
    Histogram wait;             // AcquireCalled -> Acquired; once for several leases
    OpCounts ops;               // requests sent
    std::uint64_t acquired = 0; // depth 0 -> 1
    // Requests sent for these, each from its acquire call to the end of its release: retries too, but not
    // what was sent for an acquire that goes on or came to nothing, nor what the observer sent.
    std::uint64_t acquisitionRequests = 0;
    std::uint64_t reentered = 0;
    std::uint64_t timedOut = 0;
    std::uint64_t failed = 0; // other reasons
    std::uint64_t handoffs = 0;
    std::uint64_t releases = 0; // final ones
    std::uint64_t wakeUps = 0;  // watches that fired on a lock's nodes because a node went
    std::uint64_t watchedGone = 0;
    std::uint32_t queued = 0;           // nodes in all queues at present
    std::uint32_t longestQueue = 0;     // the most there were at once
    std::uint64_t acquiringClients = 0; // clients that have called acquire
    std::uint64_t acquiredSquares = 0;  // the sum over the clients of their acquisitions squared
    // An acquire that sleeps in line is overtaken by one of the same lock that was called after it fell
    // asleep, and is granted before it. How often that happened to one acquire, at most. An acquire
    // that still waits counts while it is the oldest of its lock, every other one at its end: its grant, its
    // failure or the end of its session on the server.
    std::uint64_t longestOvertaking = 0;

    bool operator==(const Statistics&) const = default;

    void count(std::uint32_t acquiredByClient); // one more acquisition; the client's, this one included
    double wakeUpsPerRelease() const;           // wake-ups / deleted nodes that were watched; 0 when none
    double requestsPerAcquisition() const;      // of those sent for one; 0 when there were none
    // Jain's index of the acquisitions per client (ClientRow::acquired), of the clients that have called
    // acquire: 1 when all had the same number, 1/n when one of n had them all. 1 when there were none.
    double fairness() const;
};

} // namespace lockscope::replay
