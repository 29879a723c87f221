// Reads a scenario from a TOML table, of its own file or of a lesson.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "core/sim/scenario/toml_reader.h"

namespace lockscope::sim {

// Throws TomlError with the place in `file`. Does not call validate() and leaves `source` empty.
Scenario readScenario(const toml::table& table, std::string_view file, const std::string& name);

} // namespace lockscope::sim
