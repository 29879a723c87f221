#include "core/lock/blocking/internal/thread_owners.h"

#include <algorithm>
#include <atomic>

namespace lockscope::lock {

Caller Caller::current()
{
    static std::atomic<std::uint64_t> next{0};
    thread_local const ThreadNumber number{next++};
    return Caller{number, std::this_thread::get_id()};
}

ThreadOwners::OwnerEntry& ThreadOwners::findOrAdd(const Caller& caller)
{
    const auto found = m_entries.find(caller.number);
    if (found != m_entries.end())
        return found->second;
    OwnerId owner{static_cast<OwnerId::Value>(m_entries.size())};
    if (!m_free.empty())
        owner = m_free.extract(m_free.begin()).value();
    return m_entries.emplace(caller.number, OwnerEntry{owner, caller.id, caller.number}).first->second;
}

ThreadOwners::OwnerEntry* ThreadOwners::find(ThreadNumber number)
{
    const auto found = m_entries.find(number);
    return found == m_entries.end() ? nullptr : &found->second;
}

ThreadOwners::OwnerEntry* ThreadOwners::find(OwnerId owner)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const auto& entry) { return entry.second.owner == owner; });
    return found == m_entries.end() ? nullptr : &found->second;
}

void ThreadOwners::removeIfIdle(ThreadNumber number)
{
    const auto found = m_entries.find(number);
    if (found == m_entries.end())
        return;
    OwnerEntry& entry = found->second;
    const auto used = [](const HoldState& holdState) {
        return holdState.depth > 0 || holdState.release != 0;
    };
    if (entry.waiting || std::any_of(entry.holdStates.begin(), entry.holdStates.end(), used))
        return;
    m_free.insert(entry.owner);
    m_entries.erase(found);
}

} // namespace lockscope::lock
