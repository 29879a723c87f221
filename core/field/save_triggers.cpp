#include "core/field/save_triggers.h"

#include <utility>

namespace lockscope::field {

std::vector<SaveTriggers::Fired> SaveTriggers::update(const Snapshot& snapshot)
{
    std::vector<Fired> fired;
    std::set<Key> now;
    std::map<std::string, std::uint64_t> gone;
    for (const LockStatus& row : snapshot.locks) {
        gone.emplace(row.path, row.ends.sessionGone);
        const auto before = m_gone.find(row.path);
        const bool expired = row.ends.sessionGone > (before == m_gone.end() ? 0 : before->second);
        for (std::size_t i = 0; i < m_triggers.size(); ++i) {
            const SaveTrigger& trigger = m_triggers[i];
            const auto over = [&](std::int64_t ms) { return std::chrono::milliseconds(ms) > trigger.over; };
            const bool held = row.holder && row.holder->heldSince;
            const bool is = trigger.kind == SaveTrigger::Kind::wait ? over(row.longestWaitNowMs)
                            : trigger.kind == SaveTrigger::Kind::hold
                                ? held && over(snapshot.knownMs() - row.holder->heldSince->latestMs)
                            : trigger.kind == SaveTrigger::Kind::expiry ? expired
                                                                        : row.diagnosis.has_value();
            if (!is)
                continue;
            const bool verdict = trigger.kind == SaveTrigger::Kind::verdict;
            const Key key(i, row.path, verdict ? static_cast<int>(row.diagnosis->kind) : 0);
            if (now.insert(key); m_last.contains(key) && trigger.kind != SaveTrigger::Kind::expiry)
                continue;
            const std::string what =
                verdict ? "verdict " + std::string(name(row.diagnosis->kind)) : trigger.text;
            fired.push_back({what + " on " + row.path, row.path});
        }
    }
    m_last = std::move(now);
    m_gone = std::move(gone);
    return fired;
}

} // namespace lockscope::field
