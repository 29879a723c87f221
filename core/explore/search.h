// Takes every schedule of a workload, once for each state that it leads to, until all are taken, a rule is
// violated, or a bound is reached. Several threads may search; each has worlds of its own.
#pragma once

#include "core/explore/stepped_world.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

namespace lockscope::explore {

struct SearchOptions
{
    unsigned threads = 1;
    std::chrono::milliseconds most{0}; // of real time; 0: no bound
    std::uint64_t mostSchedules = 0;   // 0: no bound
    std::size_t mostSteps = 1000;      // of one schedule
    bool reduced = true;               // leaves out what cannot make a difference
    bool merged = true;                // goes on only once from each state
    bool endsAtViolation = true;       // false: takes all, to list the outcomes
    bool shortestFirst = false;        // one thread; takes far longer for all
    // Called by one of the threads, about once a second.
    std::function<void(const struct SearchCount&)> onProgress{};
    std::function<bool()> cancelled{}; // asked often, by any of the threads
};

struct SearchCount
{
    std::uint64_t schedules = 0; // each came to its end, or to a state from which others have gone on
    std::uint64_t states = 0;    // different ones
    std::uint64_t steps = 0;     // from one state to another
    std::uint64_t ends = 0;      // schedules in which nothing was left to happen
};

enum class SearchEnd : std::uint8_t { all, violation, time, schedules, steps, cancelled };

struct SearchResult
{
    SearchCount count;
    SearchEnd end = SearchEnd::all;
    std::chrono::milliseconds took{};
    std::optional<Violation> violation;
    Steps steps;                    // that lead to it
    std::set<std::string> outcomes; // without endsAtViolation: the rules that were violated, the ends
};

SearchResult search(const Workload& workload, const SearchOptions& options);

} // namespace lockscope::explore
