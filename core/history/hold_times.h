// How long the nodes of some locks were first, and how long they waited for that, as counts in classes of
// duration. Values; their size does not depend on how much was added. Any thread.
#pragma once

#include "core/history/lock_event.h"

#include <array>
#include <cstdint>

namespace lockscope::history {

class DurationHistogram
{
public:
    // A bar is a third of a decade: bar i from 10^(i/3) ms on, the first one from 0, the last one without an
    // end.
    static constexpr std::size_t kBars = 27;

    void add(std::int64_t ms);
    // One that was added. A class keeps its longest while others of it are left: what is then the longest, or
    // a percentile, may be about a tenth too long.
    void takeBack(std::int64_t ms);
    std::uint64_t count() const { return m_count; }
    std::int64_t longestMs() const { return m_longestMs; }
    std::uint64_t bar(std::size_t index) const;
    bool operator==(const DurationHistogram&) const = default;
    // One that was added, and that so many of 1 do not exceed, to within a tenth; 0 of none.
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
    DurationHistogram holds; // that ended
    DurationHistogram waits; // that ended with the lock

    void add(const LockEvent& event);
};

} // namespace lockscope::history
