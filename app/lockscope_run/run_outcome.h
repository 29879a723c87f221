// What came of one run, live or recorded, and its exit code. A plain value; the folded texts point into the
// store.
#pragma once

#include "core/base/error.h"
#include "core/replay/compare/comparison.h"
#include "core/sim/scenario/scenario.h"
#include "core/trace/store.h"

#include <memory>
#include <string>

namespace lockscope::app {

struct RunOutcome
{
    sim::Scenario scenario;
    std::shared_ptr<const trace::TraceStore> store;
    replay::WholeRun folded;
    std::string cutShort{};    // why it ended early (howCutShort()); empty: it did not
    bool scenarioKnown = true; // false: a trace without it
};

// One of sim/cut_short.h, or "nothing_done": clients were there, and none got a lock and nothing was checked. Empty
// for a run that went on to its end.
std::string howCutShort(const replay::RunState& state);
// A sentence for it.
std::string_view cutShortText(std::string_view cutShort);

// A trace file as the run that it records. Its scenario is the one in its first line; where there is none to
// be read, all findings are expected to hold. Errors: badInput, ioFailed of trace::loadTrace.
Result<RunOutcome> recordedRun(const std::string& file);

// True when every finding is as the scenario expects.
bool matchesExpectations(const RunOutcome& run);

// Of lockscope-run: of a run that was made, the worse of two.
int exitCode(const RunOutcome& run);
int worseExit(int one, int other);

} // namespace lockscope::app
