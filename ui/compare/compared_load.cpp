#include "ui/compare/compared_load.h"

#include "core/sim/load.h"
#include "ui/compare/phrases.h"

#include <QCoreApplication>

namespace lockscope::ui {

namespace {

struct ComparedLoadWords // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(ComparedLoad)
};

std::optional<sim::Scenario> scenarioOf(const ComparedRun& run)
{
    const trace::Header& header = run.store().header();
    auto scenario = sim::parseScenario(header.scenarioToml, "trace");
    return header.scenarioToml.empty() || !scenario ? std::nullopt : std::optional(std::move(*scenario));
}

} // namespace

ComparedLoad compareLoads(const ComparedRun& a, const ComparedRun& b)
{
    const auto scenarioA = scenarioOf(a), scenarioB = scenarioOf(b);
    const sim::Loaded one{a.whole().state.clients.size(), scenarioA ? &*scenarioA : nullptr};
    const sim::Loaded other{b.whole().state.clients.size(), scenarioB ? &*scenarioB : nullptr};
    const sim::LoadComparison loads = sim::compareLoads(one, other);
    ComparedLoad load;
    for (const trace::Phrase& difference : loads.differences) {
        load.differences.append(loadWords(difference));
    }
    load.match = {loads.same(), one.clients == other.clients};
    load.words = loadWords(sim::loadWords(loads, load.differences.join(ComparedLoadWords::tr(", ")).toStdString()));
    return load;
}

} // namespace lockscope::ui
