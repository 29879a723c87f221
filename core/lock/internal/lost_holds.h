// Remembers why holds were lost until their release reports it. Bounded: of the holds whose node was deleted
// while the session lasted, and which were never released, only the latest are kept. Plain bookkeeping.
#pragma once

#include "core/lock/observer.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

namespace lockscope::lock {

template <class Key> // an owner or a node
class LostHolds
{
public:
    static constexpr std::size_t kMaxRemembered = 1000;

    void add(const Key& key, LostReason reason)
    {
        m_lost.insert_or_assign(key, Lost{reason, m_next++});
        // Losses with the session are not limited: a session ends only once.
        if (reason == LostReason::nodeDeleted && m_lost.size() > kMaxRemembered)
            m_lost.erase(std::min_element(m_lost.begin(), m_lost.end(), [](const auto& a, const auto& b) {
                return a.second.number < b.second.number;
            }));
    }
    // Returns the reason and forgets it.
    std::optional<LostReason> take(const Key& key)
    {
        const auto found = m_lost.find(key);
        if (found == m_lost.end())
            return std::nullopt;
        const LostReason reason = found->second.reason;
        m_lost.erase(found);
        return reason;
    }
    bool contains(const Key& key) const { return m_lost.contains(key); }
    bool empty() const { return m_lost.empty(); }
    std::size_t size() const { return m_lost.size(); }

private:
    struct Lost
    {
        LostReason reason;
        std::uint64_t number; // in the order of loss
    };
    std::map<Key, Lost> m_lost;
    std::uint64_t m_next = 0;
};

} // namespace lockscope::lock
