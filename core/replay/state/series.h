// The run over time, for charts: totals for at most kMaxBuckets intervals of equal length, beginning at time
// zero. When a run needs more, neighboring intervals are joined and the length doubles: memory is bounded,
// and the totals stay exact. For all locks together; append-only. One thread.
#pragma once

#include "core/base/time.h"
#include "core/replay/state/statistics.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::replay {

// What one event adds to the totals of the run.
struct Increment
{
    TraceTime at{};
    // Requests sent for a hold, and the time of its grant: requests that are sent later count at that time
    // too.
    std::uint32_t requests = 0;
    TraceTime grantedAt{};
    std::uint32_t acquired = 0;
    std::optional<Duration> handoff;
    // Deleted nodes that were watched (-1 corrects a node that was wrongly counted as watched), the clients
    // woken by that, and the time of the deletion: a late wake-up counts at the time of its cause.
    std::int32_t watchedGone = 0;
    std::uint32_t wakeUps = 0;
    TraceTime wentAt{};
    std::uint32_t queued = 0; // nodes in all queues after the event
};

class Series
{
public:
    static constexpr std::size_t kMaxBuckets = 512;
    static constexpr Duration kFirstWidth = std::chrono::milliseconds(1);

    struct Bucket
    {
        std::uint64_t requests = 0; // for the locks acquired in this interval
        std::uint64_t acquired = 0;
        std::uint64_t handoffs = 0;
        std::int64_t watchedGone = 0;
        std::uint64_t wakeUps = 0;
        std::uint32_t longestQueue = 0;
        double queueTime = 0; // nodes x ns
        bool operator==(const Bucket&) const = default;

        void join(const Bucket& other);
        double wakeUpsPerRelease() const;      // 0 when no watched node was deleted
        double requestsPerAcquisition() const; // 0 without acquisitions
    };

    void add(const Increment& increment); // in the order of the events

    TraceTime end() const { return m_end; } // time of the last event
    Duration width() const { return m_width; }
    const std::vector<Bucket>& buckets() const { return m_buckets; } // [i] begins at i * width()
    // How many neighbors to join to have at most `most` (>= 1) buckets; a power of two.
    std::size_t neighboursFor(std::size_t most) const;
    std::vector<Bucket> joined(std::size_t neighbours) const;
    std::vector<Histogram> joinedHandoffs(std::size_t neighbours) const;
    // The mean number of nodes in the queues, over the part of the bucket's interval that has passed.
    double meanQueue(const Bucket& bucket, TraceTime begin, Duration width) const;

    std::size_t memoryBytes() const;
    bool operator==(const Series&) const = default;

private:
    std::size_t indexOf(TraceTime at) const;
    void reach(TraceTime at);
    void halve();
    void queueUntil(TraceTime at);

    Duration m_width = kFirstWidth;
    TraceTime m_end{};
    std::uint32_t m_queued = 0; // nodes in the queues since m_end
    std::vector<Bucket> m_buckets;
    std::vector<Histogram> m_handoffs; // of each bucket
};

} // namespace lockscope::replay
