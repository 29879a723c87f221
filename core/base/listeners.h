// Who is told of something: functions with a number each, in the order in which they were added. A listener
// may leave, and others may be added or leave, while they are told. Not thread safe.
#pragma once

#include "core/base/unique_function.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace lockscope {

using ListenerId = std::uint64_t; // 0 is nobody

template <class... Args>
class Listeners
{
public:
    using Function = UniqueFunction<void(Args...)>;

    ListenerId add(Function told)
    {
        m_entries.push_back({m_next, std::move(told)});
        return m_next++;
    }
    void remove(ListenerId listener) // harmless when it has left
    {
        const auto entry = find(listener);
        if (entry != m_entries.end())
            m_entries.erase(entry);
    }
    void clear() { m_entries.clear(); }

    // Those that were there when it began and have not left meanwhile.
    template <class... Given>
    void tell(const Given&... given)
    {
        const ListenerId end = m_next;
        for (ListenerId last = 0;;) {
            const auto next =
                std::upper_bound(m_entries.begin(), m_entries.end(), last,
                                 [](ListenerId id, const Entry& entry) { return id < entry.id; });
            if (next == m_entries.end() || next->id >= end)
                return;
            last = next->id;
            Function told = std::move(next->told); // it stays whole when it leaves while it runs
            told(given...);
            if (const auto entry = find(last); entry != m_entries.end())
                entry->told = std::move(told);
        }
    }

private:
    struct Entry
    {
        ListenerId id;
        Function told;
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
