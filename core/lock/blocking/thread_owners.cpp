#include "core/lock/blocking/thread_owners.h"

#include <algorithm>
#include <atomic>

namespace lockscope::lock {

Caller Caller::current()
{
    static std::atomic<std::uint64_t> next{0};
    thread_local const ThreadNumber number{next++};
    return Caller{number, std::this_thread::get_id()};
}

ThreadOwners::Seat& ThreadOwners::enter(const Caller& caller)
{
    const auto found = m_seats.find(caller.number);
    if (found != m_seats.end())
        return found->second;
    OwnerId owner{static_cast<OwnerId::Value>(m_seats.size())};
    if (!m_free.empty())
        owner = m_free.extract(m_free.begin()).value();
    return m_seats.emplace(caller.number, Seat{owner, caller.id}).first->second;
}

ThreadOwners::Seat* ThreadOwners::find(ThreadNumber number)
{
    const auto found = m_seats.find(number);
    return found == m_seats.end() ? nullptr : &found->second;
}

ThreadOwners::Seat* ThreadOwners::find(OwnerId owner)
{
    const auto found = std::find_if(m_seats.begin(), m_seats.end(),
                                    [&](const auto& entry) { return entry.second.owner == owner; });
    return found == m_seats.end() ? nullptr : &found->second;
}

void ThreadOwners::leave(ThreadNumber number)
{
    const auto found = m_seats.find(number);
    if (found == m_seats.end())
        return;
    Seat& seat = found->second;
    const auto used = [](const Level& level) { return level.depth > 0 || level.release != 0; };
    if (seat.waiting || std::any_of(seat.levels.begin(), seat.levels.end(), used))
        return;
    m_free.insert(seat.owner);
    m_seats.erase(found);
}

} // namespace lockscope::lock
