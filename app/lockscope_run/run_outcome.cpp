#include "app/lockscope_run/run_outcome.h"

#include "core/trace/trace_file.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace lockscope::app {

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
    run.cutShort = !loaded->truncation.empty() || run.folded.state.phase != trace::RunPhase::finished;
    return run;
}

bool asExpected(const RunOutcome& run)
{
    const auto& findings = run.folded.state.findings.all;
    return std::all_of(findings.begin(), findings.end(), [&](const replay::Finding& finding) {
        const sim::Verdict verdict = sim::expected(run.scenario, replay::findingName(finding.kind));
        return verdict == sim::Verdict::either || finding.ok() == (verdict == sim::Verdict::holds);
    });
}

int exitCode(ErrorCode code)
{
    switch (code) {
    case ErrorCode::badUsage:
    case ErrorCode::badInput:
    case ErrorCode::limitExceeded:
        return 2;
    case ErrorCode::noServer:
        return 3;
    default:
        return 4;
    }
}

int exitCode(const RunOutcome& run)
{
    if (run.cutShort)
        return 4;
    return asExpected(run) ? 0 : 1;
}

int worseExit(int one, int other)
{
    // A run that was not whole says nothing about its findings, so it comes before them.
    constexpr std::array<int, 5> kFromWorst{2, 3, 4, 1, 0};
    const auto isOne = [&](int code) { return code == one || code == other; };
    return *std::find_if(kFromWorst.begin(), kFromWorst.end(), isOne);
}

} // namespace lockscope::app
