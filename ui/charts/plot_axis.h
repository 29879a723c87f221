// Axes whose labels are round numbers and do not touch each other. Pure, any thread.
#pragma once

#include "core/base/time.h"
#include "ui/charts/plot.h"

namespace lockscope::ui {

struct PlotUnit
{
    Duration length{}; // 1 us, 1 ms, 1 s or 1 min
    QString name{};
};
PlotUnit plotUnit(Duration longest); // in which a time as long as this reads well
double inUnit(const PlotUnit& unit, Duration value);

// How many steps an axis of counts has at most in so many pixels; never so few that its end lies far above
// the highest.
int stepsWithin(int pixels);
// From zero to the first label at or above `highest`, with at most `most` steps; whole numbers only on
// demand.
PlotAxis upTo(double highest, int most, bool whole);
// The same, and the highest label is clearly above `highest`: a line along it is no part of the grid.
PlotAxis above(double highest, int most, bool whole);
// From zero to `end` exactly, with at most `most` labels behind the first one.
PlotAxis timeAxis(TraceTime end, const PlotUnit& unit, int most);
// Logarithmic, from 1, 2 or 5 times a power of ten to another one, around these two.
PlotAxis logarithmicAxis(double least, double highest);

} // namespace lockscope::ui
