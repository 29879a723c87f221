// The data of a chart as CSV, after a line of titles. Pure.
#pragma once

#include "ui/charts/charts.h"

#include <QByteArray>

namespace lockscope::ui {

QByteArray csvOf(const ChartTable& table);

} // namespace lockscope::ui
