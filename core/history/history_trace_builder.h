// Turns the events of locks into a trace, so that a history opens wherever a trace does. It shows only the
// server's log: what clients requested, believed or received is not in it.
// - A participant is a client of the trace: a session, named by the data of its nodes, by its address if that
// is known
//   and says more, otherwise by its number. If the address becomes known later, ClientAdded is appended
//   again.
// - A transaction is a Command that the server has accepted: "create", "delete", "deleted_by_other",
// "session_closed",
//   "session_expired", "data_set". Its argument is "zxid=0x1f3 cxid=12 data_bytes=9 acl=world:cdrwa"; with
//   Options::withData the data comes last. It is the cause of the NodeSeen and NodeVanished events that it
//   leads to.
// - Decided with the position 0 means that a node is first by the rule of its recipe: entitled, by the
// server's queue.
// - Acquired, ReleaseCalled and HoldLost are what a program has said of its own hold (claims.h), by its own
// clock.
// - "gap", "unconfirmed_tail" and "clock_went_back" are Commands without a client.
// Appends to a store; one thread.
#pragma once

#include "core/history/claims.h"
#include "core/history/history_reader.h"
#include "core/history/lock_table.h"
#include "core/history/participant_names.h"
#include "core/trace/command_verb.h"
#include "core/trace/store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lockscope::history {

class HistoryTraceBuilder
{
public:
    static constexpr std::size_t kMaxLocks = 4'096; // shown by a replay

    struct Options
    {
        bool withData = false; // keep the data of the nodes; its length is always kept
        trace::SessionIds sessionIds = trace::SessionIds::pseudonyms; // as stated in the header
        ParticipantNames names{};
        // Its program has said when it held it: see addBelief(). Being first is then no hold.
        std::function<bool(const LockNode&)> isClaimed{};
        std::function<std::string(SessionId)> addressOf{}; // set by a live watch; returns "" if it is unknown
        // Set by a live watch: time zero by CLOCK_MONOTONIC. Ends then have estimated times and unknown
        // requesters.
        std::optional<std::int64_t> liveSinceNanoseconds{};
        std::string scenario = "history";
        std::string title{}; // empty: the title of a log
    };
    explicit HistoryTraceBuilder(trace::TraceStore& store)
        : HistoryTraceBuilder(store, Options{})
    {}
    HistoryTraceBuilder(trace::TraceStore& store, Options options)
        : m_store(store)
        , m_options(std::move(options))
    {}
    void add(const LockEvent& event); // in the order of the zxids
    // The program of a node begins or ends to believe that it holds. Between two transactions.
    void addBelief(const ClaimedHolds::Belief& belief);
    void addGap(const Gap& gap);
    // For a live watch: there was no contact between these times.
    void addGap(std::int64_t fromMs, std::int64_t toMs);
    // Adds a lock even if it has no nodes.
    void addLock(std::uint32_t queue, const std::string& path, trace::PathKind kind);
    // Call when addresses may have become known: renames participants by them.
    void nameParticipants();
    void addServer(trace::ServerPhase phase, const std::string& address, std::int64_t timeMs);
    // Ends the current transaction: the next event belongs to another one.
    void flush();
    // Call last, with the time of the last transaction: it ends the trace if nodes remain; otherwise the last
    // event does.
    void finish(std::int64_t timeMs);
    // False: there were more locks or participants than a trace can have; the excess is missing.
    bool isWhole() const { return m_whole; }

private:
    struct Lock
    {
        LockId id;
        std::uint32_t nodes = 0; // live ones
    };
    EventIndex append(LockId lock, trace::Payload what, ClientId client = ClientId::none(),
                      EventIndex cause = EventIndex::none());
    EventIndex command(const LockEvent& event, const Lock& lock, trace::CommandVerb verb, ClientId target);
    void begin(std::int64_t timeMs);
    void moveTo(std::int64_t timeMs);
    void endTransaction();
    Lock* lockOf(const LockEvent& event);
    Lock* newLock(std::uint32_t queue, const std::string& path, trace::PathKind kind);
    void queued(const LockEvent& event, Lock& lock);
    void ended(const LockEvent& event, Lock& lock);
    void entitled(const LockEvent& event, const Lock& lock);
    ClientId participant(SessionId session, const std::string& identity);
    std::string uniqueName(std::string name);
    std::string nameOf(SessionId session, const std::string& identity) const;
    ClientId participantOfUnread(const LockEvent& event);
    ClientId addParticipant(const std::string& name);
    ClientId known(SessionId session) const;
    ClientId ownerOf(const LockEvent& event) const;
    std::string argumentOf(const LockEvent& event) const;

    trace::TraceStore& m_store;
    const Options m_options;
    bool m_begun = false;
    bool m_whole = true;
    std::int64_t m_zeroMs = 0, m_lastMs = 0;
    TraceTime m_now{};
    std::map<std::uint32_t, Lock> m_locks;                     // by the queue's number in the table
    std::unordered_map<std::int64_t, ClientId> m_participants; // by session
    struct Named
    {
        ClientId client;
        std::string name, identity;
    };
    std::map<std::int64_t, Named> m_withoutAddress; // by session: renamed once the address is known
    std::unordered_map<std::string, int> m_named;   // number of participants by name
    std::size_t m_count = 0, m_unknown = 0;         // participants; those among them of unknown sessions
    std::map<std::pair<std::uint32_t, std::string>, ClientId>
        m_unread;                 // nodes, by lock and name, whose session is unknown
    std::vector<ClientId> m_free; // participants of unknown sessions without a node
    Zxid m_zxid;                  // of the current transaction
    std::set<std::pair<std::uint32_t, std::string>> m_givenUp; // nodes, by queue and name; see addBelief()
    std::vector<std::uint32_t> m_changed;                      // queues changed by it
    EventIndex m_sessionEnd;                                   // the command that ended a session in it
    SessionId m_gone;
};

} // namespace lockscope::history
