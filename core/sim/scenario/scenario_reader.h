// A scenario that stands inside another TOML file, as a table of it.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "core/sim/scenario/toml_reader.h"

namespace lockscope::sim {

// Throws TomlError with the place in `file`. What validate() checks is not checked; no source.
Scenario readScenario(const toml::table& table, std::string_view file, const std::string& name);

} // namespace lockscope::sim
