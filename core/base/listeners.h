// Callbacks, each with an id, called in the order in which they were added. A listener may remove itself, and
// others may be added or removed, while listeners are called and while a removed one is destroyed. Not thread
// safe.
#pragma once

#include "core/base/unique_function.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace lockscope {

using ListenerId = std::uint64_t; // 0: no listener

template <class... Args>
class Listeners
{
public:
    using Function = UniqueFunction<void(Args...)>;

    ListenerId add(Function callback)
    {
        m_entries.push_back({m_next, std::move(callback)});
        return m_next++;
    }
    void remove(ListenerId listener) // does nothing if it was removed before
    {
        const auto entry = find(listener);
        if (entry == m_entries.end())
            return;
        const Function gone = std::move(entry->callback);
        m_entries.erase(entry);
    }
    void clear() { std::exchange(m_entries, {}).clear(); }

    // Calls the listeners that existed at its start and have not been removed since, even when one of them
    // throws; the first exception is rethrown at the end.
    template <class... Given>
    void notify(const Given&... given)
    {
        const ListenerId end = m_next;
        std::exception_ptr thrown;
        for (ListenerId last = 0;;) {
            const auto next = std::ranges::upper_bound(m_entries, last, {}, &Entry::id);
            if (next == m_entries.end() || next->id >= end)
                break;
            last = next->id;
            Function callback = std::move(next->callback); // the callback may remove itself while it runs
            if (!callback)
                continue; // it is running further up the stack
            try {
                callback(given...);
            } catch (...) {
                thrown = thrown ? thrown : std::current_exception();
            }
            if (const auto entry = find(last); entry != m_entries.end())
                entry->callback = std::move(callback);
        }
        if (thrown)
            std::rethrow_exception(thrown);
    }

private:
    struct Entry
    {
        ListenerId id;
        Function callback;
    };
    auto find(ListenerId listener)
    {
        const auto entry = std::ranges::lower_bound(m_entries, listener, {}, &Entry::id);
        return entry != m_entries.end() && entry->id == listener ? entry : m_entries.end();
    }

    std::vector<Entry> m_entries; // sorted by id
    ListenerId m_next = 1;
};

} // namespace lockscope
