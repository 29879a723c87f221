// blocking_peer HOST:PORT [cohort|options]: threads with one client and one lock between them, a
// BlockingMutex, the same with all that may be asked for (how long it is safe, who holds it), or a
// CohortMutex, in a process of their own, driven as the contestants are (tests/interop/peers/README.md: open,
// uncontended, contend). Ends when standard input ends.
#include "core/lock/blocking/client.h"
#include "core/lock/blocking/cohort_mutex.h"

#include <atomic>
#include <chrono>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace lockscope;

std::int64_t ticks() { return monotonicNow().time_since_epoch().count(); }

class WithOptions
{
public:
    WithOptions(const lock::Client& client, lock::LockOptions options)
        : m_mutex(client, std::move(options))
    {}
    void lock()
    {
        lock::Refusal refusal;
        while (!m_mutex.try_lock_for(std::chrono::hours(1), refusal)) {
        }
        if (!m_mutex.safeUntil())
            std::cerr << "blocking_peer: no server has answered yet\n";
    }
    void unlock() { m_mutex.unlock(); }

private:
    lock::BlockingMutex m_mutex;
};

template <class Mutex>
double secondsFor(Mutex& mutex, int cycles)
{
    const auto begin = MonotonicClock::now();
    for (int i = 0; i < cycles; ++i)
        const std::unique_lock held(mutex);
    return std::chrono::duration<double>(MonotonicClock::now() - begin).count();
}

// All threads, until the lock was acquired so often.
template <class Mutex>
void contend(Mutex& mutex, int threads, int target, std::chrono::microseconds hold)
{
    struct Hold
    {
        std::int64_t called = 0, acquired = 0, releasing = 0;
    };
    std::vector<Hold> holds; // guarded by the mutex
    holds.reserve(static_cast<std::size_t>(target + threads));
    std::atomic<bool> enough = false;
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i)
        running.emplace_back([&] {
            while (!enough) {
                Hold now;
                now.called = ticks();
                mutex.lock();
                now.acquired = ticks();
                if (hold.count() > 0)
                    std::this_thread::sleep_for(hold);
                now.releasing = ticks();
                holds.push_back(now);
                enough = holds.size() >= static_cast<std::size_t>(target);
                mutex.unlock();
            }
        });
    for (std::thread& thread : running)
        thread.join();
    for (const Hold& each : holds)
        std::cout << "hold " << each.called << ' ' << each.acquired << ' ' << each.releasing << '\n';
    std::cout << "contended " << holds.size() << std::endl;
}

// One order; false: not understood.
template <class Mutex>
bool obey(const lock::Client& client, const std::string& line, int& threads)
{
    std::istringstream words(line);
    std::string order;
    lock::LockOptions options;
    options.handoff = HandoffPolicy::announced;
    int which = 0, count = 0;
    std::int64_t hold = 0;
    words >> order;
    if (order == "open" && words >> threads) {
        std::cout << "opened " << threads << " 0" << std::endl;
        return true;
    }
    if (order == "uncontended" && words >> which >> options.path >> count) {
        Mutex mutex(client, options);
        secondsFor(mutex, count / 10); // warm
        const double seconds = secondsFor(mutex, count);
        std::cout << "uncontended " << static_cast<long long>(seconds * 1e9) << std::endl;
        return true;
    }
    if (order == "contend" && words >> options.path >> count >> hold) {
        Mutex mutex(client, options);
        contend(mutex, threads, count, std::chrono::microseconds(hold));
        return true;
    }
    return false;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view kind = argc == 3 ? argv[2] : "";
    if (argc < 2 || argc > 3 || (argc == 3 && kind != "cohort" && kind != "options")) {
        std::cerr << "usage: blocking_peer HOST:PORT [cohort|options]\n";
        return 2;
    }
    const auto client =
        lock::Client::connect({argv[1], std::chrono::seconds(60)}, zk::HubOptions::ownProcess()).value();
    if (kind == "options")
        client->keepSafeTime(lock::SafetyRule::singleServer());
    const auto obeys = kind == "cohort"    ? obey<lock::CohortMutex>
                       : kind == "options" ? obey<WithOptions>
                                           : obey<lock::BlockingMutex>;
    std::cout << "ready" << std::endl;
    int threads = 1;
    for (std::string line; std::getline(std::cin, line);)
        if (!obeys(*client, line, threads))
            std::cout << "failed 0 " << line << ": not understood" << std::endl;
    return 0;
}
