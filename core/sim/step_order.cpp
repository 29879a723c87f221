#include "core/sim/step_order.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockscope::sim {

namespace {

constexpr std::size_t kMostAdded = 100;

// Who was added by hand takes part from the start, held before the first step as all are.
void letTakePart(Scenario& scenario)
{
    std::set<std::string> missing;
    for (const TakenStep& step : scenario.steps)
        missing.insert(step.client);
    for (const Participant& one : participants(scenario))
        missing.erase(one.name);
    Scenario more = scenario;
    for (std::size_t added = 0; !missing.empty() && added < kMostAdded; ++added) {
        ++more.clients;
        missing.erase(participants(more).back().name);
    }
    if (missing.empty())
        scenario.clients = more.clients;
}

} // namespace

std::vector<TakenStep> takenSteps(const trace::TraceStore& store, std::size_t events)
{
    std::map<ClientId, std::string> names;
    std::vector<TakenStep> steps;
    for (std::size_t i = 0; i < std::min(events, store.count()); ++i) {
        const trace::Event& event = store.at(i);
        if (const auto* added = std::get_if<trace::ClientAdded>(&event.what))
            names[event.client] = std::string(added->name);
        else if (const auto* taken = std::get_if<trace::StepTaken>(&event.what))
            steps.push_back({names[event.client], taken->step});
    }
    return steps;
}

Result<Scenario> withStepsOf(const trace::TraceStore& store, std::size_t events, bool stay)
{
    const trace::Header& header = store.header();
    if (header.scenarioToml.empty())
        return Error{ErrorCode::badInput, "The trace does not say which scenario it is of.",
                     "Traces written by LockScope do."};
    Result<Scenario> scenario = parseScenario(header.scenarioToml, header.scenario + ".toml");
    if (!scenario)
        return scenario;
    scenario->steps = takenSteps(store, events);
    if (scenario->steps.empty())
        return Error{ErrorCode::badInput, "No step was taken by hand up to here.",
                     "Hold the clients and step them: the order of those steps can be taken again."};
    letTakePart(*scenario);
    // What the script does would come a second time beside the steps that it caused.
    std::erase_if(scenario->script, [](const ScriptLine& line) {
        return line.deed.kind == Deed::Kind::holdSteps || line.deed.kind == Deed::Kind::step ||
               line.deed.kind == Deed::Kind::letGo;
    });
    scenario->stepping = stay;
    scenario->source = toToml(*scenario);
    return scenario;
}

} // namespace lockscope::sim
