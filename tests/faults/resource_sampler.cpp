#include "tests/faults/resource_sampler.h"

#include "core/server/probe/four_letter.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace lockscope::tests {

namespace {

constexpr Duration kServerLimit = std::chrono::seconds(2);

// The number behind `key` in lines of "KEY NUMBER"; -1 without the key.
std::int64_t numberOf(std::istream& lines, std::string_view key)
{
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        std::int64_t number = -1;
        if (words >> word && word == key && words >> number)
            return number;
    }
    return -1;
}

ResourceSample sample(const std::string& address)
{
    ResourceSample taken;
    std::ifstream status("/proc/self/status");
    taken.residentKb = static_cast<std::uint64_t>(numberOf(status, "VmRSS:"));
    taken.threads = static_cast<std::uint64_t>(numberOf(status, "Threads:"));
    std::error_code error;
    const std::filesystem::directory_iterator descriptors("/proc/self/fd", error);
    taken.descriptors = static_cast<std::uint64_t>(std::distance(begin(descriptors), end(descriptors)));
    if (const auto words = server::sendFourLetterWord(address, "mntr", kServerLimit)) {
        taken.watches = [&] {
            std::istringstream lines(*words);
            return numberOf(lines, "zk_watch_count");
        }();
        std::istringstream lines(*words);
        taken.connections = numberOf(lines, "zk_num_alive_connections");
    }
    return taken;
}

} // namespace

ResourceSampler::ResourceSampler(std::string address, Duration interval)
    : m_address(std::move(address))
    , m_interval(interval)
    , m_thread([this] { run(); })
{}

ResourceSampler::~ResourceSampler()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

std::vector<ResourceSample> ResourceSampler::samples() const
{
    const std::lock_guard lock(m_mutex);
    return m_samples;
}

void ResourceSampler::run()
{
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock lock(m_mutex);
    do {
        lock.unlock();
        ResourceSample taken = sample(m_address);
        taken.at = std::chrono::steady_clock::now() - start;
        lock.lock();
        m_samples.push_back(taken);
    } while (!m_wake.wait_for(lock, m_interval, [this] { return m_stopping; }));
}

} // namespace lockscope::tests
