#include "core/lock/blocking/internal/cohort.h"

#include "core/lock/internal/reasons.h"

#include <algorithm>

namespace lockscope::lock {

Cohort::Cohort(std::string path, LocalHandoffs budget)
    : m_path(std::move(path))
    , m_budget(budget)
{}

// ---- members ----

Cohort::Entry Cohort::enter(Waiter& waiter)
{
    const std::lock_guard lock(m_mutex);
    const auto ends = [&](Result<Grant> outcome) {
        waiter.outcome = std::move(outcome);
        return Entry::ended;
    };
    if (m_closed)
        return ends(*m_closed);
    if (m_lost.contains(waiter.member.number))
        return ends(Error{ErrorCode::sessionLost,
                          message("The lock %1 was lost while this thread held it.", m_path),
                          message("Unlock it as often as it was locked, then lock it again.")});
    if (m_holder && m_holder->member.number == waiter.member.number) {
        if (m_holder->depth == kMaxDepth)
            return ends(tooDeepError(m_path));
        Grant again = m_grant;
        again.depth = ++m_holder->depth;
        return ends(std::move(again));
    }
    if (waiter.isSingleTry && (m_node == Node::held || (m_node == Node::wanted && !m_waiting.empty())))
        return ends(
            Error{ErrorCode::timedOut,
                  message("Another thread of this process holds the lock %1, or waits for it.", m_path),
                  {}});
    m_waiting.push_back(&waiter);
    if (m_node != Node::none)
        return Entry::waits;
    m_node = Node::wanted;
    return Entry::needsKeeper;
}

bool Cohort::await(const Waiter& waiter, std::condition_variable& woken, std::optional<Duration> limit)
{
    std::unique_lock lock(m_mutex);
    const auto ended = [&] { return waiter.outcome.has_value(); };
    if (limit)
        return woken.wait_for(lock, *limit, ended);
    woken.wait(lock, ended);
    return true;
}

bool Cohort::giveUp(Waiter& waiter)
{
    const std::lock_guard lock(m_mutex);
    return std::erase(m_waiting, &waiter) > 0;
}

Result<std::uint64_t> Cohort::leave(const Caller& member, MonotonicTime now)
{
    const std::lock_guard lock(m_mutex);
    if (const auto lost = m_lost.find(member.number); lost != m_lost.end()) {
        if (--lost->second == 0)
            m_lost.erase(lost);
        return Error{
            ErrorCode::sessionLost, message("The lock %1 was lost before it was unlocked.", m_path), {}};
    }
    if (!m_holder || m_holder->member.number != member.number)
        return Error{ErrorCode::notOwner,
                     message("The lock %1 is not held by the thread that unlocks it.", m_path),
                     message("Unlock exactly as often as you locked, on the same thread.")};
    if (--m_holder->depth > 0)
        return 0;
    m_holder.reset();
    const bool inBudget = m_passedOn < m_budget.count && now - m_since < m_budget.time;
    if (!m_waiting.empty() && m_connected && inBudget) {
        ++m_passedOn;
        passOn();
        return 0;
    }
    m_node = Node::leaving;
    return m_number;
}

std::optional<Grant> Cohort::grantOf(const Caller& member) const
{
    const std::lock_guard lock(m_mutex);
    return m_holder && m_holder->member.number == member.number ? std::optional(m_grant) : std::nullopt;
}

std::size_t Cohort::waiting() const
{
    const std::lock_guard lock(m_mutex);
    return m_waiting.size();
}

void Cohort::passOn()
{
    Waiter& next = *m_waiting.front();
    m_waiting.pop_front();
    m_holder = Hold{next.member};
    end(next, m_grant);
}

void Cohort::end(Waiter& waiter, Result<Grant> outcome)
{
    waiter.outcome = std::move(outcome);
    waiter.wake();
}

template <class Which>
std::size_t Cohort::endAll(const Error& error, Which which)
{
    return std::erase_if(m_waiting, [&](Waiter* waiter) {
        if (!which(*waiter))
            return false;
        end(*waiter, error);
        return true;
    });
}

// ---- the keeper ----

bool Cohort::wants(std::optional<Duration>* limit)
{
    const std::lock_guard lock(m_mutex);
    const bool wanted = !m_waiting.empty() && !m_closed;
    m_node = wanted ? Node::wanted : Node::none;
    const bool tries = std::ranges::all_of(m_waiting, [](const Waiter* each) { return each->isSingleTry; });
    *limit = tries ? std::optional(Duration{}) : std::nullopt;
    return wanted;
}

bool Cohort::isWanted() const
{
    const std::lock_guard lock(m_mutex);
    return std::ranges::any_of(m_waiting, [](const Waiter* each) { return !each->isSingleTry; });
}

std::uint64_t Cohort::granted(Grant grant, MonotonicTime now)
{
    const std::lock_guard lock(m_mutex);
    m_grant = std::move(grant);
    m_grant.depth = 1;
    m_since = now;
    m_passedOn = 0;
    m_connected = true;
    m_node = m_waiting.empty() ? Node::leaving : Node::held;
    if (m_node == Node::held)
        passOn();
    return ++m_number;
}

bool Cohort::isHeld() const
{
    const std::lock_guard lock(m_mutex);
    return m_node == Node::held;
}

bool Cohort::refuse(const Error& error)
{
    const std::lock_guard lock(m_mutex);
    const std::size_t ended = endAll(error, [&](const Waiter& waiter) {
        switch (error.code) {
        case ErrorCode::timedOut:
            return waiter.isSingleTry;
        case ErrorCode::noServer:
            return !waiter.hasLimit;
        default:
            return true;
        }
    });
    return ended > 0;
}

std::optional<Cohort::Lost> Cohort::lost()
{
    const std::lock_guard lock(m_mutex);
    if (m_node != Node::held)
        return std::nullopt;
    m_node = Node::leaving; // what is left of it
    const Hold hold = *std::exchange(m_holder, std::nullopt);
    m_lost[hold.member.number] = hold.depth;
    return Lost{hold.member, m_grant};
}

void Cohort::setConnected(bool connected)
{
    const std::lock_guard lock(m_mutex);
    m_connected = connected;
}

void Cohort::close(const Error& error)
{
    const std::lock_guard lock(m_mutex);
    m_closed = error;
    endAll(error, [](const Waiter&) { return true; });
    if (m_holder)
        m_lost[m_holder->member.number] = m_holder->depth;
    m_holder.reset();
    if (m_node == Node::held)
        m_node = Node::leaving;
}

bool Cohort::isClosed() const
{
    const std::lock_guard lock(m_mutex);
    return m_closed.has_value();
}

} // namespace lockscope::lock
