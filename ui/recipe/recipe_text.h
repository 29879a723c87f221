// A lock recipe's algorithm as rich text, in the language of the window. GUI thread.
#pragma once

#include "core/explore/built_recipe.h"

#include <QString>

#include <optional>

namespace lockscope::ui {

struct Palette;

// The lines that follow from the choice `marked` are marked.
QString algorithmHtml(const explore::BuiltRecipe& recipe, std::optional<explore::Choice> marked,
                      const Palette& palette);

} // namespace lockscope::ui
