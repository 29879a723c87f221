#include "ui/timeline/default_span.h"

#include "ui/models/run/time_window.h"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockscope::ui {

namespace {

constexpr std::size_t kLookedAt = 256, kTooFew = 6;     // handoffs
constexpr std::size_t kTurnsNow = 12;                   // the turns by which the span is chosen
constexpr std::size_t kOutliersPer = 8;                 // of this many intervals, the longest is ignored
constexpr Duration kMaxSpan = std::chrono::seconds(20); // at a slow pace
constexpr int kDefaultTurns = 12;                       // in a newly chosen span
constexpr int kStillFew = 4, kStillMany = 26;           // turns in a span that is kept
constexpr Duration kMaxQuiet =
    std::chrono::minutes(2); // without a handoff: while stepping, or during a fault
constexpr Duration kSlowStart = std::chrono::seconds(4); // until the first handoff
constexpr int kStillQuiet = 6; // a kept span is at most this many times the quiet time

// The typical time from one turn to the next, without pauses of the run; readers that enter together take one
// turn. Ignores the longest interval, in which no client wanted the lock or a fault lasted. Uses only the
// turns nearest to this moment, so that a new pace shows after two of them.
Duration typicalInterval(const replay::Timeline& timeline, TraceTime near)
{
    const std::size_t all = timeline.handoffCount();
    const std::size_t count = std::min(all, kLookedAt);
    const std::size_t before = timeline.handoffsBefore(near);
    const std::size_t first = std::min(before - std::min(before, count / 2), all - count);
    boost::container::static_vector<Duration, kLookedAt> intervals;
    std::size_t after = 0; // the number of intervals that end after this moment
    std::size_t turn = first;
    for (std::size_t i = first; i < first + count; ++i) {
        if (timeline.handoff(i).released == timeline.handoff(turn).released)
            continue;
        intervals.push_back(timeline.running(timeline.handoff(turn).acquired, timeline.handoff(i).acquired));
        after += timeline.handoff(i).acquired > near ? 1 : 0;
        turn = i;
    }
    if (intervals.size() + 1 < kTooFew)
        return Duration::zero();
    // The current turn counts if a longest interval is ignored.
    if (after == 0 && intervals.size() >= kTurnsNow)
        intervals.push_back(timeline.running(timeline.handoff(turn).acquired, near));
    const std::size_t used = std::min(intervals.size(), kTurnsNow);
    const std::size_t middle = intervals.size() - after;
    const auto begin =
        intervals.begin() +
        static_cast<std::ptrdiff_t>(std::min(intervals.size() - used, middle - std::min(middle, used / 2)));
    const auto end = begin + static_cast<std::ptrdiff_t>(used);
    const auto kept = end - static_cast<std::ptrdiff_t>(used / kOutliersPer);
    std::nth_element(begin, kept - 1, end);
    return std::accumulate(begin, kept, Duration{}) / (kept - begin);
}

// The nearest of 1, 2 or 5 times a power of ten.
Duration rounded(Duration wanted)
{
    Duration step = TimeWindow::kMinLength;
    for (int i = 0;; ++i) {
        const Duration next = i % 3 == 1 ? step * 5 / 2 : step * 2;
        const double between =
            std::sqrt(static_cast<double>(step.count()) * static_cast<double>(next.count()));
        if (static_cast<double>(wanted.count()) < between)
            return step;
        step = next;
    }
}

Duration spanOfTurns(const replay::Timeline& timeline, TraceTime near, Duration now)
{
    const Duration interval = typicalInterval(timeline, near);
    if (interval <= Duration::zero())
        return now;
    const bool few = now < kMaxSpan && now < kStillFew * interval;
    if (!few && now <= kStillMany * interval)
        return now;
    return std::min(kMaxSpan, rounded(kDefaultTurns * interval));
}

// The time since the last handoff, without pauses of the run; zero while the run may only just have begun.
Duration quietTime(const replay::Timeline& timeline, TraceTime near)
{
    const std::size_t before = timeline.handoffsBefore(near);
    if (before > 0)
        return timeline.running(timeline.handoff(before - 1).acquired, near);
    const Duration since = timeline.running({}, near);
    return since > kSlowStart ? since : Duration::zero();
}

} // namespace

Duration defaultSpan(const replay::Timeline& timeline, TraceTime near, Duration now)
{
    const Duration turns = spanOfTurns(timeline, near, now),
                   quiet = std::min(quietTime(timeline, near), kMaxQuiet);
    if (quiet <= turns)
        return turns;
    return now >= quiet && now <= kStillQuiet * quiet ? now : rounded(2 * quiet);
}

} // namespace lockscope::ui
