// What watching foreign locks costs: lockscope-run --watch beside a stream of creates and deletes, in bursts,
// on many idle locks, and beside Curator's clients, whose handoffs a second are measured with and without it.
//   field_bench [CHANGES_A_SECOND [SECONDS [IDLE_LOCKS [BURSTS [PAIRS]]]]]       by default 5000 10 10000 100
//   15
#include "core/server/process/managed_server.h"
#include "core/zk/hub.h"
#include "tests/integration/child.h"
#include "tests/interop/peer_process.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

using namespace lockscope;
namespace json = boost::json;

struct Usage
{
    double seconds = 0;
    double megabytes = 0;
};

Usage usageOf(int pid)
{
    Usage usage;
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string word;
    for (int field = 1; stat >> word && field < 15; ++field)
        if (field == 14)
            usage.seconds = std::stod(word);
    usage.seconds += std::stod(word); // the 15th: in the system
    usage.seconds /= static_cast<double>(sysconf(_SC_CLK_TCK));
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:"))
            usage.megabytes = std::stod(line.substr(6)) / 1024;
    return usage;
}

class Bench
{
public:
    Bench()
        : m_server(server::ManagedServer::start({}).value())
        , m_hub(zk::Hub::create(m_io).value())
    {
        m_session = m_hub->connect({m_server->address(), std::chrono::seconds(30)});
        runUntil([&] { return m_session->phase() == zk::SessionPhase::connected; });
    }

    void create(const std::string& path, zk::CreateMode mode)
    {
        ++m_open;
        m_session->create(path, "", mode, [this](const zk::Created&) { --m_open; });
    }
    void createAndRemove(const std::string& node)
    {
        create(node, zk::CreateMode::ephemeral);
        ++m_open;
        m_session->remove(node, [this](zk::Code) { --m_open; });
    }
    void runUntil(const std::function<bool()>& reached)
    {
        while (!reached()) {
            m_io.restart();
            m_io.run_one_for(std::chrono::milliseconds(5));
        }
    }
    void idle()
    {
        runUntil([this] { return m_open == 0; });
    }

    // Creates and deletes at this rate; returns how many of each.
    int stream(const std::string& lock, int changesASecond, int seconds)
    {
        const auto begin = MonotonicClock::now();
        int pairs = 0;
        for (double now = 0; now < seconds;) {
            now = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
            for (; pairs < now * changesASecond / 2 && m_open < 2000; ++pairs) {
                const std::string node = lock + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-" +
                                         std::to_string(1'000'000'000 + pairs);
                createAndRemove(node);
            }
            m_io.restart();
            m_io.run_one_for(std::chrono::milliseconds(2));
            m_io.poll();
        }
        idle();
        return pairs;
    }
    const server::ManagedServer& server() const { return *m_server; }

private:
    std::unique_ptr<server::ManagedServer> m_server;
    boost::asio::io_context m_io{1};
    std::unique_ptr<zk::Hub> m_hub;
    std::shared_ptr<zk::HubSession> m_session;
    int m_open = 0;
};

json::object reportOf(test::Child& child)
{
    child.signal(SIGINT);
    if (child.wait() != 0)
        fmt::print("it failed: {}\n", child.errors());
    return json::parse(child.output()).as_object();
}

} // namespace

// So many creates and deletes at once, one burst after the other.
void measureBursts(Bench& bench, int bursts)
{
    constexpr int kSize = 500;
    const std::string file = (bench.server().directory() / "bursts.json").string();
    test::Child child(LOCKSCOPE_RUN, {"--watch", bench.server().address(), "--lock", "/busy", "--lock",
                                      "/last", "--report", file});
    bench.runUntil([&] { return child.errors().find("/last") != std::string::npos; });
    for (int burst = 0; burst < bursts; ++burst) {
        for (int i = 0; i < kSize; ++i)
            bench.createAndRemove("/busy/_c_01234567-89ab-cdef-0123-456789abcdef-lock-" +
                                  std::to_string(1'000'000'000 + burst * kSize + i));
        bench.idle();
    }
    // What comes last has been seen when this has.
    bench.create("/last", zk::CreateMode::persistent);
    bench.create("/last/_c_01234567-89ab-cdef-0123-456789abcdef-lock-", zk::CreateMode::ephemeralSequential);
    bench.runUntil([&] { return child.output().find("/last  mutex") != std::string::npos; });
    child.signal(SIGINT);
    child.wait();
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    const json::object report = json::parse(text.str()).as_object();
    fmt::print("{} bursts of {}: created {}, deleted {}, acquisitions {}, gaps {}\n", bursts, kSize,
               report.at("nodes_created").to_number<int>() - 1, report.at("nodes_deleted").to_number<int>(),
               report.at("locks").at(0).at("acquisitions").to_number<int>(),
               report.at("gaps").as_array().size());
}

// Ten Curator clients on one lock, which each holds for 2 ms. In turns: the machine's other work changes
// slowly.
void measurePairs(Bench& bench, int pairs)
{
    constexpr int kHolds = 500, kHoldUs = 2000;
    const auto command = tests::PeerProcess::curatorCommand(bench.server().address());
    if (!command)
        return fmt::print("with and without it: {}\n", command.error().text());
    const auto peer = tests::PeerProcess::start(*command).value();
    peer->tell("open 10 30000");
    peer->await("opened").value();
    const auto rate = [&] {
        const auto begin = MonotonicClock::now();
        peer->tell(fmt::format("contend /contended {} {}", kHolds, kHoldUs));
        peer->await("contended", std::chrono::minutes(5)).value();
        peer->takeAll("hold");
        return kHolds / std::chrono::duration<double>(MonotonicClock::now() - begin).count();
    };
    const auto watchedRate = [&] {
        test::Child child(LOCKSCOPE_RUN, {"--watch", bench.server().address(), "--lock", "/contended",
                                          "--lock", "/none", "--report", "-"});
        bench.runUntil([&] { return child.errors().find("/none") != std::string::npos; });
        const double watched = rate();
        reportOf(child);
        return watched;
    };
    rate(); // Java compiles
    std::vector<double> ratios;
    for (int pair = 0; pair < pairs; ++pair) {
        const bool watchedFirst = pair % 2 == 0;
        const double first = watchedFirst ? watchedRate() : rate();
        const double second = watchedFirst ? rate() : watchedRate();
        ratios.push_back(watchedFirst ? first / second : second / first);
    }
    std::sort(ratios.begin(), ratios.end());
    fmt::print("Curator's handoffs a second with it, against without it, {} pairs: median {:.3f}, quartiles "
               "{:.3f} and {:.3f}\n",
               pairs, ratios[ratios.size() / 2], ratios[ratios.size() / 4], ratios[ratios.size() * 3 / 4]);
}

int main(int argc, char** argv)
{
    const int rate = argc > 1 ? std::atoi(argv[1]) : 5000, seconds = argc > 2 ? std::atoi(argv[2]) : 10,
              locks = argc > 3 ? std::atoi(argv[3]) : 10'000, bursts = argc > 4 ? std::atoi(argv[4]) : 100,
              pairs = argc > 5 ? std::atoi(argv[5]) : 15;
    Bench bench;
    bench.create("/busy", zk::CreateMode::persistent);
    bench.create("/idle", zk::CreateMode::persistent);
    bench.idle();
    if (bursts > 0)
        measureBursts(bench, bursts);
    if (pairs > 0)
        measurePairs(bench, pairs);
    if (seconds > 0) {
        test::Child child(LOCKSCOPE_RUN, {"--watch", bench.server().address(), "--lock", "/busy", "--lock",
                                          "/none", "--report", "-"});
        bench.runUntil(
            [&] { return child.errors().find("/none") != std::string::npos; }); // it has read the tree
        const Usage before = usageOf(child.pid());
        const auto begin = MonotonicClock::now();
        const int holds = bench.stream("/busy", rate, seconds);
        const double took = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
        const Usage after = usageOf(child.pid());
        const json::object report = reportOf(child);
        fmt::print("{:.0f} changes a second for {:.1f} s: {:.2f} of a core, {:.0f} MB; created {} of {}, "
                   "deleted {}, gone before they were read {}\n",
                   2 * holds / took, took, (after.seconds - before.seconds) / took, after.megabytes,
                   report.at("nodes_created").to_number<int>(), holds,
                   report.at("nodes_deleted").to_number<int>(), report.at("stat_unknown").to_number<int>());
    }
    if (locks == 0)
        return 0;
    for (int i = 0; i < locks; ++i) {
        bench.create("/idle/" + std::to_string(i), zk::CreateMode::persistent);
        bench.create("/idle/" + std::to_string(i) + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-",
                     zk::CreateMode::ephemeralSequential);
    }
    bench.idle();
    test::Child child(LOCKSCOPE_RUN, {"--watch", bench.server().address(), "--tree", "/idle", "--lock",
                                      "/none", "--report", "-"});
    const auto begin = MonotonicClock::now();
    bench.runUntil([&] { return child.errors().find("/none") != std::string::npos; });
    const double read = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
    const Usage before = usageOf(child.pid());
    const auto idleBegin = MonotonicClock::now();
    bench.runUntil([&] { return MonotonicClock::now() - idleBegin > std::chrono::seconds(5); });
    const Usage after = usageOf(child.pid());
    const json::object report = reportOf(child);
    fmt::print("{} idle locks: read in {:.1f} s, {:.0f} MB, {:.2f} of a core; {} in the report\n", locks,
               read, after.megabytes, (after.seconds - before.seconds) / 5,
               report.at("locks").as_array().size());
}
