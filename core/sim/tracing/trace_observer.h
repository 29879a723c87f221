// Records the events of one client's lock in the trace. The simulator sets its hooks (RecipeHooks). Scheduler
// thread.
#pragma once

#include "core/lock/internal/recipe_hooks.h"
#include "core/trace/recorder.h"

namespace lockscope::sim {

class TraceObserver : public lock::RecipeHooks
{
public:
    // The recorder must outlive the recipe and its background work.
    TraceObserver(trace::Recorder& recorder, ClientId client, LockId lock);
    EventIndex onEvent(const std::string& path, const lock::Event& event, EventIndex cause) override;

private:
    struct Writer;
    trace::Recorder& m_recorder;
    LockId m_lock;
};

// Of the mutex that the acquires of a semaphore queue up on. An acquire passes the gate of the semaphore; a
// release passes at once, because it continues after the acquire of the semaphore has returned.
class AcquireMutexObserver final : public TraceObserver, private lock::StepGate
{
public:
    AcquireMutexObserver(trace::Recorder& recorder, ClientId client, LockId lock, zk::Scheduler& scheduler,
                         lock::StepGate& ofSemaphore);

private:
    bool open() const override { return m_ofSemaphore.open(); }
    void whenOpen(GateStep step, UniqueFunction<void()> pass) override;

    zk::Scheduler& m_scheduler;
    lock::StepGate& m_ofSemaphore;
};

trace::Outcome outcomeOf(zk::Code code);
trace::FailReason failReason(ErrorCode code);

} // namespace lockscope::sim
