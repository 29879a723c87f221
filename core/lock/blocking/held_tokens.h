// The tokens of the threads that hold a blocking lock, for a look without the I/O thread, which writes them.
// Any thread; a mutex is held for a look into a small map and never while anything is waited for.
#pragma once

#include "core/lock/blocking/thread_owners.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace lockscope::lock {

class HeldTokens
{
public:
    void set(ThreadNumber thread, Side side, std::optional<Zxid> token)
    {
        const std::lock_guard lock(m_mutex);
        if (token)
            m_tokens.insert_or_assign({thread, side}, *token);
        else
            m_tokens.erase({thread, side});
    }
    void clear()
    {
        const std::lock_guard lock(m_mutex);
        m_tokens.clear();
    }
    std::optional<Zxid> get(ThreadNumber thread, Side side) const
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_tokens.find({thread, side});
        return found == m_tokens.end() ? std::nullopt : std::optional(found->second);
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::pair<ThreadNumber, Side>, Zxid> m_tokens;
};

} // namespace lockscope::lock
