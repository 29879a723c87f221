// A run for the tests of the charts over time.
#pragma once

#include "tests/support/sample_run.h"
#include "tests/support/trace_script.h"
#include "ui/charts/charts.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/text_cache.h"

#include <QCoreApplication>

#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::ui {

inline constexpr QSize kRoom(600, 200);

struct TimeChartTest : testing::Test
{
    ChartSource source() const { return {run.state(), run.series(), run.cursorTime(), run.following()}; }
    Plot plot(ChartKind kind, QSize room = kRoom) const { return chartPlot(kind, source(), room); }
    QString caption(ChartKind kind) const
    {
        return chartCaption(kind, source()).section(kVariantSeparator, 0, 0); // the whole
    }
    void open(const char* script) { run.openTrace(tests::traceScript(script)); }
    void openSample(int clients = 20, std::size_t events = 20'000)
    {
        tests::SampleOptions options;
        options.clients = static_cast<decltype(options.clients)>(clients);
        options.events = events;
        run.openTrace(tests::sampleRun(options));
        while (run.opening())
            QCoreApplication::processEvents();
    }
    RunModel run;
};

inline QStringList keysOf(const Plot& plot) // in the legend
{
    QStringList keys;
    for (const PlotLayer& layer : plot.layers)
        if (!layer.key.isEmpty())
            keys << layer.key;
    return keys;
}

inline const PlotLayer* layerOf(const Plot& plot, PlotLayer::Shape shape) // null: there is none
{
    const auto found = std::ranges::find(plot.layers, shape, &PlotLayer::shape);
    return found == plot.layers.end() ? nullptr : &*found;
}

inline const PlotLayer* ruleOf(const Plot& plot) // the dashed line; null: there is none
{
    const auto found = std::ranges::find_if(plot.layers, [](const PlotLayer& layer) {
        return layer.tone == PlotTone::rule && layer.shape == PlotLayer::Shape::line;
    });
    return found == plot.layers.end() ? nullptr : &*found;
}

inline double highest(const PlotLayer& layer)
{
    double found = 0;
    for (const QPointF& point : layer.points)
        found = std::max(found, point.y());
    return found;
}

// Each waits behind the one in front.
inline constexpr const char* kChain =
    R"(1ms ada holds n1; 2ms bo waits n2 n1; 3ms cyd waits n3 n2; 4ms dee waits n4 n3
    10ms ada release n1; 10100us ada freed n1; 10200us bo fired n1; 10300us bo takes n2; 20ms bo release n2
    20100us bo freed n2; 20200us cyd fired n2; 20300us cyd takes n3)";

} // namespace lockscope::ui
