// Applies one event to a state: a handler for every kind of event, then the steps that handlers share. Names of
// things that do not exist are ignored. Lives for one event; one thread.
// A handler first selects the lock use that the event is about (selectUse): until finish() it is the base of the
// client's row. finish() makes the use that views show the base again (chooseFocus).
#pragma once

#include "core/replay/findings/invariant_checker.h"
#include "core/replay/state/run_state.h"
#include "core/replay/state/series.h"
#include "core/trace/store.h"

#include <cstddef>

namespace lockscope::replay {

class Fold
{
public:
    Fold(RunState& state, const trace::TraceStore& store, std::size_t index);
    Increment finish(); // after the handler: what the event added

    // The run and its clients: fold_run.cpp.
    void operator()(const trace::RunPhaseChanged& e);
    void operator()(const trace::ServerState& e);
    void operator()(const trace::MemberState& e);
    void operator()(const trace::LockAdded& e);
    void operator()(const trace::LockLimit& e);
    void operator()(const trace::ClientAdded& e);
    void operator()(const trace::ClientRemoved& e);
    void operator()(const trace::PaceChanged& e);
    void operator()(const trace::Notice& e);
    void operator()(const trace::LinkState& e);
    void operator()(const trace::StepHeld& e);
    void operator()(const trace::StepTaken& e);
    void operator()(const trace::ClientFinished& e);

    // Sessions and what is done to them: fold_session.cpp.
    void operator()(const trace::Command& e);
    void operator()(const trace::CommandRefused& e);
    void operator()(const trace::SessionState& e);
    void operator()(const trace::SessionGone& e);

    // What a client asks for and waits for: fold_wait.cpp.
    void operator()(const trace::Thinks& e);
    void operator()(const trace::AcquireCalled& e);
    void operator()(const trace::Decided& e);
    void operator()(const trace::AcquireFailed& e);
    void operator()(const trace::StartedOver& e);

    // What it believes to hold: fold_hold.cpp.
    void operator()(const trace::Acquired& e);
    void operator()(const trace::Reentered& e);
    void operator()(const trace::ReleaseCalled& e);
    void operator()(const trace::Released& e);
    void operator()(const trace::HoldLost& e);

    // The protected thing's own record: fold_resource.cpp.
    void operator()(const trace::ResourceUse& e);
    void operator()(const trace::ResourceValue& e);

    // The protocol: fold_protocol.cpp, its watches: fold_watch.cpp.
    void operator()(const trace::Request& e);
    void operator()(const trace::Reply& e);
    void operator()(const trace::WatchFired& e);

    // The server's word: fold_observer.cpp.
    void operator()(const trace::NodeSeen& e);
    void operator()(const trace::NodeVanished& e);
    void operator()(const trace::Observed& e);
    void operator()(const trace::PathState& e);

    // The server's watch table: fold_watch_table.cpp.
    void operator()(const trace::WatchSeen& e);
    void operator()(const trace::WatchVanished& e);
    void operator()(const trace::WatchesRead& e);

private:
    enum class UseKind : std::uint8_t { waiting, holding };

    // ---- the queue: fold.cpp ----
    // Adds the node unless it is there or known to be gone. Its index, or node_queue::kNotFound.
    std::size_t addNode(LockRow& lock, Text name);
    void removeNode(LockRow& lock, std::size_t place);
    void removeNode(LockRow& lock, Text name);
    // The same, when what ended it (`by`) came after it was made. A name without a number is used again and
    // again: news of one that went may arrive when the next one is there.
    void removeNode(LockRow& lock, Text name, EventIndex by);
    void endHold(ClientRow& owner, LockUse& hold, const NodeRow& node);
    DeletedNode* deletedNode(LockId lock, Text name);
    DeletedNode* deletedNodeOfWatch(LockId lock, Text name);
    DeletedNode& rememberDeleted(LockId lock, Text name, ClientId owner, bool watched);
    NodeRow* nodeOf(const LockUse& one);
    // The event's time less `begin`; 0 when a broken trace has a later `begin`.
    Duration since(TraceTime begin) const;
    bool pausedSince(TraceTime time) const;              // the run was, for a while
    void addSince(Duration& sum, TraceTime begin) const; // what would be more than there is is left out

    // ---- lock uses: fold_lock_use.cpp ----
    // Makes the use that an event about this node or this owner of the event's lock means the base of the
    // client's row; a new one if there is none.
    void selectUse(Text node, UseKind doing, OwnerId owner = OwnerId::none());
    void selectUse(LockUse& one); // of the event's client
    void addUse();             // the base becomes one of the others, a new use the base
    void drop(ClientRow& row, std::size_t other);
    void chooseFocus(ClientRow& row);
    template <class F>
    void forEach(ClientRow& row, F&& what)
    {
        what(static_cast<LockUse&>(row));
        for (LockUse& one : row.otherUses)
            what(one);
    }
    LockUse* find(LockUseRef ref);
    static LockUseRef refOf(const ClientRow& row, const LockUse& one) { return {row.id, one.number}; }
    LockBookkeeping* bookOf(const LockUse& one);
    void setPhase(LockUse& one, ClientPhase phase);
    void holdEnds(ClientRow& row, const LockUse& one); // if it does hold
    void startStale(ClientRow& row, LockUse& one, bool bySession);
    void endBelief(ClientRow& row, LockUse& one);
    void endWait(LockUse& one);                   // without a grant
    void leaveLock(ClientRow& row, LockUse& one); // neither holds nor waits any more
    void leaveAll(ClientRow& row);
    bool isLease(const LockRow& lock, Text node) const;

    // ---- watches: fold_watch.cpp ----
    void watch(Text node); // the client's watch is set
    void unwatch(const ClientRow& row, LockUse& one);
    void unlink(LockUse& one);
    void dataRead(const trace::Reply& e);
    void fallAsleep();
    bool fallAsleepOnList(const trace::Decided& e);
    bool waitsFor(Text node) const;
    void wakeByDeletion(const trace::WatchFired& e, std::uint32_t woken);
    void noticeDeletedWatch();
    void countDeleted(int by, EventIndex cause); // deleted nodes that were watched
    TraceTime timeOf(EventIndex event) const; // the present one's for none, and for one that comes after it
    std::uint32_t countWoken(Text node, trace::WatchKind kind);

    // ---- the watch table: fold_watch_table.cpp ----
    void addBelievedWatch(Text node); // the event's client has asked for it
    void removeBelievedWatch(const ClientRow& row, LockId lock, Text node,
                         EventIndex request = EventIndex::none());
    void removeBelievedWatches(const ClientRow& row); // on all locks
    void watchAnswered(const trace::Reply& e);

    // ---- sessions: fold_session.cpp ----
    template <class Match>
    void removeNodesIf(Match match); // of all locks
    void removeNodesOf(SessionId session, ClientId client);
    void removeOwnNodes(const ClientRow& row);
    void loseSession(ClientRow& row);
    void notifyStaleChanged(const ClientRow& row);
    void sessionLives(SessionId session);
    void rememberSession(SessionId session, ClientId client);
    void distinguishSessions(ClientRow& row);
    template <class F>
    void forEachOf(SessionId session, F&& what);
    template <class F>
    void forEachTarget(F&& what);
    ClientId ownerBySession(SessionId session, LockId lock);

    // ---- steps of single handlers ----
    void addNotice(const trace::Notice& notice);
    void leaveRun(ClientPhase phase); // the event's client
    // A lock that is only watched: who holds by the names of the nodes, when a whole list is known.
    void addWatchedNode(LockRow& lock, NodeRow& node, const trace::NodeSeen& e);
    void updateWatchedHolders(LockRow& lock);
    // The same where events name the owner of each node and the entitled client (Decided): of the server's
    // own log.
    void queueWatched(NodeRow& node, const trace::NodeSeen& e);
    void grantWatched(const trace::Decided& e);
    void endWatchedHold(ClientRow& owner, const LockRow& lock, const NodeRow& node);
    bool expiredByThis() const;
    // Counts what the observer lists: a node once, until it vanishes from its list.
    void markObserved(LockRow& lock, Text name, bool observed);
    void readList(LockRow& lock, const trace::Decided& e);
    bool mayBeDeleted(const NodeRow& node) const;
    void claim(NodeRow& node); // by the event's client
    void take(std::size_t place, const trace::Acquired& e);
    void beginWait(EventIndex called, OwnerId owner);
    void giveUpOthers();
    void startCalledAgain(); // of who holds and asks again: it makes a node of its own
    void created(const trace::Reply& e);
    void addLease();
    void deleted(const trace::Reply& e);
    const trace::Request* causingRequest() const;
    // The request that the event answers, itself or over the reply that is its cause; none when it names
    // none.
    EventIndex answeredRequest() const;
    void revive(LockRow& lock, Text name);
    void countRequest(Text node);      // for the acquire or the hold that it belongs to, if any
    void countRequests(LockUse& hold); // that were sent for it until now

    RunState& m_state;
    const trace::TraceStore& m_store;
    const trace::Event& m_event;
    EventIndex m_index;
    ClientRow* m_client = nullptr; // the event's, if it exists
    ClientBookkeeping* m_book = nullptr;
    LockRow* m_lock = nullptr; // the event's, or the one its client is at
    LockBookkeeping* m_lockBook = nullptr;
    InvariantChecker m_checker;
    Increment m_added;
};

} // namespace lockscope::replay
