// The messages between the clients and the server around one place of a trace, for the protocol: their
// senders and times, which were sent together, which replies never came, and how the clients reacted. Pure;
// any thread. Looks at a bounded number of events, however long the trace is. The time at which the server
// processed a request is not recorded: it is assumed to be halfway between request and reply, and before any
// watch event that the request caused.
#pragma once

#include "core/trace/store.h"

#include <cstddef>
#include <vector>

namespace lockscope::replay {

struct ProtocolMessage
{
    enum class Kind : std::uint8_t { request, reply, watch };
    Kind kind{};
    bool answered = false; // a request whose reply came before the cursor
    bool lost = false;     // a reply that never came, or a request that will never be answered
    bool handoff = false;  // part of a handoff of the lock
    ClientId client;
    TraceTime atClient{}; // recorded
    TraceTime atServer{}; // estimated, see above
    EventIndex event;
    EventIndex second = EventIndex::none(); // the event that is drawn together with `event`
    Duration latency =
        kForever; // of a reply: since its request; of a watch event: since its cause; kForever = unknown
};

// An event that is drawn as a short text on a lane.
struct ProtocolNote
{
    EventIndex event;
    EventIndex second = EventIndex::none(); // Acquired, when `event` is the Decided that granted it
    ClientId client;
    TraceTime at{};
    bool atServer = false; // SessionGone, which happens at the server
};

struct ProtocolQuery
{
    std::size_t limit = 0;         // the cursor: events from here on have not happened
    std::size_t from = 0;          // forward: the first event looked at
    bool backward = true;          // from the cursor backward
    std::size_t rows = 60;         // the maximum number of messages and notes
    LockId lock = LockId::none();  // only events of this lock; none = of all locks
    std::vector<ClientId> clients; // only events of these clients; sorted
};

struct Protocol
{
    std::vector<ProtocolMessage> messages; // in order of their events
    std::vector<ProtocolNote> notes;
    std::size_t first = 0; // the events [first, last) were examined
    std::size_t last = 0;
    std::size_t visited = 0;   // number of events examined in total
    Duration typicalLatency{}; // the median latency of the replies; zero if there are none
};

inline constexpr std::size_t kProtocolMaxEvents =
    4096; // the most events that one query examines for its rows

Protocol buildProtocol(const trace::TraceStore& store, const ProtocolQuery& query);

// Whether the protocol draws this event, whatever came before it. It also draws that a suspended client is
// connected again.
bool isProtocolEvent(const trace::Event& event);
// The nearest drawn event of the query's clients after (`step` 1) or before (`step` -1) `from`; none if there
// is no such event within `most` events and [0, limit).
EventIndex findProtocolNeighbour(const trace::TraceStore& store, const ProtocolQuery& query, std::size_t from,
                                 int step, std::size_t most = kProtocolMaxEvents);
// The clients of the drawn events among the last `most` events before `limit`: the latest first, each once.
std::vector<ClientId> recentProtocolClients(const trace::TraceStore& store, std::size_t limit, LockId lock,
                                            std::size_t most);

} // namespace lockscope::replay
