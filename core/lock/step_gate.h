// The gate that every protocol step passes: open for a library user, a delay or a stop for the simulator.
// Scheduler thread.
#pragma once

#include "core/base/unique_function.h"

namespace lockscope::lock {

// In the order of an acquire and a release: before the create is sent, after it was answered, before a list,
// before its decision counts, before the watch, before sleeping, after a wake-up, before the lock counts as
// held, before a re-entry, before a release that lowers the count alone, before the delete is sent, after it was
// answered.
enum class Step { create, created, list, decide, watch, sleep, woken, acquired, reenter, release, remove, gone };

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
