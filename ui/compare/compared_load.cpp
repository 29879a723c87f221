#include "ui/compare/compared_load.h"

#include "core/sim/scenario/workload.h"
#include "ui/texts/core_messages.h"

namespace lockscope::ui {

namespace {

std::optional<sim::Scenario> scenarioOf(const ComparedRun& run)
{
    const trace::Header& header = run.store().header();
    auto scenario = sim::parseScenario(header.scenarioToml, "trace");
    return header.scenarioToml.empty() || !scenario ? std::nullopt : std::optional(std::move(*scenario));
}

} // namespace

ComparedLoad compareWorkloads(const ComparedRun& a, const ComparedRun& b)
{
    const auto scenarioA = scenarioOf(a), scenarioB = scenarioOf(b);
    const sim::RunWorkload one{a.whole().state.clients.size(), scenarioA ? &*scenarioA : nullptr};
    const sim::RunWorkload other{b.whole().state.clients.size(), scenarioB ? &*scenarioB : nullptr};
    const sim::WorkloadComparison loads = sim::compareWorkloads(one, other);
    ComparedLoad load;
    for (const Message& difference : loads.differences)
        load.differences.append(translateMessage(difference));
    load.match = {loads.same(), one.clients == other.clients};
    load.words = translateMessage(sim::workloadNotice(loads));
    return load;
}

} // namespace lockscope::ui
