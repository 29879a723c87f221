// What happened on locks as events of a trace, so that it opens wherever a trace does: the nodes of locks of others, as
// a watch on them would have seen them after each transaction. There are no clients in it: what they asked for, waited
// for or believed is in no log. Appends to a store; one thread.
#pragma once

#include "core/history/lock_table.h"
#include "core/trace/store.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lockscope::history {

class TraceEvents
{
public:
    explicit TraceEvents(trace::TraceStore& store)
        : m_store(store)
    {}
    void add(const LockEvent& event); // in the order of the zxids
    // After the last one, with the time of the last transaction.
    void finish(std::int64_t timeMs);
    // False: there were more locks than a trace can have; those beyond are not in it.
    bool isWhole() const { return m_whole; }

private:
    void append(LockId lock, trace::Payload what);
    void begin(std::int64_t timeMs);
    void moveTo(std::int64_t timeMs);
    void endTransaction();

    trace::TraceStore& m_store;
    bool m_begun = false;
    bool m_whole = true;
    std::int64_t m_zeroMs = 0;
    TraceTime m_now{};
    struct Lock
    {
        LockId id;
        std::uint32_t nodes = 0; // there are
    };
    Lock* lockOf(const LockEvent& event);
    std::map<std::uint32_t, Lock> m_locks; // by the queue's number in the table
    Zxid m_zxid;                           // of the transaction whose events come in
    std::vector<std::uint32_t> m_changed;  // by it
    SessionId m_gone;
};

} // namespace lockscope::history
