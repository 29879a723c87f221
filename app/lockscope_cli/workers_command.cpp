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
    for (const auto& [who, result, replaced] : all)
        parts.push_back({who, result, replaced});
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
    RunEnd end;
    {
        workers::Coordinator coordinator(place,
                                         {input.scenario, arguments.workers, input.limits.contact,
                                          input.limits.grace, !place.credentials.empty()},
                                         [&] { return takeEndSignal(signals.get(), 0); });
        if (const Result<void> opened = coordinator.open(input.joinForeign || input.scenario.joinForeign);
            !opened)
            return failed(opened.error().code == ErrorCode::busy ? withWaysOut(opened.error(), input)
                                                                 : opened.error());
        if (!input.quiet)
            say(fmt::format("The run {0} waits for {1} workers: lockscope-cli join {0} --connect {2}",
                            place.id, arguments.workers, place.connect));
        if (const Result<void> started = coordinator.start(); !started)
            return failed(started.error());
        if (!input.quiet)
            say("All workers are there: the run has started.");
        const Result<void> collected =
            coordinator.collect([](std::size_t rank, const std::string& who, const std::string& by) {
                say(fmt::format("Worker {} ({}) died: {}", rank + 1, who,
                                by.empty() ? "its clients are gone."
                                           : fmt::format("{} begins anew with its clients.", by)));
            });
        if (!collected)
            return fail(collected.error());
        parts = partsOf(coordinator.workers());
        end = {coordinator.missedLines(), coordinator.stall().english(), coordinator.wasEnded()};
    } // nothing of the run is on the ensemble any more
    const RunOutcome run = joinedRun(input.scenario, parts, end);
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
        return failed(taken.error());
    workers::Seat& seat = **taken;
    const bool quiet = arguments.run.quiet;
    const Result<std::optional<sim::Share>> given = seat.waitForStart(isEnded, [quiet] {
        if (!quiet)
            say("The run has all its workers: this one waits, and takes the place of one that dies.");
    });
    if (!given || !*given)
        seat.leave();
    if (!given)
        return fail(given.error());
    if (!*given) {
        if (!quiet)
            say("The run has ended, and did not need this worker.");
        return 0;
    }
    const std::optional<sim::Share>& share = *given;
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
        return standing == runs ? "" : standing == ended ? seat.whyEnded() : sim::cut_short::kAlone;
    });
    Result<RunOutcome> run = part.run();
    const bool delivered = seat.deliver(run ? workerResult(*run) : workerFailure(run.error()), isEnded);
    seat.leave();
    if (!run)
        return fail(run.error());
    for (replay::Finding& finding : run->folded.state.findings.all)
        if (share->of > 1) // another worker may see the violation that is expected
            leaveOpen(finding);
    if (!arguments.run.quiet)
        say(fmt::format("Worker {} of {}: {} clients, {} acquired in {:.2f} s.", share->rank + 1, share->of,
                        run->folded.state.clients.size(), run->folded.state.statistics.acquired,
                        static_cast<double>(run->folded.took.count()) / 1e9));
    if (!delivered || (!arguments.run.quiet && !run->cutShort.empty()))
        say(std::string(cutShortText(delivered ? std::string_view(run->cutShort) : sim::cut_short::kAlone)));
    return delivered ? exitCode(*run) : kCutShort;
}

} // namespace lockscope::app
