// What came of one run, live or recorded, and its exit code. A plain value; the folded texts point into the
// store.
#pragma once

#include "core/base/error.h"
#include "core/replay/comparison.h"
#include "core/sim/scenario.h"
#include "core/trace/store.h"

#include <memory>
#include <string>

namespace lockscope::app {

struct RunOutcome
{
    sim::Scenario scenario;
    std::shared_ptr<const trace::TraceStore> store;
    replay::WholeRun folded;
    bool cutShort = false; // by a signal, by a trace that cannot be written, or in the file
    bool byHand = false;   // by a signal: nothing else is to be begun
    bool scenarioKnown = true; // else a trace that does not say it
};

// A trace file as the run that it tells of. Its scenario is the one in its first line; where there is none to
// be read, all findings are expected to hold. Errors: badInput, ioFailed of trace::loadTrace.
Result<RunOutcome> recordedRun(const std::string& file);

// True when every finding is as the scenario expects.
bool asExpected(const RunOutcome& run);

// Of lockscope-run: of a run that could not be made, of one that was made, the worse of two.
int exitCode(ErrorCode code);
int exitCode(const RunOutcome& run);
int worseExit(int one, int other);

} // namespace lockscope::app
