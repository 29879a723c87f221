// The acquisitions of locks as spans of OpenTelemetry.
//   opentelemetry HOST:PORT[,HOST:PORT...] /path/of/a/lock
// Two clients go through one lock, and their spans are printed.
#include "span_observer.h"

#include <lockscope/lock/blocking/blocking_mutex.h>
#include <lockscope/lock/blocking/client.h>

#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace lock = lockscope::lock;

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::cerr << "usage: opentelemetry HOST:PORT[,HOST:PORT...] /path/of/a/lock\n";
        return 2;
    }
    const auto client = lock::Client::connect({argv[1]}, lockscope::zk::HubOptions::ownProcess());
    if (!client) {
        std::cerr << client.error().text() << "\n";
        return 1;
    }
    const auto print = [](const std::string& line) { std::cout << line << std::endl; };
    const auto optionsOf = [&](const char* service) {
        lock::LockOptions options = lock::LockOptions::at(argv[2]);
        options.observer = std::make_shared<SpanObserver>(service, print);
        return options;
    };
    lock::BlockingMutex first(**client, optionsOf("billing"));
    lock::BlockingMutex second(**client, optionsOf("shipping"));
    lock::BlockingMutex third(**client, argv[2]);
    first.lock();
    std::thread waiting([&] { const std::lock_guard guard(second); });
    lock::Refusal refusal; // until the other one is in the queue
    while (refusal.ahead < 2)
        if (third.try_lock(refusal))
            third.unlock();
    first.unlock();
    waiting.join();
    return 0;
}
