// A chart's content as plain values: made by the functions of charts.h, drawn by ChartCanvas. Any thread.
#pragma once

#include <QList>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace lockscope::ui {

struct PlotAxis
{
    double from = 0;
    double to = 1;
    double step = 1; // between the labels, which stand at its multiples
    double labelsTo =
        std::numeric_limits<double>::infinity(); // beyond it, the axis has a name instead of numbers
    int decimals = 0;                            // of the labels
    QString unit{};                              // after each label: "ms"
    bool logarithmic = false; // a label at each power of ten; at 2 and 5 too where there is room
    bool labelled = true;
    QString name{}; // below its labels, shorter forms behind kVariantSeparator; of the lower axis only
    bool operator==(const PlotAxis&) const = default;
};

enum class PlotTone { plain, soft, most, wake, overflow, low, middle, high, client };

struct PlotLayer
{
    enum class Shape { area, line, dots };
    Shape shape = Shape::area;
    PlotTone tone = PlotTone::plain;
    std::uint16_t client = 0; // the color of a client
    QString key{};            // in the legend; empty: no entry
    QList<QPointF> points{};  // from left to right
    double base = 0;          // an area reaches down to this height

    void addBar(double left, double right, double height) // from zero up
    {
        points << QPointF(left, 0) << QPointF(left, height) << QPointF(right, height) << QPointF(right, 0);
    }
};

struct PlotRule // a dashed line across
{
    double at = 0;
    QString key{};                                          // in the legend; empty: no entry
    double from = -std::numeric_limits<double>::infinity(); // its range along the lower axis
    double to = std::numeric_limits<double>::infinity();
};

struct PlotName // below the axis, plain text
{
    double at = 0;
    double width = 1; // room, in units of the axis
    QString text{};
};

struct PlotNote // a text just above this height, centered
{
    double at = 0;
    double height = 0;
    QString text{};
};

struct PlotMark // the chosen bar
{
    double from = 0, to = 0; // along the lower axis
    double height = 0;
    QString text{};
};

struct PlotOverflow // a column that exceeds the axis
{
    double at = 0;
    double value = 0;
    QString text{};
};

struct Plot
{
    QString measure{}; // what the height means, with its unit
    QString hint{};    // a sentence about what the picture omits; may be empty
    PlotAxis x{}, y{};
    std::vector<PlotLayer> layers{}; // from back to front; empty without data
    std::vector<PlotRule> rules{};
    std::vector<PlotName> names{};
    std::vector<PlotNote> notes{};
    std::vector<PlotOverflow> overflow{}; // the highest first
    std::optional<double> cursor{};       // the part after it is drawn paler
    std::optional<PlotMark> mark{};
};

} // namespace lockscope::ui
