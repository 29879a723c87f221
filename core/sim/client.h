// One simulated client: a session of its own, a name, and a loop of think, acquire, re-enter, hold, release. When its
// session is lost it connects again and goes on. I/O thread.
#pragma once

#include "core/base/random.h"
#include "core/lock/lock.h"
#include "core/sim/recipe_locks.h"
#include "core/sim/resource.h"
#include "core/sim/run_control.h"
#include "core/sim/scenario.h"
#include "core/zk/hub.h"

#include <functional>
#include <memory>
#include <string>

namespace lockscope::sim {

// What all clients of a run share; outlives them.
struct RunContext
{
    zk::Hub& hub;
    trace::Recorder& recorder;
    const Scenario& scenario;
    std::string hosts;
    RunControl& control;
    Resource& resource;
    LockId lock;
    MonotonicTime lastStart = MonotonicTime::max(); // no cycle begins after this
};

class Client : public std::enable_shared_from_this<Client>
{
public:
    Client(RunContext& context, ClientId id, std::string name);

    // `ended` is called once, when the client has finished its cycles or has left.
    void start(std::function<void()> ended);
    void leave();                        // in an orderly way: gives up waiting, releases, closes its session
    void abandon();                      // leaves without waiting for the server
    // Kills its session for real; `done` says when the server has confirmed it, or why it could not be.
    void kill(EventIndex command, UniqueFunction<void(Result<void>)> done);
    void freeze();
    void thaw();

    ClientId id() const { return m_id; }
    const std::string& name() const { return m_name; }
    bool holds() const;
    bool leaving() const { return m_leaving; }
    bool frozen() const { return m_session && m_session->frozen(); }
    zk::SessionPhase sessionPhase() const;

private:
    zk::Awaitable<void> run();
    zk::Awaitable<bool> connect();
    zk::Awaitable<void> useSession();
    zk::Awaitable<bool> cycle();
    zk::Awaitable<void> holdAndRelease(lock::Grant grant);
    zk::Awaitable<void> rest(Duration time);  // ends early when the session is over or the client leaves
    zk::Awaitable<void> pauseBeforeRetry();
    void onSessionPhase(zk::SessionPhase phase);
    bool sessionOver() const;
    bool moreToDo() const;
    bool stopResting() const { return m_leaving || sessionOver(); }
    Duration pick(Range range);
    void finish();

    RunContext& m_context;
    ClientId m_id;
    std::string m_name;
    Random m_random;
    ClientGate m_gate;
    zk::Signal m_wake;
    std::shared_ptr<zk::HubSession> m_session;
    std::unique_ptr<RecipeLocks> m_locks;
    RecipeLocks::Turn m_turn; // of this cycle
    lock::Cancel m_cancel;
    std::function<void()> m_onEnded;
    std::uint32_t m_cyclesDone = 0;
    std::uint32_t m_failures = 0;        // connects that failed in a row
    bool m_leaving = false;
    bool m_ended = false;
};

} // namespace lockscope::sim
