#include "core/replay/state/series.h"

#include <algorithm>
#include <utility>

namespace lockscope::replay {

namespace {

template <class T>
std::vector<T> joinNeighbours(const std::vector<T>& all, std::size_t neighbours)
{
    std::vector<T> joined((all.size() + neighbours - 1) / neighbours);
    for (std::size_t i = 0; i < all.size(); ++i)
        joined[i / neighbours].join(all[i]);
    return joined;
}

} // namespace

void Series::Bucket::join(const Bucket& other)
{
    requests += other.requests;
    acquired += other.acquired;
    handoffs += other.handoffs;
    watchedGone += other.watchedGone;
    wakeUps += other.wakeUps;
    longestQueue = std::max(longestQueue, other.longestQueue);
    queueTime += other.queueTime;
}

double Series::Bucket::wakeUpsPerRelease() const
{
    return watchedGone <= 0 ? 0 : static_cast<double>(wakeUps) / static_cast<double>(watchedGone);
}

double Series::Bucket::requestsPerAcquisition() const
{
    return acquired == 0 ? 0 : static_cast<double>(requests) / static_cast<double>(acquired);
}

void Series::add(const Increment& increment)
{
    const TraceTime at = std::max(increment.at, m_end);
    reach(at);
    queueUntil(at);
    m_queued = increment.queued;
    Bucket& now = m_buckets[indexOf(at)];
    now.acquired += increment.acquired;
    now.longestQueue = std::max(now.longestQueue, m_queued);
    if (increment.handoff) {
        ++now.handoffs;
        m_handoffs[indexOf(at)].add(*increment.handoff);
    }
    const auto earlier = [&](TraceTime time) -> Bucket& {
        return m_buckets[indexOf(std::clamp(time, TraceTime::zero(), at))];
    };
    if (increment.requests > 0)
        earlier(increment.grantedAt).requests += increment.requests;
    if (increment.watchedGone == 0 && increment.wakeUps == 0)
        return;
    Bucket& cause = earlier(increment.wentAt);
    cause.watchedGone += increment.watchedGone;
    cause.wakeUps += increment.wakeUps;
}

std::size_t Series::indexOf(TraceTime at) const { return static_cast<std::size_t>(at / m_width); }

void Series::reach(TraceTime at)
{
    while (indexOf(at) >= kMaxBuckets)
        halve();
    if (indexOf(at) >= m_buckets.size()) {
        m_buckets.resize(indexOf(at) + 1);
        m_handoffs.resize(indexOf(at) + 1);
    }
}

void Series::halve()
{
    m_buckets = joinNeighbours(m_buckets, 2);
    m_handoffs = joinNeighbours(m_handoffs, 2);
    m_width *= 2;
}

// Adds the time until `at`, in which the queues were as long as after the previous event.
void Series::queueUntil(TraceTime at)
{
    while (m_end < at) {
        const std::size_t index = indexOf(m_end);
        // The end of the last interval may be too late for a TraceTime.
        const TraceTime until = index == indexOf(at) ? at : static_cast<std::int64_t>(index + 1) * m_width;
        m_buckets[index].queueTime += m_queued * static_cast<double>((until - m_end).count());
        m_buckets[index].longestQueue = std::max(m_buckets[index].longestQueue, m_queued);
        m_end = until;
    }
}

std::size_t Series::neighboursFor(std::size_t most) const
{
    std::size_t neighbours = 1;
    while ((m_buckets.size() + neighbours - 1) / neighbours > std::max<std::size_t>(1, most))
        neighbours *= 2;
    return neighbours;
}

std::vector<Series::Bucket> Series::joined(std::size_t neighbours) const
{
    return joinNeighbours(m_buckets, neighbours);
}

std::vector<Histogram> Series::joinedHandoffs(std::size_t neighbours) const
{
    return joinNeighbours(m_handoffs, neighbours);
}

double Series::meanQueue(const Bucket& bucket, TraceTime begin, Duration width) const
{
    const Duration passed = std::min(width, m_end - begin);
    return passed <= Duration::zero() ? bucket.longestQueue
                                      : bucket.queueTime / static_cast<double>(passed.count());
}

std::size_t Series::memoryBytes() const
{
    std::size_t bytes = m_buckets.capacity() * sizeof(Bucket) + m_handoffs.capacity() * sizeof(Histogram);
    for (const Histogram& each : m_handoffs)
        bytes += each.memoryBytes();
    return bytes;
}

} // namespace lockscope::replay
