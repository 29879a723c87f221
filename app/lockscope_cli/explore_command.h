// lockscope-cli explore: takes every schedule of a few clients of a recipe, and says whether its rules hold.
#pragma once

#include "core/explore/proof.h"

#include <string>

namespace lockscope::app {

struct ExploreArguments
{
    explore::Workload workload;
    explore::BuiltRecipe built;                      // the recipe as data, when it is
    std::shared_ptr<const explore::Recipe> runnable; // of `built`; null: a recipe of core/lock
    explore::SearchOptions search;
    std::string mistake;      // a name of explore::allFlaws(); empty: none
    std::string traceFile;    // of the counterexample; empty: none
    std::string scenarioFile; // of the counterexample, for a run on a real server; empty: none
    std::string reportFile;   // empty: none
    bool quiet = false;
};

// Returns the exit code: 0 the rules hold in all schedules, or in those that the bound allowed, which is
// said; 1 a rule is violated; 4 cut short by a signal, or an output could not be written.
int runExplore(const ExploreArguments& arguments);

} // namespace lockscope::app
