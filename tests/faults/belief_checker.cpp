#include "tests/faults/belief_checker.h"

#include <fmt/core.h>

#include <algorithm>

namespace lockscope::tests {

namespace {

constexpr std::size_t kWritesKept = 10'000; // of a lock: answers come in the order of the writes, or nearly

} // namespace

BeliefChecker::BeliefChecker(std::size_t locks, Duration slack)
    : m_slack(slack)
    , m_locks(locks)
{}

void BeliefChecker::addClient(const FaultExposure& contact) { m_contacts.push_back(&contact); }

bool BeliefChecker::isExcused(ClientId client) const
{
    return m_contacts.at(client.value)->excuse().has_value() || m_stalled();
}

BeliefChecker::Belief* BeliefChecker::find(ClientId client, std::size_t lock)
{
    for (Belief& belief : m_locks.at(lock).believers)
        if (belief.client == client)
            return &belief;
    return nullptr;
}

bool BeliefChecker::believes(ClientId client, std::size_t lock) const
{
    return std::ranges::any_of(m_locks.at(lock).believers,
                               [&](const Belief& belief) { return belief.client == client; });
}

void BeliefChecker::granted(ClientId client, std::size_t lockIndex, Zxid token, const std::string& node,
                            MonotonicTime now)
{
    ++m_counts.grants;
    Lock& lock = m_locks.at(lockIndex);
    const Belief belief{client, token, node, now, std::nullopt};
    if (find(client, lockIndex))
        violated(fmt::format("{} was granted the lock twice.", describe(belief, lockIndex, now)));
    // A grant that was noticed too late says nothing about the current holders.
    const bool late = token <= lock.newestGrant;
    for (Belief& other : lock.believers) {
        if (!isExcused(late ? client : other.client))
            violated(fmt::format("{} was granted the lock while {} held it.",
                                 describe(belief, lockIndex, now), describe(other, lockIndex, now)));
        if (late || other.overtaken)
            continue;
        other.overtaken = now;
        ++m_counts.overlaps;
    }
    if (!late)
        lock.newestGrant = token;
    else if (isExcused(client))
        ++m_counts.staleGrants;
    else
        violated(fmt::format("{} was granted the lock after the token {:#x}.",
                             describe(belief, lockIndex, now), lock.newestGrant.value));
    lock.believers.push_back(belief);
    if (late)
        lock.believers.back().overtaken = now;
}

void BeliefChecker::used(ClientId client, std::size_t lockIndex, Zxid token, MonotonicTime now)
{
    Lock& lock = m_locks.at(lockIndex);
    if (token >= lock.newestUse) {
        lock.newestUse = token;
        ++m_counts.used;
        return;
    }
    ++m_counts.refused;
    const Belief* belief = find(client, lockIndex);
    if (belief && !belief->overtaken)
        violated(fmt::format("{} was refused for the token {:#x}.", describe(*belief, lockIndex, now),
                             lock.newestUse.value));
}

void BeliefChecker::wrote(std::size_t lock, Zxid when, Zxid token)
{
    std::map<Zxid, Zxid>& writes = m_locks.at(lock).writes;
    const auto place = writes.emplace(when, token).first;
    ++m_counts.written;
    const auto after = std::next(place);
    if ((place != writes.begin() && std::prev(place)->second > token) ||
        (after != writes.end() && after->second < token))
        violated(fmt::format("A holder of lock {} with the token {:#x} wrote at zxid {:#x}, not in the order "
                             "of the tokens.",
                             lock, token.value, when.value));
    if (writes.size() > kWritesKept)
        writes.erase(writes.begin());
}

void BeliefChecker::released(ClientId client, std::size_t lock, MonotonicTime now) { end(client, lock, now); }

void BeliefChecker::lost(ClientId client, std::size_t lockIndex, Duration sessionTimeout, MonotonicTime now)
{
    const Belief* belief = find(client, lockIndex);
    if (!belief)
        return;
    ++m_counts.lostHolds;
    const std::optional<FaultExposure::Excuse>& excuse = m_contacts.at(client.value)->excuse();
    const std::string who = describe(*belief, lockIndex, now);
    const Duration window = now - (excuse ? std::max(excuse->since, belief->since) : belief->since);
    const Cause cause = excuse ? excuse->cause : Cause::machineStall;
    ++m_counts.lostBy[static_cast<std::size_t>(cause)];
    Duration& longest = m_counts.longestBy[static_cast<std::size_t>(cause)];
    longest = std::max(longest, window);
    m_counts.longestWindow = std::max(m_counts.longestWindow, window);
    if (!excuse && !m_stalled())
        violated(fmt::format("{} lost it without a fault.", who));
    if (excuse && excuse->ended && now - *excuse->ended > sessionTimeout + m_slack)
        violated(fmt::format("{} learned of it {:.0f} ms after the fault had ended.", who,
                             milliseconds(now - *excuse->ended)));
    end(client, lockIndex, now);
}

void BeliefChecker::end(ClientId client, std::size_t lockIndex, MonotonicTime now)
{
    const Belief* belief = find(client, lockIndex);
    if (!belief)
        return;
    if (belief->overtaken)
        m_counts.longestOverlap = std::max<Duration>(m_counts.longestOverlap, now - *belief->overtaken);
    std::erase_if(m_locks[lockIndex].believers, [&](const Belief& each) { return each.client == client; });
}

void BeliefChecker::finish()
{
    for (std::size_t lock = 0; lock < m_locks.size(); ++lock)
        for (const Belief& belief : m_locks[lock].believers)
            violated(fmt::format("{} never learned that it is over.", describe(belief, lock, belief.since)));
}

void BeliefChecker::violated(std::string what)
{
    ++m_counts.violated;
    if (m_violations.size() < kViolationsKept)
        m_violations.push_back(std::move(what));
}

std::string BeliefChecker::describe(const Belief& belief, std::size_t lock, MonotonicTime now) const
{
    std::string text =
        fmt::format("Client {} with {} (lock {}, token {:#x}, for {:.1f} ms", belief.client.value,
                    belief.node, lock, belief.token.value, milliseconds(now - belief.since));
    if (const auto& excuse = m_contacts.at(belief.client.value)->excuse())
        text += fmt::format("; {} {:.1f} ms ago", tests::describe(excuse->cause),
                            milliseconds(now - excuse->since));
    return text + ")";
}

} // namespace lockscope::tests
