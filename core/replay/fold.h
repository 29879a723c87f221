// One event applied to a state: a handler for every kind of event, shared steps below. Total: whatever the
// event names and does not exist is left out. Lives for one event; one thread.
#pragma once

#include "core/replay/judge.h"
#include "core/replay/run_state.h"
#include "core/trace/store.h"

#include <cstddef>

namespace lockscope::replay {

class Fold
{
public:
    Fold(RunState& state, const trace::TraceStore& store, std::size_t index);

    // The run and the sessions: fold_run.cpp.
    void operator()(const trace::RunState& e);
    void operator()(const trace::ServerState& e);
    void operator()(const trace::MemberState& e);
    void operator()(const trace::LockAdded& e);
    void operator()(const trace::LockLimit& e);
    void operator()(const trace::ClientAdded& e);
    void operator()(const trace::ClientRemoved& e);
    void operator()(const trace::Command& e);
    void operator()(const trace::CommandRefused& e);
    void operator()(const trace::PaceChanged& e);
    void operator()(const trace::Notice& e);
    void operator()(const trace::LinkState& e);
    void operator()(const trace::StepHeld& e);
    void operator()(const trace::StepTaken& e);
    void operator()(const trace::SessionState& e);
    void operator()(const trace::SessionGone& e);
    void operator()(const trace::ClientFinished& e);

    // What a client does and believes: fold_client.cpp.
    void operator()(const trace::Thinks& e);
    void operator()(const trace::AcquireCalled& e);
    void operator()(const trace::Decided& e);
    void operator()(const trace::Acquired& e);
    void operator()(const trace::Reentered& e);
    void operator()(const trace::AcquireFailed& e);
    void operator()(const trace::StartedOver& e);
    void operator()(const trace::ReleaseCalled& e);
    void operator()(const trace::Released& e);
    void operator()(const trace::HoldLost& e);
    void operator()(const trace::ResourceUse& e);
    void operator()(const trace::ResourceValue& e);

    // The protocol: fold_protocol.cpp.
    void operator()(const trace::Request& e);
    void operator()(const trace::Reply& e);
    void operator()(const trace::WatchFired& e);

    // The server's word: fold_observer.cpp.
    void operator()(const trace::NodeSeen& e);
    void operator()(const trace::NodeVanished& e);
    void operator()(const trace::Observed& e);

private:
    // ---- the queue, the watches and the beliefs: fold.cpp ----
    // Adds the node unless it is there or known to be gone. Its index, or node_queue::kNowhere.
    std::size_t addNode(LockRow& lock, Text name);
    void removeNode(LockRow& lock, std::size_t place);
    void removeNode(LockRow& lock, Text name);
    // The same, when what ended it (`by`) came after it was made. A name without a number is used again and
    // again: news of one that went may arrive when the next one is there.
    void removeNode(LockRow& lock, Text name, EventIndex by);
    void removeNodesOf(SessionId session, ClientId client);
    GoneNode* goneNode(LockId lock, Text name);
    GoneNode& rememberGone(LockId lock, Text name, ClientId owner, bool watched);

    void watch(Text node); // the client's watch is set
    void unwatch(ClientId client);
    void unlink(ClientId client);

    Duration
    since(TraceTime begin) const; // the event's time less `begin`; 0 when a broken trace says nonsense
    void setPhase(ClientRow& row, ClientPhase phase);
    void startStale(ClientRow& row, bool bySession);
    void endBelief(ClientRow& row);
    void leaveLock(ClientRow& row); // neither holds nor waits any more
    NodeRow* nodeOf(const ClientRow& row);
    void addNotice(trace::Severity severity, Text text);
    // Counts what the observer lists: a node once, until it vanishes from its list.
    void markObserved(LockRow& lock, Text name, bool observed);
    void rememberSession(SessionId session, ClientId client);
    ClientId clientOfSession(SessionId session) const;

    // ---- steps of single handlers ----
    void readList(LockRow& lock, const trace::Decided& e);
    bool mayBeGone(const NodeRow& node) const;
    void claim(NodeRow& node); // by the event's client
    void created(const trace::Reply& e);
    void deleted(const trace::Reply& e);
    void dataRead(const trace::Reply& e);
    void listed();
    const trace::Request* requestOfThis() const;
    // The request that the event answers, itself or over the reply that is its cause; none when it names
    // none.
    EventIndex requestBehind() const;
    void revive(LockRow& lock, Text name);
    std::uint32_t countWoken(Text node, trace::WatchKind kind);

    RunState& m_state;
    const trace::TraceStore& m_store;
    const trace::Event& m_event;
    EventIndex m_index;
    ClientRow* m_client = nullptr; // the event's, if it exists
    ClientBook* m_book = nullptr;
    LockRow* m_lock = nullptr; // the event's, or the one its client is at
    LockBook* m_lockBook = nullptr;
    Judge m_judge;
};

} // namespace lockscope::replay
