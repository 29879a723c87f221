// Pause, pace and steps of a whole run, and the gate of each client: every protocol step waits here for its
// turn. A client that is held stands before its next step until it is let go; sessions stay alive meanwhile.
// Steps that are taken by hand are taken one at a time: the next one waits until the one before has had its
// effect, so that the same order replays. I/O thread.
#pragma once

#include "core/lock/step_gate.h"
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

    void setHolding(bool holding); // everybody, also who comes later
    bool holding() const { return m_holding; }
    // Takes these steps in this order, then goes on as setHolding() says. Everybody is held meanwhile.
    void follow(std::vector<TakenStep> order);
    // The step of who stands and was not stepped for the longest time; none when nobody stands.
    ClientId nextInTurn() const;
    // Nobody attends who would step: while everybody is held, whoever is next in turn takes a step.
    void stepInTurn() { m_inTurn = true; }
    // Steps of that order are still to be taken: nobody need wait for the time to pass.
    bool isReplaying() const { return !m_orderedSteps.empty(); }

private:
    friend class ClientGate;
    void stands(ClientGate& gate);
    void onSettled(ClientGate& gate);
    void take(ClientGate& gate); // now, or when the one before is settled
    void takeNextSteps();
    bool enqueueNextInTurn(); // true: somebody is asked now
    void takeOrderedStep();
    void takeOrderedStep(ClientGate& gate);
    void onOrderTaken();
    bool mustRepeatCreate(const ClientGate& gate) const;
    bool isHoldingAll() const { return m_holding || !m_orderedSteps.empty(); }

    zk::Scheduler& m_scheduler;
    trace::Recorder& m_recorder;
    std::deque<ClientGate*> m_gates;
    bool m_paused = false;
    bool m_holding = false;
    bool m_inTurn = false;
    Duration m_pace{};
    std::deque<TakenStep> m_orderedSteps;     // still to be taken
    std::deque<ClientGate*> m_requested;   // to be stepped, in this order
    ClientGate* m_created = nullptr;   // its create was the last step of the order
    ClientGate* m_unsettled = nullptr; // its last step has not had its effect yet
    std::deque<ClientId> m_recentlyStepped;    // the last one at the end
};

class ClientGate final : public lock::StepGate
{
public:
    ClientGate(RunControl& control, ClientId client, std::string name);
    ~ClientGate() override;
    ClientGate(const ClientGate&) = delete;
    ClientGate& operator=(const ClientGate&) = delete;

    bool open() const override;
    void whenOpen(lock::Step step, UniqueFunction<void()> pass) override;

    // A frozen client takes no step.
    void setFrozen(bool frozen);
    // Lets everything pass from now on: the client is leaving.
    void release();
    void reconsider(); // pause, pace, frozen or held changed

    void hold(std::optional<trace::GateStep> before); // before every step, or before this one
    void resumeSteps();                                     // from all of these
    void resumeSteps(trace::GateStep before);               // from this one alone
    bool step();                                      // false: it stands nowhere
    std::optional<trace::GateStep> pendingStep() const { return m_pendingStep; }
    bool isHeld() const { return m_due > 0 && (m_pendingStep || stopped()); } // a step waits until it is let go
    bool isPacing() const { return m_due < m_waiting.size(); }             // a step waits for its time
    void settle(); // what was under way has come to its end
    ClientId client() const { return m_client; }

private:
    friend class RunControl;
    struct Waiting
    {
        trace::GateStep step;
        UniqueFunction<void()> pass;
    };
    bool stopped() const { return !m_released && (m_frozen || m_control.paused()); }
    bool heldBefore(trace::GateStep step) const;
    void passSteps();
    void takeStep();

    RunControl& m_control;
    ClientId m_client;
    std::string m_name;
    std::deque<Waiting> m_waiting; // steps to take, in order
    std::size_t m_due = 0;         // how many of them have waited for the pace
    bool m_frozen = false;
    bool m_released = false;
    bool m_holding = false;
    std::set<trace::GateStep> m_breakpoints;
    std::optional<trace::GateStep> m_pendingStep;
    std::shared_ptr<int> m_alive = std::make_shared<int>(0); // for timers that outlive the gate
};

} // namespace lockscope::sim
