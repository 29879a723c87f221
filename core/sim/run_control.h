// Pause and pace of a whole run, and the gate of each client: every protocol step waits here for its turn. Sessions
// stay alive meanwhile. I/O thread.
#pragma once

#include "core/lock/step_gate.h"
#include "core/zk/scheduler.h"

#include <deque>
#include <memory>

namespace lockscope::sim {

class ClientGate;

class RunControl
{
public:
    explicit RunControl(zk::Scheduler& scheduler) : m_scheduler(scheduler) {}

    bool paused() const { return m_paused; }
    Duration pace() const { return m_pace; }
    void setPaused(bool paused);
    void setPace(Duration pace);

private:
    friend class ClientGate;
    zk::Scheduler& m_scheduler;
    std::deque<ClientGate*> m_gates;
    bool m_paused = false;
    Duration m_pace{};
};

class ClientGate final : public lock::StepGate
{
public:
    explicit ClientGate(RunControl& control);
    ~ClientGate() override;
    ClientGate(const ClientGate&) = delete;
    ClientGate& operator=(const ClientGate&) = delete;

    bool open() const override;
    void whenOpen(lock::Step step, UniqueFunction<void()> pass) override;

    // A frozen client takes no step.
    void setFrozen(bool frozen);
    // Lets everything pass from now on: the client is leaving.
    void release();
    void reconsider(); // pause, pace or frozen changed

private:
    bool stopped() const { return !m_released && (m_frozen || m_control.paused()); }
    void letPass();

    RunControl& m_control;
    std::deque<UniqueFunction<void()>> m_waiting; // steps to take, in order
    std::size_t m_due = 0;                        // how many of them have waited for the pace
    bool m_frozen = false;
    bool m_released = false;
    std::shared_ptr<int> m_alive = std::make_shared<int>(0); // for timers that outlive the gate
};

} // namespace lockscope::sim
