// A counterexample as a scenario, which takes the same steps in a run on a real ZooKeeper.
#pragma once

#include "app/lockscope_cli/explore_command.h"

namespace lockscope::app {

// TOML. Error: unsupported, with what in it a run has no equivalent of.
Result<std::string> scenarioOf(const ExploreArguments& arguments, const explore::Counterexample& found);

} // namespace lockscope::app
