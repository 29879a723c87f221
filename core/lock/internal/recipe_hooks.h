// What the simulator, the teaching recipes and the explorer may do to a recipe besides observing it: pause it
// before its steps, and switch on known bugs. An observer of this type provides these hooks. Not installed.
#pragma once

#include "core/lock/internal/recipe_bugs.h"
#include "core/lock/internal/step_gate.h"
#include "core/lock/observer.h"

namespace lockscope::lock {

class RecipeHooks : public Observer
{
public:
    RecipeHooks() = default;
    explicit RecipeHooks(RecipeBugs known)
        : bugs(known)
    {}
    EventIndex onEvent(const std::string&, const Event&, EventIndex) override { return EventIndex::none(); }

    // The hooks of an observer; empty for other types. They are read when the recipe is made.
    static const RecipeHooks& of(const Observer* observer)
    {
        static const RecipeHooks none;
        const auto* hooks = dynamic_cast<const RecipeHooks*>(observer);
        return hooks ? *hooks : none;
    }

    StepGate* gate = nullptr;           // must outlive the lock and its work
    RecipeBugs bugs;                    // none: the real recipe
    ClientId client = ClientId::none(); // the client that owns the lock, for messages
};

} // namespace lockscope::lock
