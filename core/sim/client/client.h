// One simulated client: a name, a process (whose session it uses), and a loop of think, acquire, re-enter,
// hold, release. When the session is lost it continues with a new one. I/O thread.
#pragma once

#include "core/base/random.h"
#include "core/sim/client/client_locks.h"
#include "core/sim/client/process.h"
#include "core/sim/client/start_gate.h"
#include "core/sim/run/run_control.h"
#include "core/sim/scenario/scenario.h"

#include <functional>
#include <memory>
#include <string>

namespace lockscope::sim {

// Shared by all clients of a run; outlives them.
struct RunContext
{
    zk::Hub& hub;
    trace::Recorder& recorder;
    const Scenario& scenario;
    std::string hosts;
    RunControl& control;
    StartGate& startGate;
    std::vector<RunLock> runLocks; // in the order of the scenario's locks
    std::string leasesPath{};      // the node with a semaphore's size; empty: the size is fixed
    MonotonicTime start{};         // of the run
    MonotonicTime lastStart = MonotonicTime::max(); // no acquire starts after this
    // Called before a client leaves because of an error that no retry can fix.
    std::function<void(ClientId, const Error&)> refused{};
    bool wasConnected = false;    // some client has been connected
    bool timeoutCompared = false; // the granted session timeout, with the scenario's

    bool timeIsUp() const { return hub.now() >= lastStart; }
};

class Client : public std::enable_shared_from_this<Client>
{
public:
    static constexpr OwnerId kOwner{0}; // every client has one logical thread

    // `startDelay`: from the start of the run to the first cycle, which also waits for the barrier.
    // `atBarrier`: false for a client that is added later. `colour`: an index into the palette. `place`: in
    // the whole scenario, whose seed decides with it what the client does.
    Client(RunContext& context, ClientId id, Participant who, std::uint16_t colour, std::uint32_t place,
           std::shared_ptr<Process> process, Duration startDelay, bool atBarrier);

    // Calls `ended` once, when the client has finished its cycles or has left.
    void start(std::function<void()> ended);
    void leave();                // orderly: stops waiting, releases, leaves its process
    void abandon();              // leaves without waiting for the server
    void setFrozen(bool frozen); // together with its process
    void closeSession();         // an orderly close; it continues with a new session
    // Its current rest lasts at least until then, unless the session ends.
    void extendHoldUntil(MonotonicTime time) { m_holdUntil = time; }

    ClientId id() const { return m_id; }
    const std::string& name() const { return m_who.name; }
    const std::shared_ptr<Process>& process() const { return m_process; }
    ClientGate& gate() { return m_gate; }
    const std::shared_ptr<zk::HubSession>& session() const { return m_session; } // null before the first one
    bool holds() const;
    bool
    knowsLeaseCount(std::uint32_t count) const; // the client knows this semaphore size, or cannot learn it
    bool leaving() const { return m_leaving; }
    bool frozen() const { return m_session && m_session->frozen(); }
    bool isHeld() const { return m_gate.isHeld(); } // waits before a step until it is released
    // Only the user or other clients can make it continue: by a step, a thaw, a release, or an arrival at the
    // barrier.
    bool isBlocked() const
    {
        const bool waits =
            m_waitsForOthers && !m_gate.isPacing() && sessionPhase() == zk::SessionPhase::connected;
        return isHeld() || frozen() || waits;
    }
    std::optional<GateStep> pendingStep() const { return m_gate.pendingStep(); }
    void wakeUp() { m_wake.notify(); } // the client checks whether the time is up
    zk::SessionPhase sessionPhase() const;

private:
    zk::Awaitable<void> run();
    zk::Awaitable<bool> connect();
    zk::Awaitable<void> begin(); // waits for its start, once
    zk::Awaitable<bool> useSession();
    zk::Awaitable<bool> makeLocks();
    zk::Awaitable<bool> cycle();
    zk::Awaitable<bool> acquireAll(Duration part);
    zk::Awaitable<Result<lock::Grant>> acquireOne(lock::Lock* lock);
    zk::Awaitable<void> releaseOne(lock::Lock* lock);
    zk::Awaitable<void> reenterAndRest(Duration part);
    zk::Awaitable<void> releaseAll(Duration part);
    zk::Awaitable<void> rest(Duration time); // ends early when the session ends or the client leaves
    zk::Awaitable<void> restUntilRelease(Duration time); // the last rest of a hold
    zk::Awaitable<void> standBeforeRelease();
    // The same; also ends when no acquire may start any more.
    zk::Awaitable<void> restBeforeLock(Duration time);
    zk::Awaitable<void> pauseBeforeRetry();
    bool handleRefusal(const Error& error); // true: no retry can help, and the client leaves
    // True for an error that is part of a run (a timeout, a cancellation, the end of the session). Records
    // others.
    bool recordUnlessExpected(const Error& error);
    void onSessionPhase(zk::SessionPhase phase);
    void notePhase(zk::SessionPhase phase);
    void compareTimeouts();
    bool sessionOver() const;
    bool moreToDo() const;
    bool stopResting() const { return m_leaving || sessionOver(); }
    Duration pick(const Range& range);
    void finish();

    // A lock that it holds in this cycle.
    struct HeldLock
    {
        ClientLocks::Acquisition acquisition;
        bool admitted = false; // by the resource
    };

    RunContext& m_context;
    ClientId m_id;
    Participant m_who;
    std::shared_ptr<Process> m_process;
    Duration m_startDelay;
    bool m_atBarrier;
    Random m_random;
    ClientGate m_gate;
    zk::Signal m_wake;
    std::shared_ptr<zk::HubSession> m_session;
    zk::Session::ListenerId m_listener = 0;
    std::shared_ptr<lock::SharedCount> m_leases; // of a semaphore
    std::unique_ptr<ClientLocks> m_locks;
    std::vector<ClientLocks::Acquisition> m_acquisitions; // of this cycle
    std::vector<HeldLock> m_heldLocks;                    // acquired so far in this cycle
    lock::CancelToken m_cancel;
    std::function<void()> m_onEnded;
    std::uint32_t m_cyclesDone = 0;
    std::uint32_t m_failures = 0; // consecutive failed connects and cycles
    MonotonicTime m_holdUntil{};
    bool m_begun = false;
    bool m_revoked = false;        // another client asked for the lock
    bool m_refused = false;        // it leaves because of an error
    bool m_waitsForOthers = false; // in an acquire without a time limit, or at the barrier
    bool m_leaving = false;
    bool m_ended = false;
};

} // namespace lockscope::sim
