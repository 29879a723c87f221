// A made-up trace of a contended mutex with exactly the events, order and causes that a real run records:
// data for tests of the reducer, the models and the views. The same options give the same trace everywhere.
#pragma once

#include "core/base/time.h"
#include "core/trace/store.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lockscope::tests {

enum class SampleHandoff { curator, announced };

// "...AtGrant": the fault happens in the n-th grant of the run, counted from 1; 0 = never.
struct SampleOptions
{
    std::uint32_t clients = 5;
    std::uint32_t cycles = 10; // per client
    std::uint64_t seed = 1;
    SampleHandoff handoff = SampleHandoff::curator;
    Duration hold = std::chrono::milliseconds(2);
    Duration think = std::chrono::milliseconds(1); // on average
    std::uint32_t reenter = 1;                     // re-entries per hold: 0 to this many
    Duration acquireTimeout = kForever;
    std::uint32_t killHolderAtGrant = 0; // its session is killed; it learns it about 100 ms later
    std::uint32_t killWaiterAtGrant = 0;
    std::uint32_t freezeHolderAtGrant = 0;  // until its session has expired, then it thaws
    std::uint32_t suspendWaiterAtGrant = 0; // it loses contact for 30 ms
    std::uint32_t foreignAtGrant = 0;       // a foreign node joins the queue
    bool observer = true;                   // NodeSeen, NodeVanished, Observed
    bool resource = true;                   // ResourceUse
    std::size_t events = 0;                 // not 0: cycles without end, cut after exactly this many events
};

// Every client has finished and the run has ended in good order, unless `events` cut it.
std::shared_ptr<trace::TraceStore> sampleRun(const SampleOptions& options = {});

} // namespace lockscope::tests
