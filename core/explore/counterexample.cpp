#include "core/explore/counterexample.h"

#include "core/explore/traced_world.h"
#include "core/trace/trace_file.h"

#include <algorithm>
#include <utility>

namespace lockscope::explore {

namespace {

// What is under way arrives, then the holders write what they have made of the data.
void goOn(SteppedWorld& world, Counterexample& found)
{
    const std::optional<ProtectedResource>& resource = world.world().resource;
    if (!resource)
        return;
    Steps possible;
    for (constexpr std::size_t kMost = 40; found.after.size() < kMost;) {
        world.possible(possible); // these first
        const auto step = std::ranges::find_if(possible, [](const Step& one) { return !isFault(one.kind); });
        if (step == possible.end() || step->kind == StepKind::time)
            break;
        world.take(*step);
        found.after.push_back(*step);
    }
    found.damage = resource->damage();
}

} // namespace

std::optional<Counterexample> replay(const Workload& workload, const Steps& steps)
{
    SteppedWorld world(workload, true);
    Counterexample taken;
    for (const Step& step : steps) {
        if (world.violation())
            break;
        if (world.takeIfPossible(step))
            taken.steps.push_back(step);
    }
    Steps possible;
    world.possible(possible);
    if (!world.violation() &&
        std::ranges::all_of(possible, [](const Step& step) { return isFault(step.kind); }))
        world.judgeEnd();
    const std::optional<Violation> violation = world.violation();
    if (!violation)
        return std::nullopt;
    taken.violation = *violation;
    world.world().tellViolation();
    goOn(world, taken);
    world.world().end();
    taken.log = world.world().log.text();
    return taken;
}

namespace {

// Takes out one step after the other, until none can be left out.
Counterexample withoutNeedless(const Workload& workload, Counterexample best)
{
    for (std::size_t at = best.steps.size(); at-- > 0;) {
        Steps fewer = best.steps;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
        std::optional<Counterexample> shorter = replay(workload, fewer);
        if (!shorter || shorter->violation.invariant != best.violation.invariant ||
            shorter->steps.size() >= best.steps.size())
            continue;
        best = std::move(*shorter);
        at = best.steps.size(); // what was needed before may not be now
    }
    return best;
}

} // namespace

Counterexample shortened(const Workload& workload, const SearchResult& found, std::chrono::milliseconds most,
                         const std::function<bool()>& cancelled)
{
    const auto known = replay(workload, found.steps);
    Counterexample first;
    first.violation = *found.violation;
    Counterexample best = withoutNeedless(workload, known ? *known : first);
    const auto faults = static_cast<std::uint32_t>(
        std::ranges::count_if(best.steps, [](const Step& step) { return isFault(step.kind); }));
    const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    for (std::uint32_t few = 0; few <= faults; ++few) {
        Workload fewer = workload;
        fewer.faults = few;
        SearchOptions options;
        options.shortestFirst = true;
        options.reduced = false;
        options.cancelled = cancelled;
        options.mostSteps = best.steps.size();
        options.most = std::max(std::chrono::milliseconds(1),
                                most - std::chrono::duration_cast<std::chrono::milliseconds>(
                                           std::chrono::steady_clock::now() - begin));
        const SearchResult result = search(fewer, options);
        if (result.violation) {
            if (const auto shorter = replay(workload, result.steps))
                best = withoutNeedless(workload, *shorter);
            best.shortest = true;
            return best;
        }
        if (result.end != SearchEnd::all && result.end != SearchEnd::steps)
            return best;
    }
    return best;
}

namespace {

constexpr std::size_t kMostToEnd = 1000; // steps

// The next step on the way to the end; none when the clients are done.
std::optional<Step> onwards(SteppedWorld& world)
{
    Steps possible;
    world.possible(possible);
    std::erase_if(possible, [](const Step& step) { return isFault(step.kind); });
    const auto step = std::ranges::find_if(
        possible, [](const Step& one) { return one.kind != StepKind::time; }); // what is under way first
    if (step != possible.end())
        return *step;
    return possible.empty() || world.world().finished() ? std::nullopt : std::optional(possible.front());
}

EventIndex lastOf(const trace::TraceStore& store)
{
    return EventIndex{static_cast<EventIndex::Value>(store.count() - 1)};
}

// What the world does when it ends is no part of it.
std::shared_ptr<trace::TraceStore> finished(TracedWorld& traced)
{
    traced.recorder().record(trace::RunPhaseChanged{trace::RunPhase::finished, {}, {}});
    auto store = std::make_shared<trace::TraceStore>(traced.store().header());
    for (std::size_t i = 0, count = traced.store().count(); i < count; ++i)
        store->append(traced.store().at(i));
    return store;
}

} // namespace

ScheduleTrace traceOf(const Workload& workload, const Counterexample& found)
{
    TracedWorld traced(workload, found.violation.invariant + ": " + found.violation.what.english());
    ScheduleTrace run;
    for (const Step& step : found.steps)
        traced.take(step);
    run.afterSteps = lastOf(traced.store());
    for (const Step& step : found.after)
        traced.take(step);
    run.events = finished(traced);
    return run;
}

ScheduleTrace traceToEnd(const Workload& workload, const Steps& steps)
{
    TracedWorld traced(workload, {});
    ScheduleTrace run;
    for (const Step& step : steps)
        traced.take(step);
    run.afterSteps = lastOf(traced.store());
    for (std::size_t i = 0; i < kMostToEnd; ++i) {
        const std::optional<Step> step = onwards(traced.world());
        if (!step)
            break;
        traced.take(*step);
    }
    run.events = finished(traced);
    return run;
}

Result<void> writeTrace(const std::filesystem::path& path, const Workload& workload,
                        const Counterexample& found)
{
    const std::shared_ptr<trace::TraceStore> store = traceOf(workload, found).events;
    return trace::saveTrace(path, *store, store->count());
}

} // namespace lockscope::explore
