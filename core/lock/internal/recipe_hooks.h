// What the simulator may do to a recipe besides observing it: pause it before its steps. An observer of this
// type provides these hooks. Not installed.
#pragma once

#include "core/lock/internal/step_gate.h"
#include "core/lock/observer.h"

namespace lockscope::lock {

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
