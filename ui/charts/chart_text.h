// The translation context of the texts of all charts.
#pragma once

#include <QCoreApplication>

namespace lockscope::ui {

struct ChartText
{
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

} // namespace lockscope::ui
