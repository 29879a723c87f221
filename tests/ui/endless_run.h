// A run of a live window that goes on until the test has seen enough.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <chrono>
#include <string>

namespace lockscope::ui {

inline sim::Scenario endlessRun(const std::string& name, std::uint32_t clients, sim::Range hold,
                                sim::Range think = {})
{
    sim::Scenario scenario;
    scenario.name = name;
    scenario.title = "Some clients";
    scenario.clients = clients;
    scenario.work.cycles = 0;
    scenario.duration = std::chrono::hours(1);
    scenario.work.hold = hold;
    scenario.work.think = think;
    return scenario;
}

} // namespace lockscope::ui
