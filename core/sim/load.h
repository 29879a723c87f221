// What a scenario gives its clients to do, part by part: in what the loads of two differ, and how a person
// says it. Pure.
#pragma once

#include "core/sim/scenario.h"

#include <array>

namespace lockscope::sim {

enum class LoadTrait : std::uint8_t {
    hold,
    think,
    cycles,
    runTime,
    reentries,
    waitsAtMost,
    permits,
    arrival,
    pace,
    locks,
    servers,
    deeds,  // of the script
    writes, // the share of a read/write lock's cycles
    named   // what single clients do
};
inline constexpr std::size_t kLoadTraits = 14;

std::string_view loadTraitTitle(LoadTrait trait); // "re-entries"
std::string loadTraitText(LoadTrait trait,
                          const Scenario& scenario); // "0-100ms"; empty: not said in a word or two

std::vector<LoadTrait> loadDifferences(const Scenario& a, const Scenario& b);

} // namespace lockscope::sim
