// blocking_peer HOST:PORT [cohort|who|safe|options|spans]: threads with one client and one lock between them,
// a BlockingMutex, the same when it is asked for more (who holds it, how long it is safe, both, a span for
// each acquisition), or a CohortMutex, and candidates of an election, in a process of their own, driven as
// the contestants are (tests/interop/peers/README.md: open, uncontended, contend, elect, resign). Uses the
// library as other projects do. Ends when standard input ends.
#include "tests/example/program/span_observer.h"

#include <lockscope/lock/blocking/client.h>
#include <lockscope/lock/blocking/cohort_mutex.h>
#include <lockscope/lock/blocking/leader_latch.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace lockscope;

// Whole lines, from any thread.
void say(const std::string& line)
{
    static std::mutex mutex;
    const std::lock_guard guard(mutex);
    std::cout << line << std::endl;
}

std::int64_t ticks() { return monotonicNow().time_since_epoch().count(); }

// A BlockingMutex that is asked who holds it and how long it is safe.
class AskedMutex
{
public:
    AskedMutex(const lock::Client& client, lock::LockOptions options, std::string_view what)
        : m_mutex(client, std::move(options))
        , m_asksWho(what != "safe")
        , m_asksSafe(what != "who")
    {}
    void lock()
    {
        lock::Refusal refusal;
        while (!(m_asksWho ? m_mutex.try_lock_for(std::chrono::hours(1), refusal)
                           : m_mutex.try_lock_for(std::chrono::hours(1)))) {
        }
        if (m_asksSafe && !m_mutex.safeUntil())
            std::cerr << "blocking_peer: no server has answered yet\n";
    }
    void unlock() { m_mutex.unlock(); }

private:
    lock::BlockingMutex m_mutex;
    const bool m_asksWho, m_asksSafe;
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
    std::ostringstream lines;
    for (const Hold& each : holds)
        lines << "hold " << each.called << ' ' << each.acquired << ' ' << each.releasing << '\n';
    say(lines.str() + "contended " + std::to_string(holds.size()));
}

// One order; false: not understood. `make`: the lock, of a path.
template <class Make>
bool obey(const Make& make, const std::string& line, int& threads)
{
    std::istringstream words(line);
    std::string order, path;
    int which = 0, count = 0;
    std::int64_t hold = 0;
    words >> order;
    if (order == "open" && words >> threads) {
        say("opened " + std::to_string(threads) + " 0");
        return true;
    }
    if (order == "uncontended" && words >> which >> path >> count) {
        const auto mutex = make(path);
        secondsFor(*mutex, count / 10); // warm
        const double seconds = secondsFor(*mutex, count);
        say("uncontended " + std::to_string(static_cast<long long>(seconds * 1e9)));
        return true;
    }
    if (order == "contend" && words >> path >> count >> hold) {
        const auto mutex = make(path);
        contend(*mutex, threads, count, std::chrono::microseconds(hold));
        return true;
    }
    return false;
}

// Each with a session of its own.
class Candidates
{
public:
    explicit Candidates(std::string host)
        : m_host(std::move(host))
    {}
    bool obey(const std::string& line)
    {
        std::istringstream words(line);
        std::string order, number, path, id;
        words >> order >> number;
        if (order == "elect" && words >> path >> id) {
            Candidate& one = m_all[number];
            if (!one.client)
                one.client = lock::Client::connect({m_host, std::chrono::seconds(60)}).value();
            one.latch.emplace(*one.client, path, id);
            one.latch->onChange([number](std::optional<lock::Zxid> token) {
                say((token ? "leads " : "leads-not ") + number);
            });
            one.latch->start();
            return true;
        }
        if (order != "resign" || !m_all.contains(number))
            return false;
        m_all[number].latch->close().value();
        say("resigned " + number);
        return true;
    }

private:
    struct Candidate
    {
        std::unique_ptr<lock::Client> client{};
        std::optional<lock::LeaderLatch> latch{};
    };
    const std::string m_host;
    std::map<std::string, Candidate> m_all; // by number
};

} // namespace

int main(int argc, char** argv)
{
    const std::string_view kind = argc == 3 ? argv[2] : "";
    constexpr std::string_view kKinds[] = {"", "cohort", "who", "safe", "options", "spans"};
    if (argc < 2 || argc > 3 || std::ranges::find(kKinds, kind) == std::end(kKinds)) {
        std::cerr << "usage: blocking_peer HOST:PORT [cohort|who|safe|options|spans]\n";
        return 2;
    }
    const auto client =
        lock::Client::connect({argv[1], std::chrono::seconds(60)}, zk::HubOptions::ownProcess()).value();
    if (kind == "safe" || kind == "options")
        client->keepSafeTime(lock::SafetyRule::singleServer());
    const auto optionsFor = [&](const std::string& path) {
        lock::LockOptions options = lock::LockOptions::at(path);
        options.handoff = lock::HandoffPolicy::announced;
        if (kind == "spans") // made, and sent nowhere
            options.observer = std::make_shared<SpanObserver>("bench", [](const std::string&) {});
        return options;
    };
    int threads = 1;
    const auto obeys = [&](const std::string& line) {
        if (kind == "cohort")
            return obey(
                [&](const auto& path) {
                    return std::make_unique<lock::CohortMutex>(*client, optionsFor(path));
                },
                line, threads);
        if (kind.empty() || kind == "spans")
            return obey(
                [&](const auto& path) {
                    return std::make_unique<lock::BlockingMutex>(*client, optionsFor(path));
                },
                line, threads);
        return obey(
            [&](const auto& path) { return std::make_unique<AskedMutex>(*client, optionsFor(path), kind); },
            line, threads);
    };
    Candidates candidates(argv[1]);
    say("ready");
    for (std::string line; std::getline(std::cin, line);)
        if (!obeys(line) && !candidates.obey(line))
            say("failed 0 " + line + ": not understood");
    return 0;
}
