#include "ui/charts/plot_axis.h"

#include "ui/canvas/ticks.h"
#include "ui/charts/charts.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

using namespace std::chrono_literals;

struct PlotUnitText
{
    Q_DECLARE_TR_FUNCTIONS(PlotUnit)
};

constexpr double kMinRange = 1e-6;
constexpr int kBetweenCounts = 30; // pixels
constexpr int kMinSteps = 3;       // steps
constexpr int kMaxSteps = 8;       // more are not read, however large the picture
constexpr double kHeadroom = 1.04;

} // namespace

PlotUnit plotUnit(Duration longest)
{
    if (longest < 1ms)
        return {1us, PlotUnitText::tr("µs")};
    if (longest < 2s)
        return {1ms, PlotUnitText::tr("ms")};
    if (longest < 5min)
        return {1s, PlotUnitText::tr("s")};
    //: unit at an axis: minutes
    return {1min, PlotUnitText::tr("min")};
}

double inUnit(const PlotUnit& unit, Duration value)
{
    return static_cast<double>(value.count()) / static_cast<double>(unit.length.count());
}

int stepsWithin(int pixels) { return std::clamp(pixels / kBetweenCounts, kMinSteps, kMaxSteps); }

PlotAxis axisAbove(double highest, int maxSteps, bool whole)
{
    return axisUpTo(highest * kHeadroom, maxSteps, whole);
}

PlotAxis axisUpTo(double highest, int maxSteps, bool whole)
{
    PlotAxis axis;
    axis.step = roundStep(std::max(kMinRange, highest / std::max(1, maxSteps)));
    if (whole)
        axis.step = std::max(1.0, axis.step);
    axis.to = axis.step * std::max(1.0, std::ceil(highest / axis.step - 1e-9));
    axis.decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(axis.step) - 1e-9)));
    return axis;
}

PlotAxis timeAxis(TraceTime end, const PlotUnit& unit, int maxLabels, bool moves)
{
    const double to = std::max(inUnit(unit, end), kMinRange);
    PlotAxis axis = axisUpTo(to, maxLabels, false);
    const double part = axis.step / 4;
    axis.to = moves ? part * std::ceil(to / part - 1e-9) : to;
    axis.unit = unit.name;
    return axis;
}

PlotAxis logarithmicAxis(double lowest, double highest)
{
    PlotAxis axis;
    axis.logarithmic = true;
    axis.from = std::pow(10, std::floor(std::log10(std::max(lowest, kMinRange)) + 1e-9));
    axis.decimals = std::max(0, static_cast<int>(std::lround(-std::log10(axis.from))));
    axis.to = std::max(roundStep(std::max(highest, kMinRange)), axis.from * 10);
    return axis;
}

} // namespace lockscope::ui
