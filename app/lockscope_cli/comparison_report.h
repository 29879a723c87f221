// Two runs side by side as JSON, and as a table for a person at a terminal.
#pragma once

#include "app/lockscope_cli/run_outcome.h"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace lockscope::app {

struct ComparedRuns
{
    const RunOutcome& a;
    const RunOutcome& b;
    replay::WorkloadMatch load;
    std::vector<std::string> workloadDifferences; // "hold 0–100 ms against 2 ms"
    std::string workloadNotice;                   // "Not the same load: ..."; empty when it is the same
    replay::Comparison comparison;                // of the measures that the load does not decide
};
ComparedRuns compared(const RunOutcome& a, const RunOutcome& b);

boost::json::object
report(const ComparedRuns& runs); // {"a": {...}, "b": {...}, "load": {...}, "comparison": [...]}
std::string table(const ComparedRuns& runs);

} // namespace lockscope::app
