// A stepped world that records what happens in it, step by step, so that every view can show it. Each step
// takes a millisecond, and the virtual time passes besides. One thread.
#pragma once

#include "core/explore/stepped_world.h"
#include "core/trace/recorder.h"

#include <memory>
#include <string>

namespace lockscope::explore {

class TracedWorld
{
public:
    TracedWorld(const Workload& workload, const std::string& title);
    TracedWorld(const TracedWorld&) = delete;
    TracedWorld& operator=(const TracedWorld&) = delete;

    SteppedWorld& world() { return *m_world; }
    bool take(const Step& step); // false, and nothing is done, when it is not possible now
    trace::TraceStore& store() { return m_store; }
    trace::Recorder& recorder() { return m_recorder; }

private:
    static MonotonicTime now(const void* self);

    trace::TraceStore m_store;
    Duration m_steps{};
    trace::Recorder m_recorder;
    std::unique_ptr<SteppedWorld> m_world; // null while it is made
};

// The store as long as anybody reads it, and with it the world: what that does when it ends would be
// recorded.
std::shared_ptr<const trace::TraceStore> traceOf(const std::shared_ptr<TracedWorld>& world);

} // namespace lockscope::explore
