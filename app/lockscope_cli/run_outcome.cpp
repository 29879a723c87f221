#include "app/lockscope_cli/run_outcome.h"

#include "core/sim/run/cut_short.h"
#include "core/trace/trace_file.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace lockscope::app {

namespace {

// Codes beside those of sim/cut_short.h, for trace files only.
constexpr std::string_view kTruncated = "truncated";
constexpr std::string_view kUnfinished = "unfinished";

} // namespace

std::string howCutShort(const replay::RunState& state)
{
    if (!state.cutShort.empty())
        return std::string(state.cutShort);
    const auto& findings = state.findings.all;
    const bool checked = std::any_of(findings.begin(), findings.end(),
                                     [](const replay::Finding& finding) { return finding.checked > 0; });
    const bool locks = std::any_of(state.locks.begin(), state.locks.end(),
                                   [](const replay::LockRow& lock) { return lock.kind() != Recipe::none; });
    const bool idle = locks && !state.clients.empty() && state.statistics.acquired == 0 && !checked;
    return std::string(idle ? kNothingDone : std::string_view());
}

std::string_view cutShortText(std::string_view cutShort)
{
    using namespace sim::cut_short;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kWords{
        {{kInterrupted, "The run was cut short by a signal."},
         {kRefused, "The run was cut short: a client lacked a permission that it needs, and left."},
         {kNoContact, "The run was cut short: no client had contact with ZooKeeper any more."},
         {kMostlyNoContact,
          "For most of the run no client could be served by ZooKeeper: the findings cover only the rest."},
         {kStalled, "The run was cut short: no client could continue by itself."},
         {kOverdue,
          "The run was cut short: it had not ended when the grace period after its duration was over."},
         {kTraceFailed, "The run was cut short: its trace could not be written."},
         {kAlone, "The run was cut short: its coordinator has gone, or the connection to it was lost."},
         {kWorkerLost, "A worker died: what it saw is missing, and the findings cover only the rest."},
         {kTruncated, "The trace ends in the middle of a line."},
         {kUnfinished, "The trace ends before the run does."},
         {kNothingDone, "The run did nothing: no client had the lock, and nothing was checked."}}};
    const auto found =
        std::find_if(kWords.begin(), kWords.end(), [&](const auto& one) { return one.first == cutShort; });
    return found == kWords.end() ? "The run was cut short." : found->second;
}

Result<RunOutcome> recordedRun(const std::string& file)
{
    const Result<trace::LoadedTrace> loaded = trace::loadTrace(file);
    if (!loaded)
        return loaded.error();
    RunOutcome run;
    run.store = loaded->store;
    run.folded = replay::wholeRun(*loaded->store, loaded->store->count());
    const trace::Header& header = loaded->store->header();
    if (Result<sim::Scenario> scenario = sim::parseScenario(header.scenarioToml, file);
        scenario && !header.scenarioToml.empty())
        run.scenario = std::move(*scenario);
    else {
        run.scenarioKnown = false;
        sim::setClientCount(run.scenario, static_cast<std::uint32_t>(run.folded.state.clients.size()));
    }
    run.scenario.name =
        header.scenario.empty() ? std::filesystem::path(file).stem().string() : header.scenario;
    if (!loaded->truncation.empty())
        run.cutShort = kTruncated;
    else if (run.folded.state.phase != trace::RunPhase::finished)
        run.cutShort = kUnfinished;
    else
        run.cutShort = howCutShort(run.folded.state);
    return run;
}

bool isAsExpected(const sim::Scenario& scenario, const replay::Finding& finding)
{
    const bool isOpen =
        finding.ok() && finding.checked == 0 && finding.notChecked == replay::NotChecked::inParts;
    return isOpen ||
           sim::isAsExpected(sim::expected(scenario, trace::findingRule(finding.kind).name()), finding.ok());
}

bool matchesExpectations(const RunOutcome& run)
{
    return std::ranges::all_of(run.folded.state.findings.all, [&](const replay::Finding& finding) {
        return isAsExpected(run.scenario, finding);
    });
}

int exitCode(const RunOutcome& run)
{
    if (!run.cutShort.empty())
        return 4;
    return matchesExpectations(run) ? 0 : 1;
}

int worseExit(int one, int other)
{
    // The findings of an incomplete run prove nothing, so this code goes before theirs.
    constexpr std::array<int, 5> kFromWorst{2, 3, 4, 1, 0};
    const auto isOne = [&](int code) { return code == one || code == other; };
    return *std::find_if(kFromWorst.begin(), kFromWorst.end(), isOne);
}

} // namespace lockscope::app
