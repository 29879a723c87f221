// The columns of a chart over time, and the ratios that they show. Pure; private to those charts.
#pragma once

#include "ui/charts/charts.h"
#include "ui/charts/plot_axis.h"

namespace lockscope::ui::time_chart {

// Handoffs that a slice needs for its percentiles: of fewer, p99 is the slowest one.
constexpr std::uint64_t kEnough = 100;

// Whole stretches of the series, so many joined that the columns can be told apart in `room` pixels, and that
// there is something to count in most of them.
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
    bool slices = true; // there is enough in most of them, else handoffs are shown one by one
    Duration width{};
    TraceTime end;
    PlotUnit unit;

private:
    void joinUntilFilled(ChartKind kind);
};

// Of wakeUps and requests.
double ratioOf(ChartKind kind, const replay::Series::Bucket& bucket);
// What a column is about, handoffs for instance: without any of these there is none.
double weightOf(ChartKind kind, const replay::Series::Bucket& bucket);

} // namespace lockscope::ui::time_chart
