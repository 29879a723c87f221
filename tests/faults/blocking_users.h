// Threads that use the blocking API while the faults of a run go on: a mutex, a semaphore, a multi-lock, a
// mutex whose threads share a node and a leader latch, on clients whose sessions are killed now and then. No
// call may hang, no token come twice, no node have two holders, no error come that has no reason.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace lockscope::lock {
class Client;
}

namespace lockscope::tests {

class BlockingUsers
{
public:
    explicit BlockingUsers(std::string address);
    ~BlockingUsers();
    void start();
    void stop() { m_stopping = true; }
    bool ended() const { return m_running == 0; }

    std::uint64_t acquired() const { return m_acquired; }
    std::uint64_t shared() const { return m_shared; } // holds of a node that threads share
    std::uint64_t led() const { return m_led; }       // so often
    std::uint64_t lost() const { return m_lost; }
    std::vector<std::string> violations() const;
    static std::vector<std::string> queues(); // where nodes of contenders are

private:
    void run(std::uint64_t seed);
    void use(lock::Client& client, std::uint64_t seed);
    template <class Call>
    void unlessDisconnected(const Call& call); // other errors are violations
    void granted(Zxid token);
    void violated(const std::string& what);

    std::string m_address;
    std::atomic<bool> m_stopping = false;
    std::atomic<int> m_running = 0;
    std::atomic<std::uint64_t> m_acquired = 0;
    std::atomic<std::uint64_t> m_shared = 0;
    std::atomic<std::uint64_t> m_led = 0;
    std::atomic<std::uint64_t> m_lost = 0;
    mutable std::mutex m_mutex;
    std::set<Zxid> m_tokens;               // the newest; guarded by m_mutex
    Zxid m_forgotten{0};                   // all of m_tokens are above it; guarded by m_mutex
    std::vector<std::string> m_violations; // guarded by m_mutex
    std::vector<std::thread> m_threads;
};

} // namespace lockscope::tests
