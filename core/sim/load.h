// What a scenario gives its clients to do, part by part: in what the loads of two differ, and how a person
// says it. Pure.
#pragma once

#include "core/sim/scenario.h"
#include "core/trace/phrase.h"

#include <span>

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

const char* loadTraitTitle(LoadTrait trait); // "re-entries"
// "0–100 ms"; empty: not said in a word or two
trace::Phrase loadTraitWords(LoadTrait trait, const Scenario& scenario);
std::vector<LoadTrait> loadDifferences(const Scenario& a, const Scenario& b);

// One of two runs: how many took part, and its scenario if that is known.
struct Loaded
{
    std::size_t clients = 0;
    const Scenario* scenario = nullptr;
};
struct LoadComparison
{
    bool known = true;                        // both scenarios are
    std::vector<trace::Phrase> differences{}; // "hold 0–100 ms against 2 ms"
    bool same() const { return known && differences.empty(); }
};
LoadComparison compareLoads(const Loaded& a, const Loaded& b);
// "Not the same load: ...", with the differences behind each other; empty when it is the same.
trace::Phrase loadWords(const LoadComparison& loads, std::string differences);

std::span<const char* const> loadPhrases(); // all sources of the above

} // namespace lockscope::sim
