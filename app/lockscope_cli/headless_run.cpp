#include "app/lockscope_cli/headless_run.h"

#include "app/lockscope_cli/end_signals.h"
#include "app/options/ways_out.h"

#include "core/base/standard_streams.h"
#include "core/sim/run/cut_short.h"

#include <fmt/core.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace lockscope::app {

namespace {

constexpr int kTickMilliseconds = 20;
constexpr Duration kProgressEvery = std::chrono::milliseconds(200);
constexpr std::size_t kMaxReportedNotices = 20; // the report has more of them

bool isOver(engine::Phase phase)
{
    return phase == engine::Phase::finished || phase == engine::Phase::failed;
}

} // namespace

Error withWaysOut(Error error, const RunInput& input)
{
    const std::string& hosts = input.connect.empty() ? input.scenario.connect : input.connect;
    return withWaysOut(std::move(error), hosts, sim::participants(input.scenario).size());
}

HeadlessRun::HeadlessRun(RunInput input)
    : m_input(std::move(input))
    , m_participants(sim::participants(m_input.scenario))
    , m_engine(engine::Options{.scenario = m_input.scenario,
                               .connect = m_input.connect,
                               .tls = m_input.tls,
                               .joinForeign = m_input.joinForeign,
                               .watches = m_input.watches,
                               .sessionKey = m_input.sessionKey,
                               .realSessionIds = m_input.realSessionIds,
                               .attended = false,
                               .limits = m_input.programs ? std::nullopt : std::optional(m_input.limits),
                               .programs = m_input.programs,
                               .share = m_input.share})
    , m_store(m_engine.trace())
    , m_terminal(!m_input.quiet && isatty(STDERR_FILENO) == 1)
{}

Result<RunOutcome> HeadlessRun::run()
{
    if (const Result<void> opened = openOutputs(); !opened)
        return opened.error();
    const Result<void> waited = waitForEnd();
    m_engine.stop();
    drain();
    clearProgress();
    // A run that never began leaves nothing to keep.
    if (m_writer && m_folded.began)
        if (const Result<void> finished = m_writer->finish(); !finished)
            onTraceError(finished.error());
    if (!waited)
        return waited.error();
    // If a signal ended the start of the server, the run was interrupted and did not fail.
    const bool interrupted = m_cutShort == sim::cut_short::kInterrupted;
    if (const std::optional<Error> failure = m_engine.failure(); failure && !interrupted)
        return failure->code == ErrorCode::busy ? withWaysOut(*failure, m_input) : *failure;
    RunOutcome outcome{m_input.scenario, m_store, std::move(m_folded)};
    outcome.cutShort = m_cutShort.empty() ? howCutShort(outcome.folded.state) : m_cutShort;
    return outcome;
}

void HeadlessRun::clearProgress()
{
    if (m_terminal && !m_lastProgress.empty())
        writeToStandardError(fmt::format("\r{:<{}}\r", "", m_lastProgress.size()));
    m_lastProgress.clear();
}

Result<void> HeadlessRun::openOutputs()
{
    if (m_input.traceFile.empty())
        return {};
    Result<std::unique_ptr<trace::TraceWriter>> writer =
        trace::TraceWriter::create(m_input.traceFile, *m_store);
    if (!writer)
        return writer.error();
    m_writer = std::move(*writer);
    return {};
}

Result<void> HeadlessRun::waitForEnd()
{
    const int signals = openEndSignals();
    if (signals < 0)
        return Error{ErrorCode::internal,
                     std::string("Signals cannot be read: ") + std::strerror(errno) + ".", ""};
    m_engine.start();
    MonotonicTime nextProgress{};
    while (!isOver(m_engine.phase())) {
        const bool signalled = takeEndSignal(signals, kTickMilliseconds);
        const auto now = monotonicNow();
        if (signalled) {
            if (!m_cutShort.empty())
                break; // the second signal: do not wait for the clients
            endEarly(sim::cut_short::kInterrupted);
        }
        if (m_attend && m_cutShort.empty())
            if (const std::string_view why = m_attend(); !why.empty())
                endEarly(why);
        if (!m_cutShort.empty() && m_engine.phase() == engine::Phase::starting)
            break;
        drain();
        if (m_terminal && now >= nextProgress) {
            nextProgress = now + kProgressEvery;
            showProgress();
        }
    }
    close(signals);
    return {};
}

void HeadlessRun::endEarly(std::string_view code)
{
    m_cutShort = code;
    m_engine.post(engine::Finish{code});
}

void HeadlessRun::drain()
{
    const std::size_t end = m_store->count();
    for (; m_applied < end; ++m_applied)
        m_folded.apply(*m_store, m_applied, m_facts);
    reportNotices();
    if (!m_writer)
        return;
    if (const Result<std::size_t> pumped = m_writer->pump(); !pumped)
        onTraceError(pumped.error());
}

// Prints at once that a long run cannot succeed, so that the user need not wait for its end.
void HeadlessRun::reportNotices()
{
    for (const replay::NoticeRow& notice : m_folded.state.notices) {
        if (m_lastNotice.valid() && notice.event <= m_lastNotice)
            continue;
        m_lastNotice = notice.event;
        const bool matters = notice.severity == trace::Severity::error ||
                             (notice.severity == trace::Severity::warning && !m_input.quiet);
        if (matters && m_reportedNotices.size() < kMaxReportedNotices &&
            m_reportedNotices.insert(notice.text.english()).second) {
            clearProgress();
            writeToStandardError(fmt::format("lockscope-cli: {}\n", notice.text.english()));
        }
    }
}

void HeadlessRun::onTraceError(const Error& error)
{
    if (m_cutShort == sim::cut_short::kTraceFailed)
        return;
    clearProgress();
    writeToStandardError("lockscope-cli: " + error.text() + "\n");
    // Without the requested trace there is no use in continuing; what was written so far is intact.
    endEarly(sim::cut_short::kTraceFailed);
}

void HeadlessRun::showProgress()
{
    const replay::RunState& state = m_folded.state;
    const std::uint64_t acquired = state.statistics.acquired;
    std::uint64_t all = 0;
    for (const sim::Participant& one : m_participants)
        all += one.work.cycles;
    // Without a number of cycles the clients continue until the duration is over.
    const std::string count = all > 0 ? fmt::format("{} of {}", acquired, all) : fmt::format("{}", acquired);
    std::string line =
        state.server.phase == trace::ServerPhase::starting
            ? "starting ZooKeeper..."
            : fmt::format("{} acquired, handoff p50 {:.3f} ms", count,
                          static_cast<double>(state.statistics.handoff.percentile(50).count()) / 1e6);
    if (state.server.phase == trace::ServerPhase::down)
        line += ", ZooKeeper does not answer";
    const std::size_t width = std::max(line.size(), m_lastProgress.size());
    writeToStandardError(fmt::format("\r{:<{}}", line, width));
    m_lastProgress = line;
}

} // namespace lockscope::app
