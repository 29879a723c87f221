#include "core/field/watch_metrics.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace lockscope::field {

namespace {

// The value of a label.
std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text)
        out += c == '\\' ? "\\\\" : c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(1, c);
    return out + '"';
}

double inSeconds(std::int64_t ms) { return static_cast<double>(ms) / 1000; }

void head(std::string& out, const std::string& name, const char* type, const char* help)
{
    out += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

} // namespace

void WatchMetrics::Histogram::add(std::int64_t ms)
{
    const double length = inSeconds(std::max<std::int64_t>(ms, 0));
    const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), length);
    ++counts[static_cast<std::size_t>(bound - kBounds.begin())];
    sum += length;
}

WatchMetrics::Series& WatchMetrics::seriesOf(const std::string& path)
{
    const auto known = m_series.find(path);
    if (known != m_series.end())
        return known->second;
    return m_series.size() < kMostLocks ? m_series[path] : m_others;
}

// As HoldTimes::add() counts; what was wrongly taken for a wait stays, since nothing here may decrease.
void WatchMetrics::note(const history::LockEvent& event)
{
    using Kind = history::LockEvent::Kind;
    const history::LockNode& node = event.node;
    if (node.beforeLog || node.sinceUnknown)
        return;
    const std::lock_guard guard(m_mutex);
    if (event.kind == Kind::entitled)
        seriesOf(std::string(node.lockPath)).waits.add(event.timeMs - node.createdMs);
    if (event.kind == Kind::ended && node.entitled && event.reason != history::EndReason::unknown)
        seriesOf(std::string(node.lockPath)).holds.add(event.timeMs - node.entitledMs);
}

void WatchMetrics::update(const Snapshot& snapshot)
{
    const std::lock_guard guard(m_mutex);
    for (auto& [path, series] : m_series)
        series.holders = series.waiters = 0, series.longestWaitMs = 0, series.verdicts.clear();
    m_others.holders = m_others.waiters = 0;
    m_others.longestWaitMs = 0;
    m_others.verdicts.clear();
    std::map<std::string, Seen> seen;
    std::set<std::pair<std::string, std::string>> standing;
    for (const LockStatus& row : snapshot.locks) {
        if (row.state == HoldState::noLock)
            continue;
        Series& series = seriesOf(row.path);
        series.holders += row.holders;
        series.waiters += row.waiting;
        series.longestWaitMs = std::max(series.longestWaitMs, row.longestWaitNowMs);
        if (row.diagnosis) {
            const std::string kind = name(row.diagnosis->kind);
            ++series.verdicts[kind];
            if (standing.emplace(row.path, kind); !m_standing.contains({row.path, kind}))
                ++m_given[kind];
        }
        const Seen now{row.acquisitions, row.handoffs, row.ends.deletedSessionAlive, row.ends.sessionGone,
                       row.ends.gaveUp};
        const Seen last = m_seen[row.path];
        // A lock that is forgotten and comes again counts from 0.
        const auto grown = [](std::uint64_t before, std::uint64_t after) {
            return after >= before ? after - before : after;
        };
        series.acquisitions += grown(last.acquisitions, now.acquisitions);
        series.handoffs += grown(last.handoffs, now.handoffs);
        series.deleted += grown(last.deleted, now.deleted);
        series.sessionGone += grown(last.sessionGone, now.sessionGone);
        series.gaveUp += grown(last.gaveUp, now.gaveUp);
        seen.emplace(row.path, now);
    }
    m_seen = std::move(seen);
    m_standing = std::move(standing);
    m_locks = snapshot.locks.size();
    m_last = Snapshot{};
    m_last.watching = snapshot.watching;
    m_last.gaps = snapshot.gaps;
    m_last.nodesCreated = snapshot.nodesCreated;
    m_last.nodesDeleted = snapshot.nodesDeleted;
    m_last.atMs = snapshot.atMs;
    m_last.noNewsSinceMs = snapshot.noNewsSinceMs;
    m_last.forgotten = snapshot.forgotten;
}

void WatchMetrics::histogram(std::string& out, const char* name, const char* help,
                             Histogram Series::*which) const
{
    head(out, name, "histogram", help);
    const auto add = [&](const std::string& lock, const Histogram& one) {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < one.counts.size(); ++i) {
            count += one.counts[i];
            out += fmt::format("{}_bucket{{lock={},le=\"{}\"}} {}\n", name, lock,
                               i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf", count);
        }
        out +=
            fmt::format("{0}_sum{{lock={1}}} {2}\n{0}_count{{lock={1}}} {3}\n", name, lock, one.sum, count);
    };
    for (const auto& [path, series] : m_series)
        add(quoted(path), series.*which);
    if (m_series.size() == kMostLocks)
        add("\"(others)\"", m_others.*which);
}

std::string WatchMetrics::text() const
{
    const std::lock_guard guard(m_mutex);
    std::string out;
    const auto single = [&](const char* name, const char* type, const char* help, double value) {
        head(out, name, type, help);
        out += fmt::format("{} {}\n", name, value);
    };
    using Values = std::function<void(const std::string& labels, double value)>;
    const auto each = [&](const std::string& name, const char* type, const char* help,
                          const std::function<void(const std::string&, const Series&, const Values&)>& of) {
        head(out, name, type, help);
        const Values add = [&](const std::string& labels, double value) {
            out += fmt::format("{}{{{}}} {}\n", name, labels, value);
        };
        for (const auto& [path, series] : m_series)
            of("lock=" + quoted(path), series, add);
        if (m_series.size() == kMostLocks)
            of("lock=\"(others)\"", m_others, add);
    };
    const auto number = [&](const char* name, const char* type, const char* help,
                            const std::function<double(const Series&)>& of) {
        each(name, type, help, [&](const std::string& lock, const Series& series, const Values& add) {
            add(lock, of(series));
        });
    };
    const bool contact =
        m_last.watching == WatchState::everyChange || m_last.watching == WatchState::byListing;
    single("lockscope_watch_up", "gauge", "1 while there is news from the servers.",
           contact && !m_last.noNewsSinceMs ? 1 : 0);
    single("lockscope_watch_every_change", "gauge", "1 while every change is seen; 0: by listing, or none.",
           m_last.watching == WatchState::everyChange ? 1 : 0);
    double gapSeconds = 0;
    for (const WatchGap& gap : m_last.gaps)
        gapSeconds += inSeconds(gap.toMs.value_or(m_last.atMs) - gap.fromMs);
    single("lockscope_watch_gaps", "gauge", "Times without news that are remembered, a thousand at most.",
           static_cast<double>(m_last.gaps.size()));
    single("lockscope_watch_gaps_seconds", "gauge", "The length of these times.", gapSeconds);
    single("lockscope_watch_nodes_created_total", "counter", "Nodes of locks that were created.",
           static_cast<double>(m_last.nodesCreated));
    single("lockscope_watch_nodes_deleted_total", "counter", "Nodes of locks that were deleted.",
           static_cast<double>(m_last.nodesDeleted));
    single("lockscope_locks", "gauge", "Locks that are watched.", static_cast<double>(m_locks));
    number("lockscope_lock_holders", "gauge", "Clients that hold the lock.",
           [](const Series& one) { return one.holders; });
    number("lockscope_lock_waiters", "gauge", "Clients that wait for the lock.",
           [](const Series& one) { return one.waiters; });
    number("lockscope_lock_longest_wait_seconds", "gauge", "How long the longest of them has waited.",
           [](const Series& one) { return inSeconds(one.longestWaitMs); });
    number("lockscope_lock_acquisitions_total", "counter", "Holds that have begun.",
           [](const Series& one) { return static_cast<double>(one.acquisitions); });
    number("lockscope_lock_handoffs_total", "counter", "Holds that a waiting client got from the one before.",
           [](const Series& one) { return static_cast<double>(one.handoffs); });
    each("lockscope_lock_ends_total", "counter",
         "Ends of holds (deleted: the session lived on; session_gone: it closed or expired) and of waits "
         "(gave_up).",
         [](const std::string& lock, const Series& one, const Values& add) {
             add(lock + ",reason=\"deleted\"", static_cast<double>(one.deleted));
             add(lock + ",reason=\"session_gone\"", static_cast<double>(one.sessionGone));
             add(lock + ",reason=\"gave_up\"", static_cast<double>(one.gaveUp));
         });
    histogram(out, "lockscope_lock_hold_seconds", "How long holds lasted whose begin and end were seen.",
              &Series::holds);
    histogram(out, "lockscope_lock_wait_seconds", "How long those waits lasted that ended with a hold.",
              &Series::waits);
    each("lockscope_lock_verdict", "gauge", "Verdicts that stand.",
         [](const std::string& lock, const Series& one, const Values& add) {
             for (const auto& [kind, count] : one.verdicts)
                 add(lock + ",kind=\"" + kind + '"', count);
         });
    head(out, "lockscope_verdicts_total", "counter", "Verdicts that were given.");
    for (const auto& [kind, count] : m_given)
        out += fmt::format("lockscope_verdicts_total{{kind=\"{}\"}} {}\n", kind, count);
    return out;
}

} // namespace lockscope::field
