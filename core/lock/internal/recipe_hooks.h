// What the simulator may do to a recipe besides observing it: pause it before its steps. An observer of this
// type provides these hooks. Not installed.
#pragma once

#include "core/base/recipe.h"
#include "core/base/unique_function.h"
#include "core/lock/observer.h"

namespace lockscope::lock {

// The gate that every protocol step passes: open for users of the library, a delay or a stop in the
// simulator. Scheduler thread.
class StepGate
{
public:
    virtual ~StepGate() = default;
    // True when steps pass at once; requests are pipelined only then.
    virtual bool open() const = 0;
    // Calls `pass` when the step may be taken, never within this call.
    virtual void whenOpen(GateStep step, UniqueFunction<void()> pass) = 0;
};

struct Hooks
{
    StepGate* gate = nullptr;           // must outlive the lock and its work
    ClientId client = ClientId::none(); // the client that owns the lock, for messages
};

class RecipeHooks : public Observer
{
public:
    // The hooks of an observer; empty for other types. They are read when the recipe is made.
    static Hooks of(const Observer* observer)
    {
        const auto* hooks = dynamic_cast<const RecipeHooks*>(observer);
        return hooks ? hooks->hooks : Hooks{};
    }

    Hooks hooks;
};

} // namespace lockscope::lock
