// Small runs to compare, for the tests of the compare page.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_script.h"
#include "ui/compare/compared_run.h"

namespace lockscope::tests {

using ui::ComparedRun;
using ui::ComparedRunPtr;

// All clients watch ada's one node; its end wakes both, and bo is first. The name is what a stranger might
// send.
const char* const kHerd =
    R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 2ms cyd waits n3 n1; 10ms ada release n1
                            10300us bo fired n1; 10310us cyd fired n1; 10400us ada freed n1; 14ms bo takes n2
                            15ms bo release n2; 16ms bo freed n2; - finished)";

inline ComparedRunPtr runOf(const char* label, std::shared_ptr<trace::TraceStore> store)
{
    const std::size_t count = store->count();
    return std::make_shared<ComparedRun>([name = QString::fromUtf8(label)] { return name; }, std::move(store),
                                         count);
}

inline ComparedRunPtr chainRun(std::uint32_t clients = 5)
{
    SampleOptions options;
    options.clients = clients;
    options.think = Duration::zero();
    return runOf("chain", sampleRun(options));
}

// The same events, in a trace that says of which scenario it is.
inline ComparedRunPtr runUnder(const sim::Scenario& scenario, const trace::TraceStore& events)
{
    trace::Header header;
    header.scenario = scenario.name;
    header.scenarioToml = sim::toToml(scenario);
    auto store = std::make_shared<trace::TraceStore>(header);
    for (std::size_t i = 0; i < events.count(); ++i)
        store->append(events.at(i));
    return runOf("run", std::move(store));
}

inline sim::Scenario holding(Duration low, Duration high, std::uint32_t cycles = 10)
{
    sim::Scenario scenario;
    scenario.name = "made-up";
    scenario.work.hold = {low, high};
    scenario.work.cycles = cycles;
    return scenario;
}

} // namespace lockscope::tests
