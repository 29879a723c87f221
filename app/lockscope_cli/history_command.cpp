#include "app/lockscope_cli/history_command.h"

#include "app/lockscope_cli/end_signals.h"
#include "app/lockscope_cli/history_report.h"
#include "app/lockscope_cli/history_trace.h"
#include "app/lockscope_cli/text_output.h"

#include "core/base/exit_code.h"
#include "core/base/numbers.h"
#include "core/base/output_file.h"
#include "core/base/standard_streams.h"
#include "core/engine/session_key.h"
#include "core/exports/text_format.h"

#include <fmt/core.h>

#include <cstdio>

namespace lockscope::app {

namespace {

using history::Damage;
using history::History;
using State = history::HistoryReader::State;

constexpr std::uint64_t kBytesAtOnce = 32 * 1024 * 1024;
constexpr int kFollowMilliseconds = 100;
constexpr std::size_t kBytesWritten = 1024 * 1024; // at once
constexpr std::size_t kMaxDamageShown = 50;        // entries; the report has all of them

bool isStandardOutput(const std::string& file) { return !file.empty() && isSameFile(file, kStandardOutput); }

class Command
{
public:
    explicit Command(const HistoryArguments& arguments)
        : m_arguments(arguments)
        , m_sessionKey(std::make_shared<engine::SessionKey>(arguments.sessionKey))
        , m_writtenNames(arguments.realSessionIds ? nullptr : m_sessionKey)
        , m_toStandardOutput(isStandardOutput(arguments.reportFile) || isStandardOutput(arguments.traceFile))
    {
        if (!arguments.realSessionIds)
            m_store.setWrittenSessionNames(m_sessionKey);
    }

    int run()
    {
        const int signals = openEndSignals();
        History::Options options = m_arguments.options;
        options.queueEntries = !options.locks.empty() && (!m_arguments.locksOnly || m_arguments.worth);
        options.fixedNames = options.locks;
        Result<std::unique_ptr<History>> opened = History::open(m_arguments.paths, options);
        if (!opened)
            return fail(opened.error());
        History& history = **opened;
        const bool prints =
            options.follow && options.queueEntries && !m_arguments.quiet && !m_toStandardOutput;
        const bool traces = !m_arguments.traceFile.empty();
        if (m_arguments.claims)
            m_claims.emplace(*m_arguments.claims,
                             [this, traces](const history::ClaimedHolds::Belief& belief) {
                                 if (traces)
                                     m_events.addBelief(belief);
                             });
        if (prints || traces || m_claims || !m_arguments.locksOnly)
            history.listen([this, prints, traces](const history::LockEvent& event) {
                if (m_claims)
                    m_claims->add(event);
                m_order.add(event);
                if (prints)
                    print(event);
                if (traces)
                    m_events.add(event);
            });
        history.listenToGaps([this, traces](const history::Gap& gap) {
            m_order.addGap();
            if (traces)
                m_events.addGap(gap);
        });
        const bool cut = readAll(history, signals);
        reportDamage();
        if (m_claims)
            m_claims->finish(history.lastMs());
        if (!history.hasReadAnything() && m_serious)
            return fail(Error{ErrorCode::badInput, "Nothing could be read.", ""});
        for (const std::string& path : options.locks)
            if (!hasLock(history, path))
                writeToStandardError(fmt::format(
                    "lockscope-cli: This history has no lock at {} or below it.\n", exports::plain(path)));
        if (const int code = write(history); code != 0)
            return code;
        return cut || m_serious || !history.gaps().empty() ? kCutShort : 0;
    }

private:
    // True if it was interrupted before all available data was read.
    bool readAll(History& history, int signals)
    {
        for (;;) {
            const State state = history.read(kBytesAtOnce);
            keepDamage(history);
            if (state == State::ended)
                return false;
            const bool waits = state == State::waiting;
            if (waits)
                std::fflush(stdout);
            if (takeEndSignal(signals, waits ? kFollowMilliseconds : 0))
                return !waits;
        }
    }

    static bool hasLock(const History& history, const std::string& path)
    {
        bool found = false;
        history.forEachLock(
            [&](history::LockSummary&& lock) { found = found || history::isAtOrBelow(lock.path, path); });
        return found;
    }

    void keepDamage(History& history)
    {
        for (Damage& damage : history.takeDamage()) {
            m_serious = m_serious || isPartUnread(damage.kind);
            m_damage.push_back(std::move(damage));
        }
    }

    void reportDamage() const
    {
        for (std::size_t i = 0; i < m_damage.size() && i < kMaxDamageShown; ++i)
            writeToStandardError("lockscope-cli: " + m_damage[i].text().english() + "\n");
        if (m_damage.size() > kMaxDamageShown)
            writeToStandardError(
                fmt::format("lockscope-cli: {} more of these.\n", m_damage.size() - kMaxDamageShown));
    }

    int write(const History& history)
    {
        if (!m_arguments.quiet && !m_toStandardOutput) {
            std::string text = locksTable(history);
            for (const history::Gap& gap : history.gaps())
                text += fmt::format(
                    "A gap: {} between {} and {}{}{}.\n",
                    gap.byCversion ? "a parent's cversion shows that transactions are missing"
                                   : "no transactions",
                    hexText(gap.after), hexText(gap.before),
                    gap.snapshot ? "; the history continues from a snapshot"
                                 : "; which nodes were there after it is unknown until they are named",
                    gap.unconfirmed ? "; the last transactions before it may never have been confirmed" : "");
            if (!history.queueEntries().empty() && !m_arguments.options.follow)
                text += "\n" + queueEntriesTable(history, m_names, m_arguments.names) +
                        waitsTable(history, m_names) + findingsTable(history);
            for (const history::OrderInversion& found : m_order.inversions())
                text += orderText(found, m_names) + "\n";
            if (m_arguments.worth)
                text += "\n" + worthTable(history);
            if (m_claims)
                text += "\n" + claimsTable(*m_claims, m_names);
            if (const Result<void> written =
                    writeText("The table cannot be written to", kStandardOutput, text);
                !written)
                return fail(written.error());
        }
        if (!m_arguments.traceFile.empty()) {
            if (const Result<void> saved =
                    writeTrace(m_arguments.traceFile, m_events, m_store, history.lastMs());
                !saved)
                return fail(saved.error());
        }
        if (m_arguments.reportFile.empty())
            return 0;
        return writeReportFile(history);
    }

    int writeReportFile(const History& history)
    {
        const std::string& path = m_arguments.reportFile;
        OutputFile file;
        std::error_code error = file.open(path, {.waitForReader = true});
        std::string pending;
        const auto flush = [&] {
            error = error ? error : file.write(pending);
            pending.clear();
        };
        const auto add = [&](std::string_view text) {
            pending += text;
            if (pending.size() >= kBytesWritten)
                flush();
        };
        if (std::filesystem::path(path).extension() == ".csv")
            writeCsv(history, m_writtenNames, add);
        else
            writeReport(history,
                        {m_damage, m_writtenNames, m_arguments.names, m_order.inversions(),
                         m_claims ? &*m_claims : nullptr, m_arguments.realSessionIds,
                         m_arguments.options.withData, m_arguments.worth},
                        add);
        flush();
        error = error ? error : file.commit();
        return error ? fail(reportError(path, error)) : 0;
    }

    void print(const history::LockEvent& event)
    {
        const history::LockNode& node = event.node;
        const char* what = event.kind == history::LockEvent::Kind::queued          ? "queued"
                           : event.kind == history::LockEvent::Kind::entitled      ? "entitled"
                           : event.kind == history::LockEvent::Kind::dataSet       ? "data_set"
                           : event.kind == history::LockEvent::Kind::folderDeleted ? "folder_deleted"
                                                                                   : name(event.reason);
        const bool byOther = event.kind == history::LockEvent::Kind::folderDeleted ||
                             event.reason == history::EndReason::deletedByOther ||
                             (event.kind == history::LockEvent::Kind::dataSet && event.by != node.session);
        fmt::print("{}  {:<14} {:<16} {:<18} {}/{}{}\n", utc(event.timeMs), hexText(event.zxid), what,
                   m_names(node.session), exports::plain(node.parent), exports::plain(node.name),
                   byOther ? "  by " + m_names(event.by) : "");
    }

    const HistoryArguments& m_arguments;
    const std::shared_ptr<const engine::SessionKey> m_sessionKey;
    const SessionNames m_names; // for the screen, which users compare with other logs and four-letter words
    const SessionNames m_writtenNames;
    bool m_toStandardOutput;
    std::vector<Damage> m_damage;
    bool m_serious = false;
    history::LockOrder m_order;
    std::optional<history::ClaimedHolds> m_claims;
    trace::TraceStore m_store;
    history::HistoryTraceBuilder m_events{
        m_store,
        {.withData = m_arguments.options.withData,
         .sessionIds = m_arguments.realSessionIds ? trace::SessionIds::real : trace::SessionIds::pseudonyms,
         .names = m_arguments.names,
         .isClaimed = [this](const history::LockNode& node) {
             return m_claims && m_claims->isClaimed(node);
         }}};
};

} // namespace

int runHistory(const HistoryArguments& arguments)
{
    if (const Result<void> possible = checkReport(arguments.reportFile); !possible)
        return fail(possible.error());
    return Command(arguments).run();
}

} // namespace lockscope::app
