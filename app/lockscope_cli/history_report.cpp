#include "app/lockscope_cli/history_report.h"

#include "app/lockscope_cli/report.h"

#include "core/base/numbers.h"
#include "core/exports/text_format.h"
#include "core/history/waits.h"
#include "core/history/worth.h"

#include <boost/json.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <unordered_map>

namespace lockscope::app {

namespace {

namespace json = boost::json;
using exports::plain; // makes text from a file one line of valid UTF-8
using history::LockSummary;
using history::QueueEntry;

constexpr std::size_t kMaxBegun = 20; // locks of which a line says so, below the table: inside whose queues
                                      // the history begins; and of which it is not known who held
constexpr std::size_t kMaxPathBytes = 4 * 1024 * 1024; // in a report, where it must be whole

// A text from a log, as written to a report.
std::string written(std::string_view text, const SessionNames& sessions)
{
    return plain(sessions.inText(text), kMaxPathBytes);
}

json::value timeOrNull(std::optional<std::int64_t> ms) { return ms ? json::value(utc(*ms)) : json::value(); }

// The log has no end for a node that was lost with the leader that created it.
const char* endOf(const QueueEntry& entry)
{
    return entry.unconfirmed ? "lost_with_leader" : name(entry.reason);
}

json::object queueEntryJson(const QueueEntry& stay, const SessionNames& sessions,
                            const history::ParticipantNames& participants)
{
    const bool isEndKnown = stay.reason != history::EndReason::unknown;
    json::object document{
        {"node", written(stay.node, sessions)},
        {"session", textOrNull(sessions(stay.session))},
        {"who", textOrNull(plain(sessions.inText(participants.of(stay.session, stay.identity))))},
        {"data_bytes", stay.dataBytes},
        {"created_zxid", textOrNull(stay.created.valid() ? hexText(stay.created) : "")},
        {"created", utc(stay.createdMs)},
        {"entitled", timeOrNull(stay.entitledMs)},
        {"ended", isEndKnown ? timeOrNull(stay.endedMs) : json::value()},
        {"ended_zxid", textOrNull(isEndKnown && stay.ended.valid() ? hexText(stay.ended) : "")},
        {"end", stay.endedMs ? json::value(endOf(stay)) : json::value()}};
    if (stay.endedMs && !isEndKnown)
        document["known_until"] = utc(stay.knownUntilMs);
    if (stay.unsure)
        document["held"] = "unknown";
    if (stay.entitledMs && stay.sinceUnknown)
        document["entitled_or_earlier"] = true;
    for (const QueueEntry::Write& write : stay.writes) {
        if (!document.contains("written_by_others"))
            document["written_by_others"].emplace_array();
        document["written_by_others"].as_array().push_back(
            json::object{{"zxid", hexText(write.zxid)},
                         {"time", utc(write.timeMs)},
                         {"session", textOrNull(sessions(write.by))}});
    }
    if (stay.reason == history::EndReason::deletedByOther)
        document["ended_by"] = sessions(stay.endedBy);
    if (stay.beforeLog)
        document["before_log"] = true;
    if (stay.unconfirmed)
        document["unconfirmed"] = true;
    if (!stay.data.empty())
        document["data"] = written(stay.data, sessions);
    return document;
}

json::object lockJson(const LockSummary& lock, const SessionNames& sessions)
{
    json::object document{{"path", written(lock.path, sessions)},
                          {"recipe", name(lock.recipe)},
                          {"acquisitions", lock.ends.acquisitions()},
                          {"handoffs", lock.handoffs},
                          {"ends", endsJson(lock.ends)},
                          {"longest_hold_ms", lock.longestHoldMs},
                          {"longest_wait_ms", lock.longestWaitMs},
                          {"deepest_queue", lock.deepestQueue},
                          {"last_used", utc(lock.lastUsedMs)}};
    if (lock.knownSince.valid()) {
        document["known_since"] = utc(lock.knownSinceMs);
        document["known_since_zxid"] = hexText(lock.knownSince);
    }
    if (lock.missedCreates > 0)
        document["missed_creates"] = lock.missedCreates;
    if (!lock.foreignInFront.empty())
        document["foreign_in_front"] = written(lock.foreignInFront, sessions);
    if (!lock.showsHolders && lock.otherLibrary != queue::Library::none)
        document["library"] = name(lock.otherLibrary);
    return document;
}

// A violation is one, whatever else is unknown.
bool isKnown(const history::RuleFinding& finding)
{
    return finding.violated > 0 || (finding.checked > 0 && finding.unknown == 0);
}

// One client at a time holds it.
bool isExclusive(const LockSummary& lock)
{
    using history::Recipe;
    return lock.showsHolders && (lock.recipe == Recipe::mutex || lock.recipe == Recipe::kazooMutex ||
                                 lock.recipe == Recipe::zooKeeperCMutex || lock.recipe == Recipe::fixedName);
}

json::value worthJson(const history::History& history, const LockSummary& lock)
{
    if (!isExclusive(lock))
        return {};
    const history::LockWorth worth = history::worthOf(history.queueEntries(), lock.path);
    json::object document{{"requests", worth.requests},
                          {"sessions", worth.sessions},
                          {"gave_up", worth.gaveUp},
                          {"left_out", worth.leftOut},
                          {"fits", worth.isEnough() ? json::value(worth.fits()) : json::value()}};
    if (!worth.isEnough())
        return document;
    const auto add = [&document](const char* name, const history::QueueFigures& one) {
        document[name] = json::object{{"mean_wait_ms", one.meanWaitMs},
                                      {"wait_95_ms", one.longWaitMs},
                                      {"holds_per_second", one.perSecond}};
    };
    add("recorded", worth.recorded);
    add("model", worth.model);
    if (worth.fits()) {
        add("holds_halved", worth.halved);
        add("split_in_two", worth.split);
    }
    return document;
}

json::array findingsJson(const history::History& history, const SessionNames& sessions)
{
    json::array findings;
    for (const history::RuleFinding& finding : history.findings().all())
        findings.push_back(
            json::object{{"name", name(finding.rule)},
                         {"ok", isKnown(finding) ? json::value(finding.violated == 0) : json::value()},
                         {"checked", finding.checked},
                         {"violated", finding.violated},
                         {"detail", written(finding.text(), sessions)}});
    return findings;
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
    return hexText(m_names ? m_names->of(session) : session);
}

std::string SessionNames::inText(std::string_view text) const
{
    return m_names ? trace::replaceSessionIds(text, *m_names) : std::string(text);
}

std::string utc(std::int64_t timeMs)
{
    // The number in a file may not be a valid time.
    constexpr std::int64_t kLastMs = 253'402'300'799'999; // the end of the year 9999
    const std::chrono::sys_time shown(
        std::chrono::milliseconds(std::clamp<std::int64_t>(timeMs, 0, kLastMs)));
    const auto midnight = std::chrono::floor<std::chrono::days>(shown);
    const std::chrono::year_month_day date(midnight);
    const std::chrono::hh_mm_ss time(shown - midnight);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       time.hours().count(), time.minutes().count(), time.seconds().count(),
                       time.subseconds().count());
}

json::value textOrNull(const std::string& text) { return text.empty() ? json::value() : json::value(text); }

json::object endsJson(const history::EndCounts& ends)
{
    json::object document{{"released", ends.released},
                          {"gave_up", ends.gaveUp},
                          {"session_closed", ends.sessionClosed},
                          {"session_expired", ends.sessionExpired},
                          {"deleted_by_other", ends.deletedByOther},
                          {"open", ends.open}};
    if (ends.endUnknown > 0)
        document["end_unknown"] = ends.endUnknown;
    if (ends.unknown > 0)
        document["unknown"] = ends.unknown;
    return document;
}

void writeReport(const history::History& history, const ReportContext& context,
                 const std::function<void(std::string_view)>& write)
{
    json::array gaps, jumps, damages, neverConfirmed;
    for (const history::Gap& gap : history.gaps()) {
        json::object document{{"after", hexText(gap.after)},
                              {"before", hexText(gap.before)},
                              {"unconfirmed", gap.unconfirmed},
                              {"snapshot", gap.snapshot}};
        if (gap.byCversion)
            document["by_cversion"] = true;
        gaps.push_back(std::move(document));
    }
    for (const history::NeverConfirmed& one : history.neverConfirmed())
        neverConfirmed.push_back(json::object{
            {"first", hexText(one.first)}, {"last", hexText(one.last)}, {"transactions", one.transactions}});
    for (const auto& jump : history.clockJumps())
        jumps.push_back(json::object{{"zxid", hexText(jump.zxid)}, {"back_ms", jump.backMs}});
    for (const history::Damage& one : context.damage)
        damages.push_back(json::object{{"kind", name(one.kind)},
                                       {"file", plain(one.file, kMaxPathBytes)},
                                       {"offset", one.offset},
                                       {"bytes", one.bytes},
                                       {"records", one.records}});
    json::value tail;
    if (const auto unconfirmed = history.unconfirmedTail())
        tail =
            json::object{{"after", hexText(unconfirmed->after)}, {"transactions", unconfirmed->transactions}};
    const bool any = history.transactions() > 0;
    json::object head{{"transactions", history.transactions()},
                      {"first_zxid", any ? json::value(hexText(history.first())) : json::value()},
                      {"last_zxid", any ? json::value(hexText(history.last())) : json::value()},
                      {"first_time", any ? json::value(utc(history.firstMs())) : json::value()},
                      {"last_time", any ? json::value(utc(history.lastMs())) : json::value()},
                      {"gaps", std::move(gaps)},
                      {"unconfirmed_tail", std::move(tail)},
                      {"clock_jumps", std::move(jumps)},
                      {"damage", std::move(damages)},
                      {"order_inversions", ordersJson(context.orders, context.sessions)}};
    if (context.claims)
        head["claims"] = claimsJson(*context.claims, context.sessions);
    if (!neverConfirmed.empty())
        head["never_confirmed"] = std::move(neverConfirmed);
    if (!any && history.snapshot().valid()) {
        head["snapshot_zxid"] = hexText(history.snapshot());
        head["snapshot_time"] =
            timeOrNull(history.lastMs() == 0 ? std::nullopt : std::optional(history.lastMs())); // or later
    }
    if (context.realSessionIds)
        head["real_session_ids"] = true;
    if (context.withData)
        head["with_data"] = true;
    std::unordered_map<std::string_view, json::array> deletions;
    for (const history::FolderDeletion& one : history.folderDeletions())
        deletions[one.lockPath].push_back(json::object{{"path", written(one.parent, context.sessions)},
                                                       {"zxid", hexText(one.zxid)},
                                                       {"time", utc(one.timeMs)},
                                                       {"session", textOrNull(context.sessions(one.by))}});
    std::unordered_map<std::string_view, std::vector<const QueueEntry*>> byLock;
    for (const QueueEntry& entry : history.queueEntries())
        byLock[entry.lockPath].push_back(&entry);
    if (!byLock.empty())
        head["findings"] = findingsJson(history, context.sessions);
    const std::string inner = "  ";
    write("{\n");
    for (const auto& [key, field] : head)
        write(inner + json::serialize(json::value(key)) + ": " + indented(field, inner) + ",\n");
    write(inner + "\"locks\": [");
    bool first = true;
    history.forEachLock([&](LockSummary&& lock) {
        json::object document = lockJson(lock, context.sessions);
        if (context.worth)
            document["worth"] = worthJson(history, lock);
        if (const auto entries = byLock.find(lock.path); entries != byLock.end()) {
            json::array& nodes = document["nodes"].emplace_array();
            const history::LockWaits waits(history, lock.path);
            for (const QueueEntry* entry : entries->second) {
                json::object node = queueEntryJson(*entry, context.sessions, context.participants);
                if (const auto split = waits.of(*entry))
                    addWait(node["waited"].emplace_object(), *split, [&](std::size_t number) {
                        const QueueEntry& holder = *waits.entries()[number];
                        return json::object{{"node", written(holder.node, context.sessions)},
                                            {"session", textOrNull(context.sessions(holder.session))}};
                    });
                nodes.push_back(std::move(node));
            }
        }
        if (const auto found = deletions.find(lock.path); found != deletions.end())
            document["folder_deleted"] = found->second;
        write((std::exchange(first, false) ? "\n    " : ",\n    ") + indented(document, inner + inner));
    });
    write(first ? "]\n}\n" : "\n  ]\n}\n");
}

namespace {

constexpr std::size_t kMaxHoldersNamed = 5; // of a wait

// The first holders of a part, and how much of it all others had.
template <class Named>
std::int64_t nameHolders(const queue::WaitSplit& split, queue::WaitPart part, const Named& named)
{
    std::size_t count = 0;
    std::int64_t others = 0;
    for (const queue::WaitSplit::Share& one : split.holders)
        if (one.part == part && ++count <= kMaxHoldersNamed)
            named(one);
        else if (one.part == part)
            others += one.span;
    return others;
}

} // namespace

void addWait(json::object& document, const queue::WaitSplit& split,
             const std::function<json::object(std::size_t)>& holder)
{
    document["wait_ms"] = split.whole;
    for (std::size_t i = 0; i < queue::kWaitParts; ++i) {
        const auto part = static_cast<queue::WaitPart>(i);
        const std::string key = name(part);
        document[key + "_ms"] = split.of(part) ? json::value(*split.of(part)) : json::value();
        json::array named;
        const std::int64_t others = nameHolders(split, part, [&](const queue::WaitSplit::Share& one) {
            json::object share = holder(one.holder);
            share["ms"] = one.span;
            named.push_back(std::move(share));
        });
        if (!named.empty())
            document[key + "_by"] = std::move(named);
        if (others > 0)
            document[key + "_by_others_ms"] = others;
    }
}

std::string waitText(const queue::WaitSplit& split, const std::function<std::string(std::size_t)>& holder)
{
    std::string text, untold;
    for (std::size_t i = 0; i < queue::kWaitParts; ++i) {
        const auto part = static_cast<queue::WaitPart>(i);
        if (!split.of(part))
            untold += (untold.empty() ? "" : ", ") + std::string(words(part));
        if (split.of(part).value_or(0) == 0)
            continue;
        std::string by;
        const std::int64_t others = nameHolders(split, part, [&](const queue::WaitSplit::Share& one) {
            by += (by.empty() ? "" : ", ") + holder(one.holder) + " " + spanText(one.span);
        });
        if (others > 0)
            by += ", others " + spanText(others);
        text += (text.empty() ? "" : ", ") + std::string(words(part)) + " " + spanText(*split.of(part)) +
                (by.empty() ? "" : " (" + by + ")");
    }
    return spanText(split.whole) + ": " + text + (untold.empty() ? "" : "; nothing is known of: " + untold);
}

std::string orderText(const history::OrderInversion& found, const SessionNames& sessions)
{
    const auto taken = [&sessions](const history::TakenInside& one) {
        return fmt::format("session {} asked for {} (node {}) while it held {} (node {}), {}",
                           sessions(one.session), written(one.inner, sessions),
                           written(one.innerNode, sessions), written(one.outer, sessions),
                           written(one.outerNode, sessions), utc(one.timeMs));
    };
    return fmt::format(
        "{} and {} are taken in both orders: {}; {}. When each holds its first lock, they wait "
        "for each other for ever, unless one gives up. Take them in one order everywhere.",
        written(found.one.outer, sessions), written(found.one.inner, sessions), taken(found.one),
        taken(found.other));
}

json::array ordersJson(const std::vector<history::OrderInversion>& found, const SessionNames& sessions)
{
    const auto taken = [&sessions](const history::TakenInside& one) {
        return json::object{{"held", written(one.outer, sessions)},
                            {"held_node", written(one.outerNode, sessions)},
                            {"asked_for", written(one.inner, sessions)},
                            {"asked_for_node", written(one.innerNode, sessions)},
                            {"session", textOrNull(sessions(one.session))},
                            {"time", utc(one.timeMs)},
                            {"zxid", hexText(one.zxid)}};
    };
    json::array orders;
    for (const history::OrderInversion& each : found)
        orders.push_back(json::array{taken(each.one), taken(each.other)});
    return orders;
}

std::string claimsTable(const history::ClaimedHolds& claims, const SessionNames& sessions)
{
    using Verdict = history::ClaimedHold::Verdict;
    constexpr std::size_t kMostShown = 100;
    std::string lines;
    std::size_t within = 0, shown = 0;
    const auto to = [](const std::optional<std::int64_t>& timeMs) {
        return timeMs ? utc(*timeMs) : "its end";
    };
    for (const history::ClaimedHold& hold : claims.holds()) {
        const Verdict verdict = claims.verdictOf(hold);
        within += verdict == Verdict::within ? 1 : 0;
        if (verdict == Verdict::within || ++shown > kMostShown)
            continue;
        lines += fmt::format("line {}, {}: believed from {} to {}", hold.line, written(hold.words, sessions),
                             utc(hold.beginMs), to(hold.endMs));
        if (!hold.node) {
            lines += verdict == Verdict::noNode ? "; the log has no such node\n"
                                                : "; several nodes have this name: give the path\n";
            continue;
        }
        const history::ClaimedNode& node = claims.nodes()[*hold.node];
        lines += fmt::format(", session {}; ", sessions(node.session));
        lines += !node.entitledMs
                     ? std::string("its node was never seen to be first")
                     : fmt::format("first from {} to {}", utc(*node.entitledMs), to(node.endedMs));
        if (node.endedMs)
            lines += fmt::format(" ({})", name(node.reason));
        if (const std::int64_t early = claims.earlyMs(hold); early > 0)
            lines += ": early by " + spanText(early);
        if (const std::int64_t late = claims.lateMs(hold); late > 0)
            lines += ": late by " + spanText(late);
        lines += '\n';
        for (const history::ClaimedHold::Other& other : hold.others)
            lines += fmt::format("    two at once from {} to {}: {} of session {} was first\n",
                                 utc(other.fromMs), to(other.toMs ? other.toMs : hold.endMs),
                                 written(other.name, sessions), sessions(other.session));
    }
    if (shown > kMostShown)
        lines += fmt::format("{} more of these; a report has them all.\n", shown - kMostShown);
    std::string text =
        fmt::format("Claims: {} of {} holds were believed only while the server had them first.\n", within,
                    claims.holds().size()) +
        lines;
    if (claims.clockBehindMs() > 0)
        text +=
            fmt::format("A program believed {} before it had asked: its clock is behind that of the server, "
                        "by that or more.\n",
                        spanText(claims.clockBehindMs()));
    if (claims.ignored() > 0)
        text += fmt::format("{} lines of the claims say nothing new: ends without a begin, or begins without "
                            "an end.\n",
                            claims.ignored());
    return text;
}

json::object claimsJson(const history::ClaimedHolds& claims, const SessionNames& sessions)
{
    json::array holds;
    for (const history::ClaimedHold& hold : claims.holds()) {
        json::object one{{"line", hold.line},
                         {"node", written(hold.words, sessions)},
                         {"verdict", name(claims.verdictOf(hold))},
                         {"believed_from", utc(hold.beginMs)},
                         {"believed_to", timeOrNull(hold.endMs)},
                         {"early_ms", claims.earlyMs(hold)},
                         {"late_ms", claims.lateMs(hold)}};
        if (hold.node) {
            const history::ClaimedNode& node = claims.nodes()[*hold.node];
            one["lock"] = written(node.lockPath, sessions);
            one["session"] = textOrNull(sessions(node.session));
            one["first_from"] = timeOrNull(node.entitledMs);
            one["first_to"] = timeOrNull(node.endedMs);
            one["end"] = node.endedMs ? json::value(name(node.reason)) : json::value();
        }
        json::array others;
        for (const history::ClaimedHold::Other& other : hold.others)
            others.push_back(json::object{{"node", written(other.name, sessions)},
                                          {"session", textOrNull(sessions(other.session))},
                                          {"from", utc(other.fromMs)},
                                          {"to", timeOrNull(other.toMs ? other.toMs : hold.endMs)}});
        one["two_at_once"] = std::move(others);
        holds.push_back(std::move(one));
    }
    return {{"holds", std::move(holds)},
            {"ignored_lines", claims.ignored()},
            {"clock_behind_ms", claims.clockBehindMs()}};
}

std::string locksTable(const history::History& history)
{
    std::size_t width = 4, count = 0;
    history.forEachLock([&](LockSummary&& lock) {
        width = std::max(width, std::min<std::size_t>(lock.path.size(), 60));
        ++count;
    });
    std::string text = fmt::format("{:<{}}  {:<16} {:>8} {:>8} {:>8} {:>7} {:>12} {:>12} {:>6}  {}\n", "Lock",
                                   width, "Recipe", "Acquired", "Handoffs", "Expired", "Gave up",
                                   "Longest hold", "Longest wait", "Queue", "Last used (UTC)");
    history.forEachLock([&](LockSummary&& lock) {
        text += fmt::format("{:<{}}  {:<16} {:>8} {:>8} {:>8} {:>7} {:>12} {:>12} {:>6}  {}\n",
                            plain(lock.path, 200), width, name(lock.recipe), lock.ends.acquisitions(),
                            lock.handoffs, lock.ends.sessionExpired, lock.ends.gaveUp,
                            spanText(lock.longestHoldMs), spanText(lock.longestWaitMs), lock.deepestQueue,
                            utc(lock.lastUsedMs));
    });
    std::size_t begun = 0, hidden = 0;
    history.forEachLock([&](LockSummary&& lock) {
        if (lock.ends.endUnknown > 0)
            text += fmt::format(
                "{}: whether and when {} of its {} acquisitions ended is unknown, because of a gap.\n",
                plain(lock.path, 200), lock.ends.endUnknown, lock.ends.acquisitions());
        if (lock.ends.unknown > 0)
            text += fmt::format("{}: of {} more {} it is unknown whether {} held.\n", plain(lock.path, 200),
                                lock.ends.unknown, lock.ends.unknown == 1 ? "node" : "nodes",
                                lock.ends.unknown == 1 ? "it" : "they");
        if (!lock.foreignInFront.empty())
            text += fmt::format("{}: nobody can hold it: the node {} is in front, which does not belong to a "
                                "lock.\n",
                                plain(lock.path, 200), plain(lock.foreignInFront, 100));
        if (!lock.showsHolders && hidden++ < kMaxBegun)
            text += fmt::format("{}: {}{}.\n", plain(lock.path, 200),
                                lock.recipe == history::Recipe::members ? "no lock, but registrations"
                                : lock.recipe == history::Recipe::fixedName
                                    ? "several sessions have made this node in turn: by its name it may be a "
                                      "lock or a registration"
                                    : "it is not known who held: its nodes do not show it",
                                lock.otherLibrary == queue::Library::none
                                    ? std::string()
                                    : fmt::format(" ({})", name(lock.otherLibrary)));
        if (lock.missedCreates > 0)
            text +=
                fmt::format("{}: {} {} created in a gap, by the parent's cversion.\n", plain(lock.path, 200),
                            lock.missedCreates, lock.missedCreates == 1 ? "node was" : "nodes were");
        if (lock.knownSince.valid() && begun++ < kMaxBegun)
            text += fmt::format(
                "{}: the history begins inside its queue. It is known since {} ({}); a node from before "
                "that may be in front until it is named.\n",
                plain(lock.path, 200), utc(lock.knownSinceMs), hexText(lock.knownSince));
    });
    if (hidden > kMaxBegun)
        text += fmt::format("Nor is it known of {} more.\n", hidden - kMaxBegun);
    if (begun > kMaxBegun)
        text += fmt::format("The history begins inside the queues of {} more locks.\n", begun - kMaxBegun);
    for (const history::NeverConfirmed& one : history.neverConfirmed())
        text += fmt::format(
            "Left out: {} {} from {} to {}, which {} never confirmed; another leader went on without {}.\n",
            one.transactions, one.transactions == 1 ? "transaction" : "transactions", hexText(one.first),
            hexText(one.last), one.transactions == 1 ? "was" : "were", one.transactions == 1 ? "it" : "them");
    if (history.transactions() == 0 && history.snapshot().valid())
        return text + fmt::format("No transaction. This is what the snapshot of {} has{}.\n",
                                  hexText(history.snapshot()),
                                  history.lastMs() == 0 ? "; none of its nodes tells its time"
                                                        : ", as of " + utc(history.lastMs()) + " or later");
    if (history.transactions() == 0)
        return text + "No transaction.\n";
    text += fmt::format("{} {} in {} transactions, {} to {}, {} to {}.\n", count,
                        count == 1 ? "lock" : "locks", history.transactions(), hexText(history.first()),
                        hexText(history.last()), utc(history.firstMs()), utc(history.lastMs()));
    if (const auto tail = history.unconfirmedTail())
        text += fmt::format(
            "The last {} transactions, after {}, are confirmed by no later epoch and no snapshot.\n",
            tail->transactions, hexText(tail->after));
    return text;
}

void writeCsv(const history::History& history, const SessionNames& sessions,
              const std::function<void(std::string_view)>& write)
{
    write(
        "path,recipe,acquisitions,handoffs,released,gave_up,session_closed,session_expired,deleted_by_other,"
        "open,longest_hold_ms,longest_wait_ms,deepest_queue,last_used,end_unknown\n");
    history.forEachLock([&](LockSummary&& lock) {
        write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                          exports::csvCell(sessions.inText(lock.path)), name(lock.recipe),
                          lock.ends.acquisitions(), lock.handoffs, lock.ends.released, lock.ends.gaveUp,
                          lock.ends.sessionClosed, lock.ends.sessionExpired, lock.ends.deletedByOther,
                          lock.ends.open, lock.longestHoldMs, lock.longestWaitMs, lock.deepestQueue,
                          utc(lock.lastUsedMs), lock.ends.endUnknown));
    });
}

std::string queueEntriesTable(const history::History& history, const SessionNames& sessions,
                              const history::ParticipantNames& participants)
{
    std::string text = fmt::format("{:<24}  {:>10} {:>10}  {:<16} {:<18}  {}\n", "Created (UTC)", "Wait",
                                   "Hold", "End", "Session", "Node");
    for (const QueueEntry& stay : history.queueEntries()) {
        const bool isEndKnown = !stay.endedMs || stay.reason != history::EndReason::unknown;
        const std::int64_t until = isEndKnown ? stay.endedMs.value_or(history.lastMs()) : stay.knownUntilMs;
        const std::int64_t entitled = stay.entitledMs.value_or(until);
        std::string end = stay.endedMs      ? endOf(stay)
                          : stay.unsure     ? "unknown"
                          : stay.entitledMs ? "holds"
                                            : "waits";
        const std::string by = stay.reason == history::EndReason::deletedByOther
                                   ? " (ended by " + sessions(stay.endedBy) + ")"
                                   : "";
        std::string who = plain(participants.of(stay.session, stay.identity), 64);
        who = who.empty() ? who : "  " + who;
        text +=
            fmt::format("{:<24}  {:>10} {:>10}  {:<16} {:<18}  {}/{}{}{}\n", utc(stay.createdMs),
                        stay.unsure || (stay.entitledMs && stay.sinceUnknown)
                            ? "unknown"
                            : spanText(std::max<std::int64_t>(0, entitled - stay.createdMs)),
                        stay.unsure        ? "unknown"
                        : !stay.entitledMs ? ""
                        : !isEndKnown      ? "unknown"
                                           : spanText(std::max<std::int64_t>(0, until - entitled)),
                        end, sessions(stay.session), plain(stay.parent, 200), plain(stay.node, 100), who, by);
        for (const QueueEntry::Write& write : stay.writes)
            text += fmt::format("{:<24}  its data was written by another session, {}\n", utc(write.timeMs),
                                sessions(write.by));
    }
    for (const history::FolderDeletion& one : history.folderDeletions())
        text += fmt::format("{:<24}  {} was deleted by {}\n", utc(one.timeMs), plain(one.parent, 200),
                            sessions(one.by));
    return text;
}

std::string waitsTable(const history::History& history, const SessionNames& sessions)
{
    std::string text;
    history.forEachLock([&](LockSummary&& lock) {
        const history::LockWaits waits(history, lock.path);
        const QueueEntry* longest = nullptr;
        queue::WaitSplit longestSplit, all;
        std::size_t count = 0;
        for (const QueueEntry* entry : waits.entries()) {
            const auto split = waits.of(*entry);
            if (!split)
                continue;
            ++count;
            all.whole += split->whole;
            for (std::size_t i = 0; i < queue::kWaitParts; ++i)
                if (split->parts[i])
                    all.parts[i] = all.parts[i].value_or(0) + *split->parts[i];
            if (longest && split->whole <= longestSplit.whole)
                continue;
            longest = entry;
            longestSplit = *split;
        }
        if (!longest)
            return;
        text += fmt::format("\nThe longest wait for {}, of {} (session {}), {}.\n", plain(lock.path, 200),
                            plain(longest->node, 100), sessions(longest->session),
                            waitText(longestSplit, [&](std::size_t number) {
                                return plain(waits.entries()[number]->node, 100);
                            }));
        text += fmt::format("All {} waits for it, {}.\n", count, waitText(all, {}));
    });
    return text;
}

std::string worthTable(const history::History& history)
{
    std::string text;
    bool any = false;
    history.forEachLock([&](LockSummary&& lock) {
        if (!isExclusive(lock)) {
            text +=
                fmt::format("Worth of {}: not known, as several may hold it at once or nobody can tell.\n",
                            plain(lock.path, 200));
            return;
        }
        const history::LockWorth worth = history::worthOf(history.queueEntries(), lock.path);
        text +=
            fmt::format("Worth of {}: {} requests of {} sessions; {} gave up, {} not seen from begin to "
                        "end.\n",
                        plain(lock.path, 200), worth.requests, worth.sessions, worth.gaveUp, worth.leftOut);
        if (!worth.isEnough()) {
            text += fmt::format("  Fewer than {} tell nothing.\n", history::LockWorth::kLeastRequests);
            return;
        }
        any = true;
        text += fmt::format("  {:<20} {:>12} {:>16} {:>12}\n", "", "mean wait", "95 of 100 within",
                            "holds per s");
        const auto row = [&text](const char* name, const history::QueueFigures& one) {
            text += fmt::format("  {:<20} {:>12} {:>16} {:>12.2f}\n", name,
                                spanText(std::llround(one.meanWaitMs)),
                                spanText(std::llround(one.longWaitMs)), one.perSecond);
        };
        row("recorded", worth.recorded);
        row("model, no change", worth.model);
        if (!worth.fits()) {
            text += "  The model does not give what was recorded: nothing is predicted for this lock.\n";
            return;
        }
        row("holds half as long", worth.halved);
        row("split in two", worth.split);
    });
    if (any)
        text += "Assumed: sessions come back as long after a release as they did; a client holds while it is "
                "first; who gave up would not have come; requests fall into the halves of a split lock by "
                "chance, one half each. What an announced handoff would win is not in a log.\n";
    return text;
}

std::string findingsTable(const history::History& history)
{
    std::string text =
        "\nThe server's view only: a transaction log does not contain what clients believed.\n";
    for (const history::RuleFinding& finding : history.findings().all())
        text += fmt::format("{:<9} {:<22} {}\n",
                            finding.violated > 0                            ? "violated"
                            : finding.canBeChecked && finding.unknown > 0   ? "unknown"
                            : !finding.canBeChecked || finding.checked == 0 ? "-"
                                                                            : "ok",
                            name(finding.rule), plain(finding.text(), 400));
    return text;
}

} // namespace lockscope::app
