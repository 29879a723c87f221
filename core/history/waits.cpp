#include "core/history/waits.h"

#include <algorithm>

namespace lockscope::history {

using queue::WaitPart;

LockWaits::LockWaits(const History& history, std::string_view lock)
    : m_history(history)
{
    for (const QueueEntry& entry : history.queueEntries()) {
        if (entry.lockPath != lock)
            continue;
        if (entry.entitledMs && !entry.unsure)
            m_holds.push_back({*entry.entitledMs,
                               !entry.endedMs                       ? history.lastMs()
                               : entry.reason == EndReason::unknown ? entry.knownUntilMs
                                                                    : *entry.endedMs,
                               m_entries.size()});
        m_entries.push_back(&entry);
    }
    std::stable_sort(m_holds.begin(), m_holds.end(),
                     [](const Hold& a, const Hold& b) { return a.fromMs < b.fromMs; });
    for (const Hold& hold : m_holds)
        m_latestEnd.push_back(m_latestEnd.empty() ? hold.toMs : std::max(m_latestEnd.back(), hold.toMs));
}

std::optional<queue::WaitSplit> LockWaits::of(const QueueEntry& entry) const
{
    if (entry.beforeLog || entry.unsure || entry.sinceUnknown || entry.parent != entry.lockPath)
        return std::nullopt;
    const std::int64_t begin = entry.createdMs;
    const std::int64_t end = entry.entitledMs                     ? *entry.entitledMs
                             : !entry.endedMs                     ? m_history.lastMs()
                             : entry.reason == EndReason::unknown ? entry.knownUntilMs
                                                                  : *entry.endedMs;
    if (end <= begin)
        return std::nullopt;
    std::vector<queue::WaitEvidence> evidence;
    std::vector<WaitPart> told{WaitPart::held};
    const auto first = std::upper_bound(m_latestEnd.begin(), m_latestEnd.end(), begin); // all before ended
    for (std::size_t i = static_cast<std::size_t>(first - m_latestEnd.begin());
         i < m_holds.size() && m_holds[i].fromMs < end; ++i) {
        const Hold& hold = m_holds[i];
        evidence.push_back({WaitPart::held, hold.fromMs, hold.toMs, hold.entry});
        const std::optional<std::int64_t> silentFromMs = m_entries[hold.entry]->silentFromMs;
        if (!silentFromMs)
            continue;
        if (told.back() != WaitPart::silentHolder)
            told.push_back(WaitPart::silentHolder);
        evidence.push_back(
            {WaitPart::silentHolder, std::max(hold.fromMs, *silentFromMs), hold.toMs, hold.entry});
    }
    if (m_history.hasLeaders())
        told.insert(told.begin(), WaitPart::leaderChange);
    for (const History::LeaderChange& change : m_history.leaderChanges())
        evidence.push_back({WaitPart::leaderChange, change.lastMs, change.firstMs});
    return queue::splitWait(begin, end, evidence, told);
}

} // namespace lockscope::history
