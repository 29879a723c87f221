#include "ui/timeline/usual_span.h"

#include "ui/models/time_window.h"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockscope::ui {

namespace {

constexpr std::size_t kLookedAt = 256, kTooFew = 6;     // handoffs
constexpr Duration kLongest = std::chrono::seconds(20); // at a slow pace
constexpr int kUsualTurns = 12;                         // in a span that is chosen here
constexpr int kStillFew = 4, kStillMany = 26;      // in one that is kept

// From one turn to the next, usually: readers who are let in together take one turn. The longest intervals,
// in which nobody wanted the lock or a fault was mended, do not count.
Duration usualInterval(const replay::Timeline& timeline, TraceTime near)
{
    const std::size_t all = timeline.handoffCount();
    const std::size_t count = std::min(all, kLookedAt);
    const std::size_t before = timeline.handoffsBefore(near);
    const std::size_t first = std::min(before - std::min(before, count / 2), all - count);
    boost::container::static_vector<Duration, kLookedAt> intervals;
    for (std::size_t i = first, turn = first; i < first + count; ++i) {
        if (timeline.handoff(i).released == timeline.handoff(turn).released)
            continue;
        intervals.push_back(timeline.handoff(i).acquired - timeline.handoff(turn).acquired);
        turn = i;
    }
    if (intervals.size() + 1 < kTooFew)
        return Duration::zero();
    const auto kept = intervals.end() - static_cast<std::ptrdiff_t>(intervals.size() / 8);
    std::nth_element(intervals.begin(), kept - 1, intervals.end());
    return std::accumulate(intervals.begin(), kept, Duration{}) / (kept - intervals.begin());
}

// The one of 1, 2 or 5 times a power of ten that is nearest.
Duration rounded(Duration wanted)
{
    Duration step = TimeWindow::kShortest;
    for (int i = 0;; ++i) {
        const Duration next = i % 3 == 1 ? step * 5 / 2 : step * 2;
        const double between =
            std::sqrt(static_cast<double>(step.count()) * static_cast<double>(next.count()));
        if (static_cast<double>(wanted.count()) < between)
            return step;
        step = next;
    }
}

} // namespace

Duration usualSpan(const replay::Timeline& timeline, TraceTime near, Duration now)
{
    const Duration interval = usualInterval(timeline, near);
    if (interval <= Duration::zero())
        return now;
    const bool few = now < kLongest && now < kStillFew * interval;
    if (!few && now <= kStillMany * interval)
        return now;
    return std::min(kLongest, rounded(kUsualTurns * interval));
}

} // namespace lockscope::ui
