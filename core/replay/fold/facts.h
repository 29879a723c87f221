// What one event means for those who show a run over time: the fold is the only place that interprets events,
// and series, timeline and handoffs read these facts. Plain values; texts point into the TraceStore.
#pragma once

#include "core/base/ids.h"
#include "core/replay/state/handoffs.h"
#include "core/replay/state/series.h"
#include "core/trace/event.h"

#include <optional>
#include <vector>

namespace lockscope::replay {

struct Facts : Increment
{
    // A hold that its client gave up (release called) or that was taken away.
    struct Ended
    {
        LockId lock;
        ClientId client;
        trace::Text node;
    };
    std::vector<ClientId> clients;           // whose lock uses, session or contact may have changed
    std::vector<Ended> ended;                // in order
    bool granted = false;                    // the event's client got the event's lock
    trace::Text grantedNode;                 // of that grant
    EventIndex askedBy = EventIndex::none(); // of that grant: the call of its acquire; none = unknown
    std::optional<Handoff> handedOver;       // that ends with that grant
    std::optional<std::uint32_t> woken;  // the number of the ended hold whose node woke the event's client
    std::optional<ClientId> lostSession; // a session ended that its clients had not closed; none = several
    bool usedLate = false; // the event's client used the resource when it held no more and another had held

    void clear()
    {
        static_cast<Increment&>(*this) = {};
        clients.clear();
        ended.clear();
        granted = false;
        grantedNode = {};
        askedBy = EventIndex::none();
        handedOver.reset();
        woken.reset();
        lostSession.reset();
        usedLate = false;
    }
};

} // namespace lockscope::replay
