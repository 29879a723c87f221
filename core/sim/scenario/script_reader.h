// Reads the script, the ordered steps and the expected findings of a scenario from TOML. Throws TomlError
// with the place.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "core/sim/scenario/toml_reader.h"

namespace lockscope::sim {

// Null where the scenario has none.
struct ScriptNodes
{
    const toml::node* script = nullptr; // ["after 3 handoffs: freeze the holder for 4s", ...]
    const toml::node* steps = nullptr;  // ["ada create", "ada list", ...]
};

// Scripts and steps name clients, so the scenario must already have all its clients.
void readScriptAndSteps(const TomlReader& in, ScriptNodes nodes, Scenario& scenario);

// ["one_holder holds", "no_herd violated"]
void readExpectations(const TomlReader& in, const toml::node& node, Scenario& scenario);
// ["no_herd"]
void readViolated(const TomlReader& in, const toml::node& node, Scenario& scenario);

} // namespace lockscope::sim
