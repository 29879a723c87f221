#include "app/lockscope_run/field_command.h"

#include "app/lockscope_run/end_signals.h"
#include "app/lockscope_run/field_report.h"
#include "app/lockscope_run/history_trace.h"
#include "app/lockscope_run/report.h"
#include "app/lockscope_run/text_output.h"

#include "core/base/exit_code.h"
#include "core/base/output_file.h"
#include "core/base/standard_streams.h"
#include "core/engine/session_key.h"
#include "core/field/field_watch.h"
#include "core/field/log_facts.h"
#include "core/zk/hosts.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace lockscope::app {

namespace {

using field::FieldWatch;
using field::SnapshotPtr;
using field::WatchState;
using std::chrono::milliseconds;

constexpr int kNotPermitted = 5;
constexpr int kStepMs = 100;
constexpr Duration kWhoConnectLimit = std::chrono::seconds(5);
constexpr Duration kRefresh = milliseconds(500);
constexpr Duration kPollPatience = milliseconds(2500);

int failed(const Error& error)
{
    const int code = fail(error);
    return error.code == ErrorCode::noAuth ? kNotPermitted : code;
}

bool hasRead(const field::Snapshot& snapshot)
{
    return snapshot.watching == WatchState::everyChange || snapshot.watching == WatchState::byListing;
}

// True if none of the requested paths may be read.
bool isRefused(const field::Snapshot& snapshot)
{
    return hasRead(snapshot) &&
           std::all_of(snapshot.paths.begin(), snapshot.paths.end(), [](const field::PathStatus& note) {
               return note.kind == field::PathStatus::Kind::notPermitted;
           });
}

Result<field::WatchOptions> optionsFrom(const FieldArguments& arguments)
{
    auto [hosts, chroot] = zk::splitAndTrimChroot(arguments.connect);
    Result<zk::ResolvedHosts> resolved = zk::resolveEveryHost(hosts);
    if (!resolved)
        return resolved.error();
    for (const Error& unresolved : resolved->unresolved)
        writeToStandardError("lockscope-run: " + unresolved.text() + "\n");
    field::WatchOptions options;
    options.hosts = resolved->addresses;
    options.chroot = std::move(chroot);
    options.paths = arguments.paths;
    for (const auto& [scheme, proof] : arguments.credentials)
        options.credentials.push_back({scheme, proof});
    options.persistentWatches = !arguments.asksWho; // for one answer listing is enough
    if (arguments.asksWho)
        options.connectTimeout = kWhoConnectLimit;
    return options;
}

// The last snapshot, completed from the logs if some are given.
Result<SnapshotPtr> withLogFacts(SnapshotPtr last, const FieldArguments& arguments, int signals)
{
    const std::vector<std::string>& logs = arguments.logs;
    if (logs.empty())
        return last;
    const auto filled = std::make_shared<field::Snapshot>(*last);
    const auto damage = field::addLogFacts(*filled, {logs.begin(), logs.end()},
                                           zk::splitAndTrimChroot(arguments.connect).chroot,
                                           [signals] { return takeEndSignal(signals, 0); });
    if (!damage)
        return damage.error();
    for (const history::Damage& each : *damage)
        writeToStandardError("lockscope-run: " + each.text().english() + "\n");
    return SnapshotPtr(filled);
}

int askWho(const FieldArguments& arguments, field::WatchOptions options, int signals)
{
    FieldWatch watch(std::move(options));
    watch.start();
    std::optional<MonotonicClock::time_point> read;
    for (;;) {
        if (const auto failure = watch.failure())
            return failed(*failure);
        const SnapshotPtr snapshot = watch.snapshot();
        if (hasRead(*snapshot) && !read)
            read = MonotonicClock::now();
        // The address of a holder is known after one poll of the servers.
        if (read && (snapshot->sessionPolls > 0 || MonotonicClock::now() - *read > kPollPatience ||
                     isRefused(*snapshot)))
            break;
        if (takeEndSignal(signals, 10))
            return exitCode(ErrorCode::cancelled);
    }
    watch.stop();
    const Result<SnapshotPtr> last = withLogFacts(watch.snapshot(), arguments, signals);
    if (!last)
        return failed(last.error());
    const WhoAnswer answer = whoHolds(**last, arguments.paths.front());
    const Result<void> written = writeText("The answer cannot be written to", kStandardOutput,
                                           arguments.json ? indented(answer.json) + "\n" : answer.line);
    if (!written)
        return failed(written.error());
    switch (answer.kind) {
    case WhoAnswer::Kind::held:
        return 0;
    case WhoAnswer::Kind::notPermitted:
        return kNotPermitted;
    default:
        return 1;
    }
}

class Watch
{
public:
    Watch(const FieldArguments& arguments, field::WatchOptions options)
        : m_arguments(arguments)
        , m_sessionKey(std::make_shared<engine::SessionKey>(arguments.sessionKey))
        , m_watch(std::move(options))
    {
        const auto goesToStandardOutput = [](const std::string& file) {
            return !file.empty() && isSameFile(file, kStandardOutput);
        };
        m_shows = !arguments.quiet && !goesToStandardOutput(arguments.reportFile) &&
                  !goesToStandardOutput(arguments.traceFile);
        m_terminal = m_shows && ::isatty(STDOUT_FILENO) == 1;
        if (!arguments.realSessionIds)
            m_store.setWrittenSessionNames(m_sessionKey);
        if (!arguments.traceFile.empty())
            m_watch.onEvent(
                [this](const history::LockEvent& event) { m_events.add(event); },
                [this] { m_events.flush(); },
                [this](std::int64_t fromMs, std::int64_t toMs) { m_events.addGap(fromMs, toMs); });
    }

    int run(int signals)
    {
        m_watch.start();
        const int code = follow(signals);
        m_watch.stop();
        if (code != 0)
            return code;
        const Result<SnapshotPtr> last = withLogFacts(m_watch.snapshot(), m_arguments, signals);
        if (!last)
            return failed(last.error());
        show(**last);
        return write(**last);
    }

private:
    int follow(int signals)
    {
        std::optional<MonotonicClock::time_point> end;
        MonotonicClock::time_point shown{};
        std::size_t notes = 0;
        for (;;) {
            if (const auto failure = m_watch.failure())
                return failed(*failure);
            const SnapshotPtr snapshot = m_watch.snapshot();
            const auto now = MonotonicClock::now();
            if (isRefused(*snapshot))
                return failed(
                    {ErrorCode::noAuth, "Not permitted to read " + snapshot->paths.front().path + ".", ""});
            for (; notes < snapshot->notPermitted.size(); ++notes)
                writeToStandardError("lockscope-run: " + snapshot->notPermitted[notes].english() + "\n");
            if (hasRead(*snapshot)) {
                reportStart(*snapshot);
                if (m_arguments.duration && !end)
                    end = now + *m_arguments.duration;
            }
            if (now - shown >= kRefresh && snapshot->sinceMs != 0) {
                shown = now;
                show(*snapshot);
            }
            const Duration left = end ? Duration(*end - now) : Duration(milliseconds(kStepMs));
            if (left <= Duration{})
                return 0;
            const auto wait =
                std::chrono::ceil<milliseconds>(std::min<Duration>(left, milliseconds(kStepMs)));
            if (takeEndSignal(signals, static_cast<int>(wait.count())))
                return 0;
        }
    }

    void reportStart(const field::Snapshot& snapshot)
    {
        if (std::exchange(m_startReported, true))
            return;
        if (snapshot.watching == WatchState::byListing)
            writeToStandardError(
                "lockscope-run: The server has no persistent watches (" + snapshot.whyByListing +
                "): the paths are listed again after each change, and quick changes are missed.\n");
        for (const field::PathStatus& note : snapshot.paths)
            if (note.kind == field::PathStatus::Kind::missing)
                writeToStandardError("lockscope-run: There is no path " + note.path +
                                     " yet; waiting for it.\n");
    }

    void show(const field::Snapshot& snapshot)
    {
        if (!m_shows)
            return;
        if (m_terminal) {
            winsize size{};
            ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
            const std::size_t width = size.ws_col > 0 ? size.ws_col : 120,
                              height = size.ws_row > 0 ? size.ws_row : 40;
            std::fputs(("\x1b[H\x1b[2J" + fieldTable(snapshot, width, height)).c_str(), stdout);
        } else {
            std::vector<std::string> notes = fieldNotes(snapshot);
            for (const std::string& note : notes)
                if (std::find(m_notes.begin(), m_notes.end(), note) == m_notes.end())
                    std::fputs((utc(snapshot.atMs) + "  " + note + "\n").c_str(), stdout);
            m_notes = std::move(notes);
            for (const field::LockStatus& row : snapshot.locks) {
                std::string state = (row.holder ? row.holder->node : "") + "|" + std::to_string(row.waiting) +
                                    "|" + (row.diagnosis ? name(row.diagnosis->kind) : "");
                if (std::string& before = m_lines[row.path]; before != state) {
                    before = std::move(state);
                    std::fputs(fieldLine(snapshot, row).c_str(), stdout);
                }
            }
        }
        std::fflush(stdout);
    }

    int write(const field::Snapshot& last)
    {
        if (!m_arguments.traceFile.empty()) {
            if (!last.gaps.empty() && !last.gaps.back().toMs)
                m_events.addGap(last.gaps.back().fromMs, last.atMs);
            if (const Result<void> saved = writeTrace(m_arguments.traceFile, m_events, m_store, last.atMs);
                !saved)
                return failed(saved.error());
        }
        if (m_arguments.reportFile.empty())
            return 0;
        const SessionNames names(m_arguments.realSessionIds ? nullptr : m_sessionKey);
        boost::json::object document = report(last, names);
        if (m_arguments.realSessionIds)
            document["real_session_ids"] = true;
        const Result<void> written = writeReport(m_arguments.reportFile, indented(document) + "\n");
        return written ? 0 : failed(written.error());
    }

    const FieldArguments& m_arguments;
    const std::shared_ptr<const engine::SessionKey> m_sessionKey;
    trace::TraceStore m_store;
    history::HistoryTraceBuilder m_events{
        m_store,
        {.sessionIds = m_arguments.realSessionIds ? trace::SessionIds::real : trace::SessionIds::pseudonyms,
         .liveSinceNanoseconds = 0,
         .scenario = "watch",
         .title = "Locks of others, watched live"}};
    bool m_shows = true, m_terminal = false, m_startReported = false;
    std::vector<std::string> m_notes;           // the notes printed last
    std::map<std::string, std::string> m_lines; // the line printed last for each lock
    FieldWatch m_watch;
};

} // namespace

int runField(const FieldArguments& arguments)
{
    if (const Result<void> possible = checkReport(arguments.reportFile); !possible)
        return failed(possible.error());
    const int signals = openEndSignals();
    Result<field::WatchOptions> options = optionsFrom(arguments);
    if (!options)
        return failed(options.error());
    return arguments.asksWho ? askWho(arguments, std::move(*options), signals)
                             : Watch(arguments, std::move(*options)).run(signals);
}

} // namespace lockscope::app
