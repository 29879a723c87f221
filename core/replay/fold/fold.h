// Applies one event to a state: a handler for every kind of event, and the steps that the handlers share.
// References to clients, locks or nodes that do not exist are ignored. Lives for one event; one thread. A
// handler first selects the lock use that the event is about (selectUse), which is then the base of the
// client's row until finish() makes the use that views show the base again (chooseFocus).
#pragma once

#include "core/replay/findings/invariant_checker.h"
#include "core/replay/fold/facts.h"
#include "core/replay/state/run_state.h"
#include "core/trace/command_verb.h"
#include "core/trace/store.h"

#include <cstddef>

namespace lockscope::replay {

class Fold
{
public:
    Fold(RunState& state, const trace::TraceStore& store, std::size_t index, Facts& facts);
    void finish(); // call after the handler

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

    // Sessions and the commands on them: fold_session.cpp.
    void operator()(const trace::Command& e);
    void operator()(const trace::CommandRefused& e);
    void operator()(const trace::SessionState& e);
    void operator()(const trace::SessionGone& e);

    // A client asks for a lock and waits: fold_wait.cpp.
    void operator()(const trace::Thinks& e);
    void operator()(const trace::AcquireCalled& e);
    void operator()(const trace::Decided& e);
    void operator()(const trace::AcquireFailed& e);
    void operator()(const trace::StartedOver& e);

    // A client believes that it holds: fold_hold.cpp.
    void operator()(const trace::Acquired& e);
    void operator()(const trace::Reentered& e);
    void operator()(const trace::ReleaseCalled& e);
    void operator()(const trace::Released& e);
    void operator()(const trace::HoldLost& e);

    // The protected resource's own record: fold_resource.cpp.
    void operator()(const trace::ResourceUse& e);
    void operator()(const trace::ResourceValue& e);

    // The protocol: fold_protocol.cpp; its watches: fold_watch.cpp.
    void operator()(const trace::Request& e);
    void operator()(const trace::Reply& e);
    void operator()(const trace::WatchFired& e);

    // The server's state: fold_observer.cpp.
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
    // Adds the node unless it is in the queue or known to be gone. Returns its index, or
    // node_queue::kNotFound if gone.
    std::size_t addNode(LockRow& lock, Text name);
    void removeNode(LockRow& lock, std::size_t place);
    void removeNode(LockRow& lock, Text name);
    // The same, but a node without a number only if the event `by` that ended it came after its creation:
    // such a name is used repeatedly, and an event about an earlier node may arrive when the next one already
    // exists.
    void removeNode(LockRow& lock, Text name, EventIndex by);
    void endHold(ClientRow& owner, LockUse& hold, const NodeRow& node);
    DeletedNode* deletedNode(LockId lock, Text name);
    DeletedNode* deletedNodeOfWatch(LockId lock, Text name);
    DeletedNode& rememberDeleted(LockId lock, Text name, ClientId owner, bool watched);
    NodeRow* nodeOf(const LockUse& one);
    // The event's time minus `begin`; 0 if `begin` is later, in a broken trace.
    Duration since(TraceTime begin) const;
    Duration runningSince(TraceTime begin) const;        // the same, without the pauses of the run
    void addSince(Duration& sum, TraceTime begin) const; // the latter; does nothing if the sum would overflow

    // ---- lock uses: fold_lock_use.cpp ----
    // Makes the use of the event's lock that best matches the node, `doing` and the owner the base of the
    // client's row; a new use if none matches.
    void selectUse(Text node, UseKind doing, OwnerId owner = OwnerId::none());
    void selectUse(LockUse& one); // of the event's client
    void addUse();                // moves the base to the other uses and makes a new use the base
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
    void changed(const ClientRow& row) { m_facts.clients.push_back(row.id); }
    void giveUp(const ClientRow& row, const LockUse& one); // does nothing if it does not hold, or is stale
    void holdEnds(ClientRow& row, const LockUse& one);     // does nothing if it does not hold
    void startStale(ClientRow& row, LockUse& one, bool bySession);
    void endBelief(ClientRow& row, LockUse& one);
    void endWait(LockUse& one);                   // without a grant
    void leaveLock(ClientRow& row, LockUse& one); // it no longer holds or waits
    void leaveAll(ClientRow& row);
    bool isLease(const LockRow& lock, Text node) const;

    // ---- watches: fold_watch.cpp ----
    void watch(Text node); // the client has set a watch on the node
    void unwatch(const ClientRow& row, LockUse& one);
    void unlink(LockUse& one);
    void dataRead(const trace::Reply& e);
    void fallAsleep();
    bool fallAsleepOnList(const trace::Decided& e);
    bool waitsFor(Text node) const;
    void wakeByDeletion(const trace::WatchFired& e, std::uint32_t woken);
    void noticeDeletedWatch();
    void countDeleted(int by, EventIndex cause); // deleted nodes that were watched
    TraceTime timeOf(EventIndex event) const;    // the current event's time for none and for later events
    std::uint32_t countWoken(Text node, trace::WatchKind kind);

    // ---- the watch table: fold_watch_table.cpp ----
    void addBelievedWatch(Text node); // the event's client has requested it
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
    void setSession(ClientRow& row, SessionId session);
    template <class F>
    void forEachOf(SessionId session, F&& what);
    template <class F>
    void forEachTarget(F&& what);
    ClientId ownerBySession(SessionId session, LockId lock);

    // ---- steps of single handlers ----
    void addNotice(const trace::Notice& notice);
    void leaveRun(ClientPhase phase); // the event's client
    // A lock that is only watched: the holders follow from the names of the nodes, once a whole list is
    // known.
    void addWatchedNode(LockRow& lock, NodeRow& node, const trace::NodeSeen& e);
    void updateWatchedHolders(LockRow& lock);
    // The same for events from the server's own log, which name the owner of each node and the client whose
    // turn it is (Decided).
    void queueWatched(NodeRow& node, const trace::NodeSeen& e);
    void grantWatched(const trace::Decided& e);
    bool believes(const ClientRow& owner, const LockRow& lock, const NodeRow& node) const;
    void endWatchedHold(ClientRow& owner, const LockRow& lock, const NodeRow& node);
    trace::CommandKind causingCommand() const; // other, unless a command is the event's cause
    // Counts the nodes in the observer's list: each node once, until it vanishes from that list.
    void markObserved(LockRow& lock, Text name, bool observed);
    void readList(LockRow& lock, const trace::Decided& e);
    std::size_t addListed(LockRow& lock, Text name);
    bool mayBeDeleted(const NodeRow& node) const;
    void claim(NodeRow& node); // by the event's client
    void take(std::size_t place, const trace::Acquired& e);
    void beginWait(EventIndex called, OwnerId owner);
    void giveUpOthers();
    void startCalledAgain(); // a holder called acquire again and now creates a second node
    void created(const trace::Reply& e);
    void addLease();
    void deleted(const trace::Reply& e);
    const trace::Request* causingRequest() const;
    // The request that the event answers, directly or through the reply that is its cause; none if there is
    // no such request.
    EventIndex answeredRequest() const;
    void revive(LockRow& lock, Text name);
    void followHandoffs();
    void followNode(LockHandoffs& lock);
    void followWakeUp(LockHandoffs& lock, Text node);
    void findHandoff(LockHandoffs& lock);
    void countRequest(Text node);      // for the acquire or hold to which the request belongs, if any
    void countRequests(LockUse& hold); // adds the hold's requests so far to the statistics

    RunState& m_state;
    const trace::TraceStore& m_store;
    const trace::Event& m_event;
    EventIndex m_index;
    ClientRow* m_client = nullptr; // the event's client, if it exists
    ClientBookkeeping* m_book = nullptr;
    LockRow* m_lock = nullptr; // the event's lock, otherwise that of the client's focus
    LockBookkeeping* m_lockBook = nullptr;
    InvariantChecker m_checker;
    Facts& m_facts;
};

} // namespace lockscope::replay
