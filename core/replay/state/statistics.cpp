#include "core/replay/state/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace lockscope::replay {

namespace {

constexpr std::int64_t kFirst = 1'000; // ns: where the first step begins
constexpr std::size_t kStepsPerDoubling = 64;
constexpr std::size_t kDoublings = 32;
constexpr std::size_t kSteps = kStepsPerDoubling * kDoublings;
static_assert(kSteps == Histogram::kMostSteps);

std::size_t stepOf(Duration value)
{
    const std::int64_t ns = value.count();
    if (ns <= kFirst)
        return 0;
    const auto doubling = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(ns / kFirst)) - 1);
    if (doubling >= kDoublings)
        return kSteps - 1;
    const std::int64_t begin = kFirst << doubling;
    return doubling * kStepsPerDoubling + static_cast<std::size_t>((ns - begin) * 64 / begin);
}

std::int64_t beginOf(std::size_t step)
{
    const std::int64_t begin = kFirst << (step / kStepsPerDoubling);
    return begin + begin * static_cast<std::int64_t>(step % kStepsPerDoubling) / 64;
}

Duration middleOf(std::size_t step) { return Duration((beginOf(step) + beginOf(step + 1)) / 2); }

} // namespace

void Histogram::add(Duration value)
{
    value = std::max(value, Duration::zero());
    const std::size_t step = stepOf(value);
    if (step >= m_steps.size())
        m_steps.resize(step + 1);
    ++m_steps[step];
    ++m_count;
    m_max = std::max(m_max, value);
}

Histogram Histogram::of(std::vector<std::uint32_t> steps, Duration max)
{
    Histogram histogram;
    histogram.m_steps = std::move(steps);
    for (const std::uint32_t values : histogram.m_steps)
        histogram.m_count += values;
    histogram.m_max = max;
    return histogram;
}

void Histogram::join(const Histogram& other)
{
    if (m_steps.size() < other.m_steps.size())
        m_steps.resize(other.m_steps.size());
    for (std::size_t step = 0; step < other.m_steps.size(); ++step)
        m_steps[step] += other.m_steps[step];
    m_count += other.m_count;
    m_max = std::max(m_max, other.m_max);
}

Duration Histogram::percentile(double p) const
{
    if (m_count == 0)
        return {};
    if (!(p < 100))
        return m_max;
    // The smallest value that at least p percent of the values do not exceed.
    const auto rank = static_cast<std::uint64_t>(
        std::max(1.0, std::ceil(std::max(p, 0.0) / 100 * static_cast<double>(m_count))));
    if (rank >= m_count) // of the greatest, the exact value is known
        return m_max;
    std::uint64_t seen = 0;
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        seen += m_steps[step];
        if (seen >= rank)
            return std::min(middleOf(step), m_max);
    }
    return m_max;
}

std::vector<std::uint64_t> Histogram::bins(Duration upTo, std::size_t bins) const
{
    std::vector<std::uint64_t> counts(bins);
    if (bins == 0 || upTo <= Duration::zero())
        return counts;
    const double width = static_cast<double>(upTo.count()) / static_cast<double>(bins);
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        if (m_steps[step] == 0)
            continue;
        const double at = static_cast<double>(std::min(middleOf(step), m_max).count()) / width;
        if (at < static_cast<double>(bins))
            counts[static_cast<std::size_t>(at)] += m_steps[step];
    }
    return counts;
}

double Statistics::wakeUpsPerRelease() const
{
    return watchedGone == 0 ? 0 : static_cast<double>(wakeUps) / static_cast<double>(watchedGone);
}

void Statistics::count(std::uint32_t acquiredByClient)
{
    ++acquired;
    if (acquiredByClient > 0)
        acquiredSquares += 2 * std::uint64_t{acquiredByClient} - 1; // n squared less (n - 1) squared
}

double Statistics::requestsPerAcquisition() const
{
    return acquired == 0 ? 0 : static_cast<double>(acquisitionRequests) / static_cast<double>(acquired);
}

double Statistics::fairness() const
{
    if (acquiredSquares == 0 || acquiringClients == 0)
        return 1;
    const auto sum = static_cast<double>(acquired);
    return sum * sum / (static_cast<double>(acquiringClients) * static_cast<double>(acquiredSquares));
}

} // namespace lockscope::replay
