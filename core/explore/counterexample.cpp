#include "core/explore/counterexample.h"

#include "core/trace/recorder.h"
#include "core/trace/trace_file.h"

#include <algorithm>
#include <utility>

namespace lockscope::explore {

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
    world.world().end();
    taken.violation = *violation;
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

Counterexample shortened(const Workload& workload, const SearchResult& found, std::chrono::milliseconds most)
{
    const auto known = replay(workload, found.steps);
    Counterexample best =
        withoutNeedless(workload, known ? *known : Counterexample{*found.violation, {}, {}});
    const auto faults = static_cast<std::uint32_t>(
        std::ranges::count_if(best.steps, [](const Step& step) { return isFault(step.kind); }));
    const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    for (std::uint32_t few = 0; few <= faults; ++few) {
        Workload fewer = workload;
        fewer.faults = few;
        SearchOptions options;
        options.shortestFirst = true;
        options.reduced = false;
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

Result<void> writeTrace(const std::filesystem::path& path, const Workload& workload, const Steps& steps,
                        const std::string& title)
{
    struct Time
    {
        const SteppedWorld* world = nullptr;
        Duration steps{};
    };
    Time time;
    trace::Header header;
    header.scenario = "explore";
    header.title = title;
    trace::TraceStore store(std::move(header));
    trace::Recorder recorder(
        store, MonotonicTime{},
        [](const void* context) {
            const auto& now = *static_cast<const Time*>(context);
            return (now.world ? now.world->now() : MonotonicTime{}) + now.steps;
        },
        &time);
    Result<std::unique_ptr<trace::TraceWriter>> writer = trace::TraceWriter::create(path, store);
    if (!writer)
        return writer.error();
    SteppedWorld world(workload, false, &recorder);
    time.world = &world;
    for (const Step& step : steps) {
        time.steps += std::chrono::milliseconds(1);
        if (!world.takeIfPossible(step))
            break;
    }
    recorder.record(trace::RunPhaseChanged{trace::RunPhase::finished, {}, {}});
    // What the world does when it ends is no part of it.
    if (const Result<std::size_t> written = (*writer)->pump(); !written)
        return written.error();
    return (*writer)->finish();
}

} // namespace lockscope::explore
