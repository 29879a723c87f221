#include "ui/charts/chart_summary.h"

#include "ui/charts/chart_text.h"
#include "ui/charts/time_columns.h"
#include "ui/models/format.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

QString spread(const QString& least, const QString& median, const QString& most)
{
    return ChartText::tr("minimum %1, median %2, maximum %3").arg(least, median, most);
}

// One value for each nonempty slice of the series up to the cursor.
std::vector<double> perSlice(ChartKind kind, const ChartSource& source)
{
    std::vector<double> values;
    const replay::Series& series = source.series;
    for (std::size_t i = 0; i < series.buckets().size(); ++i) {
        const replay::Series::Bucket& bucket = series.buckets()[i];
        const TraceTime begin = series.width() * static_cast<Duration::rep>(i);
        if (begin > source.cursor)
            break;
        if (kind == ChartKind::queueLength)
            values.push_back(series.meanQueue(bucket, begin, series.width()));
        else if (time_chart::weightOf(kind, bucket) > 0)
            values.push_back(time_chart::ratioOf(kind, bucket));
    }
    return values;
}

} // namespace

QString chartSummary(ChartKind kind, const ChartSource& source)
{
    const replay::Histogram& handoff = source.state.statistics.handoff;
    if (kind == ChartKind::latency || kind == ChartKind::percentiles)
        return handoff.count() == 0
                   ? QString()
                   : spread(format::duration(handoff.percentile(0)), format::duration(handoff.percentile(50)),
                            format::duration(handoff.max()));
    std::vector<double> values;
    if (kind == ChartKind::fairness && source.state.statistics.acquired > 0) {
        for (const replay::ClientRow& client : source.state.clients)
            if (client.id.valid())
                values.push_back(client.acquired);
    } else if (kind != ChartKind::fairness) {
        values = perSlice(kind, source);
    }
    if (values.empty())
        return {};
    std::sort(values.begin(), values.end());
    const auto text = [kind](double value) {
        return kind == ChartKind::fairness ? format::count(static_cast<quint64>(value))
                                           : format::ratio(value);
    };
    const QString most = kind == ChartKind::queueLength ? format::count(source.state.statistics.longestQueue)
                                                        : text(values.back());
    return spread(text(values.front()), text(values[values.size() / 2]), most);
}

} // namespace lockscope::ui
