// Keeps the last events of the watched locks, so that a lock that is chosen later has its past, and records
// one run of chosen locks. On the watch's thread.
#pragma once

#include "core/field/session_poll.h"
#include "core/field/snapshot.h"
#include "core/history/history_trace_builder.h"
#include "core/history/lock_table.h"
#include "core/trace/store.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockscope::field {

class LockRecording
{
public:
    static constexpr std::size_t kMaxEvents = 200'000;

    void add(const history::LockEvent& event);
    void forget(std::uint32_t lock); // it has no more events
    void endTransaction();           // all events since the last call happened together
    void takeAddresses(const std::map<SessionId, SessionFacts>& sessions);
    void outOfContact(std::int64_t ms);
    void inContactAgain(std::int64_t fromMs, std::int64_t ms);

    struct Source // of a run
    {
        std::set<std::string> locks;   // paths, as in LockStatus
        std::vector<LockStatus> rows;  // their current rows, with participants
        std::vector<PathStatus> paths; // shown if there is no lock
        std::string server;
        std::int64_t sinceMs = 0, nowMs = 0;
        std::shared_ptr<const trace::SessionNames> written; // names of sessions in files
    };
    // Ends the current run, if any. The store grows until the next call or endRun().
    std::shared_ptr<const trace::TraceStore> beginRun(const Source& source);
    void endRun(std::int64_t nowMs);

private:
    struct Kept
    {
        history::LockEvent event; // its texts are invalid: see below and Place
        std::string name, data;
        std::int64_t gapFromMs = 0; // not 0: no event, but a gap until event.timeMs
    };
    struct Place
    {
        std::string lockPath, parent;
        std::size_t kept = 0; // number of kept events
        bool forgotten = false;
    };
    void notify(const Kept& kept);
    void addNodesBefore(const Source& source, std::int64_t beginMs);
    bool isChosen(std::uint32_t queue) const;

    std::deque<Kept> m_kept;
    bool m_full = false;                                      // the oldest events were dropped
    boost::unordered_flat_map<std::uint32_t, Place> m_places; // by the queue's number
    std::map<SessionId, std::string> m_addresses;             // of sessions that have one in the last poll
    std::set<std::string> m_chosen;
    std::string m_server;
    std::optional<std::int64_t> m_outOfContactMs; // the time of the loss; none: there is contact
    std::shared_ptr<trace::TraceStore> m_store;   // of the current run
    std::unique_ptr<history::HistoryTraceBuilder> m_run;
};

} // namespace lockscope::field
