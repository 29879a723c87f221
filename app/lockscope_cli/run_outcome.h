// The outcome of one run, live or recorded, and its exit code. A plain value; the folded texts point into the
// store.
#pragma once

#include "core/base/error.h"
#include "core/replay/compare/comparison.h"
#include "core/sim/scenario/scenario.h"
#include "core/trace/store.h"

#include <memory>
#include <string>
#include <string_view>

namespace lockscope::app {

struct RunOutcome
{
    sim::Scenario scenario;
    std::shared_ptr<const trace::TraceStore> store;
    replay::WholeRun folded;
    std::string cutShort{};    // why it ended early (howCutShort()); empty: it ended normally
    bool scenarioKnown = true; // false: a trace that has no scenario
};

inline constexpr std::string_view kNothingDone = "nothing_done";
// One of sim/cut_short.h, or kNothingDone: there were clients, but none acquired a lock and nothing was
// checked. Empty for a run that reached its end.
std::string howCutShort(const replay::RunState& state);
// The sentence for this code.
std::string_view cutShortText(std::string_view cutShort);

// Loads the run that a trace file records. The scenario is the one in the file's first line; without a
// readable one, all findings are expected to hold. Errors: badInput, ioFailed of trace::loadTrace.
Result<RunOutcome> recordedRun(const std::string& file);

// A rule that spans workers is not checked until their traces are merged, and is as expected until then.
bool isAsExpected(const sim::Scenario& scenario, const replay::Finding& finding);
// True when every finding is as the scenario expects.
bool matchesExpectations(const RunOutcome& run);

// Exit codes of lockscope-cli: that of a run, and the worse of two.
int exitCode(const RunOutcome& run);
int worseExit(int one, int other);

} // namespace lockscope::app
