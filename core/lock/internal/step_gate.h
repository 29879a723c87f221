// The gate that every protocol step passes: open for users of the library, a delay or a stop in the
// simulator. Scheduler thread.
#pragma once

#include "core/base/recipe.h"
#include "core/base/unique_function.h"

namespace lockscope::lock {

class StepGate
{
public:
    virtual ~StepGate() = default;
    // True when steps pass at once; requests are pipelined only then.
    virtual bool open() const = 0;
    // Calls `pass` when the step may be taken, never within this call.
    virtual void whenOpen(GateStep step, UniqueFunction<void()> pass) = 0;
};

} // namespace lockscope::lock
