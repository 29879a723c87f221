#include "core/history/worth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <random>
#include <unordered_map>
#include <utility>

namespace lockscope::history {

namespace {

constexpr int kSplits = 16; // by different chances

struct PlayedRequest
{
    double arrivalMs = 0, holdMs = 0;
    std::optional<std::size_t> after{}; // the request whose end it follows
    double pauseMs = 0;                 // after that end
};

QueueFigures figuresOf(std::vector<double> waits, double spanMs)
{
    QueueFigures figures;
    if (waits.empty())
        return figures;
    std::sort(waits.begin(), waits.end());
    for (const double wait : waits)
        figures.meanWaitMs += wait / static_cast<double>(waits.size());
    figures.longWaitMs = waits[(waits.size() - 1) * 95 / 100];
    figures.perSecond = spanMs > 0 ? static_cast<double>(waits.size()) * 1000 / spanMs : 0;
    return figures;
}

// First come, first served, in each of the parts.
QueueFigures play(const std::vector<PlayedRequest>& requests, double holdFactor, unsigned parts,
                  unsigned seed)
{
    std::mt19937 chance(seed);
    std::vector<std::vector<std::size_t>> followers(requests.size());
    using Arrival = std::pair<double, std::size_t>;
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals;
    for (std::size_t i = 0; i < requests.size(); ++i)
        if (requests[i].after)
            followers[*requests[i].after].push_back(i);
        else
            arrivals.emplace(requests[i].arrivalMs, i);
    std::vector<double> freeAt(parts, -std::numeric_limits<double>::infinity()), waits;
    double first = std::numeric_limits<double>::infinity(), last = -first;
    while (!arrivals.empty()) {
        const auto [arrival, number] = arrivals.top();
        arrivals.pop();
        double& free = freeAt[chance() % parts];
        const double begin = std::max(arrival, free);
        free = begin + requests[number].holdMs * holdFactor;
        waits.push_back(begin - arrival);
        first = std::min(first, arrival);
        last = std::max(last, free);
        for (const std::size_t follower : followers[number])
            arrivals.emplace(free + requests[follower].pauseMs, follower);
    }
    return figuresOf(std::move(waits), last - first);
}

} // namespace

bool LockWorth::fits() const
{
    const auto near = [](double one, double other) {
        constexpr double kSmall = 2; // ms: the log's times are whole ones
        return std::abs(one - other) <= std::max(kFits * other, kSmall);
    };
    return near(model.meanWaitMs, recorded.meanWaitMs) &&
           std::abs(model.perSecond - recorded.perSecond) <= kFits * recorded.perSecond;
}

LockWorth worthOf(const std::vector<QueueEntry>& entries, std::string_view lock)
{
    LockWorth worth;
    std::vector<const QueueEntry*> played;
    for (const QueueEntry& entry : entries) {
        if (entry.lockPath != lock)
            continue;
        if (entry.reason == EndReason::gaveUp && entry.endedMs)
            ++worth.gaveUp;
        else if (entry.beforeLog || entry.unsure || entry.sinceUnknown || !entry.entitledMs ||
                 !entry.endedMs || entry.reason == EndReason::unknown || !entry.session.valid())
            ++worth.leftOut;
        else
            played.push_back(&entry);
    }
    std::stable_sort(played.begin(), played.end(),
                     [](const QueueEntry* a, const QueueEntry* b) { return a->createdMs < b->createdMs; });
    std::vector<PlayedRequest> requests;
    std::unordered_map<std::int64_t, std::size_t> lastOf; // request of a session
    std::vector<double> waits;
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = 0; i < played.size(); ++i) {
        const QueueEntry& entry = *played[i];
        PlayedRequest request{static_cast<double>(entry.createdMs),
                              static_cast<double>(*entry.endedMs - *entry.entitledMs)};
        const auto [last, isFirst] = lastOf.try_emplace(entry.session.value, i);
        if (!isFirst && entry.createdMs >= *played[last->second]->endedMs) {
            request.after = last->second;
            request.pauseMs = static_cast<double>(entry.createdMs - *played[last->second]->endedMs);
        }
        last->second = i;
        requests.push_back(request);
        waits.push_back(static_cast<double>(*entry.entitledMs - entry.createdMs));
        end = std::max(end, *entry.endedMs);
    }
    worth.requests = requests.size();
    worth.sessions = lastOf.size();
    if (!worth.isEnough())
        return worth;
    worth.recorded = figuresOf(std::move(waits), static_cast<double>(end - played.front()->createdMs));
    worth.model = play(requests, 1, 1, 0);
    worth.halved = play(requests, 0.5, 1, 0);
    for (unsigned seed = 0; seed < kSplits; ++seed) {
        const QueueFigures one = play(requests, 1, 2, seed);
        worth.split.meanWaitMs += one.meanWaitMs / kSplits;
        worth.split.longWaitMs += one.longWaitMs / kSplits;
        worth.split.perSecond += one.perSecond / kSplits;
    }
    return worth;
}

} // namespace lockscope::history
