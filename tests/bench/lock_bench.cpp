// lock_bench [--quick]: the mutex beside the bare C client on one private server, in turns. Prints a table and JSON.
// Ratios are what counts: these machines are shared.
#include "core/engine/engine.h"
#include "core/lock/mutex.h"
#include "core/lock/parents.h"
#include "core/replay/reducer.h"
#include "core/server/managed_server.h"
#include "core/zk/hub.h"
#include "tests/bench/bare_client.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

namespace {

using namespace lockscope;

const std::string kParent = "/bench";

struct Uncontended
{
    boost::asio::io_context io{1};
    std::unique_ptr<zk::Hub> hub;
    double seconds = 0;
};

zk::Awaitable<void> uncontended(Uncontended* bench, std::string host, lock::HandoffPolicy policy, int cycles)
{
    auto session = bench->hub->connect({host, std::chrono::seconds(10), std::chrono::seconds(10)});
    zk::Signal connected(*bench->hub);
    session->listen([notify = connected.notifier()](zk::SessionPhase) { notify(); });
    while (session->phase() != zk::SessionPhase::connected)
        co_await connected.wait();
    co_await lock::makeParents(session, kParent);
    lock::MutexOptions options;
    options.path = kParent + "/uncontended";
    options.handoff = policy;
    lock::Mutex mutex(session, options);
    MonotonicTime begin = bench->hub->now();
    for (int i = -cycles / 10; i < cycles; ++i) {
        if (i == 0)
            begin = bench->hub->now();
        co_await mutex.acquire(OwnerId{0});
        co_await mutex.release(OwnerId{0});
    }
    bench->seconds = std::chrono::duration<double>(bench->hub->now() - begin).count();
    session->close();
    bench->hub->whenClosed([bench] { bench->io.stop(); });
}

double ourUncontended(const std::string& host, lock::HandoffPolicy policy, int cycles)
{
    Uncontended bench;
    bench.hub = std::move(*zk::Hub::create(bench.io));
    boost::asio::co_spawn(bench.io, uncontended(&bench, host, policy, cycles), boost::asio::detached);
    bench.io.run();
    return bench.seconds;
}

struct Contended
{
    replay::Histogram handoff;
    double connectSeconds = 0;
    std::uint64_t acquired = 0;
    double perSecond = 0;
};

Contended contended(const std::string& host, sim::Handoff policy, std::uint32_t clients, std::uint32_t cycles)
{
    engine::Options options;
    options.connect = host;
    options.scenario = *sim::loadScenario("bare");
    options.scenario.clients = clients;
    options.scenario.cycles = cycles;
    options.scenario.hold = {std::chrono::milliseconds(2), std::chrono::milliseconds(2)};
    options.scenario.handoff = policy;
    options.scenario.lockPath = kParent + "/contended-" + std::to_string(clients);
    engine::Engine engine(options);
    const auto store = engine.trace();
    replay::RunState state;
    std::size_t applied = 0;
    TraceTime firstConnecting{-1}, lastConnected{};
    engine.start();
    for (bool over = false; !over;) {
        over = engine.phase() == engine::Phase::finished || engine.phase() == engine::Phase::failed;
        for (; applied < store->count(); ++applied) {
            replay::apply(state, *store, applied);
            if (const auto* session = std::get_if<trace::SessionState>(&store->at(applied).what)) {
                if (session->phase == trace::SessionPhase::connecting && firstConnecting < TraceTime{})
                    firstConnecting = store->at(applied).at;
                if (session->phase == trace::SessionPhase::connected)
                    lastConnected = store->at(applied).at;
            }
        }
        ::poll(nullptr, 0, 5);
    }
    engine.stop();
    Contended result;
    result.handoff = state.statistics.handoff;
    result.connectSeconds = std::chrono::duration<double>(lastConnected - firstConnecting).count();
    result.acquired = state.statistics.acquired;
    result.perSecond = static_cast<double>(result.acquired) / std::chrono::duration<double>(state.now).count();
    return result;
}

long peakMegabytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            long kilobytes = 0;
            status >> kilobytes;
            return kilobytes / 1024;
        }
    return 0;
}

double median(std::vector<Duration> values)
{
    std::sort(values.begin(), values.end());
    return static_cast<double>(values[values.size() / 2].count()) / 1000;
}

double microseconds(Duration value) { return static_cast<double>(value.count()) / 1000; }

} // namespace

int main(int argc, char** argv)
{
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    auto server = server::ManagedServer::start({});
    if (!server) {
        std::fprintf(stderr, "lock_bench: %s\n", server.error().text().c_str());
        return 3;
    }
    const std::string host = (*server)->address();
    const int cycles = quick ? 500 : 3000;

    // In turns, so that a noisy neighbour hits all alike; the best turn of each counts.
    ourUncontended(host, lock::HandoffPolicy::curator, 200); // makes the parents, warms Java up
    double bare = 1e9, curator = 1e9, announced = 1e9;
    for (int turn = 0; turn < 3; ++turn) {
        bare = std::min(bare, bench::bareCreateDelete(host, kParent, cycles));
        curator = std::min(curator, ourUncontended(host, lock::HandoffPolicy::curator, cycles));
        announced = std::min(announced, ourUncontended(host, lock::HandoffPolicy::announced, cycles));
    }
    std::printf("uncontended, per second            bare %8.0f   curator policy %8.0f (%.2f x)   announced %8.0f (%.2f x)\n",
                cycles / bare, cycles / curator, bare / curator, cycles / announced, bare / announced);

    std::string json = "{\"uncontended_ratio_curator\": " + std::to_string(bare / curator) +
                       ", \"uncontended_ratio_announced\": " + std::to_string(bare / announced) + ", \"handoff\": [";
    for (const std::uint32_t clients : {10U, 100U, 1000U}) {
        const std::uint32_t rounds = std::max<std::uint32_t>(1, (quick ? 500 : 2000) / clients);
        const double event = median(bench::bareDeleteToEvent(host, kParent, quick ? 200 : 500));
        const Contended ours = contended(host, sim::Handoff::announced, clients, rounds);
        const Contended exact = contended(host, sim::Handoff::curator, clients, rounds);
        const double p50 = microseconds(ours.handoff.percentile(50));
        const double exact50 = microseconds(exact.handoff.percentile(50));
        std::printf("%5u clients, hold 2 ms: delete-to-event p50 %6.0f us   announced p50 %6.0f us (%.2f x) p99 %6.0f us   "
                    "curator p50 %6.0f us (%.2f x) p99 %6.0f us   connected in %.2f s\n",
                    clients, event, p50, p50 / event, microseconds(ours.handoff.percentile(99)), exact50,
                    exact50 / event, microseconds(exact.handoff.percentile(99)), ours.connectSeconds);
        json += (clients == 10 ? "" : ", ") + std::string("{\"clients\": ") + std::to_string(clients) +
                ", \"event_us\": " + std::to_string(event) + ", \"announced_p50_us\": " + std::to_string(p50) +
                ", \"curator_p50_us\": " + std::to_string(exact50) +
                ", \"connect_s\": " + std::to_string(ours.connectSeconds) + "}";
    }
    std::printf("peak memory of this process        %ld MB\n", peakMegabytes());
    std::printf("%s], \"peak_mb\": %ld}\n", json.c_str(), peakMegabytes());
    return 0;
}
