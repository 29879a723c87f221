// The gate that every protocol step passes: open for a library user, a delay or a stop for the simulator.
// Scheduler thread.
#pragma once

#include "core/base/unique_function.h"

namespace lockscope::lock {

enum class Step { create, list, decide, watch, sleep, acquired, reenter, remove };

class StepGate
{
public:
    virtual ~StepGate() = default;
    // True when steps pass at once. Requests are sent together only then.
    virtual bool open() const = 0;
    // Calls `pass` when the step may be taken, never inside this call.
    virtual void whenOpen(Step step, UniqueFunction<void()> pass) = 0;
};

} // namespace lockscope::lock
