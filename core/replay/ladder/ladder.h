// The messages between the clients and the server around one place of a trace, for the protocol ladder: who
// sent what when, which were sent together, which replies never came, and what a client made of them. Pure;
// any thread. Looks at a bounded number of events, however long the trace is. When the server took a request
// is not recorded: it is assumed halfway between sending and answer, and before whatever watch event it
// caused.
#pragma once

#include "core/trace/store.h"

#include <cstddef>
#include <vector>

namespace lockscope::replay {

struct LadderMessage
{
    enum class Kind : std::uint8_t { request, reply, watch };
    Kind kind{};
    bool answered = false; // a request: the reply came before the cursor
    bool lost = false;     // a reply that never came, or a request that will not be answered any more
    bool handoff = false;  // one of those that hand the lock on
    ClientId client;
    TraceTime atClient{}; // recorded
    TraceTime atServer{}; // estimated, see above
    EventIndex event;
    EventIndex second = EventIndex::none(); // drawn as a pair with this one
    Duration latency =
        kForever; // of a reply: since its request; of a watch event: since what caused it was sent
};

// Something worth a few words on a lane.
struct LadderNote
{
    EventIndex event;
    EventIndex second = EventIndex::none(); // Acquired, when `event` is the Decided that granted it
    ClientId client;
    TraceTime at{};
    bool atServer = false; // SessionGone: the server's own
};

struct LadderQuery
{
    std::size_t limit = 0;         // the cursor: events from here on have not happened
    std::size_t from = 0;          // forward: the first event looked at
    bool backward = true;          // from the cursor back
    std::size_t rows = 60;         // messages and notes wanted
    LockId lock = LockId::none();  // only of this lock; none = of all
    std::vector<ClientId> clients; // only of these, sorted
};

struct Ladder
{
    std::vector<LadderMessage> messages; // in order of their events
    std::vector<LadderNote> notes;
    std::size_t first = 0; // [first, last) was looked at
    std::size_t last = 0;
    std::size_t visited = 0;   // events looked at, altogether
    Duration typicalLatency{}; // the median of the answered requests; zero when there is none
};

inline constexpr std::size_t kLadderMaxEvents = 4096; // events that one query goes through for its rows

Ladder buildLadder(const trace::TraceStore& store, const LadderQuery& query);

// Whether the ladder draws this event.
bool isLadderEvent(const trace::Event& event);
// The drawn event of these clients next to `from`, `step` (1 or -1) by step; none within `most` events or
// outside [0, limit).
EventIndex findLadderNeighbour(const trace::TraceStore& store, const LadderQuery& query, std::size_t from,
                               int step, std::size_t most = kLadderMaxEvents);
// The clients that took part in the last `most` events before `limit`, the latest first; each once.
std::vector<ClientId> recentLadderClients(const trace::TraceStore& store, std::size_t limit, LockId lock,
                                          std::size_t most);

} // namespace lockscope::replay
