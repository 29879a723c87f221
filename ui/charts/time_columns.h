// The columns of a chart over time, and the ratios that they show. Private to these charts. Pure; any thread.
#pragma once

#include "ui/charts/charts.h"
#include "ui/charts/plot_axis.h"

namespace lockscope::ui::time_chart {

// The minimum number of handoffs for percentiles: with fewer, p99 is the slowest one.
constexpr std::uint64_t kEnough = 100;

// Joins as many buckets of the series as are needed to distinguish the columns in `room` pixels, and to have
// data in most of them.
struct TimeColumns
{
    TimeColumns(ChartKind kind, const ChartSource& source, int room);
    double begin(std::size_t column) const;    // in units of the axis
    double endOf(std::size_t column) const;    // the last one ends with the run
    double middleOf(std::size_t bucket) const; // of the series
    TraceTime time(std::size_t column) const { return width * static_cast<Duration::rep>(column); }
    std::optional<std::size_t> at(double x) const;
    double meanQueue(const replay::Series::Bucket& bucket, std::size_t column) const
    {
        return series.meanQueue(bucket, time(column), width);
    }

    const replay::Series& series;
    std::size_t neighbours;
    bool slices = true; // most columns have enough data; false: handoffs are shown individually
    Duration width{};
    TraceTime end;
    PlotUnit unit;

private:
    void joinUntilFilled(ChartKind kind);
};

// For ChartKind::wakeUps and ChartKind::requests.
double ratioOf(ChartKind kind, const replay::Series::Bucket& bucket);
// The number of items of a column, for instance handoffs; 0: nothing is drawn for it.
double weightOf(ChartKind kind, const replay::Series::Bucket& bucket);

} // namespace lockscope::ui::time_chart
