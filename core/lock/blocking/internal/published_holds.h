// The holds of a blocking lock by thread; written by the I/O thread, readable from any thread without waiting
// for the I/O thread. A mutex is held only while a small map is searched.
#pragma once

#include "core/lock/blocking/internal/thread_owners.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace lockscope::lock {

class PublishedHolds
{
public:
    void set(ThreadNumber thread, Side side, std::optional<HeldTokens> tokens)
    {
        const std::lock_guard lock(m_mutex);
        if (tokens)
            m_holds.insert_or_assign({thread, side}, std::move(*tokens));
        else
            m_holds.erase({thread, side});
    }
    void clear()
    {
        const std::lock_guard lock(m_mutex);
        m_holds.clear();
    }
    std::optional<HeldTokens> get(ThreadNumber thread, Side side) const
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_holds.find({thread, side});
        return found == m_holds.end() ? std::nullopt : std::optional(found->second);
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::pair<ThreadNumber, Side>, HeldTokens> m_holds;
};

} // namespace lockscope::lock
