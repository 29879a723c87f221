// A chart's content as plain values: made by the functions of charts.h, drawn by ChartCanvas. Any thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <QList>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lockscope::ui {

struct PlotAxis
{
    double from = 0;
    double to = 1;
    double step = 1;          // between the labels, which stand at its multiples
    int decimals = 0;         // of the labels
    QString unit{};           // after each label: "ms"
    bool logarithmic = false; // a label at each power of ten
    QString title{};          // with shorter forms behind kVariantSeparator
    std::vector<std::pair<double, QString>>
        names{}; // labels instead of the numbers, from left to right; plain text
    bool operator==(const PlotAxis&) const = default;
};

enum class PlotTone {
    plain,
    soft,
    most,
    wake,
    overflow,
    low,
    middle,
    high,
    client,
    rule,
    veil,
    cursor,
    mark
};

struct PlotLayer
{
    enum class Shape { area, line, dots, cut, bars }; // cut: arrow heads, where a column exceeds the axis
    Shape shape = Shape::area;
    PlotTone tone = PlotTone::plain;
    std::uint16_t client = 0; // the color of a client
    QString key{};            // in the legend, plain text; empty: no entry
    QList<QPointF> points{};  // from left to right; of bars, x counts them from zero
    double base = 0;          // an area reaches down to this height
};

// A bar that can be chosen; the place of the first one is from -0.5 to 0.5 on the lower axis.
struct PlotBar
{
    QString label{};
    std::uint64_t count = 0;
    ClientId client{}; // in the chart of the clients
};

constexpr double kBarWidth = 0.78; // of its place

struct Plot
{
    QString hint{}; // a sentence about what the picture omits; may be empty
    PlotAxis x{}, y{};
    std::vector<PlotLayer> layers{}; // from back to front; empty without data
    std::vector<PlotBar> bars{};     // not of charts over time
    Duration unit{};                 // over time: of the lower axis
    Duration slice{};                // over time: the length of a column
    std::optional<double> cursor{};  // the part after it is drawn paler
    std::optional<int> mark{};       // the chosen bar
};

} // namespace lockscope::ui
