// The faults of the server: one at a time, each recorded in the exposure of every client.
#include "tests/faults/nemesis.h"

#include "tests/faults/members.h"
#include "tests/faults/server_faults.h"

#include "core/base/host_port.h"

#include <algorithm>

namespace lockscope::tests {

namespace {

using Operation = ServerThread::Operation;

constexpr Duration kShortest = std::chrono::milliseconds(100);
constexpr Duration kShortestSync = std::chrono::milliseconds(20);
constexpr Duration kLongestSync = std::chrono::milliseconds(200);
constexpr Duration kShortestShift = std::chrono::seconds(5);
constexpr Duration kLongestShift = std::chrono::hours(30);
constexpr Duration kQuietLimit = std::chrono::seconds(30); // over the longest session timeout

} // namespace

zk::Awaitable<void> Nemesis::injectServerFaults()
{
    std::vector<Kind> round;
    for (std::size_t i = kClientKinds; i < kKinds; ++i)
        if (const auto kind = static_cast<Kind>(i); applies(kind, m_context.options))
            round.push_back(kind);
    while (!m_stopped) {
        std::rotate(round.begin(), round.begin() + m_random.uniform(0, 2), round.end());
        for (const Kind kind : round) {
            const int ease = m_context.options.reducesRate && hasInjectedAll() ? kRateDivisor : 1;
            co_await rest(between(m_context.options.minServerFaultGap * ease,
                                  m_context.options.minServerFaultGap * 2 * ease));
            if (m_stopped)
                co_return;
            co_await injectOnServer(kind);
            done(kind);
        }
        co_await quietTime();
    }
}

// A client that waits for something that does not come would be saved by the next fault that ends its
// session. Without faults every client begins something new: when the sessions that are gone have expired,
// each lock comes round.
zk::Awaitable<void> Nemesis::quietTime()
{
    m_quiet = true;
    endOpenFaults();
    co_await replaceDiverged();
    std::vector<std::uint64_t> before;
    for (const auto& worker : m_workers)
        before.push_back(worker->cycles());
    const auto stands = [&](std::size_t i) { return m_workers[i]->cycles() == before[i]; };
    // Only the time in which the machine lets this process and the server run counts.
    Duration left = m_context.options.longestTimeout + kQuietLimit;
    for (std::size_t i = 0; i < m_workers.size();) {
        if (m_stopped || left <= Duration{})
            break;
        if (stands(i)) {
            co_await rest(kShortest);
            if (!m_isStalled())
                left -= kShortest;
        } else {
            ++i;
        }
    }
    for (std::size_t i = 0; i < m_workers.size() && !m_stopped; ++i)
        if (stands(i))
            m_stuck.push_back(m_workers[i]->doing());
    ++m_quietTimes;
    m_quiet = false;
}

// A client waits rightly for a node that its own member still shows. That is no fault of the lock, and no
// client could get on.
zk::Awaitable<void> Nemesis::replaceDiverged()
{
    constexpr std::size_t kKept = 100;
    if (m_context.options.members == 1)
        co_return;
    std::set<std::size_t> diverged;
    for (Divergence& one :
         co_await compareMembers(m_context.hub, splitHosts(m_context.address), m_context.queues)) {
        diverged.insert(one.member);
        if (m_divergences.size() < kKept)
            m_divergences.push_back(std::move(one.what));
    }
    for (const std::size_t member : diverged) {
        const auto faults = exposeAll(Cause::serverDown);
        co_await operation(Operation::replace, member);
        endExposure(faults);
        ++m_membersReplaced;
    }
}

zk::Awaitable<void> Nemesis::injectOnServer(Kind kind)
{
    const Duration brief = between(kShortest, m_context.options.shortestTimeout);
    const Duration lasting = m_context.options.longestTimeout + between(Duration{}, kOverTimeout);
    m_serverTroubled = true;
    switch (kind) {
    case Kind::suspendShort:
        co_await suspendServer(brief);
        break;
    case Kind::suspendLong:
        co_await suspendServer(lasting);
        break;
    case Kind::killRestart:
        co_await killServer(Duration{});
        break;
    case Kind::killLong:
        co_await killServer(lasting);
        break;
    case Kind::followerLags:
        co_await operation(Operation::chooseFollower);
        co_await suspendServer(lasting);
        break;
    case Kind::leaderStands:
        co_await operation(Operation::chooseLeader);
        co_await suspendServer(brief);
        break;
    case Kind::leaderKilled:
        co_await operation(Operation::chooseLeader);
        co_await killServer(brief);
        break;
    case Kind::rollingRestart:
        for (std::size_t i = 0; i < m_context.options.members; ++i) {
            co_await operation(Operation::chooseNext);
            co_await killServer(Duration{});
        }
        break;
    case Kind::slowDisk:
        co_await slowDisks(lasting);
        break;
    case Kind::clocksJump:
        co_await shiftClocks(brief);
        break;
    default:
        const auto faults = exposeAll(Cause::serverStopped);
        co_await operation(Operation::suspend);
        co_await killServer(brief);
        endExposure(faults);
        break;
    }
    m_serverTroubled = false;
    m_lastServerFault = m_context.hub.now();
}

zk::Awaitable<void> Nemesis::suspendServer(Duration time)
{
    const auto faults = exposeAll(Cause::serverStopped);
    co_await operation(Operation::suspend);
    co_await rest(time);
    co_await operation(Operation::resume);
    endExposure(faults);
}

zk::Awaitable<void> Nemesis::killServer(Duration time)
{
    const auto faults = exposeAll(Cause::serverDown);
    co_await operation(Operation::kill);
    co_await rest(time);
    co_await operation(Operation::restart);
    endExposure(faults);
}

// No excuse: the servers go on answering, and each client is to know its own.
zk::Awaitable<void> Nemesis::slowDisks(Duration time)
{
    ServerFaults& faults = *m_context.options.serverFaults;
    const std::uint64_t before = faults.slowSyncs();
    faults.slowDisks(between(kShortestSync, kLongestSync));
    co_await rest(time);
    faults.slowDisks(Duration{});
    if (!m_stopped && faults.slowSyncs() == before)
        m_trouble = "No sync of a slow disk was slow.";
}

zk::Awaitable<void> Nemesis::shiftClocks(Duration time)
{
    ServerFaults& faults = *m_context.options.serverFaults;
    const std::uint64_t before = faults.shiftedReads();
    faults.shiftClocks(between(kShortestShift, kLongestShift));
    co_await rest(time);
    faults.shiftClocks(Duration{});
    if (!m_stopped && faults.shiftedReads() == before)
        m_trouble = "No server has read its clock while that was wrong.";
}

zk::Awaitable<void> Nemesis::operation(Operation operation, std::optional<std::size_t> member)
{
    const Result<void> done = co_await m_serverThread.perform(operation, member);
    if (!done && m_trouble.empty())
        m_trouble = done.error().text();
}

std::vector<FaultExposure::FaultId> Nemesis::exposeAll(Cause cause)
{
    std::vector<FaultExposure::FaultId> faults;
    for (const auto& worker : m_workers)
        faults.push_back(worker->contact().begin(cause, m_context.hub.now()));
    return faults;
}

void Nemesis::endExposure(const std::vector<FaultExposure::FaultId>& faults)
{
    for (std::size_t i = 0; i < faults.size(); ++i)
        m_workers[i]->endFault(faults[i]);
}

} // namespace lockscope::tests
