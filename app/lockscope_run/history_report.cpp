#include "app/lockscope_run/history_report.h"

#include "core/exports/text_format.h"

#include <boost/json.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace lockscope::app {

namespace {

namespace json = boost::json;
using history::LockSummary;
using history::QueueEntry;
using exports::plain; // what comes from a file is text of one line and valid UTF-8

constexpr std::size_t kMaxPathBytes = 4 * 1024 * 1024; // in a report, where it must be whole

json::value timeOrNull(std::optional<std::int64_t> ms) { return ms ? json::value(utc(*ms)) : json::value(); }
json::value textOrNull(const std::string& text) { return text.empty() ? json::value() : json::value(text); }

json::object queueEntryJson(const QueueEntry& stay, const SessionNames& sessions, const history::ParticipantNames& participants)
{
    json::object document{{"node", plain(stay.node, kMaxPathBytes)},
                      {"session", textOrNull(sessions(stay.session))},
                      {"who", textOrNull(plain(participants.of(stay.session, stay.identity)))},
                      {"data_bytes", stay.dataBytes},
                      {"created_zxid", textOrNull(stay.created.valid() ? zxidText(stay.created) : "")},
                      {"created", utc(stay.createdMs)},
                      {"entitled", timeOrNull(stay.entitledMs)},
                      {"ended", timeOrNull(stay.endedMs)},
                      {"ended_zxid", textOrNull(stay.ended.valid() ? zxidText(stay.ended) : "")},
                      {"end", stay.endedMs ? json::value(name(stay.reason)) : json::value()}};
    if (stay.reason == history::EndReason::deletedByOther)
        document["ended_by"] = sessions(stay.endedBy);
    if (stay.beforeLog)
        document["before_log"] = true;
    if (stay.unconfirmed)
        document["unconfirmed"] = true;
    if (!stay.data.empty())
        document["data"] = plain(stay.data, kMaxPathBytes);
    return document;
}

json::object lockJson(const LockSummary& lock)
{
    return {{"path", plain(lock.path, kMaxPathBytes)},
            {"recipe", name(lock.recipe)},
            {"acquisitions", lock.ends.acquisitions()},
            {"handoffs", lock.handoffs},
            {"ends", json::object{{"released", lock.ends.released},
                                  {"gave_up", lock.ends.gaveUp},
                                  {"session_closed", lock.ends.sessionClosed},
                                  {"session_expired", lock.ends.sessionExpired},
                                  {"deleted_by_other", lock.ends.deletedByOther},
                                  {"open", lock.ends.open}}},
            {"longest_hold_ms", lock.longestHoldMs},
            {"longest_wait_ms", lock.longestWaitMs},
            {"deepest_queue", lock.deepestQueue},
            {"last_used", utc(lock.lastUsedMs)}};
}

} // namespace

std::string spanText(std::int64_t ms)
{
    if (ms < 1000)
        return fmt::format("{} ms", ms);
    if (ms < 60'000)
        return fmt::format("{:.1f} s", static_cast<double>(ms) / 1000);
    if (ms < 3'600'000)
        return fmt::format("{} min {:02} s", ms / 60'000, ms / 1000 % 60);
    return fmt::format("{} h {:02} min", ms / 3'600'000, ms / 60'000 % 60);
}

std::string SessionNames::operator()(SessionId session) const
{
    if (!session.valid())
        return {};
    const SessionId named = m_names ? m_names->of(session) : session;
    return fmt::format("{:#x}", static_cast<std::uint64_t>(named.value));
}

std::string utc(std::int64_t timeMs)
{
    // The number in a file may be no valid time.
    constexpr std::int64_t kLastMs = 253'402'300'799'999; // the end of the year 9999
    const auto shown = std::chrono::milliseconds(std::clamp<std::int64_t>(timeMs, 0, kLastMs));
    const auto seconds = std::chrono::floor<std::chrono::seconds>(shown);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(seconds.count())),
                       (shown - seconds).count());
}

std::string zxidText(Zxid zxid) { return fmt::format("{:#x}", static_cast<std::uint64_t>(zxid.value)); }

json::object report(const history::History& history, const std::vector<history::Damage>& damage,
                    const SessionNames& sessions, const history::ParticipantNames& participants)
{
    json::array gaps, locks, jumps, damages;
    for (const history::Gap& gap : history.gaps())
        gaps.push_back(json::object{{"after", zxidText(gap.after)},
                                    {"before", zxidText(gap.before)},
                                    {"unconfirmed", gap.unconfirmed},
                                    {"snapshot", gap.snapshot}});
    for (const auto& jump : history.clockJumps())
        jumps.push_back(json::object{{"zxid", zxidText(jump.zxid)}, {"back_ms", jump.backMs}});
    for (const history::Damage& one : damage)
        damages.push_back(json::object{{"kind", name(one.kind)},
                                       {"file", one.file},
                                       {"offset", one.offset},
                                       {"bytes", one.bytes},
                                       {"records", one.records}});
    for (const LockSummary& lock : history.locks()) {
        json::object document = lockJson(lock);
        json::array queueEntries;
        for (const QueueEntry& stay : history.queueEntries())
            if (stay.lockPath == lock.path)
                queueEntries.push_back(queueEntryJson(stay, sessions, participants));
        if (!queueEntries.empty())
            document["nodes"] = std::move(queueEntries);
        locks.push_back(std::move(document));
    }
    const bool any = history.transactions() > 0;
    json::object document{{"transactions", history.transactions()},
            {"first_zxid", any ? json::value(zxidText(history.first())) : json::value()},
            {"last_zxid", any ? json::value(zxidText(history.last())) : json::value()},
            {"first_time", any ? json::value(utc(history.firstMs())) : json::value()},
            {"last_time", any ? json::value(utc(history.lastMs())) : json::value()},
            {"gaps", std::move(gaps)},
            {"clock_jumps", std::move(jumps)},
            {"damage", std::move(damages)},
            {"locks", std::move(locks)}};
    json::array findings;
    for (const history::RuleFinding& finding : history.findings().all())
        findings.push_back(json::object{{"name", name(finding.rule)},
                                        {"ok", finding.checked == 0 ? json::value() : json::value(finding.violated == 0)},
                                        {"checked", finding.checked},
                                        {"violated", finding.violated},
                                        {"detail", plain(finding.text(), kMaxPathBytes)}});
    if (!history.queueEntries().empty())
        document["findings"] = std::move(findings);
    return document;
}

std::string locksTable(const history::History& history)
{
    const std::vector<LockSummary> locks = history.locks();
    std::size_t width = 4;
    for (const LockSummary& lock : locks)
        width = std::max(width, std::min<std::size_t>(lock.path.size(), 60));
    std::string text = fmt::format("{:<{}}  {:<16} {:>8} {:>8} {:>8} {:>7} {:>12} {:>12} {:>6}  {}\n", "Lock", width,
                                   "Recipe", "Acquired", "Handoffs", "Expired", "Gave up", "Longest hold",
                                   "Longest wait", "Queue", "Last used (UTC)");
    for (const LockSummary& lock : locks)
        text += fmt::format("{:<{}}  {:<16} {:>8} {:>8} {:>8} {:>7} {:>12} {:>12} {:>6}  {}\n", plain(lock.path, 200), width,
                            name(lock.recipe), lock.ends.acquisitions(), lock.handoffs, lock.ends.sessionExpired,
                            lock.ends.gaveUp, spanText(lock.longestHoldMs), spanText(lock.longestWaitMs), lock.deepestQueue,
                            utc(lock.lastUsedMs));
    if (history.transactions() == 0)
        return text + "No transaction.\n";
    return text + fmt::format("{} locks in {} transactions, {} to {}, {} to {}.\n", locks.size(), history.transactions(),
                              zxidText(history.first()), zxidText(history.last()), utc(history.firstMs()),
                              utc(history.lastMs()));
}

std::string locksCsv(const history::History& history)
{
    std::string text = "path,recipe,acquisitions,handoffs,released,gave_up,session_closed,session_expired,deleted_by_other,"
                       "open,longest_hold_ms,longest_wait_ms,deepest_queue,last_used\n";
    for (const LockSummary& lock : history.locks())
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", exports::csvCell(lock.path),
                            name(lock.recipe), lock.ends.acquisitions(), lock.handoffs, lock.ends.released,
                            lock.ends.gaveUp, lock.ends.sessionClosed, lock.ends.sessionExpired,
                            lock.ends.deletedByOther, lock.ends.open, lock.longestHoldMs, lock.longestWaitMs,
                            lock.deepestQueue, utc(lock.lastUsedMs));
    return text;
}

std::string queueEntriesTable(const history::History& history, const SessionNames& sessions,
                       const history::ParticipantNames& participants)
{
    std::string text = fmt::format("{:<24}  {:>10} {:>10}  {:<16} {:<18}  {}\n", "Created (UTC)", "Wait", "Hold", "End",
                                   "Session", "Node");
    for (const QueueEntry& stay : history.queueEntries()) {
        const std::int64_t until = stay.endedMs.value_or(history.lastMs());
        const std::int64_t entitled = stay.entitledMs.value_or(until);
        std::string end = stay.unconfirmed ? "unconfirmed" : stay.endedMs ? name(stay.reason) : stay.entitledMs ? "holds" : "waits";
        const std::string by =
            stay.reason == history::EndReason::deletedByOther ? " (ended by " + sessions(stay.endedBy) + ")" : "";
        std::string who = plain(participants.of(stay.session, stay.identity), 64);
        who = who.empty() ? who : "  " + who;
        text += fmt::format("{:<24}  {:>10} {:>10}  {:<16} {:<18}  {}/{}{}{}\n", utc(stay.createdMs),
                            spanText(std::max<std::int64_t>(0, entitled - stay.createdMs)),
                            stay.entitledMs ? spanText(std::max<std::int64_t>(0, until - entitled)) : "", end,
                            sessions(stay.session), plain(stay.parent, 200), plain(stay.node, 100), who, by);
    }
    return text;
}

std::string findingsTable(const history::History& history)
{
    std::string text = "\nThe server's word alone: what clients believed is in no transaction log.\n";
    for (const history::RuleFinding& finding : history.findings().all())
        text += fmt::format("{:<9} {:<22} {}\n",
                            !finding.canBeChecked || finding.checked == 0 ? "-" : finding.violated > 0 ? "violated" : "ok",
                            name(finding.rule), plain(finding.text(), 400));
    return text;
}

} // namespace lockscope::app
