#include "ui/charts/client_chart.h"

#include "ui/charts/chart_text.h"
#include "ui/charts/plot_axis.h"
#include "ui/models/format.h"
#include "ui/models/text_cache.h"

#include <algorithm>
#include <functional>

namespace lockscope::ui::client_chart {

namespace {

constexpr int kNamed = 44; // pixels that a bar with a name below it needs
constexpr int kBar = 6;    // pixels that a bar without a name needs
constexpr int kRankSteps = 60;
constexpr double kGap = 0.11; // at each side of a bar

using Rows = std::vector<const replay::ClientRow*>;

// Most acquisitions first; ties in the order of the clients.
Rows sorted(const replay::RunState& state)
{
    Rows rows;
    for (const replay::ClientRow& row : state.clients)
        if (row.id.valid())
            rows.push_back(&row);
    std::ranges::stable_sort(rows, std::greater(), &replay::ClientRow::acquired);
    return rows;
}

void addBars(Plot& plot, const Rows& rows, bool named)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double at = static_cast<double>(i);
        if (named || plot.layers.empty())
            plot.layers.push_back({PlotLayer::Shape::area,
                                   named ? PlotTone::client : PlotTone::plain,
                                   rows[i]->colour,
                                   {},
                                   {}});
        plot.layers.back().addBar(at + kGap, at + 1 - kGap, rows[i]->acquired);
        if (named)
            plot.names.push_back({at + 0.5, 1, format::plain(rows[i]->name, 40)});
    }
}

// Joins adjacent clients into steps that are wide enough to be seen. A step is as high as its first client,
// which has the most: neighbors in this order are similar, and a single acquisition does not get lost among
// clients without any.
void addProfile(Plot& plot, const Rows& rows, int width)
{
    const std::size_t steps = std::clamp<std::size_t>(static_cast<std::size_t>(width) / 2, 1, rows.size());
    QList<QPointF> points;
    for (std::size_t step = 0; step < steps; ++step) {
        const std::size_t from = rows.size() * step / steps;
        const std::size_t to = rows.size() * (step + 1) / steps;
        const double height = rows[from]->acquired;
        points << QPointF(static_cast<double>(from), height) << QPointF(static_cast<double>(to), height);
    }
    plot.layers.push_back({PlotLayer::Shape::area, PlotTone::plain, 0, {}, points});
}

PlotMark markOf(const replay::ClientRow& row, int bar)
{
    const QString times = ChartText::tr("%Ln acquisitions", nullptr, static_cast<int>(row.acquired));
    return {bar + kGap, bar + 1 - kGap, static_cast<double>(row.acquired),
            ChartText::tr("%1: %2").arg(format::plain(row.name, 40), times)};
}

} // namespace

bool empty(const ChartSource& source) { return source.state.statistics.acquired == 0; }

QString caption(const ChartSource& source)
{
    if (empty(source))
        return {};
    const Rows rows = sorted(source.state);
    const std::uint32_t least = rows.back()->acquired;
    const std::uint32_t most = rows.front()->acquired;
    // With fewer acquisitions than clients, even the index of the fairest lock looks unfair.
    if (source.state.statistics.acquired < rows.size()) {
        const auto served = std::ranges::count_if(rows, [](const auto* row) { return row->acquired > 0; });
        const QString had = format::count(static_cast<quint64>(served)), all = format::count(rows.size());
        return ChartText::tr("%1 of %2 clients had it so far").arg(had, all) + kVariantSeparator +
               ChartText::tr("%1 of %2 so far").arg(had, all);
    }
    const QString index = format::ratio(source.state.statistics.fairness());
    const QString whole = least == most
                              ? ChartText::tr("fairness (Jain) %1 · %2 each").arg(index, format::count(most))
                              : ChartText::tr("fairness (Jain) %1 · %2 to %3 each")
                                    .arg(index, format::count(least), format::count(most));
    return whole + kVariantSeparator + ChartText::tr("fairness %1").arg(index);
}

Plot plot(const ChartSource& source, QSize room)
{
    Plot plot;
    const Rows rows = sorted(source.state);
    if (rows.empty())
        return plot;
    const int count = static_cast<int>(rows.size());
    const bool named = room.width() / count >= kNamed;
    plot.x = axisUpTo(count, room.width() / kRankSteps, true);
    plot.x.to = count;
    plot.x.labelled = !named;
    plot.y = axisAbove(rows.front()->acquired, stepsWithin(room.height()), true);
    //: what the height of a bar means: how often a client got the lock
    plot.measure = ChartText::tr("acquisitions");
    plot.hint = ChartText::tr("Jain's index is 1 when all clients acquired the lock equally often. It is "
                              "shown as soon as there are as "
                              "many acquisitions as clients.");
    plot.x.name = ChartText::tr("clients, most acquisitions first");
    if (named || room.width() / count >= kBar)
        addBars(plot, rows, named);
    else
        addProfile(plot, rows, room.width());
    const double share = static_cast<double>(source.state.statistics.acquired) / count;
    plot.rules.push_back({share, ChartText::tr("equal share %1").arg(format::ratio(share))});
    return plot;
}

std::optional<int> barAt(const ChartSource& source, double x)
{
    const auto count = static_cast<double>(source.state.clients.size());
    return empty(source) || x < 0 || x >= count ? std::nullopt : std::optional(static_cast<int>(x));
}

std::optional<PlotMark> mark(const ChartSource& source, int bar)
{
    const Rows rows = sorted(source.state);
    if (empty(source) || bar < 0 || static_cast<std::size_t>(bar) >= rows.size())
        return std::nullopt;
    return markOf(*rows[static_cast<std::size_t>(bar)], bar);
}

std::vector<PlotMark> marks(const ChartSource& source)
{
    std::vector<PlotMark> all;
    if (!empty(source))
        for (const replay::ClientRow* row : sorted(source.state))
            all.push_back(markOf(*row, static_cast<int>(all.size())));
    return all;
}

ClientId clientAt(const ChartSource& source, int bar)
{
    const Rows rows = sorted(source.state);
    return bar >= 0 && static_cast<std::size_t>(bar) < rows.size() ? rows[static_cast<std::size_t>(bar)]->id
                                                                   : ClientId::none();
}

std::optional<int> barOf(const ChartSource& source, ClientId client)
{
    const Rows rows = sorted(source.state);
    const auto found = std::ranges::find(rows, client, &replay::ClientRow::id);
    return found == rows.end() ? std::nullopt : std::optional(static_cast<int>(found - rows.begin()));
}

ChartTable table(const ChartSource& source)
{
    ChartTable table{{"rank", "client", "name", "acquired"}, {}};
    for (const replay::ClientRow* row : sorted(source.state))
        table.rows.push_back({QString::number(table.rows.size() + 1), QString::number(row->id.value),
                              QString::fromUtf8(row->name.data(), static_cast<qsizetype>(row->name.size())),
                              QString::number(row->acquired)});
    return table;
}

} // namespace lockscope::ui::client_chart
