#include "ui/charts/time_columns.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui::time_chart {

namespace {
constexpr int kColumn = 4;         // pixels
constexpr int kPercentilesIn = 14; // pixels: a percentile needs some handoffs
} // namespace

TimeColumns::TimeColumns(ChartKind kind, const ChartSource& source, int room)
    : series(source.series)
    , neighbours(series.joinedFor(static_cast<std::size_t>(
          std::max(1, room / (kind == ChartKind::percentiles ? kPercentilesIn : kColumn)))))
    , width(series.width() * static_cast<Duration::rep>(neighbours))
    , end(std::max(series.end(), source.cursor))
    , unit(plotUnit(end))
{}

double TimeColumns::begin(std::size_t column) const { return inUnit(unit, time(column)); }

double TimeColumns::endOf(std::size_t column) const
{
    return std::min(begin(column + 1), inUnit(unit, series.end()));
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
    return static_cast<double>(kind == ChartKind::wakeUps ? std::max<std::int64_t>(0, bucket.watchedGone)
                                                          : static_cast<std::int64_t>(bucket.acquired));
}

} // namespace lockscope::ui::time_chart
