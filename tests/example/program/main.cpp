// What a service does with LockScope's locks. A stand-alone project, built against an installed LockScope:
//   example HOST:PORT[,HOST:PORT...] /path/of/the/locks
// Three ways to the same locks: threads that block, coroutines on the library's I/O thread, and coroutines on
// an event loop of your own. All three exclude each other, and every Curator client on the same paths.
#include <lockscope/lock/blocking/blocking_mutex.h>
#include <lockscope/lock/blocking/blocking_semaphore.h>
#include <lockscope/lock/blocking/client.h>
#include <lockscope/lock/log_observer.h>
#include <lockscope/lock/metrics.h>
#include <lockscope/lock/mutex.h>
#include <lockscope/zk/hub.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using lockscope::Result;
namespace lock = lockscope::lock;
namespace zk = lockscope::zk;

// ---- threads ----

// What a mutex protects. It remembers the greatest token it has seen and refuses smaller ones, so it is safe
// even from a holder that was paused and does not know yet that it lost. Who has no token cannot write.
class Report
{
public:
    bool write(lockscope::Zxid token)
    {
        if (token < m_newest)
            return false;
        m_newest = token;
        return true;
    }

private:
    lockscope::Zxid m_newest{0}; // less than every token
};

// A mutex between processes. The token says which hold is the newer one; there is none when the hold is lost.
bool writeReport(lock::Client& client, const std::string& locks)
{
    // What is done with the lock is counted, and logged from warnings on.
    const auto metrics = std::make_shared<lock::Metrics>();
    const auto log = std::make_shared<lock::LogObserver>(
        [](lock::LogLevel, const std::string& line) { std::cerr << line << "\n"; }, lock::LogLevel::warning);
    lock::LockOptions options = lock::LockOptions::at(locks + "/report");
    options.observer =
        std::make_shared<lock::Observers>(std::vector<std::shared_ptr<lock::Observer>>{metrics, log});
    lock::BlockingMutex mutex(client, options);
    mutex.onLost([](const lock::LostHold&) { std::cerr << "The lock was lost: stop writing.\n"; });
    const std::unique_lock guard(mutex, 10s); // waits for 10 s at most
    if (!guard)
        return false;
    Report report;
    const std::optional<lockscope::Zxid> token = mutex.token();
    const bool written = token && report.write(*token);
    std::cout << "report: written under a token, held: " << (written && mutex.isHeld())
              << ", acquired: " << metrics->snapshot().acquired << "\n";
    return true;
}

// Many readers or one writer, over several threads of several processes.
int countVisitors(lock::Client& client, const std::string& locks)
{
    lock::BlockingSharedMutex mutex(client, locks + "/visitors");
    int visitors = 0; // guarded by the mutex
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            {
                const std::unique_lock writer(mutex);
                ++visitors;
            }
            const std::shared_lock reader(mutex);
            if (visitors < 1)
                std::cerr << "A reader saw nothing.\n";
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    return visitors;
}

// At most two at a time, of all processes.
int encode(lock::Client& client, const std::string& locks)
{
    lock::BlockingSemaphore encoders(client, locks + "/encoders", 2);
    std::vector<std::thread> threads;
    std::atomic<int> done = 0;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            const lock::HeldLeases lease = encoders.acquire(); // until the end of the block
            done += lease.isHeld() ? 1 : 0;
        });
    for (std::thread& thread : threads)
        thread.join();
    return done;
}

// Two locks at once, in any order, and no deadlock.
void transfer(lock::Client& client, const std::string& locks)
{
    lock::BlockingMutex from(client, locks + "/account-1");
    lock::BlockingMutex to(client, locks + "/account-2");
    const auto move = [](lock::BlockingMutex& left, lock::BlockingMutex& right) {
        const std::scoped_lock both(left, right);
    };
    std::thread there(move, std::ref(from), std::ref(to));
    move(to, from);
    there.join();
    lock::BlockingMultiLock both(
        client, {locks + "/account-1", locks + "/account-2"}); // the same, waiting in the queue
    const std::lock_guard guard(both);
    std::cout << "transfer: there and back, and " << both.tokens().size() << " at once\n";
}

// ---- coroutines ----

// A recipe's object belongs to one session and is used where that session runs. An owner is a logical thread.
zk::Awaitable<Result<std::string>> askInCoroutine(zk::SessionPtr session, std::string path)
{
    lock::MutexOptions options;
    options.path = path;
    lock::Mutex mutex(session, options);
    const Result<lock::Grant> grant = co_await mutex.acquire(lockscope::OwnerId{0}, 10s).asResult();
    if (!grant) {
        co_return grant.error();
    }
    const Result<std::vector<std::string>> queue = co_await mutex.participants().asResult();
    const Result<void> released = co_await mutex.release(lockscope::OwnerId{0}).asResult();
    if (!released) {
        co_return released.error();
    }
    co_return queue && queue->size() == 1 ? "alone in the queue" : "not alone in the queue";
}

// The client runs it on its I/O thread, with its session; the caller waits.
bool onTheClientsThread(lock::Client& client, const std::string& locks)
{
    const Result<std::string> answer = client.run(
        [&](const zk::SessionPtr& session) { return askInCoroutine(session, locks + "/coroutine"); });
    std::cout << "coroutine: " << (answer ? *answer : answer.error().text()) << "\n";
    return answer.has_value();
}

// Your own Boost.Asio loop, no other thread: the hub serves its sessions on it.
bool onMyOwnLoop(const std::string& hosts, const std::string& locks)
{
    boost::asio::io_context io;
    const auto hub = zk::Hub::create(io, zk::HubOptions::ownProcess()).value();
    const auto session = hub->connect({hosts});
    bool good = false;
    boost::asio::co_spawn(io, askInCoroutine(session, locks + "/loop"),
                          [&](std::exception_ptr, const Result<std::string>& answer) {
                              good = answer.has_value();
                              std::cout << "own loop: " << (good ? *answer : answer.error().text()) << "\n";
                              session->close();
                              hub->whenClosed([&] { io.stop(); });
                          });
    io.run();
    return good;
}

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::cerr << "usage: example HOST:PORT[,HOST:PORT...] /path/of/the/locks\n";
        return 2;
    }
    const std::string hosts = argv[1];
    const std::string locks = argv[2];
    const auto client = lock::Client::connect({hosts}, zk::HubOptions::ownProcess());
    if (!client) {
        std::cerr << client.error().text() << "\n"; // what is wrong, and what to do about it
        return 1;
    }
    try {
        if (!writeReport(**client, locks))
            return 1;
        std::cout << "visitors: " << countVisitors(**client, locks) << "\n";
        transfer(**client, locks);
        std::cout << "encoded: " << encode(**client, locks) << "\n";
    } catch (const lock::LockError& error) { // a std::system_error
        std::cerr << error.what() << "\n";
        return 1;
    }
    return onTheClientsThread(**client, locks) && onMyOwnLoop(hosts, locks) ? 0 : 1;
}
