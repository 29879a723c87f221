// Reads a scenario from a table of a TOML file, its own or a lesson's.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "core/sim/scenario/toml_reader.h"

namespace lockscope::sim {

// Throws TomlError with the place in `file`. Does not call validate() and leaves `source` empty.
Scenario readScenario(const toml::table& table, std::string_view file, const std::string& name);

} // namespace lockscope::sim
