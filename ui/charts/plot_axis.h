// Axes with round numbers as labels. Pure; any thread.
#pragma once

#include "ui/charts/plot.h"

namespace lockscope::ui {

struct PlotUnit
{
    Duration length{}; // 1 us, 1 ms, 1 s or 1 min
    QString name{};
};
PlotUnit plotUnit(Duration longest); // a readable unit for durations up to this one
double inUnit(const PlotUnit& unit, Duration value);

// The maximum number of steps of an axis of counts in this many pixels; enough that the axis does not end far
// above the highest value.
int stepsWithin(int pixels);
// From zero to the first label at or above `highest`, in at most maxSteps steps. `whole`: labels are whole
// numbers.
PlotAxis axisUpTo(double highest, int maxSteps, bool whole);
// The same, with the highest label clearly above `highest`: a line at `highest` is not on the grid.
PlotAxis axisAbove(double highest, int maxSteps, bool whole);
// From zero to exactly `end`, or while that moves on, to the next quarter between two labels: an axis that
// moves has its labels laid out anew.
PlotAxis timeAxis(TraceTime end, const PlotUnit& unit, int maxLabels, bool moves = false);
// From a power of ten to 1, 2 or 5 times one, around these values.
PlotAxis logarithmicAxis(double lowest, double highest);

} // namespace lockscope::ui
