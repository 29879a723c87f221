// Finds the handoffs of locks between clients: remembers the last holds of each lock that ended, and follows
// the causes of an acquisition back to one of them. Private to the timeline; texts point into the TraceStore.
#pragma once

#include "core/replay/fold/facts.h"
#include "core/replay/timeline/timeline.h"

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace lockscope::replay {

class HandoffFinder
{
public:
    // For each event in order; `at` does not go back. The handoff that ends with this event. None if the lock
    // was already free or still has holders: no watch woke the client, and the last hold ended before the
    // client asked, or other clients still hold.
    std::optional<Handoff> apply(const trace::TraceStore& store, std::size_t index, TraceTime at,
                                 const Facts& facts);
    std::uint32_t wakeUps(std::uint32_t ended) const
    {
        return ended < m_wakeUps.size() ? m_wakeUps[ended] : 0;
    }
    std::size_t memoryBytes() const;

private:
    // Several holds of a lock with several holders may await a successor; older ones are assumed to have
    // none.
    static constexpr std::size_t kRemembered = 16;

    struct EndedHold
    {
        ClientId client = ClientId::none();
        trace::Text node;
        TraceTime at{};
        EventIndex event = EventIndex::none();
        TraceTime requested = kForever; // the delete was sent
        TraceTime committed = kForever; // earliest proof that the node is gone
        EventIndex requestedBy = EventIndex::none();
        EventIndex committedBy = EventIndex::none();
        std::uint32_t number = 0; // counts all ended holds
    };
    struct Lock
    {
        std::array<EndedHold, kRemembered> holds; // a ring
        std::size_t endedCount = 0;
        std::size_t holders = 0;                      // holders that have not given up
        std::array<trace::Text, kRemembered> foreign; // a ring
        std::size_t foreignCount = 0;
    };
    // The events found among the causes of an acquisition.
    struct Chain
    {
        EventIndex woken = EventIndex::none();
        EventIndex listed = EventIndex::none();
        EventIndex answered = EventIndex::none();
        EventIndex deleted = EventIndex::none();
    };

    Lock* of(LockId lock);
    void ended(const Facts::Ended& hold, TraceTime at, EventIndex by);
    // A client's watch fired: on the node, or on the list because of `cause`.
    void woken(const trace::Event& event, trace::Text node);
    static std::optional<Handoff> acquired(Lock& lock, const trace::TraceStore& store, std::size_t index,
                                           TraceTime askedAt);
    static EndedHold* find(Lock& lock, trace::Text node);
    static EndedHold* findEndedBy(Lock& lock, EventIndex cause);
    static Chain follow(const trace::TraceStore& store, std::size_t index);

    std::unordered_map<LockId, Lock> m_locks;
    std::vector<std::uint32_t> m_wakeUps; // by EndedHold::number
};

} // namespace lockscope::replay
