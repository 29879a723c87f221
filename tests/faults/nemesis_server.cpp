// What the nemesis does to the server: one thing at a time, each with everybody's contact on record.
#include "tests/faults/nemesis.h"

#include <algorithm>

namespace lockscope::tests {

namespace {

using Deed = ServerHand::Deed;

constexpr Duration kShortest = std::chrono::milliseconds(100);
constexpr Duration kQuietLimit = std::chrono::seconds(30); // over the longest session timeout

} // namespace

zk::Awaitable<void> Nemesis::plagueServer()
{
    std::vector<Kind> round;
    for (std::size_t i = kClientKinds; i < kKinds; ++i)
        round.push_back(static_cast<Kind>(i));
    while (!m_stopped) {
        std::rotate(round.begin(), round.begin() + m_random.uniform(0, 2), round.end());
        for (const Kind kind : round) {
            const int ease = m_field.options.easesOff && hasDoneAll() ? kEase : 1;
            co_await rest(between(m_field.options.calm * ease, m_field.options.calm * 2 * ease));
            if (m_stopped)
                co_return;
            co_await inflictOnServer(kind);
            done(kind);
        }
        co_await quietTime();
    }
}

// Whoever waits for something that does not come would be saved by the next fault that ends its session.
// Without faults everybody begins something new: when the sessions that are gone have expired, each lock
// comes round.
zk::Awaitable<void> Nemesis::quietTime()
{
    m_quiet = true;
    endOpenFaults();
    std::vector<std::uint64_t> before;
    for (const auto& worker : m_workers)
        before.push_back(worker->cycles());
    const auto stands = [&](std::size_t i) { return m_workers[i]->cycles() == before[i]; };
    const MonotonicTime until = m_field.hub.now() + m_field.options.longestTimeout + kQuietLimit;
    for (std::size_t i = 0; i < m_workers.size();) {
        if (m_stopped || m_field.hub.now() > until)
            break;
        if (stands(i)) {
            co_await rest(kShortest);
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

zk::Awaitable<void> Nemesis::inflictOnServer(Kind kind)
{
    const Duration brief = between(kShortest, m_field.options.shortestTimeout);
    const Duration lasting = m_field.options.longestTimeout + between(Duration{}, kOverTimeout);
    m_serverTroubled = true;
    switch (kind) {
    case Kind::suspendShort:
        co_await standStill(brief);
        break;
    case Kind::suspendLong:
        co_await standStill(lasting);
        break;
    case Kind::killRestart:
        co_await beDown(Duration{});
        break;
    case Kind::killLong:
        co_await beDown(lasting);
        break;
    default:
        const auto faults = troubleAll(Cause::serverStopped);
        co_await deed(Deed::suspend);
        co_await beDown(brief);
        relieveAll(faults);
        break;
    }
    m_serverTroubled = false;
    m_lastServerFault = m_field.hub.now();
}

zk::Awaitable<void> Nemesis::standStill(Duration time)
{
    const auto faults = troubleAll(Cause::serverStopped);
    co_await deed(Deed::suspend);
    co_await rest(time);
    co_await deed(Deed::resume);
    relieveAll(faults);
}

zk::Awaitable<void> Nemesis::beDown(Duration time)
{
    const auto faults = troubleAll(Cause::serverDown);
    co_await deed(Deed::kill);
    co_await rest(time);
    co_await deed(Deed::restart);
    relieveAll(faults);
}

zk::Awaitable<void> Nemesis::deed(Deed deed)
{
    const Result<void> done = co_await m_hand.perform(deed);
    if (!done && m_trouble.empty())
        m_trouble = done.error().text();
}

std::vector<Contact::FaultId> Nemesis::troubleAll(Cause cause)
{
    std::vector<Contact::FaultId> faults;
    for (const auto& worker : m_workers)
        faults.push_back(worker->contact().begin(cause, m_field.hub.now()));
    return faults;
}

void Nemesis::relieveAll(const std::vector<Contact::FaultId>& faults)
{
    for (std::size_t i = 0; i < faults.size(); ++i)
        m_workers[i]->endFault(faults[i]);
}

} // namespace lockscope::tests
