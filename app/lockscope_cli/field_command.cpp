#include "app/lockscope_cli/field_command.h"

#include "app/lockscope_cli/end_signals.h"
#include "app/lockscope_cli/field_report.h"
#include "app/lockscope_cli/history_trace.h"
#include "app/lockscope_cli/metrics_server.h"
#include "app/lockscope_cli/report.h"
#include "app/lockscope_cli/terminal.h"
#include "app/lockscope_cli/text_output.h"
#include "app/lockscope_cli/verdict_command.h"

#include "core/base/exit_code.h"
#include "core/base/output_file.h"
#include "core/base/standard_streams.h"
#include "core/engine/session_key.h"
#include "core/field/field_watch.h"
#include "core/field/log_facts.h"
#include "core/field/watch_metrics.h"
#include "core/zk/hosts.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace lockscope::app {

int failed(const Error& error)
{
    const int code = fail(error);
    return error.code == ErrorCode::noAuth ? kNotPermitted : code;
}

namespace {

using field::FieldWatch;
using field::SnapshotPtr;
using field::WatchState;
using std::chrono::milliseconds;

constexpr int kStepMs = 100;
constexpr Duration kNoAnswerLimit = milliseconds(4500); // nothing new was read for this long
constexpr Duration kSlowAfter = std::chrono::seconds(3);
constexpr Duration kRefresh = milliseconds(500);
constexpr Duration kRecordEvery = milliseconds(250);
constexpr Duration kPollPatience = milliseconds(2500);

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

// A name service may not answer for a minute: it is asked on a thread of its own, which nobody waits for
// then.
Result<zk::ResolvedHosts> resolve(const std::string& hosts, std::optional<Duration> limit, int signals)
{
    const auto promise = std::make_shared<std::promise<Result<zk::ResolvedHosts>>>();
    std::future<Result<zk::ResolvedHosts>> resolved = promise->get_future();
    std::thread([promise, hosts] { promise->set_value(zk::resolveEveryHost(hosts)); }).detach();
    const auto begun = MonotonicClock::now();
    while (resolved.wait_for(milliseconds(1)) != std::future_status::ready) {
        if (takeEndSignal(signals, 10))
            return Error{ErrorCode::cancelled,
                         message("Interrupted while the name service was asked for %1.", hosts),
                         {}};
        if (limit && MonotonicClock::now() - begun > *limit)
            return Error{ErrorCode::noServer, message("The name service does not answer for %1.", hosts),
                         message("Use numeric addresses, or check the name service.")};
    }
    return resolved.get();
}

// `limit`: for the name service.
Result<field::WatchOptions> optionsFrom(const FieldTarget& target, std::optional<Duration> limit, int signals)
{
    zk::ConnectString parts = zk::splitAndTrimChroot(target.connect);
    Result<zk::ResolvedHosts> resolved = resolve(parts.servers, limit, signals);
    if (!resolved)
        return resolved.error();
    for (const Error& unresolved : resolved->unresolved)
        writeToStandardError("lockscope-cli: " + unresolved.text() + "\n");
    field::WatchOptions options;
    options.hosts = resolved->addresses;
    options.chroot = std::move(parts.chroot);
    options.security = target.security;
    options.security.names = resolved->names;
    options.paths = target.paths;
    for (const auto& [scheme, proof] : target.credentials)
        options.credentials.push_back({scheme, proof});
    options.sasl = target.sasl;
    return options;
}

// The last snapshot, completed from the logs if some are given.
Result<SnapshotPtr> withLogFacts(SnapshotPtr last, const FieldTarget& arguments, int signals)
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
        writeToStandardError("lockscope-cli: " + each.text().english() + "\n");
    return SnapshotPtr(filled);
}

// Why nothing was read.
Error whyNot(const field::Snapshot& snapshot, const FieldTarget& arguments)
{
    return snapshot.trouble.value_or(Error{ErrorCode::noServer,
                                           message("No ZooKeeper has answered at %1.", arguments.connect),
                                           message("Check the addresses, and that a server is up.")});
}

int whoIsNotKnown(const WhoArguments& arguments, const Error& why)
{
    if (arguments.json) {
        const Result<void> written = writeText("The answer cannot be written to", kStandardOutput,
                                               indented(notAnswered(arguments.paths.front(), why)) + "\n");
        if (!written)
            return failed(written.error());
    }
    return failed(why);
}

// Writes the words that servers have refused since the last call.
void writeNotPermitted(const field::Snapshot& snapshot, std::size_t& written)
{
    for (; written < snapshot.notPermitted.size(); ++written)
        writeToStandardError("lockscope-cli: " + snapshot.notPermitted[written].english() + "\n");
}

} // namespace

Result<field::WatchOptions> readingOptions(const FieldTarget& target, int signals)
{
    Result<field::WatchOptions> options = optionsFrom(target, kNoAnswerLimit, signals);
    if (options) {
        options->persistentWatches = false; // for one answer listing is enough
        options->everyDetail = options->everyNode = true;
    }
    return options;
}

Result<SnapshotPtr> readOnce(field::WatchOptions options, const FieldTarget& arguments, int signals)
{
    FieldWatch watch(std::move(options));
    watch.start();
    auto progress = MonotonicClock::now();
    std::uint64_t answers = 0;
    std::optional<MonotonicClock::time_point> read;
    SnapshotPtr answered; // the last one in which all was read
    bool isSlow = false;
    const auto begun = progress;
    for (;;) {
        if (const auto failure = watch.failure())
            return *failure;
        const SnapshotPtr snapshot = watch.snapshot();
        const auto now = MonotonicClock::now();
        if (std::exchange(answers, snapshot->answers) != snapshot->answers)
            progress = now;
        if (hasRead(*snapshot)) {
            answered = snapshot;
            read = read.value_or(now);
        }
        // The address of a holder is known after one poll of the servers.
        if (read && (snapshot->sessionPolls > 0 || now - *read > kPollPatience || isRefused(*answered)))
            return answered;
        if (!read && now - progress > kNoAnswerLimit)
            return whyNot(*snapshot, arguments);
        if (!read && snapshot->answers > 0 && now - begun > kSlowAfter && !std::exchange(isSlow, true))
            writeToStandardError("lockscope-cli: The server answers slowly; reading goes on.\n");
        if (takeEndSignal(signals, 10))
            return Error{ErrorCode::cancelled, "Interrupted.", ""};
    }
}

namespace {

int askWho(const WhoArguments& arguments, field::WatchOptions options, int signals)
{
    const Result<SnapshotPtr> answered = readOnce(std::move(options), arguments, signals);
    if (!answered)
        return answered.error().code == ErrorCode::cancelled ? exitCode(ErrorCode::cancelled)
                                                             : whoIsNotKnown(arguments, answered.error());
    const Result<SnapshotPtr> last = withLogFacts(*answered, arguments, signals);
    if (!last)
        return failed(last.error());
    std::size_t refused = 0;
    writeNotPermitted(**last, refused);
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
    case WhoAnswer::Kind::notKnown:
    case WhoAnswer::Kind::noLock:
        return exitCode(ErrorCode::noServer);
    default:
        return 1;
    }
}

class Watch
{
public:
    // `screen`: null: lines, or a table that is printed again and again.
    Watch(const WatchArguments& arguments, field::WatchOptions options, std::unique_ptr<Terminal> screen)
        : m_arguments(arguments)
        , m_sessionKey(std::make_shared<engine::SessionKey>(arguments.sessionKey))
        , m_triggers(arguments.saveOn)
        , m_screen(std::move(screen))
        , m_watch(std::move(options))
    {
        const auto goesToStandardOutput = [](const std::string& file) {
            return !file.empty() && isSameFile(file, kStandardOutput);
        };
        m_shows = !arguments.quiet && !m_screen && !goesToStandardOutput(arguments.reportFile) &&
                  !goesToStandardOutput(arguments.traceFile);
        m_terminal = m_shows && ::isatty(STDOUT_FILENO) == 1;
        if (!arguments.realSessionIds)
            m_store.setWrittenSessionNames(m_sessionKey);
    }

    int run(int signals)
    {
        if (m_arguments.record) {
            field::FlightRecorder::Options options = *m_arguments.record;
            options.server = m_arguments.connect;
            options.sessionIds = sessionIds();
            options.written = m_arguments.realSessionIds ? nullptr : m_sessionKey;
            auto recorder = field::FlightRecorder::open(std::move(options));
            if (!recorder)
                return failed(recorder.error());
            m_recorder = std::move(*recorder);
        }
        if (!m_arguments.metrics.empty()) {
            m_metrics = std::make_unique<field::WatchMetrics>();
            auto server = MetricsServer::start(m_arguments.metrics, [this] { return m_metrics->text(); });
            if (!server)
                return failed(server.error());
            m_metricsServer = std::move(*server);
        }
        if (!m_arguments.onVerdict.empty()) {
            auto command = VerdictCommand::create(m_arguments.onVerdict);
            if (!command)
                return failed(command.error());
            m_onVerdict = std::move(*command);
        }
        listen();
        if (m_screen) {
            m_state.servers = m_arguments.connect;
            m_state.utf8 = m_screen->isUtf8();
            m_screen->begin();
        }
        m_watch.start();
        const int code = follow(signals);
        if (m_screen)
            m_screen->end();
        m_watch.stop();
        if (m_onVerdict)
            m_onVerdict->finish([this, signals] {
                if (m_screen)
                    m_screen->takeMessages();
                return takeEndSignal(signals, 0);
            });
        const SnapshotPtr end = m_watch.snapshot();
        if (const Result<void> recorded =
                m_recorder && end->sinceMs != 0 ? m_recorder->finish(end->knownMs()) : Result<void>();
            !recorded && code == 0)
            return failed(recorded.error());
        if (code != 0)
            return code;
        const Result<SnapshotPtr> last = withLogFacts(m_watch.snapshot(), m_arguments, signals);
        if (!last)
            return failed(last.error());
        show(**last);
        return write(**last);
    }

private:
    trace::SessionIds sessionIds() const
    {
        return m_arguments.realSessionIds ? trace::SessionIds::real : trace::SessionIds::pseudonyms;
    }

    void listen()
    {
        const bool traces = !m_arguments.traceFile.empty();
        m_watch.onEvent(
            [this, traces](const history::LockEvent& event) {
                {
                    const std::lock_guard guard(m_orderMutex);
                    m_order.add(event);
                }
                if (traces)
                    m_events.add(event);
                if (m_recorder)
                    m_recorder->noteEvent(event);
                if (m_metrics)
                    m_metrics->note(event);
            },
            [this, traces] {
                if (traces)
                    m_events.flush();
                if (m_recorder)
                    m_recorder->noteApplied();
            },
            [this, traces](std::int64_t fromMs, std::int64_t toMs) {
                {
                    const std::lock_guard guard(m_orderMutex);
                    m_order.addGap();
                }
                if (traces)
                    m_events.addGap(fromMs, toMs);
                if (m_recorder)
                    m_recorder->noteGap(fromMs, toMs);
            });
    }

    std::vector<history::OrderInversion> orders()
    {
        const std::lock_guard guard(m_orderMutex);
        return m_order.inversions();
    }

    void reportOrders()
    {
        {
            const std::lock_guard guard(m_orderMutex);
            if (std::exchange(m_orderCount, m_order.foundEver()) == m_order.foundEver())
                return;
        }
        for (const history::OrderInversion& found : orders())
            if (const std::string text = orderText(found, SessionNames());
                m_ordersReported.insert(text).second)
                writeToStandardError("lockscope-cli: " + text + "\n");
    }

    // A failure is reported once, until it has ended.
    void record(const field::Snapshot& snapshot, MonotonicClock::time_point now)
    {
        if (!m_recorder || now - m_recorded < kRecordEvery)
            return;
        m_recorded = now;
        const Result<void> written = m_recorder->pump(snapshot.knownMs());
        const std::string trouble = written ? "" : written.error().text();
        if (std::exchange(m_recordTrouble, trouble) != trouble)
            writeToStandardError(written ? "lockscope-cli: The recording goes on.\n"
                                         : "lockscope-cli: " + trouble + "\n");
        for (const field::SaveTriggers::Fired& fired : m_triggers.update(snapshot)) {
            const auto file = m_recorder->save(fired.why, fired.lock, snapshot.knownMs());
            writeToStandardError("lockscope-cli: " +
                                 (file ? fired.why + ": saved in " + file->string() : file.error().text()) +
                                 "\n");
        }
    }

    void runOnVerdicts(const field::Snapshot& snapshot)
    {
        if (!m_onVerdict)
            return;
        const SessionNames names(m_arguments.realSessionIds ? nullptr : m_sessionKey);
        for (const field::SaveTriggers::Fired& fired : m_verdicts.update(snapshot))
            for (const field::LockStatus& row : snapshot.locks)
                if (row.path == fired.lock)
                    m_onVerdict->add(verdictLine(snapshot, row, names));
        m_onVerdict->turn();
    }

    int follow(int signals)
    {
        const auto begun = MonotonicClock::now();
        std::optional<MonotonicClock::time_point> read; // first
        MonotonicClock::time_point shown{};
        std::size_t words = 0;
        std::set<std::string> troubles; // that have been written
        for (;;) {
            if (const auto failure = m_watch.failure())
                return endedBy(*failure, troubles);
            const SnapshotPtr snapshot = m_watch.snapshot();
            const auto now = MonotonicClock::now();
            if (isRefused(*snapshot))
                return failed(
                    {ErrorCode::noAuth, "Not permitted to read " + snapshot->paths.front().path + ".", ""});
            writeNotPermitted(*snapshot, words);
            if (snapshot->trouble && troubles.insert(snapshot->trouble->text()).second)
                writeToStandardError("lockscope-cli: " + snapshot->trouble->text() + "\n");
            if (hasRead(*snapshot)) {
                reportStart(*snapshot);
                read = read.value_or(now);
            }
            if (m_metrics)
                m_metrics->update(*snapshot);
            if (read) {
                record(*snapshot, now);
                runOnVerdicts(*snapshot);
            }
            reportOrders();
            if (now - shown >= kRefresh && snapshot->sinceMs != 0) {
                shown = now;
                show(*snapshot);
            }
            // The time begins when the paths are read; a short one leaves the server some time to answer.
            Duration left = milliseconds(kStepMs);
            if (m_arguments.duration)
                left = read ? *m_arguments.duration - (now - *read)
                            : std::max<Duration>(*m_arguments.duration, kNoAnswerLimit) - (now - begun);
            if (left <= Duration{})
                return read ? 0 : endedBy(whyNot(*snapshot, m_arguments), troubles);
            const auto wait =
                std::chrono::ceil<milliseconds>(std::min<Duration>(left, milliseconds(kStepMs)));
            if (m_screen ? !turnScreen(snapshot, signals, static_cast<int>(wait.count()))
                         : takeEndSignal(signals, static_cast<int>(wait.count())))
                return read ? 0 : endedBy(whyNot(*snapshot, m_arguments), troubles);
        }
    }

    // Shows the snapshot, and carries out the keys. False: the user has ended it, or the terminal has gone.
    bool turnScreen(const SnapshotPtr& snapshot, int signals, int waitMs)
    {
        showSnapshot(m_state, snapshot);
        for (std::string& message : m_screen->takeMessages())
            m_state.message = std::move(message);
        m_screen->draw(screenLines(m_state, m_screen->size()));
        if (!m_screen->wait(signals, waitMs) || takeEndSignal(signals, 0))
            return false;
        const std::string before = m_state.place.lock;
        while (const auto key = m_screen->takeKey())
            if (!press(m_state, *key, m_screen->size()))
                return false;
        if (m_state.place.lock != before)
            m_watch.showDetails({m_state.place.lock});
        return true;
    }

    // `written`: what has been said already.
    static int endedBy(const Error& why, const std::set<std::string>& written)
    {
        if (!written.contains(why.text()))
            return failed(why);
        return why.code == ErrorCode::noAuth ? kNotPermitted : exitCode(why.code);
    }

    void reportStart(const field::Snapshot& snapshot)
    {
        if (std::exchange(m_startReported, true))
            return;
        if (snapshot.watching == WatchState::byListing)
            writeToStandardError(
                std::string("lockscope-cli: The server has ") +
                (snapshot.listsForNow ? "not set the persistent watches yet (" : "no persistent watches (") +
                snapshot.whyByListing +
                "): the paths are listed again after each change, and quick changes are missed.\n");
        for (const field::PathStatus& note : snapshot.paths)
            if (note.kind == field::PathStatus::Kind::missing)
                writeToStandardError("lockscope-cli: There is no path " + note.path +
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
            std::set<std::string_view> there;
            for (const field::LockStatus& row : snapshot.locks) {
                there.insert(row.path);
                std::string state = (row.holder ? row.holder->node : "") + "|" + std::to_string(row.waiting) +
                                    "|" + (row.diagnosis ? name(row.diagnosis->kind) : "");
                if (std::string& before = m_lines[row.path]; before != state) {
                    before = std::move(state);
                    std::fputs(fieldLine(snapshot, row).c_str(), stdout);
                }
            }
            std::erase_if(m_lines, [&](const auto& line) { return !there.contains(line.first); });
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
        document["order_inversions"] = ordersJson(orders(), names);
        if (m_arguments.realSessionIds)
            document["real_session_ids"] = true;
        const Result<void> written = writeReport(m_arguments.reportFile, indented(document) + "\n");
        return written ? 0 : failed(written.error());
    }

    const WatchArguments& m_arguments;
    const std::shared_ptr<const engine::SessionKey> m_sessionKey;
    trace::TraceStore m_store;
    history::HistoryTraceBuilder m_events{m_store,
                                          {.sessionIds = sessionIds(),
                                           .liveSinceNanoseconds = 0,
                                           .scenario = "watch",
                                           .title = "Locks of others, watched live"}};
    bool m_shows = true, m_terminal = false, m_startReported = false;
    std::vector<std::string> m_notes;                  // the notes printed last
    std::map<std::string, std::string> m_lines;        // the line printed last for each lock
    std::unique_ptr<field::FlightRecorder> m_recorder; // null: nothing is recorded
    field::SaveTriggers m_triggers;
    MonotonicClock::time_point m_recorded{};
    std::mutex m_orderMutex;
    history::LockOrder m_order;     // guarded by m_orderMutex
    std::uint64_t m_orderCount = 0; // at the last report
    std::set<std::string> m_ordersReported;
    std::unique_ptr<field::WatchMetrics> m_metrics; // null: none are served
    std::unique_ptr<MetricsServer> m_metricsServer;
    field::SaveTriggers m_verdicts{{{field::SaveTrigger::Kind::verdict, {}, "verdict"}}};
    std::unique_ptr<VerdictCommand> m_onVerdict; // null: nothing is run
    std::string m_recordTrouble;                 // of the last pump; empty: it could write
    std::unique_ptr<Terminal> m_screen;          // null: there is none
    ScreenState m_state;                         // of the screen
    FieldWatch m_watch;
};

} // namespace

int runWatch(const WatchArguments& arguments)
{
    if (const Result<void> possible = checkReport(arguments.reportFile); !possible)
        return failed(possible.error());
    const int signals = openEndSignals();
    std::unique_ptr<Terminal> screen;
    if (arguments.tui) {
        auto terminal = Terminal::open();
        if (!terminal)
            return failed(terminal.error());
        screen = std::move(*terminal);
    }
    std::optional<Duration> limit = arguments.duration;
    if (limit)
        limit = std::max(*limit, kNoAnswerLimit);
    Result<field::WatchOptions> options = optionsFrom(arguments, limit, signals);
    if (!options)
        return failed(options.error());
    options->everyDetail = arguments.tui; // from a client to its blocker in any lock
    return Watch(arguments, std::move(*options), std::move(screen)).run(signals);
}

int runWho(const WhoArguments& arguments)
{
    const int signals = openEndSignals();
    Result<field::WatchOptions> options = readingOptions(arguments, signals);
    if (!options)
        return failed(options.error());
    return askWho(arguments, std::move(*options), signals);
}

} // namespace lockscope::app
