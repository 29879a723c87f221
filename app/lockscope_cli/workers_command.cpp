#include "app/lockscope_cli/workers_command.h"

#include "app/lockscope_cli/end_signals.h"
#include "app/lockscope_cli/headless_run.h"
#include "app/lockscope_cli/report.h"
#include "app/lockscope_cli/text_output.h"
#include "app/lockscope_cli/worker_result.h"

#include "core/base/exit_code.h"
#include "core/base/standard_streams.h"
#include "core/base/unique_fd.h"
#include "core/sim/run/cut_short.h"
#include "core/workers/coordinator.h"

#include <fmt/core.h>

namespace lockscope::app {

namespace {

std::vector<WorkerPart> partsOf(const std::vector<workers::Coordinator::Worker>& all)
{
    std::vector<WorkerPart> parts;
    for (const auto& [who, result] : all)
        parts.push_back({who, result});
    return parts;
}

void say(const std::string& text) { writeToStandardError("lockscope-cli: " + text + "\n"); }

} // namespace

int runCoordinator(const RunArguments& arguments)
{
    if (const Result<void> possible = checkReport(arguments.reportFile); !possible)
        return fail(possible.error());
    const UniqueFd signals(openEndSignals());
    const RunInput& input = arguments.run;
    const workers::RunPlace& place = *arguments.place;
    std::vector<WorkerPart> parts;
    std::vector<std::string> missed;
    bool interrupted = false;
    {
        workers::Coordinator coordinator(
            place, {input.scenario, arguments.workers, input.limits.contact, input.limits.grace},
            [&] { return takeEndSignal(signals.get(), 0); });
        if (const Result<void> opened = coordinator.open(input.joinForeign || input.scenario.joinForeign);
            !opened)
            return fail(opened.error().code == ErrorCode::busy ? withWaysOut(opened.error(), input)
                                                               : opened.error());
        if (!input.quiet)
            say(fmt::format("The run {0} waits for {1} workers: lockscope-cli join {0} --connect {2}",
                            place.id, arguments.workers, place.connect));
        if (const Result<void> started = coordinator.start(); !started)
            return fail(started.error());
        if (!input.quiet)
            say("All workers are there: the run has started.");
        const Result<void> collected = coordinator.collect([&](std::size_t rank) {
            const auto& [who, result] = coordinator.workers()[rank];
            if (result.empty())
                say(fmt::format("Worker {} ({}) died: its clients are gone.", rank + 1, who));
        });
        if (!collected)
            return fail(collected.error());
        parts = partsOf(coordinator.workers());
        missed = coordinator.missedLines();
        interrupted = coordinator.wasEnded();
    } // nothing of the run is on the ensemble any more
    const RunOutcome run = joinedRun(input.scenario, parts, missed, interrupted);
    boost::json::object whole = report(run);
    whole["workers"] = workersJson(input.scenario, parts);
    if (const Result<void> written = writeReport(arguments.reportFile, indented(whole) + "\n"); !written)
        return fail(written.error());
    for (const replay::NoticeRow& notice : run.folded.state.notices)
        if (notice.severity == trace::Severity::error || !input.quiet)
            say(notice.text.english());
    if (!input.quiet)
        writeToStandardError(summary(run));
    return exitCode(run);
}

int runWorker(const JoinArguments& arguments)
{
    const UniqueFd signals(openEndSignals());
    const auto isEnded = [&] { return takeEndSignal(signals.get(), 0); };
    Result<std::unique_ptr<workers::Seat>> taken = workers::Seat::take(arguments.place, isEnded);
    if (!taken)
        return fail(taken.error());
    workers::Seat& seat = **taken;
    const Result<sim::Share> share = seat.waitForStart(isEnded);
    if (!share) {
        seat.leave();
        return fail(share.error());
    }
    RunInput input = arguments.run;
    input.scenario = seat.plan().scenario;
    input.limits = {seat.plan().contact, seat.plan().grace};
    input.joinForeign =
        true; // the nodes of the other workers are there; the coordinator has looked for others
    input.share = *share;
    HeadlessRun part(input);
    part.attendTo([&seat]() -> std::string_view {
        using enum workers::Seat::Standing;
        const workers::Seat::Standing standing = seat.standing();
        return standing == runs    ? ""
               : standing == ended ? sim::cut_short::kInterrupted
                                   : sim::cut_short::kAlone;
    });
    const Result<RunOutcome> run = part.run();
    const bool delivered = seat.deliver(run ? workerResult(*run) : workerFailure(run.error()), isEnded);
    seat.leave();
    if (!run)
        return fail(run.error());
    if (!arguments.run.quiet)
        say(fmt::format("Worker {} of {}: {} clients, {} acquired in {:.2f} s.", share->rank + 1, share->of,
                        run->folded.state.clients.size(), run->folded.state.statistics.acquired,
                        static_cast<double>(run->folded.took.count()) / 1e9));
    if (!delivered || (!arguments.run.quiet && !run->cutShort.empty()))
        say(std::string(cutShortText(delivered ? std::string_view(run->cutShort) : sim::cut_short::kAlone)));
    return delivered ? exitCode(*run) : kCutShort;
}

} // namespace lockscope::app
