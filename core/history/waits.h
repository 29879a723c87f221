// Where the waits of a lock went, as far as a transaction log tells: who held meanwhile, whether a holder's
// session then expired, whether the leader changed. When a client noticed its turn is in no log. A reader
// waits for other readers, too, while a writer between them waits. Pure; any thread.
#pragma once

#include "core/history/history.h"
#include "core/queue/wait_parts.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::history {

class LockWaits
{
public:
    // `history`: read with Options::queueEntries, and no longer read from.
    LockWaits(const History& history, std::string_view lock);

    const std::vector<const QueueEntry*>& entries() const { return m_entries; } // of the lock, as first seen
    // In ms; the holders are numbers of entries(). None: it did not wait, or it is not known from when to
    // when, or it is of a semaphore, in which any of several has to end.
    std::optional<queue::WaitSplit> of(const QueueEntry& entry) const;

private:
    struct Hold
    {
        std::int64_t fromMs = 0, toMs = 0;
        std::size_t entry = 0;
    };
    const History& m_history;
    std::vector<const QueueEntry*> m_entries;
    std::vector<Hold> m_holds;             // by their begin
    std::vector<std::int64_t> m_latestEnd; // of the holds up to this one
};

} // namespace lockscope::history
