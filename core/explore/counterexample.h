// A schedule that violates a rule: made as short as possible, told, and written as a trace. One thread.
#pragma once

#include "core/explore/search.h"

#include "core/base/error.h"
#include "core/trace/store.h"

#include <filesystem>
#include <memory>

namespace lockscope::explore {

struct Counterexample
{
    Violation violation;
    Steps steps;    // that lead to it
    Steps after;    // what the holders do then with the data that the lock protects
    Message damage; // a sentence: what becomes of the data; empty: no resource is looked at
    std::string log;
    bool shortest = false; // there is none with fewer steps and no more faults
};

// What the steps lead to; those that are not possible when their turn comes are left out. None when nothing
// is violated.
std::optional<Counterexample> replay(const Workload& workload, const Steps& steps);
// Looks for the shortest one, for `most` of time; then takes out of the shortest that is known every step
// that it does not need: no step of the result can be left out.
Counterexample shortened(const Workload& workload, const SearchResult& found, std::chrono::milliseconds most,
                         const std::function<bool()>& cancelled = {});

// What happens in a schedule, as a trace: each step takes a millisecond, and the virtual time passes besides.
struct ScheduleTrace
{
    std::shared_ptr<trace::TraceStore> events;
    EventIndex afterSteps = EventIndex::none(); // the last event of the given steps: the breach
};
// Of its steps, and after them.
ScheduleTrace traceOf(const Workload& workload, const Counterexample& found);
// Of those of the steps that are possible, then of what else the clients do until they are done. For a
// recipe that holds: in the same order of events in which another one breaks.
ScheduleTrace traceToEnd(const Workload& workload, const Steps& steps);
// The same in a file. Errors: those of trace::TraceWriter.
Result<void> writeTrace(const std::filesystem::path& path, const Workload& workload,
                        const Counterexample& found);

} // namespace lockscope::explore
