// A schedule that violates a rule: made as short as possible, told, and written as a trace. One thread.
#pragma once

#include "core/explore/search.h"

#include "core/base/error.h"

#include <filesystem>

namespace lockscope::explore {

struct Counterexample
{
    Violation violation;
    Steps steps;
    std::string log;
    bool shortest = false; // there is none with fewer steps and no more faults
};

// What the steps lead to; those that are not possible when their turn comes are left out. None when nothing
// is violated.
std::optional<Counterexample> replay(const Workload& workload, const Steps& steps);
// Looks for the shortest one, for `most` of time; then takes out of the shortest that is known every step
// that it does not need: no step of the result can be left out.
Counterexample shortened(const Workload& workload, const SearchResult& found, std::chrono::milliseconds most);

// Writes what happens in these steps as a trace: each step takes a millisecond, and the virtual time passes
// besides. Errors: those of trace::TraceWriter.
Result<void> writeTrace(const std::filesystem::path& path, const Workload& workload, const Steps& steps,
                        const std::string& title);

} // namespace lockscope::explore
