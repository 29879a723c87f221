#include "app/lockscope_cli/merge_command.h"

#include "app/lockscope_cli/end_signals.h"
#include "app/lockscope_cli/text_output.h"

#include "core/base/exit_code.h"
#include "core/base/output_file.h"
#include "core/base/standard_streams.h"
#include "core/base/unique_fd.h"
#include "core/engine/session_key.h"
#include "core/exports/text_format.h"
#include "core/history/log_trace.h"
#include "core/trace/event_codec.h"
#include "core/trace/plain_text.h"
#include "core/trace/trace_merger.h"

#include <fmt/core.h>

#include <future>

namespace lockscope::app {

namespace {

using trace::TraceMerger;

constexpr std::size_t kTextAtOnce = 256 * 1024; // at once

std::string shiftText(TraceTime time)
{
    return fmt::format("{:+.6f} s", std::chrono::duration<double>(time).count());
}

std::string withinText(TraceTime time)
{
    return fmt::format("{:.3f} ms", std::chrono::duration<double, std::milli>(time).count());
}

std::string clockTable(const TraceMerger& merger)
{
    std::string text = fmt::format("{:<20} {:>12} {:>8} {:>8} {:>18} {:>14}\n", "trace", "events", "clients",
                                   "joined", "clock", "within");
    bool isSample = false;
    for (const trace::MergedSource& source : merger.sources()) {
        const bool first = &source == &merger.sources().front();
        text += fmt::format("{:<20} {:>12} {:>8} {:>8} {:>18} {:>14}\n", exports::plain(source.name),
                            trace::groupDigits(source.events), trace::groupDigits(source.clients),
                            trace::groupDigits(source.joined),
                            first ? "reference" : shiftText(*source.clock.offset),
                            first ? "" : withinText(source.clock.within));
        isSample = isSample || source.isSample;
    }
    if (merger.sources().size() > 1)
        text += fmt::format("Events of different traces that are closer than {} are in no certain order.\n",
                            withinText(merger.certainAfter()));
    if (isSample)
        text += "The clocks were bounded by a sample of the nodes: there are too many for all of them.\n";
    if (merger.forgottenCauses() > 0)
        text +=
            fmt::format("{} causes are left out: they are more than a million events before their effects.\n",
                        trace::groupDigits(merger.forgottenCauses()));
    return text;
}

// False: interrupted, and nothing is written.
Result<bool> writeMerged(TraceMerger& merger, const std::string& path, int signals)
{
    OutputFile file;
    std::error_code error = file.open(path, {.waitForReader = true});
    std::string text = trace::headerLine(merger.header()) + '\n';
    while (!error) {
        const Result<const trace::Event*> event = merger.next();
        if (!event)
            return event.error();
        if (*event) {
            trace::appendEventLine(text, **event);
            text += '\n';
        }
        if (*event && text.size() < kTextAtOnce)
            continue;
        error = file.write(text);
        text.clear();
        if (takeEndSignal(signals, 0))
            return false;
        if (!*event)
            break;
    }
    if (!error)
        error = file.commit();
    if (error)
        return outputError("The trace cannot be written to", path, error);
    return true;
}

// Reads all inputs once, and ends early at a signal (cancelled).
Result<std::unique_ptr<TraceMerger>> readAll(const std::vector<TraceMerger::Input>& inputs,
                                             const TraceMerger::LogTrace& log, trace::LoadProgress& progress,
                                             int signals)
{
    constexpr int kTickMs = 20;
    progress.cancel = takeEndSignal(signals, 0);
    auto made = std::async(std::launch::async, [&] { return TraceMerger::create(inputs, log, &progress); });
    while (made.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        if (takeEndSignal(signals, kTickMs))
            progress.cancel = true;
    return made.get();
}

int interrupted()
{
    writeToStandardError("lockscope-cli: Interrupted: nothing was merged.\n");
    return kCutShort;
}

} // namespace

int runMerge(const MergeArguments& arguments)
{
    const UniqueFd signals(openEndSignals());
    std::vector<TraceMerger::Input> inputs;
    for (const std::string& file : arguments.traces)
        inputs.push_back({file});
    trace::LoadProgress progress;
    history::LogTrace log({.logs = arguments.logs,
                           .sessions = arguments.realSessionIds
                                           ? nullptr
                                           : std::make_shared<engine::SessionKey>(arguments.sessionKey),
                           .cancelled = [&progress] { return progress.cancel.load(); }});
    TraceMerger::LogTrace logTrace;
    if (!arguments.logs.empty())
        logTrace = [&log](const std::vector<std::string>& locks) { return log.make(locks); };
    const auto merger = readAll(inputs, logTrace, progress, signals.get());
    for (const Message& problem : log.problems())
        writeToStandardError("lockscope-cli: " + problem.english() + "\n");
    if (!merger)
        return merger.error().code == ErrorCode::cancelled ? interrupted() : fail(merger.error());
    const Result<bool> written = writeMerged(**merger, arguments.file, signals.get());
    if (!written)
        return fail(written.error());
    if (!*written)
        return interrupted();
    bool isWhole = log.isWhole();
    for (const trace::MergedSource& source : (*merger)->sources()) {
        if (source.gap.empty())
            continue;
        isWhole = false;
        writeToStandardError("lockscope-cli: " + source.gap.english() +
                             " What its clients did from there on is shown as missing.\n");
    }
    if (!arguments.quiet && !isSameFile(arguments.file, kStandardOutput))
        if (const Result<void> shown =
                writeText("The table cannot be written to", kStandardOutput, clockTable(**merger));
            !shown)
            return fail(shown.error());
    return isWhole ? 0 : kCutShort;
}

} // namespace lockscope::app
