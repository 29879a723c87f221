#include "ui/timeline/usual_span.h"

#include "ui/models/time_window.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr std::size_t kLookedAt = 32, kTooFew = 6; // handoffs
constexpr Duration kLongest = std::chrono::seconds(20); // at a slow pace
constexpr int kUsualHolds = 12;                    // in a span that is chosen here
constexpr int kStillFew = 4, kStillMany = 26;      // in one that is kept

// From one grant to the next, usually.
Duration usualInterval(const replay::Timeline& timeline, TraceTime near)
{
    const std::size_t all = timeline.handoffCount();
    if (all < kTooFew)
        return Duration::zero();
    const std::size_t count = std::min(all, kLookedAt);
    const std::size_t before = timeline.handoffsBefore(near);
    const std::size_t first = std::min(before - std::min(before, count / 2), all - count);
    std::array<Duration, kLookedAt> intervals;
    const auto end = intervals.begin() + static_cast<std::ptrdiff_t>(count - 1);
    for (std::size_t i = 0; i + 1 < count; ++i)
        intervals[i] = timeline.handoff(first + i + 1).acquired - timeline.handoff(first + i).acquired;
    const auto middle = intervals.begin() + (end - intervals.begin()) / 2;
    std::nth_element(intervals.begin(), middle, end);
    return *middle;
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
    return std::min(kLongest, rounded(kUsualHolds * interval));
}

} // namespace lockscope::ui
