// What watching foreign locks costs: lockscope-run --watch beside a stream of creates and deletes, and on many idle locks.
//   field_bench [CHANGES_A_SECOND [SECONDS [IDLE_LOCKS]]]       by default 5000 10 10000
#include "core/server/process/managed_server.h"
#include "core/zk/hub.h"
#include "tests/integration/child.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <unistd.h>

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
    void runUntil(const std::function<bool()>& reached)
    {
        while (!reached()) {
            m_io.restart();
            m_io.run_one_for(std::chrono::milliseconds(5));
        }
    }
    void idle() { runUntil([this] { return m_open == 0; }); }

    // Creates and deletes at this rate; returns how many of each.
    int stream(const std::string& lock, int changesASecond, int seconds)
    {
        const auto begin = MonotonicClock::now();
        int pairs = 0;
        for (double now = 0; now < seconds;) {
            now = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
            for (; pairs < now * changesASecond / 2 && m_open < 2000; ++pairs) {
                const std::string node = lock + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-" + std::to_string(1'000'000'000 + pairs);
                create(node, zk::CreateMode::ephemeral);
                ++m_open;
                m_session->remove(node, [this](zk::Code) { --m_open; });
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

int main(int argc, char** argv)
{
    const int rate = argc > 1 ? std::atoi(argv[1]) : 5000, seconds = argc > 2 ? std::atoi(argv[2]) : 10,
              locks = argc > 3 ? std::atoi(argv[3]) : 10'000;
    Bench bench;
    bench.create("/busy", zk::CreateMode::persistent);
    bench.create("/idle", zk::CreateMode::persistent);
    bench.idle();
    {
        test::Child child(LOCKSCOPE_RUN, {"--watch", bench.server().address(), "--lock", "/busy", "--lock", "/none", "--report", "-"});
        bench.runUntil([&] { return child.errors().find("/none") != std::string::npos; }); // it has read the tree
        const Usage before = usageOf(child.pid());
        const auto begin = MonotonicClock::now();
        const int pairs = bench.stream("/busy", rate, seconds);
        const double took = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
        const Usage after = usageOf(child.pid());
        const json::object report = reportOf(child);
        fmt::print("{:.0f} changes a second for {:.1f} s: {:.2f} of a core, {:.0f} MB; created {} of {}, deleted {}, gone before they were read {}\n",
                   2 * pairs / took, took, (after.seconds - before.seconds) / took, after.megabytes, report.at("nodes_created").to_number<int>(),
                   pairs, report.at("nodes_deleted").to_number<int>(), report.at("stat_unknown").to_number<int>());
    }
    for (int i = 0; i < locks; ++i) {
        bench.create("/idle/" + std::to_string(i), zk::CreateMode::persistent);
        bench.create("/idle/" + std::to_string(i) + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-", zk::CreateMode::ephemeralSequential);
    }
    bench.idle();
    test::Child child(LOCKSCOPE_RUN, {"--watch", bench.server().address(), "--tree", "/idle", "--lock", "/none", "--report", "-"});
    const auto begin = MonotonicClock::now();
    bench.runUntil([&] { return child.errors().find("/none") != std::string::npos; });
    const double read = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
    const Usage before = usageOf(child.pid());
    const auto idleBegin = MonotonicClock::now();
    bench.runUntil([&] { return MonotonicClock::now() - idleBegin > std::chrono::seconds(5); });
    const Usage after = usageOf(child.pid());
    const json::object report = reportOf(child);
    fmt::print("{} idle locks: read in {:.1f} s, {:.0f} MB, {:.2f} of a core; {} in the report\n", locks, read, after.megabytes,
               (after.seconds - before.seconds) / 5, report.at("locks").as_array().size());
}
