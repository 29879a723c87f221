#include "tests/bench/lock_bench_contestant.h"

#include "core/server/probe/four_letter.h"
#include "tests/bench/bare_client.h"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace lockscope::bench {

namespace {

constexpr auto kPatience = std::chrono::minutes(10);
const std::string kGuid = "_c_00000000-0000-0000-0000-000000000000-lock-";
const std::string kLatch = "_c_00000000-0000-0000-0000-000000000000-latch-";

struct Hold
{
    std::int64_t called = 0, acquired = 0, releasing = 0;
};

// A figure of the server's.
std::size_t counter(const std::string& host, std::string_view name)
{
    const std::string text = server::sendFourLetterWord(host, "mntr", std::chrono::seconds(60)).value();
    std::istringstream words(text);
    for (std::string word; words >> word;)
        if (word == name) {
            std::size_t count = 0;
            words >> count;
            return count;
        }
    return 0;
}

std::size_t watchCount(const std::string& host) { return counter(host, "zk_watch_count"); }

// By all sessions, for each hold.
double requestsSince(const std::string& host, std::size_t before, std::size_t holds)
{
    return static_cast<double>(requestsReceived(host) - before) / static_cast<double>(holds);
}

Error broken(const std::string& what) { return Error{ErrorCode::internal, what, ""}; }

// The handoffs among the first `target` holds. No two clients may have been inside together.
ContestResult handoffsOf(std::vector<Hold> holds, std::size_t target, const std::string& name)
{
    std::sort(holds.begin(), holds.end(),
              [](const Hold& a, const Hold& b) { return a.acquired < b.acquired; });
    if (holds.size() < target)
        throw ErrorException(broken(name + " acquired the lock less often than it was asked to."));
    ContestResult result;
    for (std::size_t i = 1; i < target; ++i) {
        const Hold& before = holds[i - 1];
        if (holds[i].acquired < before.releasing)
            throw ErrorException(broken(name + " had two holders inside."));
        if (holds[i].called < before.releasing)
            result.handoffs.emplace_back(holds[i].acquired - before.releasing);
    }
    const double seconds = static_cast<double>(holds[target - 1].acquired - holds[0].acquired) / 1e9;
    result.perSecond = static_cast<double>(target - 1) / seconds;
    return result;
}

// Each of them watches one node at least: the one in front.
template <class Check>
void waitForSleepers(const std::string& host, FirstInLine& gate, std::size_t watches, Check check)
{
    const MonotonicTime deadline = monotonicNow() + kPatience;
    while (watchCount(host) < watches) {
        check();
        if (MonotonicClock::now() > deadline)
            throw ErrorException(broken("They did not queue up."));
        gate.stay();
    }
}

} // namespace

std::vector<Library> libraries(const std::string& host)
{
    const auto ours = [&](const std::string& policy) {
        return std::vector<std::string>{LOCKSCOPE_BENCH_PEER, host, policy};
    };
    return {{"announced", kGuid, ours("announced")},
            {"curator policy", kGuid, ours("curator")},
            {kQueueOnly, kGuid, ours("queue")},
            {kQueueList, kGuid, ours("queue-list")},
            {"Curator", kGuid, tests::PeerProcess::curatorCommand(host)},
            {"kazoo", "00000000000000000000000000000000__lock__", tests::PeerProcess::kazooCommand(host)}};
}

std::vector<Library> forComparison(const std::string& host)
{
    return {
        {"bare", kGuid, std::vector<std::string>{LOCKSCOPE_BARE_PEER, host}},
        {"bare with list", kGuid, std::vector<std::string>{LOCKSCOPE_BARE_PEER, host, "list"}},
        {"bare, awake", kGuid, std::vector<std::string>{LOCKSCOPE_BARE_PEER, host, "awake"}},
        {"announced, asleep", kGuid,
         std::vector<std::string>{LOCKSCOPE_BENCH_PEER, host, "announced", "asleep"}},
        {"announced, a write", kGuid,
         std::vector<std::string>{LOCKSCOPE_BENCH_PEER, host, "announced", "write"}},
        {"announced, a fenced write", kGuid,
         std::vector<std::string>{LOCKSCOPE_BENCH_PEER, host, "announced", "fence"}},
        {"BlockingMutex", kGuid, std::vector<std::string>{LOCKSCOPE_BLOCKING_PEER, host}},
        {"BlockingMutex, who holds it", kGuid,
         std::vector<std::string>{LOCKSCOPE_BLOCKING_PEER, host, "who"}},
        {"BlockingMutex, safe time", kGuid, std::vector<std::string>{LOCKSCOPE_BLOCKING_PEER, host, "safe"}},
        {"BlockingMutex, options", kGuid, std::vector<std::string>{LOCKSCOPE_BLOCKING_PEER, host, "options"}},
        {"BlockingMutex, spans", kGuid, std::vector<std::string>{LOCKSCOPE_BLOCKING_PEER, host, "spans"}}};
}

std::vector<Library> forThreads(const std::string& host)
{
    return {
        {"BlockingMutex", kGuid, std::vector<std::string>{LOCKSCOPE_BLOCKING_PEER, host}},
        {"BlockingMutex, options", kGuid, std::vector<std::string>{LOCKSCOPE_BLOCKING_PEER, host, "options"}},
        {"CohortMutex", kGuid, std::vector<std::string>{LOCKSCOPE_BLOCKING_PEER, host, "cohort"}},
        {"Curator", kGuid, tests::PeerProcess::curatorCommand(host)}};
}

std::vector<Library> forElections(const std::string& host)
{
    return {{"LeaderLatch", kLatch, std::vector<std::string>{LOCKSCOPE_BLOCKING_PEER, host}},
            {"Curator", kLatch, tests::PeerProcess::curatorCommand(host)}};
}

Contestant::Contestant(const Library& library, std::string host, int clients)
    : m_name(library.name)
    , m_gatePrefix(library.gatePrefix)
    , m_host(std::move(host))
    , m_clients(clients)
    , m_peer(tests::PeerProcess::start(library.command.value()).value())
{
    m_peer->writeLine("open " + std::to_string(clients) + " 60000");
    std::istringstream words(m_peer->await("opened", kPatience).value());
    std::string word;
    std::int64_t count = 0, nanoseconds = 0;
    words >> word >> count >> nanoseconds;
    m_connectSeconds = static_cast<double>(nanoseconds) / 1e9;
}

std::size_t requestsReceived(const std::string& host) { return counter(host, "zk_packets_received"); }

double Contestant::uncontended(const std::string& path, int cycles)
{
    m_peer->writeLine("uncontended 1 " + path + " " + std::to_string(cycles));
    const std::string answer = m_peer->await("uncontended", kPatience).value();
    return std::stod(answer.substr(answer.find(' '))) / 1e9;
}

void Contestant::begin(const std::string& path, int target, Duration hold, bool traced)
{
    const auto holdUs = std::chrono::duration_cast<std::chrono::microseconds>(hold).count();
    m_peer->writeLine("contend " + path + " " + std::to_string(target) + " " + std::to_string(holdUs) +
                      (traced ? " traced" : ""));
}

void Contestant::failIfFailed()
{
    if (m_peer->has("failed"))
        throw ErrorException(broken(m_name + ": " + m_peer->take("failed").value()));
}

template <class Holds>
void Contestant::takeHolds(Holds& into)
{
    m_peer->await("contended", kPatience).value();
    for (const std::string& line : m_peer->takeAll("hold ")) {
        std::istringstream words(line.substr(5));
        Hold each;
        words >> each.called >> each.acquired >> each.releasing;
        into.push_back(each);
    }
}

ContestResult Contestant::contend(const std::string& path, int target, Duration hold, bool traced)
{
    FirstInLine gate(m_host, path, m_gatePrefix);
    const std::size_t watches = watchCount(m_host);
    begin(path, target, hold, traced);
    waitForSleepers(m_host, gate, watches + static_cast<std::size_t>(m_clients), [this] { failIfFailed(); });
    const std::size_t before = requestsReceived(m_host);
    gate.letGo();
    std::vector<Hold> holds;
    takeHolds(holds);
    const double requests = requestsSince(m_host, before, holds.size());
    ContestResult result = handoffsOf(std::move(holds), static_cast<std::size_t>(target), m_name);
    result.requests = requests;
    return result;
}

ContestResult Contestant::contend(const std::vector<std::unique_ptr<Contestant>>& processes,
                                  const std::string& path, int target, Duration hold, int nodes)
{
    const Contestant& one = *processes.front();
    FirstInLine gate(one.m_host, path, one.m_gatePrefix);
    const std::size_t watches = watchCount(one.m_host);
    for (const auto& each : processes)
        each->begin(path, target, hold, false);
    waitForSleepers(one.m_host, gate, watches + static_cast<std::size_t>(nodes), [&] {
        for (const auto& each : processes)
            each->failIfFailed();
    });
    const std::size_t before = requestsReceived(one.m_host);
    gate.letGo();
    std::vector<Hold> holds;
    for (const auto& each : processes)
        each->takeHolds(holds);
    const double requests = requestsSince(one.m_host, before, holds.size());
    const std::size_t counted = processes.size() * static_cast<std::size_t>(target) * 3 / 4;
    ContestResult result = handoffsOf(std::move(holds), counted, one.m_name);
    result.requests = requests;
    return result;
}

void Contestant::elect(const std::string& path)
{
    m_election = path;
    FirstInLine gate(m_host, path, m_gatePrefix);
    const std::size_t watches = watchCount(m_host);
    for (int client = 1; client <= m_clients; ++client)
        m_peer->writeLine("elect " + std::to_string(client) + " " + path + " candidate");
    waitForSleepers(m_host, gate, watches + static_cast<std::size_t>(m_clients), [this] { failIfFailed(); });
    gate.letGo();
    m_leader = m_peer->await("leads ", kPatience).value().substr(6);
}

Duration Contestant::changeLeader()
{
    const MonotonicTime begin = monotonicNow();
    m_peer->writeLine("resign " + m_leader);
    const std::string next = m_peer->await("leads ", kPatience).value().substr(6);
    const Duration took = monotonicNow() - begin;
    m_peer->await("resigned", kPatience).value();
    m_peer->writeLine("elect " + m_leader + " " + m_election + " candidate");
    m_leader = next;
    return took;
}

} // namespace lockscope::bench
