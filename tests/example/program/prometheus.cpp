// The metrics of locks for Prometheus, by prometheus-cpp (Debian: prometheus-cpp-dev). A stand-alone program:
//   prometheus HOST:PORT[,HOST:PORT...] /path/of/a/lock
// It uses a lock and prints what a scrape would get. A service registers the collector with its Exposer
// instead:
//   exposer.RegisterCollectable(collector);
#include <lockscope/lock/blocking/blocking_mutex.h>
#include <lockscope/lock/blocking/client.h>
#include <lockscope/lock/metrics.h>

#include <prometheus/collectable.h>
#include <prometheus/text_serializer.h>

#include <iostream>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace lock = lockscope::lock;
using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// ---- the adapter: copy it ----

class LockCollector final : public prometheus::Collectable
{
public:
    explicit LockCollector(std::shared_ptr<const lock::Metrics> metrics)
        : m_metrics(std::move(metrics))
    {}
    std::vector<MetricFamily> Collect() const override
    {
        const lock::MetricsSnapshot now = m_metrics->snapshot();
        return {counter("lock_acquired_total", "Acquires that were granted.", now.acquired),
                counter("lock_timed_out_total", "Acquires that were not granted in time.", now.timedOut),
                counter("lock_cancelled_total", "Acquires that were cancelled.", now.cancelled),
                counter("lock_failed_total", "Acquires that failed.", now.failed),
                counter("lock_retries_total", "Acquires that started over.", now.retries),
                counter("lock_released_total", "Holds that were released.", now.released),
                counter("lock_lost_total", "Holds that were lost.", now.lost),
                counter("lock_reconnects_total", "Reconnects of sessions that went on.", now.reconnects),
                counter("lock_lost_sessions_total", "Sessions that were lost.", now.lostSessions),
                gauge("lock_waiting", "Acquires under way.", now.waiting),
                gauge("lock_held", "Locks and leases that are held.", now.held),
                histogram("lock_wait_seconds", "From the call of an acquire to its grant.", now.wait),
                histogram("lock_hold_seconds", "From a grant to the end of the hold.", now.hold)};
    }

private:
    static MetricFamily family(const char* name, const char* help, MetricType type, ClientMetric metric)
    {
        return {name, help, type, {std::move(metric)}};
    }
    static MetricFamily counter(const char* name, const char* help, std::uint64_t value)
    {
        ClientMetric metric;
        metric.counter.value = static_cast<double>(value);
        return family(name, help, MetricType::Counter, metric);
    }
    static MetricFamily gauge(const char* name, const char* help, std::int64_t value)
    {
        ClientMetric metric;
        metric.gauge.value = static_cast<double>(value);
        return family(name, help, MetricType::Gauge, metric);
    }
    static MetricFamily histogram(const char* name, const char* help, const lock::HistogramSnapshot& from)
    {
        ClientMetric metric;
        metric.histogram.sample_count = from.count();
        metric.histogram.sample_sum = std::chrono::duration<double>(from.sum).count();
        std::uint64_t below = 0;
        for (std::size_t i = 0; i < from.counts.size(); ++i) {
            below += from.counts[i];
            const double bound =
                i < from.kBounds.size() ? from.kBounds[i] : std::numeric_limits<double>::infinity();
            metric.histogram.bucket.push_back({below, bound});
        }
        return family(name, help, MetricType::Histogram, metric);
    }

    std::shared_ptr<const lock::Metrics> m_metrics;
};

// ---- the program ----

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::cerr << "usage: prometheus HOST:PORT[,HOST:PORT...] /path/of/a/lock\n";
        return 2;
    }
    const auto client = lock::Client::connect({argv[1]}, lockscope::zk::HubOptions::ownProcess());
    if (!client) {
        std::cerr << client.error().text() << "\n";
        return 1;
    }
    const auto metrics = std::make_shared<lock::Metrics>();
    (*client)->onPhase(lock::countPhases(metrics));
    lock::LockOptions options = lock::LockOptions::at(argv[2]);
    options.observer = metrics;
    lock::BlockingMutex mutex(**client, options);
    for (int i = 0; i < 3; ++i)
        const std::lock_guard guard(mutex);
    std::cout << prometheus::TextSerializer().Serialize(LockCollector(metrics).Collect());
    return 0;
}
