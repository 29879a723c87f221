#include "ui/charts/overflow_labels.h"

#include "ui/charts/chart_text.h"

#include <QStringList>

#include <algorithm>
#include <functional>

namespace lockscope::ui {

namespace {

constexpr double kBeside = kOverflowHead + 2;
constexpr double kHeadsApart = 3 * kOverflowHead; // pixels; closer columns share a label
constexpr std::size_t kEach = 3;                  // a label lists up to this many numbers
constexpr int kRows = 3;

using Group = std::vector<const PlotOverflow*>; // from left to right

std::vector<Group> groupsOf(const Plot& plot, const PlotFrame& frame)
{
    Group all;
    for (const PlotOverflow& column : plot.overflow)
        all.push_back(&column);
    std::ranges::sort(all, {}, &PlotOverflow::at);
    std::vector<Group> groups;
    for (const PlotOverflow* column : all) {
        if (groups.empty() || frame.xAt(column->at) - frame.xAt(groups.back().back()->at) > kHeadsApart)
            groups.emplace_back();
        groups.back().push_back(column);
    }
    std::ranges::stable_sort(groups, std::greater(), [](const Group& group) {
        return std::ranges::max(group, {}, &PlotOverflow::value)->value;
    });
    return groups;
}

QString textOf(const Group& group)
{
    if (group.size() > kEach) {
        const auto [least, most] = std::ranges::minmax(group, {}, &PlotOverflow::value);
        return ChartText::tr("%1 to %2").arg(least->text, most->text);
    }
    QStringList texts;
    for (const PlotOverflow* column : group)
        texts << column->text;
    return texts.join(ChartText::tr(", "));
}

} // namespace

// Places the label of the highest group first: right of its columns, else left of them, else a line lower.
std::vector<OverflowLabel> overflowLabels(const Plot& plot, const PlotFrame& frame, const Theme& theme)
{
    std::vector<OverflowLabel> labels;
    const QRectF area = frame.area();
    for (const Group& group : groupsOf(plot, frame)) {
        const QString text = textOf(group);
        const double width = theme.texts().width(theme.fonts().small, text) + 4;
        const double left = frame.xAt(group.front()->at) - kBeside - width;
        const double right = frame.xAt(group.back()->at) + kBeside;
        for (int row = 0; row < kRows * 2; ++row) {
            const QRectF box(row % 2 == 0 ? right : left, area.top() + 1 + row / 2 * frame.lineHeight(),
                             width, frame.lineHeight());
            const bool free = box.left() >= area.left() && box.right() <= area.right() &&
                              std::ranges::none_of(labels, [&](const OverflowLabel& other) {
                                  return box.intersects(other.box);
                              });
            if (!free)
                continue;
            labels.push_back({box, text});
            break;
        }
    }
    return labels;
}

} // namespace lockscope::ui
