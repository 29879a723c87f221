#include "ui/charts/time_columns.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui::time_chart {

namespace {

constexpr int kColumn = 4;            // pixels
constexpr int kSlice = 14;            // pixels of a column of percentiles
constexpr std::size_t kMinSlices = 8; // the fewest that still show a change over time
constexpr std::size_t kMinColumns = 20;
constexpr std::uint64_t kInColumn = 3; // items on average, for a ratio

std::uint64_t countOf(ChartKind kind, const replay::Series& series)
{
    double all = 0;
    for (const replay::Series::Bucket& bucket : series.buckets())
        all += weightOf(kind, bucket);
    return static_cast<std::uint64_t>(all);
}

} // namespace

TimeColumns::TimeColumns(ChartKind kind, const ChartSource& source, int room)
    : series(source.series)
    , neighbours(series.neighboursFor(
          static_cast<std::size_t>(std::max(1, room / (kind == ChartKind::percentiles ? kSlice : kColumn)))))
    , end(std::max(series.end(), source.cursor))
    , unit(plotUnit(end))
{
    if (kind != ChartKind::queueLength)
        joinUntilFilled(kind);
    width = series.width() * static_cast<Duration::rep>(neighbours);
}

void TimeColumns::joinUntilFilled(ChartKind kind)
{
    const bool percentiles = kind == ChartKind::percentiles;
    const std::uint64_t wanted = percentiles ? kEnough : kInColumn;
    const std::uint64_t count = countOf(kind, series);
    const std::size_t least = neighbours;
    const auto filled = [&] { return count * neighbours >= wanted * series.buckets().size(); };
    while (!filled() && series.buckets().size() / neighbours / 2 >= (percentiles ? kMinSlices : kMinColumns))
        neighbours *= 2;
    slices = filled();
    if (percentiles && !slices)
        neighbours = least;
}

double TimeColumns::begin(std::size_t column) const { return inUnit(unit, time(column)); }

double TimeColumns::endOf(std::size_t column) const
{
    return std::min(begin(column + 1), inUnit(unit, series.end()));
}

double TimeColumns::middleOf(std::size_t bucket) const
{
    const double length = inUnit(unit, series.width());
    return std::min((static_cast<double>(bucket) + 0.5) * length, inUnit(unit, series.end()));
}

std::optional<std::size_t> TimeColumns::at(double x) const
{
    const double place = std::floor(x / inUnit(unit, width));
    const std::size_t count = (series.buckets().size() + neighbours - 1) / neighbours;
    if (place < 0 || place >= static_cast<double>(count))
        return std::nullopt;
    return static_cast<std::size_t>(place);
}

double ratioOf(ChartKind kind, const replay::Series::Bucket& bucket)
{
    return kind == ChartKind::wakeUps ? bucket.wakeUpsPerRelease() : bucket.requestsPerAcquisition();
}

double weightOf(ChartKind kind, const replay::Series::Bucket& bucket)
{
    switch (kind) {
    case ChartKind::percentiles:
        return static_cast<double>(bucket.handoffs);
    case ChartKind::wakeUps:
        return static_cast<double>(std::max<std::int64_t>(0, bucket.watchedGone));
    default:
        return static_cast<double>(bucket.acquired);
    }
}

} // namespace lockscope::ui::time_chart
