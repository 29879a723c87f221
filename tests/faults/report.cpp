#include "tests/faults/report.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lockscope::tests {

namespace {

std::string jsonText(std::string_view text)
{
    std::string out = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\')
            out += '\\';
        out += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
    }
    return out + "\"";
}

std::string list(const std::vector<std::string>& texts)
{
    std::string out;
    for (const std::string& text : texts)
        out += (out.empty() ? "\n    " : ",\n    ") + jsonText(text);
    return "[" + out + "]";
}

// {"name": {"holds": n, "longest_ms": n}, ...} of the causes that there were.
std::string windows(const BeliefChecker::Counts& counts)
{
    std::string out;
    for (std::size_t i = 0; i < kCauses; ++i)
        if (counts.lostBy[i] > 0)
            out += fmt::format("{}{}: {{\"holds\": {}, \"longest_ms\": {:.0f}}}", out.empty() ? "" : ", ",
                               jsonText(describe(static_cast<Cause>(i))), counts.lostBy[i],
                               milliseconds(counts.longestBy[i]));
    return "{" + out + "}";
}

std::string table(const std::vector<ResourceSample>& samples)
{
    std::string out;
    for (const ResourceSample& sample : samples)
        out += fmt::format(
            "{}\n    {{\"at_s\": {:.0f}, \"resident_kb\": {}, \"descriptors\": {}, \"threads\": {}, "
            "\"server_watches\": {}, \"server_connections\": {}}}",
            out.empty() ? "" : ",", milliseconds(sample.at) / 1000, sample.residentKb, sample.descriptors,
            sample.threads, sample.watches, sample.connections);
    return "[" + out + "]";
}

} // namespace

std::string_view describe(Handoff handoff)
{
    switch (handoff) {
    case Handoff::curator:
        return "curator";
    case Handoff::announced:
        return "announced";
    case Handoff::mixed:
        return "mixed";
    }
    return "";
}

std::string FaultReport::json() const
{
    std::string faultCounts;
    for (const auto& [name, count] : faults)
        faultCounts += fmt::format("{}{}: {}", faultCounts.empty() ? "" : ", ", jsonText(name), count);
    std::vector<std::string> quoted(releases.size());
    std::ranges::transform(releases, quoted.begin(), jsonText);
    std::string out = "{\n";
    out += fmt::format("  \"members\": {}, \"clients\": {}, \"locks\": {}, \"seed\": {}, \"handoff\": {},\n",
                       options.members, options.clients, options.locks, options.seed,
                       jsonText(describe(options.handoff)));
    out += fmt::format("  \"releases\": [{}],\n", fmt::join(quoted, ", "));
    out += fmt::format("  \"duration_s\": {:.1f}, \"drained_in_s\": {:.1f},\n", seconds, drainSeconds);
    out += fmt::format("  \"acquisitions\": {}, \"reentered\": {}, \"timed_out\": {}, \"cancelled\": {}, "
                       "\"session_lost_while_waiting\": {}, \"sessions\": {}, \"longest_wait_ms\": {:.0f},\n",
                       outcomes.acquired, outcomes.reentered, outcomes.timedOut, outcomes.cancelled,
                       outcomes.sessionLost, outcomes.sessions, milliseconds(outcomes.longestWait));
    out += fmt::format("  \"mixed_acquisitions\": {}, \"revocations\": {}, \"revoked\": {}, "
                       "\"blocking_acquisitions\": {}, \"shared_nodes_held\": {}, \"leaderships\": {}, "
                       "\"blocking_lost_holds\": {},\n",
                       outcomes.mixed, outcomes.revocations, outcomes.revoked, outcomes.blocking,
                       outcomes.blockingShared, outcomes.leaderships, outcomes.blockingLost);
    out += fmt::format("  \"faults\": {{{}}},\n", faultCounts);
    out += fmt::format(
        "  \"sessions_killed\": {}, \"packets_lost\": {}, \"quiet_times\": {}, \"machine_stalls\": {}, "
        "\"longest_stall_ms\": {:.0f},\n",
        sessionsKilled, packetsLost, quietTimes, stalls, longestStall * 1000);
    out += fmt::format("  \"members_replaced_after_losing_changes\": {}, \"divergences\": {},\n",
                       membersReplaced, list(divergences));
    out +=
        fmt::format("  \"lost_holds\": {}, \"longest_stale_window_ms\": {:.0f},\n  \"stale_windows\": {},\n",
                    beliefs.lostHolds, milliseconds(beliefs.longestWindow), windows(beliefs));
    out += fmt::format(
        "  \"overlaps_in_stale_windows\": {}, \"longest_overlap_ms\": {:.0f}, \"stale_grants\": {}, "
        "\"uses\": {}, \"uses_refused_by_the_fence\": {}, \"writes_in_order\": {},\n",
        beliefs.overlaps, milliseconds(beliefs.longestOverlap), beliefs.staleGrants, beliefs.used,
        beliefs.refused, beliefs.written);
    out += fmt::format("  \"server_log\": {{\"transactions\": {}, \"nodes\": {}, \"sessions_closed\": {}, "
                       "\"writes_of_holders_checked\": {}, \"announcements_checked\": {}, "
                       "\"ends_of_holds_checked\": {}, \"releases_checked\": {}}},\n",
                       server.transactions, server.nodesMade, server.sessionsClosed, server.guardWrites,
                       server.announcements, server.holdersGone, server.releases);
    out += fmt::format("  \"violated\": {}, \"violations\": {},\n", violated(), list(violations));
    out += fmt::format("  \"orphans\": {},\n  \"stuck\": {},\n  \"watches_left\": {},\n", list(orphans),
                       list(stuck), watchesLeft);
    out += fmt::format("  \"resources\": {},\n", table(resources));
    out += fmt::format("  \"trouble\": {}, \"clean\": {}\n}}\n", jsonText(trouble), clean());
    return out;
}

} // namespace lockscope::tests
