// What happened on locks as events of a trace, so that it opens wherever a trace does. Only the server's word, as its log
// has it: what clients asked for, believed or were sent is not in it.
// - A participant is a client of the trace: a session, named by the data of its nodes, by the address that it comes from
//   when that is known and says more, else by its number. When it becomes known later, ClientAdded comes again.
// - A transaction is a Command, which the server has accepted: "create", "delete", "deleted_by_other", "session_closed",
//   "session_expired", "data_set". Its argument has "zxid=0x1f3 cxid=12 data_bytes=9 acl=world:cdrwa"; the data itself
//   only with Options::withData, as the last of them. It is the cause of the NodeSeen and NodeVanished that it brings about.
// - Decided with the position 0 says that a node is first by the rule of its recipe: entitled, by the server's queue.
// - "gap", "unconfirmed_tail" and "clock_went_back" are Commands without a client.
// Appends to a store; one thread.
#pragma once

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
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lockscope::history {

class HistoryTraceBuilder
{
public:
    static constexpr std::size_t kMaxLocks = 4'096; // that a replay shows

    struct Options
    {
        bool withData = false; // keep what the nodes' data is; its length is kept always
        trace::SessionIds sessionIds = trace::SessionIds::pseudonyms; // what the header says of them
        ParticipantNames names{};
        std::function<std::string(SessionId)> addressOf{}; // of a live watch; returns "" when it is not known
        // Seen live: times of ends are estimates, and who asked for them is not known. Time zero by CLOCK_MONOTONIC then.
        std::optional<std::int64_t> liveSinceNanoseconds{};
        std::string scenario = "history";
        std::string title{}; // empty: as of a log
    };
    explicit HistoryTraceBuilder(trace::TraceStore& store)
        : HistoryTraceBuilder(store, Options{})
    {}
    HistoryTraceBuilder(trace::TraceStore& store, Options options)
        : m_store(store)
        , m_options(std::move(options))
    {}
    void add(const LockEvent& event); // in the order of the zxids
    void addGap(const Gap& gap);
    // Of a live watch: without contact between these times.
    void addGap(std::int64_t fromMs, std::int64_t toMs);
    // A lock without nodes, so that the trace has it.
    void addLock(std::uint32_t queue, const std::string& path, trace::PathKind kind);
    // Addresses may have become known.
    void nameParticipants();
    void addServer(trace::ServerPhase phase, const std::string& address, std::int64_t timeMs);
    // All that has been added belongs to whole transactions: what comes next is another one.
    void flush();
    // After the last one, with the time of the last transaction: the end, when nodes remain. Else it ended with the last one.
    void finish(std::int64_t timeMs);
    // False: there were more locks or participants than a trace can have; those beyond are not in it.
    bool isWhole() const { return m_whole; }

private:
    struct Lock
    {
        LockId id;
        std::uint32_t nodes = 0; // there are
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
    std::map<std::uint32_t, Lock> m_locks; // by the queue's number in the table
    std::unordered_map<std::int64_t, ClientId> m_participants; // by session
    struct Named
    {
        ClientId client;
        std::string name, identity;
    };
    std::map<std::int64_t, Named> m_withoutAddress;            // by session: those that get another name with it
    std::unordered_map<std::string, int> m_named;              // how many have this name
    std::size_t m_count = 0, m_unknown = 0;                    // participants; those of unknown sessions
    std::map<std::pair<std::uint32_t, std::string>, ClientId>
        m_unread;                          // nodes, by lock and name, whose session is unknown
    std::vector<ClientId> m_free;          // participants of unknown sessions without a node
    Zxid m_zxid;                           // of the transaction whose events come in
    std::vector<std::uint32_t> m_changed;  // by it
    EventIndex m_sessionEnd;               // of it: the command that ended a session
    SessionId m_gone;
};

} // namespace lockscope::history
