#include "core/history/hold_times.h"

#include <algorithm>
#include <cmath>

namespace lockscope::history {

namespace {
constexpr double kBarsInDecade = 3;
constexpr double kRounding = 1e-9; // puts 1000 ms into the class that begins there
} // namespace

DurationHistogram::Class& DurationHistogram::classOf(std::int64_t ms)
{
    const double place = ms < 1 ? 0 : std::log10(static_cast<double>(ms)) * kBarsInDecade * kClassesInBar;
    return m_classes[std::min(static_cast<std::size_t>(place + kRounding), m_classes.size() - 1)];
}

void DurationHistogram::add(std::int64_t ms)
{
    ms = std::max<std::int64_t>(0, ms);
    Class& own = classOf(ms);
    ++own.count;
    own.longestMs = std::max(own.longestMs, ms);
    ++m_count;
    m_longestMs = std::max(m_longestMs, ms);
}

void DurationHistogram::takeBack(std::int64_t ms)
{
    Class& own = classOf(ms);
    if (own.count == 0)
        return;
    --m_count;
    if (--own.count > 0)
        return;
    own.longestMs = 0;
    m_longestMs = std::ranges::max(m_classes, {}, &Class::longestMs).longestMs;
}

std::uint64_t DurationHistogram::bar(std::size_t index) const
{
    std::uint64_t count = 0;
    for (std::size_t i = index * kClassesInBar; i < (index + 1) * kClassesInBar; ++i)
        count += m_classes[i].count;
    return count;
}

std::int64_t DurationHistogram::percentileMs(double part) const
{
    const auto wanted = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(m_count)));
    std::uint64_t before = 0;
    for (const Class& one : m_classes) {
        before += one.count;
        if (before >= wanted && before > 0)
            return one.longestMs;
    }
    return m_longestMs;
}

void HoldTimes::add(const LockEvent& event)
{
    const LockNode& node = event.node;
    if (node.notEntitledMs && !node.beforeLog && event.kind != LockEvent::Kind::dataSet)
        waits.takeBack(*node.notEntitledMs - node.createdMs);
    if (event.kind == LockEvent::Kind::entitled && !node.beforeLog && !node.sinceUnknown)
        waits.add(event.timeMs - node.createdMs);
    if (event.kind == LockEvent::Kind::ended && node.entitled && !node.beforeLog && !node.sinceUnknown &&
        event.reason != EndReason::unknown)
        holds.add(event.timeMs - node.entitledMs);
}

} // namespace lockscope::history
