// What the recipes and the simulator record through: stamps the time, appends, and remembers which event
// deleted a node, so that a watch can name its cause. Engine thread only.
#pragma once

#include "core/trace/store.h"

#include <string>
#include <unordered_map>

namespace lockscope::trace {

class Recorder
{
public:
    // Time zero of the trace is `zero` on the clock that `now` reads. The store must outlive the recorder.
    using Now = MonotonicTime (*)(const void* context);
    explicit Recorder(TraceStore& store); // the monotonic clock; the header gets its time zero here
    Recorder(TraceStore& store, MonotonicTime zero, Now now, const void* context); // a virtual clock

    TraceTime now() const { return m_now(m_context) - m_zero; }
    EventIndex record(ClientId client, LockId lock, Payload what, EventIndex cause = EventIndex::none());

    // The event (a delete request, a session's end) that removes `node`; asked for when its watch fires.
    void noteDeletion(LockId lock, std::string_view node, EventIndex by);
    EventIndex deletedBy(LockId lock, std::string_view node) const;

    TraceStore& store() { return m_store; }

private:
    TraceStore& m_store;
    MonotonicTime m_zero;
    Now m_now;
    const void* m_context;
    std::unordered_map<std::string, EventIndex> m_deletions; // bounded: see recorder.cpp
    std::vector<std::string> m_deletionOrder;
    std::size_t m_deletionNext = 0;
};

} // namespace lockscope::trace
