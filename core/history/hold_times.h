// Histograms of how long the nodes of some locks held a lock and how long they waited for it. Values of
// constant size. Any thread.
#pragma once

#include "core/history/lock_event.h"

#include <array>
#include <cstdint>

namespace lockscope::history {

class DurationHistogram
{
public:
    // A bar is a third of a decade: bar i begins at 10^(i/3) ms, the first one at 0; the last one has no
    // upper end.
    static constexpr std::size_t kBars = 27;

    void add(std::int64_t ms);
    // Removes one duration that was added. Its class keeps its longest duration until the class is empty, so
    // longestMs() and percentiles may then be about a tenth too long.
    void takeBack(std::int64_t ms);
    std::uint64_t count() const { return m_count; }
    std::int64_t longestMs() const { return m_longestMs; }
    std::uint64_t bar(std::size_t index) const;
    bool operator==(const DurationHistogram&) const = default;
    // The duration that the fraction `part` (0 to 1) of all durations does not exceed, to within a tenth; 0
    // without any.
    std::int64_t percentileMs(double part) const;

private:
    static constexpr std::size_t kClassesInBar = 8;
    struct Class
    {
        std::uint64_t count = 0;
        std::int64_t longestMs = 0;
        bool operator==(const Class&) const = default;
    };
    Class& classOf(std::int64_t ms);

    std::array<Class, kBars * kClassesInBar> m_classes{};
    std::uint64_t m_count = 0;
    std::int64_t m_longestMs = 0;
};

struct HoldTimes
{
    DurationHistogram holds; // of acquisitions that ended
    DurationHistogram waits; // that ended with an acquisition

    void add(const LockEvent& event);
};

} // namespace lockscope::history
