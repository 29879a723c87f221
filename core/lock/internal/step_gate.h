// The gate that every protocol step passes: open for users of the library, a delay or a stop in the
// simulator. Scheduler thread.
#pragma once

#include "core/base/unique_function.h"

namespace lockscope::lock {

// In the order of an acquire and a release: before the create is sent, after its reply, before a list, before
// its decision takes effect, before the watch, before sleeping, after a wake-up, before the grant, before a
// re-entry, before a release of one of several levels (a client that is stepped also waits there before its
// last release, while it still holds), before the delete is sent, after its reply.
enum class Step {
    create,
    created,
    list,
    decide,
    watch,
    sleep,
    woken,
    acquired,
    reenter,
    release,
    remove,
    gone
};

class StepGate
{
public:
    virtual ~StepGate() = default;
    // True when steps pass at once; requests are pipelined only then.
    virtual bool open() const = 0;
    // Calls `pass` when the step may be taken, never within this call.
    virtual void whenOpen(Step step, UniqueFunction<void()> pass) = 0;
};

} // namespace lockscope::lock
