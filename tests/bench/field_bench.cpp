// What watching foreign locks costs: lockscope-cli watch beside a stream of creates and deletes, in bursts,
// on many idle locks, and beside Curator's clients, whose handoffs a second are measured with and without it.
//   field_bench                     all of it, for some minutes
//   field_bench --only PART         bursts, pairs, rate or idle; the options say how much
// With a longer --seconds (rate) the memory is printed every minute.
#include "core/server/process/managed_server.h"
#include "core/zk/hub.h"
#include "tests/integration/child.h"
#include "tests/interop/peer_process.h"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <fmt/core.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace lockscope;
namespace json = boost::json;

struct Options
{
    std::string only;
    int bursts = 100;
    int pairs = 15, clients = 10, holdUs = 2000, holds = 500;
    int changes = 5000, seconds = 10, sessions = 4, lifeMs = 0;
    int locks = 10'000;
};

struct Usage
{
    double seconds = 0;
    double megabytes = 0;
};

Usage usageOf(int pid)
{
    Usage usage;
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    std::istringstream fields(text.substr(std::min(text.rfind(')'), text.size())));
    std::string word;
    for (int field = 2; fields >> word && field < 15; ++field)
        if (field == 14)
            usage.seconds = std::stod(word);
    usage.seconds += word.empty() ? 0 : std::stod(word); // the 15th: in the system
    usage.seconds /= static_cast<double>(sysconf(_SC_CLK_TCK));
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:"))
            usage.megabytes = std::stod(line.substr(6)) / 1024;
    return usage;
}

// The Java process that serves from this directory; 0: there is none.
int processOf(const std::filesystem::path& directory)
{
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::error_code none;
        if (std::filesystem::read_symlink(entry.path() / "exe", none).filename() == "java" &&
            std::filesystem::read_symlink(entry.path() / "cwd", none) == directory)
            return std::stoi(entry.path().filename().string());
    }
    return 0;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

class Bench
{
public:
    explicit Bench(int sessions)
        : m_server(server::ManagedServer::start({}).value())
        , m_hub(zk::Hub::create(m_io, zk::HubOptions::ownProcess()).value())
    {
        for (int i = 0; i < sessions; ++i)
            m_sessions.push_back(m_hub->connect({m_server->address(), std::chrono::seconds(30)}));
        runUntil([&] {
            return std::all_of(m_sessions.begin(), m_sessions.end(), [](const auto& session) {
                return session->phase() == zk::SessionPhase::connected;
            });
        });
    }

    void create(const std::string& path, zk::CreateMode mode, std::size_t session = 0)
    {
        ++m_open;
        m_sessions[session]->create(path, "", mode, [this](const zk::Created&) { --m_open; });
    }
    void remove(const std::string& path, std::size_t session = 0)
    {
        ++m_open;
        m_sessions[session]->remove(path, [this](zk::Code) { --m_open; });
    }
    void createAndRemove(const std::string& node)
    {
        create(node, zk::CreateMode::ephemeral);
        remove(node);
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

    // Creates and deletes at this rate, each node by one of the sessions in turn and deleted `lifeMs` later;
    // returns how many of each. `eachMinute` may be empty.
    int stream(const std::string& lock, const Options& options, const std::function<void()>& eachMinute)
    {
        const auto begin = MonotonicClock::now();
        const auto nodeOf = [&](int number) {
            return fmt::format("{}/_c_01234567-89ab-cdef-0123-456789abcdef-lock-{:010}", lock, number);
        };
        const auto sessionOf = [&](int number) {
            return static_cast<std::size_t>(number) % m_sessions.size();
        };
        int made = 0, removed = 0, minutes = 0;
        for (double now = 0; now < options.seconds;) {
            now = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
            const double due = now * options.changes / 2,
                         dueRemovals = due - options.lifeMs * options.changes / 2000.0;
            for (; made < due && m_open < 4000; ++made)
                create(nodeOf(made), zk::CreateMode::ephemeral, sessionOf(made));
            for (; removed < made && removed < dueRemovals; ++removed)
                remove(nodeOf(removed), sessionOf(removed));
            m_io.restart();
            m_io.run_one_for(std::chrono::milliseconds(2));
            m_io.poll();
            if (eachMinute && now >= (minutes + 1) * 60) {
                ++minutes;
                eachMinute();
            }
        }
        for (; removed < made; ++removed)
            remove(nodeOf(removed), sessionOf(removed));
        idle();
        return made;
    }
    const server::ManagedServer& server() const { return *m_server; }

private:
    std::unique_ptr<server::ManagedServer> m_server;
    boost::asio::io_context m_io{1};
    std::unique_ptr<zk::Hub> m_hub;
    std::vector<std::shared_ptr<zk::HubSession>> m_sessions;
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
    test::Child child(LOCKSCOPE_CLI, {"watch", bench.server().address(), "--lock", "/busy", "--lock", "/last",
                                      "--report", file});
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

// Curator's clients on one lock, which each holds for a while. In turns: the machine's other work changes
// slowly, and the Java of both gets faster.
// Where the processors are the limit, handoffs a second follow the processor time that one takes: it is shown
// beside the rates, and another program's work does not change it.
void measurePairs(Bench& bench, const Options& options)
{
    const auto command = tests::PeerProcess::curatorCommand(bench.server().address());
    if (!command)
        return fmt::print("with and without it: {}\n", command.error().text());
    const auto peer = tests::PeerProcess::start(*command).value();
    const int serverPid = processOf(bench.server().directory());
    peer->writeLine(fmt::format("open {} 30000", options.clients));
    peer->await("opened").value();
    struct Turn
    {
        double rate = 0, server = 0, clients = 0,
               observer = 0; // handoffs a second; us of a processor for each
        double all() const { return server + clients + observer; }
    };
    const auto measure = [&](int observer) {
        const auto seconds = [](int pid) { return pid == 0 ? 0 : usageOf(pid).seconds; };
        const double before[] = {seconds(serverPid), seconds(peer->pid()), seconds(observer)};
        const auto begin = MonotonicClock::now();
        peer->writeLine(fmt::format("contend /contended {} {}", options.holds, options.holdUs));
        peer->await("contended", std::chrono::minutes(5)).value();
        const double took = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
        const double each = 1e6 / options.holds;
        const Turn turn{options.holds / took, (seconds(serverPid) - before[0]) * each,
                        (seconds(peer->pid()) - before[1]) * each, (seconds(observer) - before[2]) * each};
        peer->takeAll("hold");
        return turn;
    };
    std::int64_t unknown = 0, missed = 0;
    const auto watched = [&] {
        test::Child child(LOCKSCOPE_CLI, {"watch", bench.server().address(), "--lock", "/contended", "--lock",
                                          "/none", "--report", "-"});
        bench.runUntil([&] { return child.errors().find("/none") != std::string::npos; });
        const Turn turn = measure(child.pid());
        const json::object report = reportOf(child);
        unknown += report.at("stat_unknown").to_number<int>();
        missed += report.at("nodes_created").to_number<int>() - report.at("nodes_deleted").to_number<int>();
        return turn;
    };
    for (int i = 0; i < 3; ++i)
        measure(0); // Java compiles
    std::vector<double> ratios, costs, rates, server[2], clients[2], observer;
    for (int pair = 0; pair < options.pairs; ++pair) {
        Turn with, without;
        if (pair % 2 == 0) {
            with = watched();
            without = measure(0);
        } else {
            without = measure(0);
            with = watched();
        }
        ratios.push_back(with.rate / without.rate);
        costs.push_back(without.all() / with.all());
        rates.push_back(without.rate);
        server[0].push_back(without.server);
        server[1].push_back(with.server);
        clients[0].push_back(without.clients);
        clients[1].push_back(with.clients);
        observer.push_back(with.observer);
    }
    std::vector<double> sorted = ratios;
    std::sort(sorted.begin(), sorted.end());
    fmt::print(
        "{} Curator clients, hold {} us, {} pairs of {} holds: {:.0f} handoffs a second without it; with it, "
        "of that: median {:.3f}, quartiles {:.3f} and {:.3f}\n",
        options.clients, options.holdUs, options.pairs, options.holds, median(rates), median(ratios),
        sorted[sorted.size() / 4], sorted[sorted.size() * 3 / 4]);
    fmt::print("  us of a processor for each handoff, without it and with it: server {:.0f} and {:.0f}, "
               "clients {:.0f} "
               "and {:.0f}, observer {:.0f}; all without it, of all with it: median of pairs {:.3f}\n"
               "  gone before they were read {}, created and not seen to go {}\n",
               median(server[0]), median(server[1]), median(clients[0]), median(clients[1]), median(observer),
               median(costs), unknown, missed);
}

void measureRate(Bench& bench, const Options& options)
{
    test::Child child(LOCKSCOPE_CLI, {"watch", bench.server().address(), "--lock", "/busy", "--lock", "/none",
                                      "--report", "-"});
    bench.runUntil([&] { return child.errors().find("/none") != std::string::npos; }); // it has read the tree
    const Usage before = usageOf(child.pid());
    const auto begin = MonotonicClock::now();
    int minute = 0;
    double used = before.seconds;
    const int holds = bench.stream("/busy", options, [&] {
        const Usage now = usageOf(child.pid());
        fmt::print("minute {}: {:.1f} MB, {:.3f} of a core\n", ++minute, now.megabytes,
                   (now.seconds - used) / 60);
        std::fflush(stdout);
        used = now.seconds;
    });
    const double took = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
    const Usage after = usageOf(child.pid());
    const json::object report = reportOf(child);
    const int created = report.at("nodes_created").to_number<int>(),
              deleted = report.at("nodes_deleted").to_number<int>();
    fmt::print(
        "{:.0f} changes a second for {:.1f} s: {:.2f} of a core, {:.0f} MB; created {} and deleted {} of {}, "
        "gone before they were read {}, gaps {}\n",
        2 * holds / took, took, (after.seconds - before.seconds) / took, after.megabytes, created, deleted,
        holds, report.at("stat_unknown").to_number<int>(), report.at("gaps").as_array().size());
}

void measureIdle(Bench& bench, const Options& options)
{
    for (int i = 0; i < options.locks; ++i) {
        bench.create("/idle/" + std::to_string(i), zk::CreateMode::persistent);
        bench.create("/idle/" + std::to_string(i) + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-",
                     zk::CreateMode::ephemeralSequential);
    }
    bench.idle();
    test::Child child(LOCKSCOPE_CLI, {"watch", bench.server().address(), "--tree", "/idle", "--lock", "/none",
                                      "--report", "-"});
    const auto begin = MonotonicClock::now();
    bench.runUntil([&] { return child.errors().find("/none") != std::string::npos; });
    const double read = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
    const Usage before = usageOf(child.pid());
    const auto idleBegin = MonotonicClock::now();
    bench.runUntil([&] { return MonotonicClock::now() - idleBegin > std::chrono::seconds(5); });
    const Usage after = usageOf(child.pid());
    const json::object report = reportOf(child);
    fmt::print("{} idle locks: read in {:.1f} s, {:.0f} MB, {:.2f} of a core; {} in the report\n",
               options.locks, read, after.megabytes, (after.seconds - before.seconds) / 5,
               report.at("locks").as_array().size());
}

int main(int argc, char** argv)
{
    Options options;
    CLI::App app("What watching foreign locks costs");
    app.add_option("--only", options.only)->check(CLI::IsMember({"bursts", "pairs", "rate", "idle"}));
    app.add_option("--bursts", options.bursts);
    app.add_option("--pairs", options.pairs);
    app.add_option("--clients", options.clients);
    app.add_option("--hold-us", options.holdUs);
    app.add_option("--holds", options.holds);
    app.add_option("--changes", options.changes, "creates and deletes a second");
    app.add_option("--seconds", options.seconds);
    app.add_option("--sessions", options.sessions, "that make the changes");
    app.add_option("--life-ms", options.lifeMs, "of a node");
    app.add_option("--locks", options.locks);
    CLI11_PARSE(app, argc, argv);
    const auto wants = [&](const char* part) { return options.only.empty() || options.only == part; };
    Bench bench(options.sessions);
    bench.create("/busy", zk::CreateMode::persistent);
    bench.create("/idle", zk::CreateMode::persistent);
    bench.idle();
    if (wants("bursts"))
        measureBursts(bench, options.bursts);
    if (wants("pairs"))
        measurePairs(bench, options);
    if (wants("rate"))
        measureRate(bench, options);
    if (wants("idle"))
        measureIdle(bench, options);
}
