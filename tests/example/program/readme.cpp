// The samples of core/lock/README.md, word for word (the test compares them), with what they leave out around
// them. A stand-alone program, built against an installed LockScope:  readme HOST:PORT[,HOST:PORT...]

// clang-format off
//! [all]
#include <lockscope/lock/blocking/blocking_mutex.h>  // also BlockingSharedMutex, BlockingMultiLock
#include <lockscope/lock/blocking/blocking_semaphore.h>
#include <lockscope/lock/blocking/client.h>
#include <lockscope/lock/blocking/cohort_mutex.h>
#include <lockscope/lock/blocking/leader_latch.h>
#include <lockscope/lock/fence.h>
#include <lockscope/lock/log_observer.h>
#include <lockscope/lock/metrics.h>
#include <lockscope/lock/mutex.h>                    // for coroutines

namespace fence = lockscope::fence;
namespace lock = lockscope::lock;
namespace zk = lockscope::zk;
using lock::Error, lock::OwnerId, lock::Result, lock::Zxid;
using namespace std::chrono_literals;
//! [all]

#include "span_observer.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Report
{} file;
std::function<void()> whileWriting; // a coroutine holds the lock

int complain(const std::string& text)
{
    std::cerr << text << "\n";
    return 1;
}
void stopWriting() { std::cerr << "The lock was lost.\n"; }
void write(const Report&, Zxid token) { std::cout << "threads: " << (token.valid() ? "written" : "no token") << "\n"; }

zk::Awaitable<void> write(Zxid token)
{
    std::cout << "coroutine: " << (token.valid() ? "written" : "no token") << "\n";
    if (!whileWriting)
        co_return;
    whileWriting();
    boost::asio::steady_timer hour(co_await boost::asio::this_coro::executor, std::chrono::hours(1));
    co_await hour.async_wait(boost::asio::use_awaitable);
}

int threads(const std::string& hosts)
{
    //! [threads]
    const auto hub = zk::HubOptions::ownProcess();             // the C client's log is off, files as many as may be
    auto client = lock::Client::connect({hosts}, hub);         // "zk1:2181,zk2:2181,zk3:2181"
    if (!client)
        return complain(client.error().text());                // what is wrong, and what to do about it
    (*client)->onError([](const Error& error) { complain(error.text()); });
    lock::BlockingMutex mutex(**client, "/locks/report");
    mutex.onLost([](const lock::LostHold&) { stopWriting(); });
    std::unique_lock guard(mutex, 10s);                        // also lock_guard; scoped_lock over several
    const std::optional<Zxid> token = mutex.token();           // none: not had in time, or lost again
    if (token)
        write(file, *token);                                   // the storage refuses smaller tokens
    //! [threads]
    return 0;
}

//! [coroutine]
zk::Awaitable<Result<void>> report(zk::SessionPtr session)
{
    lock::MutexOptions options;
    options.path = "/locks/report";
    lock::Mutex mutex(session, options);
    const Result<lock::Grant> grant = co_await mutex.acquire(10s).asResult();
    if (!grant)
        co_return grant.error();                           // timedOut, sessionLost, noAuth: which right, where
    co_await write(*grant->token);                         // a MultiLock: one in grant->parts for each part
    co_return co_await mutex.release().asResult();
}
//! [coroutine]

//! [cancel]
zk::Awaitable<bool> acquiredBefore(lock::Mutex& mutex, boost::asio::steady_timer& timer)
{
    using namespace boost::asio::experimental::awaitable_operators;
    auto acquiring = mutex.acquire(OwnerId{0})(boost::asio::use_awaitable);
    auto waiting = timer.async_wait(boost::asio::use_awaitable);
    const auto first = co_await (std::move(acquiring) || std::move(waiting));
    co_return first.index() == 0;                          // else it was cancelled, and leaves no node behind
}
//! [cancel]

//! [fence]
zk::Awaitable<Result<void>> writeFenced(std::shared_ptr<zk::HubSession> session)
{
    lock::Mutex mutex(session, lock::LockOptions::at("/locks/report"));
    const Result<lock::Grant> grant = co_await mutex.acquire(10s).asResult();
    if (!grant)
        co_return grant.error();
    const std::string holder = mutex.path() + "/" + grant->node;
    const Result<void> inZooKeeper = co_await fence::write(session, holder, "/data/report", "text").asResult();
    if (!inZooKeeper)
        co_return inZooKeeper.error();                         // notOwner: a late writer, nothing was written
    co_return fence::replaceFile("report.txt", *grant->token, "text"); // the same
}
//! [fence]

zk::Awaitable<Result<void>> fenced(std::shared_ptr<zk::HubSession> session)
{
    for (const char* path : {"/data", "/data/report"}) {
        zk::Pending<zk::Created> created;
        session->create(path, "", zk::CreateMode::persistent, created.handler());
        co_await created.get();
    }
    const Result<void> written = co_await writeFenced(session);
    co_return written;
}

void beLeader(std::optional<Zxid> token) { std::cout << (token ? "leads\n" : "leads no longer\n"); }

zk::Awaitable<Result<bool>> inTime(zk::SessionPtr session)
{
    lock::Mutex mutex(session, lock::LockOptions::at("/locks/timed"));
    boost::asio::steady_timer hour(co_await boost::asio::this_coro::executor, std::chrono::hours(1));
    const bool acquired = co_await acquiredBefore(mutex, hour);
    co_return acquired;
}

void log(lock::LogLevel level, const std::string& line)
{
    if (level == lock::LogLevel::warning)
        complain(line);
}

void writeSpan(const std::string& line)
{
    if (line.find("lock.token") != std::string::npos)
        std::cout << "traced: one span\n";
}

int observed(const std::string& hosts)
{
    auto client = lock::Client::connect({hosts}, zk::HubOptions::ownProcess());
    if (!client)
        return complain(client.error().text());
    //! [observe]
    const auto metrics = std::make_shared<lock::Metrics>();    // or std::make_shared<lock::LogObserver>(log)
    auto options = lock::LockOptions::at("/locks/report");
    options.observer = metrics;                                // several: lock::Observers
    (*client)->onPhase(lock::countPhases(metrics));            // reconnects and lost sessions
    (*client)->onPhase(lock::logPhases(log));
    lock::BlockingMutex mutex(**client, options);
    //! [observe]
    mutex.lock();
    mutex.unlock();
    //! [trace]
    auto traced = lock::LockOptions::at("/locks/traced");
    traced.observer = std::make_shared<SpanObserver>("billing", writeSpan); // your copy of span_observer.h
    //! [trace]
    lock::BlockingMutex second(**client, traced);
    second.lock();
    second.unlock();
    const Result<bool> acquired = (*client)->run(inTime);
    std::cout << "observed: " << metrics->snapshot().released << ", in time: " << (acquired && *acquired) << "\n";
    return 0;
}

int safe(const std::string& hosts)
{
    auto client = lock::Client::connect({hosts}, zk::HubOptions::ownProcess());
    if (!client)
        return complain(client.error().text());
    auto own = lock::LockOptions::at("/locks/report");
    own.nodeData = "this host";
    lock::BlockingMutex mutex(**client, own);
    (*client)->keepSafeTime(lock::SafetyRule::singleServer());
    while (!(*client)->safeUntil())
        std::this_thread::yield();
    {
        //! [safe]
        (*client)->keepSafeTime(lock::SafetyRule::singleServer()); // or ensemble(tickTime, syncLimit)
        (*client)->onAboutToLose(3s, stopWriting);                 // while no server answers, 3 s before the end
        const std::lock_guard guard(mutex);
        const auto until = mutex.safeUntil();                      // none: no answer yet, or the lock is lost
        if (until && *until > lock::BootClock::now() + 2s)         // for 2 s no other client holds it
            write(file, mutex.token().value());
        //! [safe]
        lock::BlockingMutex other(**client, "/locks/report");
        auto ofPermits = own;
        ofPermits.path = "/locks/permits";
        lock::BlockingSemaphore permits(**client, {ofPermits, 1, {}});
        const lock::HeldLeases permit = permits.acquire();
        std::thread([&] {
            //! [refusal]
            lock::Refusal refusal;
            if (!other.try_lock_for(100ms, refusal) && refusal.holder) // also try_lock(refusal), try_lock_shared(refusal)
                std::cout << refusal.holder->data << " holds it; ahead: " << refusal.ahead << "\n";
            if (!permits.try_acquire(refusal) && refusal.holder)       // a BlockingSemaphore
                std::cout << refusal.holder->data << " has the oldest lease\n";
            //! [refusal]
        }).join();
    }
    const Result<void> done = (*client)->run(fenced);
    std::filesystem::remove("report.txt");
    std::filesystem::remove("report.txt.token");
    if (!done)
        return complain(done.error().text());
    std::cout << "fenced: written\n";
    //! [leader]
    lock::LeaderLatch latch(**client, "/leader", "host 1");     // the id that the others see
    latch.onChange([](std::optional<Zxid> token) { beLeader(token); }); // none: it is none any more
    latch.start();                                             // takes part in the background, until close()
    latch.await();                                             // also await_for(10s), hasLeadership(), token()
    //! [leader]
    return latch.close() ? 0 : 1;
}

int counted = 0; // guarded by the lock
void count(Zxid token) { counted += token.valid() ? 1 : 0; }

int shared(const std::string& hosts)
{
    auto client = lock::Client::connect({hosts}, zk::HubOptions::ownProcess());
    if (!client)
        return complain(client.error().text());
    //! [cohort]
    lock::CohortMutex mutex(**client, "/locks/report", {.count = 100, .time = 10ms});
    std::vector<std::thread> threads;                          // they pass the lock on among themselves
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            const std::lock_guard guard(mutex);
            count(mutex.token().value());                      // the node's: the same until the node goes
        });
    //! [cohort]
    for (std::thread& thread : threads)
        thread.join();
    std::cout << "counted: " << counted << "\n";
    return 0;
}

int onTheClientsThread(const std::string& hosts)
{
    auto client = lock::Client::connect({hosts}, zk::HubOptions::ownProcess());
    if (!client)
        return complain(client.error().text());
    //! [coroutine]
    const Result<void> done = (*client)->run(report);          // any other thread: waits for the result
    //! [coroutine]
    return done ? 0 : complain(done.error().text());
}

// Waits behind the report, so it is done then.
zk::Awaitable<void> stopAfterIt(zk::SessionPtr session, boost::asio::io_context* io)
{
    lock::MutexOptions options;
    options.path = "/locks/report";
    lock::Mutex mutex(session, options);
    const Result<lock::Grant> grant = co_await mutex.acquire(OwnerId{0}, 10s).asResult();
    std::cout << "own loop: " << (grant ? "done" : grant.error().text()) << "\n";
    io->stop();
}

// In mid-hold the loop ends while a coroutine holds the lock; its session, and the lock with it, end here, too.
void onALoopOfYourOwn(const std::string& hosts, bool inMidHold)
{
    //! [loop]
    boost::asio::io_context io;
    auto hub = zk::Hub::create(io, zk::HubOptions::ownProcess()).value(); // one thread serves thousands of sessions
    auto session = hub->connect({hosts});
    boost::asio::co_spawn(io, report(session), boost::asio::detached);
    //! [loop]
    if (inMidHold)
        whileWriting = [&io] { io.stop(); };
    else
        boost::asio::co_spawn(io, stopAfterIt(session, &io), boost::asio::detached);
    //! [loop]
    io.run();                                                  // until io.stop()
    //! [loop]
    whileWriting = nullptr;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2)
        return complain("usage: readme HOST:PORT[,HOST:PORT...]");
    const std::string hosts = argv[1];
    const int failed = threads(hosts) + onTheClientsThread(hosts) + observed(hosts);
    onALoopOfYourOwn(hosts, false);
    onALoopOfYourOwn(hosts, true);
    return failed + safe(hosts) + shared(hosts) + threads(hosts); // nothing that ended holds the lock any more
}
