// The run over time, for charts: the numbers of at most kMaxBuckets stretches of equal length from time zero
// on. A run that outgrows them joins neighbours, and the length doubles: memory is bounded, and no total is
// ever lost. Of all locks together; append-only. One thread.
#pragma once

#include "core/base/time.h"
#include "core/replay/state/statistics.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::replay {

// What one event adds to the numbers of the run.
struct Increment
{
    TraceTime at{};
    // Requests for a lock that is had, and when it was granted: what is sent for it later counts there too.
    std::uint32_t requests = 0;
    TraceTime grantedAt{};
    std::uint32_t acquired = 0;
    std::optional<Duration> handoff;
    // Deleted nodes that were watched (less one that was taken for watched), the clients woken by that, and
    // when the node went: a late wake-up counts where its cause is.
    std::int32_t watchedGone = 0;
    std::uint32_t wakeUps = 0;
    TraceTime wentAt{};
    std::uint32_t queued = 0; // nodes in all queues, after it
};

class Series
{
public:
    static constexpr std::size_t kMaxBuckets = 512;
    static constexpr Duration kFirstWidth = std::chrono::milliseconds(1);

    struct Bucket
    {
        std::uint64_t requests = 0; // for what was acquired in it
        std::uint64_t acquired = 0;
        std::uint64_t handoffs = 0;
        std::int64_t watchedGone = 0;
        std::uint64_t wakeUps = 0;
        std::uint32_t longestQueue = 0;
        double queueTime = 0; // nodes x ns
        bool operator==(const Bucket&) const = default;

        void join(const Bucket& other);
        double wakeUpsPerRelease() const;      // 0 when no watched node was deleted
        double requestsPerAcquisition() const; // 0 when there was none
    };

    void add(const Increment& increment); // in the order of the events

    TraceTime end() const { return m_end; } // of the last event
    Duration width() const { return m_width; }
    const std::vector<Bucket>& buckets() const { return m_buckets; } // [i] begins at i * width()
    // As many neighbours joined as it takes to have at most `most` (>= 1); a power of two.
    std::size_t neighboursFor(std::size_t most) const;
    std::vector<Bucket> joined(std::size_t neighbours) const;
    std::vector<Histogram> joinedHandoffs(std::size_t neighbours) const;
    // Nodes in the queues on average over a stretch of the bucket's time that has passed.
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
    std::uint32_t m_queued = 0; // since m_end
    std::vector<Bucket> m_buckets;
    std::vector<Histogram> m_handoffs; // of each bucket
};

} // namespace lockscope::replay
