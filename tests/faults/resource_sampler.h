// What this process and its server use while a long run goes on, taken at an interval: to see that memory,
// descriptors and watches stay flat. The checkers of the run keep a few bytes for each acquisition.
#pragma once

#include "core/base/time.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lockscope::tests {

struct ResourceSample
{
    Duration at{}; // since the sampler began
    std::uint64_t residentKb = 0;
    std::uint64_t descriptors = 0;
    std::uint64_t threads = 0;
    // Of the server; -1 where it did not answer.
    std::int64_t watches = -1;
    std::int64_t connections = -1;
};

// Any thread. A thread of its own takes a sample at once, and one every `interval` after that.
class ResourceSampler
{
public:
    ResourceSampler(std::string address, Duration interval);
    ~ResourceSampler();
    std::vector<ResourceSample> samples() const;

private:
    void run();

    const std::string m_address;
    const Duration m_interval;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;               // guarded by m_mutex
    std::vector<ResourceSample> m_samples; // guarded by m_mutex
    std::thread m_thread;
};

} // namespace lockscope::tests
