// Pause, pace and stepping of a run, with a gate for each client that every protocol step passes. A client
// that is held waits before its next step; its session stays alive. Manual steps are taken one at a time: the
// next one waits until the one before has had its effect, so that the same order can be replayed. I/O thread.
#pragma once

#include "core/lock/internal/recipe_hooks.h"
#include "core/sim/script/script.h"
#include "core/trace/recorder.h"
#include "core/zk/scheduler.h"

#include <deque>
#include <memory>
#include <set>

namespace lockscope::sim {

class ClientGate;

class RunControl
{
public:
    RunControl(zk::Scheduler& scheduler, trace::Recorder& recorder)
        : m_scheduler(scheduler)
        , m_recorder(recorder)
    {}

    bool paused() const { return m_paused; }
    Duration pace() const { return m_pace; }
    void setPaused(bool paused);
    void setPace(Duration pace);

    void setHolding(bool holding); // all clients, including those added later
    bool isHolding() const { return m_holding; }
    bool isHoldingAll() const { return m_holding || isReplaying(); }
    // Takes these steps in this order with all clients held, then continues by the rules of setHolding().
    void follow(std::vector<TakenStep> order);
    // Of the clients held before a step, the one that was stepped least recently; none when no client is
    // held.
    ClientId nextInTurn() const;
    // For a run without a person: while all clients are held, the client nextInTurn() is stepped
    // automatically.
    void enableAutomaticSteps() { m_automaticSteps = true; }
    // Steps of follow() are left. Delays are skipped meanwhile.
    bool isReplaying() const { return !m_orderedSteps.empty(); }

private:
    friend class ClientGate;
    void stands(ClientGate& gate);
    void onSettled(ClientGate& gate);
    void requestStep(ClientGate& gate); // now, or when the previous step is settled
    void takeNextSteps();
    bool enqueueNextInTurn(); // true: one was enqueued
    void takeOrderedStep();
    void takeOrderedStep(ClientGate& gate);
    void onOrderTaken();
    bool mustRepeatCreate(const ClientGate& gate) const;

    zk::Scheduler& m_scheduler;
    trace::Recorder& m_recorder;
    std::deque<ClientGate*> m_gates;
    bool m_paused = false;
    bool m_holding = false;
    bool m_automaticSteps = false;
    Duration m_pace{};
    std::deque<TakenStep> m_orderedSteps;   // left to take
    std::deque<ClientGate*> m_requested;    // waiting for their step, in this order
    ClientGate* m_created = nullptr;        // its create was the last ordered step
    ClientGate* m_unsettled = nullptr;      // its last step has had no effect yet
    std::deque<ClientId> m_recentlyStepped; // the most recent one last
};

class ClientGate final : public lock::StepGate
{
public:
    ClientGate(RunControl& control, ClientId client, std::string name);
    ~ClientGate() override;
    ClientGate(const ClientGate&) = delete;
    ClientGate& operator=(const ClientGate&) = delete;

    bool open() const override;
    void whenOpen(GateStep step, UniqueFunction<void()> pass) override;

    // A frozen client takes no step.
    void setFrozen(bool frozen);
    // Lets all steps pass from now on: the client is leaving.
    void release();

    void hold(std::optional<GateStep> before); // before every step, or before this one
    bool isToStop(std::optional<GateStep> before) const
    {
        return before ? m_breakpoints.contains(*before) : m_holding;
    }
    // Whether resumeSteps() changes anything.
    bool canLetGo(std::optional<GateStep> before) const
    {
        return before ? isToStop(before) : !m_breakpoints.empty() || (m_holding && !m_control.isHoldingAll());
    }
    void resumeSteps();                // from all breakpoints
    void resumeSteps(GateStep before); // from this breakpoint only
    void step();                       // takes the step before which it is held
    std::optional<GateStep> pendingStep() const { return m_pendingStep; }
    // Whether a hold of this client ends by a step instead of a time: it is held before every step, and in an
    // order of steps that is taken, its next one is to release, or none is left.
    bool holdsUntilStep() const;
    // Whether a hold ends by a stop before its release. Who is held before the deletion of its node, too,
    // stops once, there.
    bool stopsAtRelease() const
    {
        return !m_released && m_breakpoints.contains(GateStep::release) &&
               !m_breakpoints.contains(GateStep::remove);
    }
    // A step waits for resumeSteps() or step(), or for the end of a pause or freeze.
    bool isHeld() const { return m_due > 0 && (m_pendingStep || stopped()); }
    bool isPacing() const { return m_due < m_waiting.size(); } // a step waits for the pace
    void settle();                                             // the last step has had its effect

private:
    friend class RunControl;
    struct Waiting
    {
        GateStep step;
        UniqueFunction<void()> pass;
    };
    bool stopped() const { return !m_released && (m_frozen || m_control.paused()); }
    bool heldBefore(GateStep step) const;
    void passSteps(); // also called after a change of pause, frozen or held
    void takeStep();

    RunControl& m_control;
    ClientId m_client;
    std::string m_name;
    std::deque<Waiting> m_waiting; // steps in order
    std::size_t m_due = 0;         // the number of them that have waited for the pace
    bool m_frozen = false;
    bool m_released = false;
    bool m_holding = false;
    std::set<GateStep> m_breakpoints;
    std::optional<GateStep> m_pendingStep;
    std::shared_ptr<int> m_alive = std::make_shared<int>(0); // for timers that outlive the gate
};

} // namespace lockscope::sim
