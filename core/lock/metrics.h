// Counts what locks do and how long it takes: an observer for any number of locks, to be read by the metrics
// exporter of a service. tests/example/program/prometheus.cpp exports it. Any thread may read.
#pragma once

#include "core/lock/observer.h"

#include <array>
#include <atomic>
#include <functional>

namespace lockscope::lock {

struct HistogramSnapshot
{
    // Upper bounds of the buckets in seconds; one more bucket follows, without a bound.
    static constexpr std::array<double, 15> kBounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                    0.25,   0.5,   1,      2.5,   5,    10,    30};
    std::array<std::uint64_t, kBounds.size() + 1> counts{}; // of each bucket alone, not cumulative
    Duration sum{};
    std::uint64_t count() const;
};

struct MetricsSnapshot
{
    std::uint64_t acquired = 0; // acquires that were granted, without re-entries
    std::uint64_t reentered = 0;
    std::uint64_t timedOut = 0;   // acquires that were not granted in time
    std::uint64_t cancelled = 0;  // acquires that were cancelled, or whose lock was destroyed
    std::uint64_t failed = 0;     // acquires that failed otherwise: session lost, access denied, ...
    std::uint64_t retries = 0;    // how often acquires started over
    std::uint64_t released = 0;   // holds that were released, by a release or by destroying the lock
    std::uint64_t lost = 0;       // holds that were lost: the session is over, or the node was deleted
    std::int64_t waiting = 0;     // acquires under way now
    std::int64_t held = 0;        // holds now; each lease of a semaphore is one
    std::uint64_t reconnects = 0; // of sessions that continued (countPhases)
    std::uint64_t lostSessions = 0;
    HistogramSnapshot wait; // from the call of an acquire to its grant
    HistogramSnapshot hold; // from the grant to the end of the hold
};

class Metrics final : public Observer
{
public:
    EventIndex onEvent(const std::string& path, const Event& event, EventIndex cause) override;
    void countReconnect() { ++m_reconnects; }
    void countLostSession() { ++m_lostSessions; }
    // Each number is exact, but they may date from slightly different moments. Costs about fifty loads.
    MetricsSnapshot snapshot() const;

private:
    using Counter = std::atomic<std::uint64_t>;
    struct Histogram
    {
        std::array<Counter, HistogramSnapshot::kBounds.size() + 1> counts{};
        std::atomic<Duration::rep> sum = 0;
        void add(Duration time);
        HistogramSnapshot snapshot() const;
    };
    struct Count;

    Counter m_acquired = 0;
    Counter m_reentered = 0;
    Counter m_timedOut = 0;
    Counter m_cancelled = 0;
    Counter m_failed = 0;
    Counter m_retries = 0;
    Counter m_released = 0;
    Counter m_lost = 0;
    std::atomic<std::int64_t> m_waiting = 0;
    std::atomic<std::int64_t> m_held = 0;
    Counter m_reconnects = 0;
    Counter m_lostSessions = 0;
    Histogram m_wait;
    Histogram m_hold;
};

// A listener for the phases of one session (Session::addListener) or client (Client::onPhase): counts
// reconnects and lost sessions.
std::function<void(zk::SessionPhase)> countPhases(std::shared_ptr<Metrics> metrics);

} // namespace lockscope::lock
