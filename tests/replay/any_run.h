// Options of a made-up run drawn at random: any size, any faults.
#pragma once

#include "core/base/random.h"
#include "tests/support/sample_mixed_run.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_script.h"

#include <memory>
#include <string>

namespace lockscope::tests {

inline SampleOptions anyRun(Random& random)
{
    SampleOptions options;
    options.clients = static_cast<std::uint32_t>(random.uniform(1, 40));
    options.cycles = static_cast<std::uint32_t>(random.uniform(1, 30));
    options.seed = random.next();
    options.handoff = random.unit() < 0.5 ? SampleHandoff::curator : SampleHandoff::announced;
    const auto sometimes = [&random] {
        return random.unit() < 0.5 ? static_cast<std::uint32_t>(random.uniform(1, 60)) : 0u;
    };
    options.killHolderAtGrant = sometimes();
    options.killWaiterAtGrant = sometimes();
    options.freezeHolderAtGrant = sometimes();
    options.suspendWaiterAtGrant = sometimes();
    options.foreignAtGrant = sometimes();
    options.observer = random.unit() < 0.5;
    if (random.unit() < 0.3)
        options.acquireTimeout = std::chrono::milliseconds(random.uniform(3, 30));
    return options;
}

// A run of any kind: one lock with any faults, or several locks, leases and shared sessions.
struct AnyRun
{
    explicit AnyRun(Random& random)
    {
        if (random.unit() < 0.5) {
            const SampleOptions options = anyRun(random);
            name = "seed " + std::to_string(options.seed);
            store = sampleRun(options);
        } else {
            const std::uint64_t seed = random.next();
            Random own(seed);
            name = "medley " + std::to_string(seed);
            store = traceScript(sampleMixedRun(own, static_cast<std::size_t>(random.uniform(50, 1500))));
        }
    }
    std::string name;
    std::shared_ptr<trace::TraceStore> store;
};

} // namespace lockscope::tests
