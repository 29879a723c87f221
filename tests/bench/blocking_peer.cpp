// blocking_peer HOST:PORT: std::unique_lock on a BlockingMutex in a process of its own, driven as the
// contestants are (tests/interop/peers/README.md: open, uncontended), with one client. Ends when standard
// input ends.
#include "core/lock/blocking/blocking_mutex.h"
#include "core/lock/blocking/client.h"

#include <chrono>
#include <iostream>
#include <mutex>
#include <sstream>

namespace {

using namespace lockscope;

double secondsFor(lock::BlockingMutex& mutex, int cycles)
{
    const auto begin = MonotonicClock::now();
    for (int i = 0; i < cycles; ++i)
        const std::unique_lock held(mutex);
    return std::chrono::duration<double>(MonotonicClock::now() - begin).count();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::cerr << "usage: blocking_peer HOST:PORT\n";
        return 2;
    }
    const auto client = lock::Client::connect({argv[1], std::chrono::seconds(60)}).value();
    std::cout << "ready" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string order;
        lock::LockOptions options;
        int which = 0, cycles = 0;
        words >> order;
        if (order == "open") {
            std::cout << "opened 1 0" << std::endl;
        } else if (order == "uncontended" && words >> which >> options.path >> cycles) {
            options.handoff = HandoffPolicy::announced;
            lock::BlockingMutex mutex(*client, options);
            secondsFor(mutex, cycles / 10); // warm
            const double seconds = secondsFor(mutex, cycles);
            std::cout << "uncontended " << static_cast<long long>(seconds * 1e9) << std::endl;
        } else {
            std::cout << "failed 0 " << line << ": not understood" << std::endl;
        }
    }
    return 0;
}
