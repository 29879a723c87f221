// Runs a recipe that is data, as the explorer needs it. Immutable; any thread.
#pragma once

#include "core/explore/built_recipe.h"
#include "core/explore/recipe.h"

namespace lockscope::explore {

std::shared_ptr<const Recipe> runnable(const BuiltRecipe& recipe);

} // namespace lockscope::explore
