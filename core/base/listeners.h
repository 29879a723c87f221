// Who is told of something: functions with a number each, in the order in which they were added. A listener
// may leave, and others may be added or leave, while they are called and while one that has left is destroyed.
// Not thread safe.
#pragma once

#include "core/base/unique_function.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace lockscope {

using ListenerId = std::uint64_t; // 0 is nobody

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
    void remove(ListenerId listener) // harmless when it has left
    {
        const auto entry = find(listener);
        if (entry == m_entries.end())
            return;
        const Function gone = std::move(entry->callback);
        m_entries.erase(entry);
    }
    void clear() { std::exchange(m_entries, {}).clear(); }

    // Those that were there when it began and have not left meanwhile, also when one of them throws: the
    // first exception leaves this function at the end.
    template <class... Given>
    void notify(const Given&... given)
    {
        const ListenerId end = m_next;
        std::exception_ptr thrown;
        for (ListenerId last = 0;;) {
            const auto next =
                std::upper_bound(m_entries.begin(), m_entries.end(), last,
                                 [](ListenerId id, const Entry& entry) { return id < entry.id; });
            if (next == m_entries.end() || next->id >= end)
                break;
            last = next->id;
            Function callback = std::move(next->callback); // it stays whole when it leaves while it runs
            if (!callback)
                continue; // its call is under way, further out
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
        const auto entry = std::lower_bound(m_entries.begin(), m_entries.end(), listener,
                                            [](const Entry& one, ListenerId id) { return one.id < id; });
        return entry != m_entries.end() && entry->id == listener ? entry : m_entries.end();
    }

    std::vector<Entry> m_entries; // by id
    ListenerId m_next = 1;
};

} // namespace lockscope
