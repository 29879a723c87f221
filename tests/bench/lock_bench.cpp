// Our locks beside the bare C client, Curator and kazoo on one private server, in turns, so that a noisy
// neighbour hits all alike. Every library runs in a process of its own; a handoff is the time from just
// before a release to the return of the next acquire. Prints tables in Markdown; ratios are what counts.
#include "core/server/process/managed_server.h"
#include "tests/bench/bare_client.h"
#include "tests/bench/lock_bench_contestant.h"
#include "tests/bench/lock_bench_results.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

namespace lockscope::bench {
namespace {

// Containers that are empty are removed by the server, and these are at times.
constexpr const char* kAlone = "/bench/alone";
constexpr const char* kBare = "/bench/bare";
constexpr const char* kData = "/bench/data"; // what is written under a lock

struct Plan
{
    bool quick = false;
    std::string json;
    std::string only;
    bool wants(const char* part) const { return only.empty() || only == part; }
};

class LockBench
{
public:
    LockBench(Plan plan, std::string host)
        : m_plan(std::move(plan))
        , m_host(std::move(host))
    {
        for (Library& library : libraries(m_host))
            if (library.command)
                m_libraries.push_back(std::move(library));
            else
                m_results.skip(library.name + ": " + library.command.error().text());
    }

    const Results& run()
    {
        for (const char* path : {kAlone, kBare, kData})
            BareClient(m_host).makePath(path);
        if (m_plan.wants("uncontended"))
            uncontended();
        if (m_plan.wants("handoff"))
            for (const int clients : {10, 100, 1000})
                handoffs(clients);
        if (m_plan.wants("threads"))
            threads();
        if (m_plan.wants("latch"))
            elections();
        if (m_plan.wants("many"))
            fiveThousand();
        if (m_plan.wants("tracing"))
            tracing();
        return m_results;
    }

private:
    using Contestants = std::vector<std::unique_ptr<Contestant>>;
    using Samples = std::map<std::string, std::vector<Duration>>;

    void uncontended();
    void handoffs(int clients);
    void takeTurns(const Contestants& contestants, int clients, Duration hold);
    void threads();
    void elections();
    void fiveThousand();
    void tracing();
    void noteSize(const Contestant& contestant);
    std::string freshPath() { return "/bench/" + std::to_string(++m_paths); }
    static void progress(const std::string& what) { std::fprintf(stderr, "lock_bench: %s\n", what.c_str()); }

    Plan m_plan;
    std::string m_host;
    std::vector<Library> m_libraries;
    Results m_results;
    int m_paths = 0;
};

// Each contestant, the bare client too, is a process of its own that has rested for as long as the others
// took. They take short turns in an order that changes from round to round; what counts is the median of the
// ratios within a round, because a mood of the machine hits all of it. The slow ones take part in every 25th
// round only.
void LockBench::uncontended()
{
    constexpr int kCycles = 200;
    constexpr int kOfTheSlow = 25;
    const int rounds = m_plan.quick ? 50 : 250;
    std::vector<Library> all = forComparison(m_host);
    std::copy_if(m_libraries.begin(), m_libraries.end(), std::back_inserter(all), [](const Library& library) {
        return library.name != kQueueOnly && library.name != kQueueList;
    });
    Contestants contestants;
    for (const Library& library : all)
        contestants.push_back(std::make_unique<Contestant>(library, m_host, 1));
    std::map<std::string, std::vector<double>> rates, ratios, requests;
    std::minstd_rand order(1);
    for (int round = 0; round < rounds; ++round) {
        if (round % 50 == 0)
            progress("uncontended, round " + std::to_string(round) + " of " + std::to_string(rounds));
        std::shuffle(contestants.begin(), contestants.end(), order);
        std::map<std::string, double> now;
        for (const auto& contestant : contestants) {
            const bool slow = contestant->name() == "Curator" || contestant->name() == "kazoo";
            if (slow && round % kOfTheSlow != 0)
                continue;
            const std::size_t before = requestsReceived(m_host);
            now[contestant->name()] = kCycles / contestant->uncontended(kAlone, kCycles);
            requests[contestant->name()].push_back(static_cast<double>(requestsReceived(m_host) - before) /
                                                   (kCycles + kCycles / 10));
        }
        for (const auto& [name, rate] : now) {
            rates[name].push_back(rate);
            ratios[name].push_back(rate / now.at("bare"));
        }
    }
    for (const auto& [name, measured] : rates)
        m_results.add({"uncontended_per_s", name, 1, 0, median(measured)});
    for (const auto& [name, measured] : requests)
        m_results.add({"requests", name, 1, 0, median(measured)});
    for (const auto& [name, measured] : ratios)
        if (name != "bare")
            m_results.add({"uncontended_ratio", name, 1, 0, median(measured)});
}

void LockBench::handoffs(int clients)
{
    Contestants contestants;
    for (const Library& library : m_libraries) {
        if (clients == 1000 && library.name == "kazoo") {
            m_results.skip("kazoo with 1,000 clients: 4,000 threads under one interpreter lock.");
            continue;
        }
        progress(library.name + " connects " + std::to_string(clients) + " clients");
        contestants.push_back(std::make_unique<Contestant>(library, m_host, clients));
    }
    takeTurns(contestants, clients, std::chrono::milliseconds(2));
    takeTurns(contestants, clients, {});
    for (const auto& contestant : contestants)
        noteSize(*contestant);
}

void LockBench::takeTurns(const Contestants& contestants, int clients, Duration hold)
{
    const int turns = clients == 1000 ? (m_plan.quick ? 2 : 4) : (m_plan.quick ? 3 : 8);
    const int target = m_plan.quick ? 150 : 300;
    const double holdMs = std::chrono::duration<double, std::milli>(hold).count();
    Samples samples;
    std::map<std::string, std::vector<double>> requests;
    const auto note = [&](const std::string& name, int turn, const std::vector<Duration>& measured) {
        if (turn > 0) // the first one warms up
            samples[name].insert(samples[name].end(), measured.begin(), measured.end());
    };
    for (int turn = 0; turn <= turns; ++turn) {
        progress(std::to_string(clients) + " clients, hold " + std::to_string(static_cast<int>(holdMs)) +
                 " ms, turn " + std::to_string(turn));
        for (const auto& contestant : contestants) {
            // Beside each of the others, so that it has a share of every mood of the machine.
            note("bare", turn, bareDeleteToEvent(m_host, kBare, target / 3, hold));
            const ContestResult result = contestant->contend(freshPath(), target, hold);
            note(contestant->name(), turn, result.handoffs);
            requests[contestant->name()].push_back(result.requests);
        }
    }
    for (const auto& [name, measured] : samples) {
        m_results.add({"handoff_p50_us", name, clients, holdMs, percentile(measured, 50)});
        m_results.add({"handoff_p99_us", name, clients, holdMs, percentile(measured, 99)});
    }
    for (const auto& [name, measured] : requests)
        m_results.add({"requests", name, clients, holdMs, median(measured)});
}

// Four processes of eight threads on one lock. With a node in common, one node of each process waits.
void LockBench::threads()
{
    constexpr int kProcesses = 4;
    constexpr int kThreads = 8;
    const int turns = m_plan.quick ? 3 : 8;
    struct Team
    {
        Contestants processes;
        int nodes;
        int target;
    };
    std::vector<Team> teams;
    for (const Library& library : forThreads(m_host)) {
        if (!library.command)
            continue; // said already
        progress(library.name + " starts four processes");
        const bool cohort = library.name == "CohortMutex";
        Team& team = teams.emplace_back();
        team.nodes = kProcesses * (cohort ? 1 : kThreads);
        team.target = cohort ? 10'000 : 200;
        for (int i = 0; i < kProcesses; ++i)
            team.processes.push_back(std::make_unique<Contestant>(library, m_host, kThreads));
    }
    for (const double holdMs : {0.0, 1.0}) {
        Samples samples;
        std::map<std::string, std::vector<double>> rates, requests;
        for (int turn = 0; turn <= turns; ++turn) {
            progress("four processes of eight threads, turn " + std::to_string(turn));
            for (const Team& team : teams) {
                const int target = holdMs > 0 ? 200 : team.target;
                const ContestResult result =
                    Contestant::contend(team.processes, freshPath(), target,
                                        std::chrono::milliseconds(static_cast<int>(holdMs)), team.nodes);
                if (turn == 0)
                    continue; // warms up
                const std::string& name = team.processes.front()->name();
                rates[name].push_back(result.perSecond);
                requests[name].push_back(result.requests);
                samples[name].insert(samples[name].end(), result.handoffs.begin(), result.handoffs.end());
            }
        }
        for (const auto& [name, measured] : rates) {
            m_results.add({"threads_per_s", name, kThreads, holdMs, median(measured)});
            m_results.add({"threads_p50_us", name, kThreads, holdMs, percentile(samples[name], 50)});
            m_results.add({"threads_p99_us", name, kThreads, holdMs, percentile(samples[name], 99)});
            m_results.add({"threads_requests", name, kThreads, holdMs, median(requests[name])});
        }
    }
}

// Leadership goes round, in turns.
void LockBench::elections()
{
    constexpr int kCandidates = 10;
    const int turns = m_plan.quick ? 5 : 20;
    Contestants contestants;
    for (const Library& library : forElections(m_host)) {
        if (!library.command)
            continue; // said already
        progress(library.name + " elects a leader");
        contestants.push_back(std::make_unique<Contestant>(library, m_host, kCandidates));
        contestants.back()->elect(freshPath());
    }
    Samples samples;
    for (int turn = 0; turn <= turns; ++turn)
        for (const auto& contestant : contestants)
            for (int change = 0; change < kCandidates; ++change)
                if (const Duration took = contestant->changeLeader(); turn > 0) // the first one warms up
                    samples[contestant->name()].push_back(took);
    for (const auto& [name, measured] : samples) {
        m_results.add({"election_p50_us", name, kCandidates, 0, percentile(measured, 50)});
        m_results.add({"election_p99_us", name, kCandidates, 0, percentile(measured, 99)});
    }
}

void LockBench::noteSize(const Contestant& contestant)
{
    const int clients = contestant.clients();
    m_results.add({"connect_s", contestant.name(), clients, 0, contestant.connectSeconds()});
    m_results.add({"threads", contestant.name(), clients, 0, static_cast<double>(contestant.threads())});
    m_results.add(
        {"peak_mb", contestant.name(), clients, 0, static_cast<double>(contestant.peakKilobytes()) / 1024});
}

void LockBench::fiveThousand()
{
    constexpr int kClients = 5000;
    progress("announced, 5,000 clients");
    Contestant contestant(m_libraries.front(), m_host, kClients);
    const auto begin = MonotonicClock::now();
    contestant.contend(freshPath(), kClients, {});
    const double seconds = std::chrono::duration<double>(MonotonicClock::now() - begin).count();
    m_results.add({"contest_s", contestant.name(), kClients, 0, seconds});
    noteSize(contestant);
}

void LockBench::tracing()
{
    constexpr int kClients = 10;
    const int pairs = m_plan.quick ? 10 : 30;
    const int target = m_plan.quick ? 500 : 1000;
    Contestant contestant(m_libraries.front(), m_host, kClients);
    contestant.contend(freshPath(), target, {}); // warm up
    std::vector<double> with, without, ratios;
    for (int pair = 0; pair < pairs; ++pair) {
        double rates[2] = {};
        for (const bool traced : {pair % 2 == 0, pair % 2 != 0})
            rates[traced ? 1 : 0] = contestant.contend(freshPath(), target, {}, traced).perSecond;
        without.push_back(rates[0]);
        with.push_back(rates[1]);
        ratios.push_back(rates[1] / rates[0]);
    }
    m_results.add({"handoffs_per_s", "without trace", kClients, 0, median(without)});
    m_results.add({"handoffs_per_s", "traced", kClients, 0, median(with)});
    m_results.add({"traced_ratio", "traced", kClients, 0, median(ratios)});
}

int measure(const Plan& plan)
{
    auto server = server::ManagedServer::start({});
    if (!server) {
        std::fprintf(stderr, "lock_bench: %s\n", server.error().text().c_str());
        return 3;
    }
    try {
        LockBench bench(plan, (*server)->address());
        const Results& results = bench.run();
        std::printf("%s", results.table().c_str());
        if (!plan.json.empty())
            std::ofstream(plan.json) << results.json();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lock_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}

} // namespace
} // namespace lockscope::bench

int main(int argc, char** argv)
{
    lockscope::bench::Plan plan;
    CLI::App app("Our locks beside the bare C client, Curator and kazoo");
    app.add_flag("--quick", plan.quick);
    app.add_option("--json", plan.json, "a file for the numbers");
    app.add_option("--only", plan.only)
        ->check(CLI::IsMember({"uncontended", "handoff", "threads", "latch", "many", "tracing"}));
    CLI11_PARSE(app, argc, argv);
    return lockscope::bench::measure(plan);
}
