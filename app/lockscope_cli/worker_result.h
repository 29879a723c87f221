// What a worker hands in about its part of a run, and the run that all parts make: as data, for the same
// report as that of a run in one process. A handoff, an overtaking or a finding is counted by the worker that
// saw all of it; what happened between workers is in their traces (lockscope-cli merge).
#pragma once

#include "app/lockscope_cli/run_outcome.h"

#include <boost/json/array.hpp>

#include <string>
#include <vector>

namespace lockscope::app {

std::string workerResult(const RunOutcome& run);
std::string workerFailure(const Error& error); // instead, when there was no run

struct WorkerPart
{
    std::string who;                   // "host3, process 4711"
    std::string result;                // empty: it died
    std::vector<std::string> replaced; // who had its place before, and died
};
struct RunEnd
{
    std::vector<std::string> missed; // lines of the script that were not executed
    std::string stall;               // the sentence, if no client could continue by itself
    bool interrupted = false;
};
// A worker sees its own clients alone: that these kept the rule does not tell whether all clients did.
void leaveOpen(replay::Finding& finding);
// The outcome is cut short by the worst of its parts.
RunOutcome joinedRun(const sim::Scenario& scenario, const std::vector<WorkerPart>& parts, const RunEnd& end);
// Of each worker: "workers" of the report.
boost::json::array workersJson(const sim::Scenario& scenario, const std::vector<WorkerPart>& parts);

} // namespace lockscope::app
