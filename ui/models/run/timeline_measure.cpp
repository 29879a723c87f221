#include "ui/models/run/timeline_measure.h"

#include <boost/iterator/counting_iterator.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

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

void addHolds(const replay::Timeline& timeline, const replay::LockHolders::Track& track, TraceTime from,
              TraceTime to, TraceTime now, std::map<ClientId, HeldShare>& shares)
{
    const auto endOf = [now](const replay::LockHolders::Hold& hold) {
        return hold.end == kForever ? now : hold.end;
    };
    const auto first = std::partition_point(track.begin(), track.end(),
                                            [&](const auto& hold) { return endOf(hold) < from; });
    for (auto hold = first; hold != track.end() && hold->begin <= to; ++hold) {
        HeldShare& share = shares[hold->client];
        share.client = hold->client;
        ++share.holds;
        share.held += timeline.running(std::max(hold->begin, from), std::min(endOf(*hold), to));
    }
}

} // namespace

StretchStatistics stretchStatistics(const replay::Timeline& timeline, const replay::LockHolders& holders,
                                    TraceTime from, TraceTime to, TraceTime now)
{
    StretchStatistics result;
    std::vector<Duration> latencies;
    const std::size_t end = timeline.handoffsBefore(to + Duration(1));
    for (std::size_t i = timeline.handoffsBefore(from); i < end; ++i)
        if (const replay::Handoff& handoff = timeline.handoff(i); !handoff.paused)
            latencies.push_back(handoff.latency());
    std::ranges::sort(latencies);
    result.handoffs = latencies.size();
    result.p50 = percentile(latencies, 50);
    result.p99 = percentile(latencies, 99);
    result.longest = latencies.empty() ? Duration{} : latencies.back();
    std::map<ClientId, HeldShare> shares;
    for (const replay::LockHolders::Lock& lock : holders.locks())
        for (const replay::LockHolders::Track& track : lock.tracks)
            addHolds(timeline, track, from, to, now, shares);
    for (const auto& [client, share] : shares)
        result.holders.push_back(share);
    std::ranges::stable_sort(result.holders, std::greater(), &HeldShare::held);
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
