// The numbers of a chart as CSV, one line of titles first. Pure.
#pragma once

#include "ui/charts/charts.h"

#include <QByteArray>

namespace lockscope::ui {

QByteArray csvOf(const ChartTable& table);

} // namespace lockscope::ui
