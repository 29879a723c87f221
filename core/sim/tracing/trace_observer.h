// Records the events of one client's lock in the trace. The simulator sets its hooks (RecipeHooks). Scheduler
// thread.
#pragma once

#include "core/lock/internal/recipe_hooks.h"
#include "core/trace/recorder.h"

namespace lockscope::sim {

class TraceObserver final : public lock::RecipeHooks
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

trace::Outcome outcomeOf(zk::Code code);
trace::FailReason failReason(ErrorCode code);

} // namespace lockscope::sim
