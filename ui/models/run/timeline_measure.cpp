#include "ui/models/run/timeline_measure.h"

#include <boost/iterator/counting_iterator.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace lockscope::ui {

namespace {

// The smallest of the sorted values that at least this percentage of them do not exceed.
Duration percentile(const std::vector<Duration>& sorted, double percent)
{
    if (sorted.empty())
        return {};
    const double rank = std::ceil(percent / 100.0 * static_cast<double>(sorted.size()));
    return sorted[std::min(sorted.size(), static_cast<std::size_t>(std::max(1.0, rank))) - 1];
}

struct Times
{
    std::vector<Duration> holds, waits, handoffs;
};

Spread spreadOf(std::vector<Duration>& times)
{
    std::ranges::sort(times);
    return {times.size(), std::accumulate(times.begin(), times.end(), Duration{}), percentile(times, 50),
            percentile(times, 99), times.empty() ? Duration{} : times.back()};
}

StretchShare shareOf(ClientId client, Times& times)
{
    return {client, spreadOf(times.holds), spreadOf(times.waits), spreadOf(times.handoffs)};
}

void append(std::vector<Duration>& all, const std::vector<Duration>& some)
{
    all.insert(all.end(), some.begin(), some.end());
}

} // namespace

StretchStatistics stretchStatistics(const replay::Timeline& timeline, const replay::LockHolders& holders,
                                    TraceTime from, TraceTime to, TraceTime now)
{
    std::map<ClientId, Times> clients;
    const auto within = [&](TraceTime begin, TraceTime end) {
        return timeline.running(std::max(begin, from), std::min(end == kForever ? now : end, to));
    };
    const std::size_t end = timeline.handoffsBefore(to + Duration(1));
    for (std::size_t i = timeline.handoffsBefore(from); i < end; ++i)
        if (const replay::Handoff& handoff = timeline.handoff(i); !handoff.paused)
            clients[handoff.to].handoffs.push_back(handoff.latency());
    for (const replay::LockHolders::Lock& lock : holders.locks())
        for (const replay::LockHolders::Track& track : lock.tracks) {
            auto hold = std::ranges::partition_point(track, [&](const replay::LockHolders::Hold& one) {
                return (one.end == kForever ? now : one.end) < from;
            });
            for (; hold != track.end() && hold->begin <= to; ++hold)
                clients[hold->client].holds.push_back(within(hold->begin, hold->end));
        }
    std::vector<replay::Span> spans;
    for (std::uint32_t lane = 0; lane < timeline.laneCount(); ++lane) {
        spans.clear();
        for (const auto row : {replay::LaneRow::spans, replay::LaneRow::waitsDuringHold})
            timeline.spans(ClientId{lane}, from, to + Duration(1), Duration(1), spans, row);
        for (const replay::Span& span : spans)
            if (span.kind == replay::SpanKind::waiting && span.begin <= to)
                clients[ClientId{lane}].waits.push_back(within(span.begin, span.end));
    }
    StretchStatistics result;
    Times all;
    for (auto& [client, times] : clients) {
        append(all.holds, times.holds);
        append(all.waits, times.waits);
        append(all.handoffs, times.handoffs);
        result.clients.push_back(shareOf(client, times));
    }
    result.all = shareOf(ClientId::none(), all);
    std::ranges::stable_sort(result.clients, std::greater(),
                             [](const StretchShare& share) { return share.holds.total; });
    return result;
}

MeasuredStretch measureStretch(const replay::Timeline& timeline, const trace::TraceStore& store,
                               std::size_t drained, TraceTime one, TraceTime other)
{
    MeasuredStretch stretch;
    stretch.from = std::min(one, other);
    stretch.to = std::max(one, other);
    stretch.running = timeline.running(stretch.from, stretch.to);
    const TraceTime after = stretch.to + Duration(1);
    stretch.handoffs = timeline.handoffsBefore(after) - timeline.handoffsBefore(stretch.from);
    const auto eventsBefore = [&](TraceTime time) {
        using Index = boost::counting_iterator<std::size_t>;
        return *std::partition_point(Index(0), Index(drained),
                                     [&](std::size_t i) { return store.at(i).at < time; });
    };
    stretch.events = eventsBefore(after) - eventsBefore(stretch.from);
    return stretch;
}

} // namespace lockscope::ui
