#include "ui/shell/views.h"

#include "ui/chain/algorithm_view.h"
#include "ui/chain/chain_view.h"
#include "ui/charts/chart_chooser.h"
#include "ui/charts/charts_view.h"
#include "ui/inspector/inspector_view.h"
#include "ui/ladder/ladder_view.h"
#include "ui/models/time_window.h"
#include "ui/shell/chart_csv.h"
#include "ui/shell/lock_tabs.h"
#include "ui/shell/run_title.h"
#include "ui/tables/clients_view.h"
#include "ui/tables/findings_view.h"
#include "ui/tables/log_view.h"
#include "ui/tables/queue_view.h"
#include "ui/tables/watches_view.h"
#include "ui/timeline/timeline_view.h"

#include <QCoreApplication>
#include <QHash>

#include <utility>

namespace lockscope::ui {

namespace {

struct ViewsWords // lives only to give the titles a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Views)
};

// The views share no base class: each has caption() and captionChanged() by agreement.
template <class View>
ViewEntry entry(const char* name, QString (*title)(), View* view)
{
    return {QString::fromLatin1(name),
            title,
            view,
            [view] { return view->caption(); },
            [view](QObject* context, std::function<void()> callback) {
                QObject::connect(view, &View::captionChanged, context, std::move(callback));
            },
            nullptr,
            nullptr};
}

ViewEntry chartsEntry(ChartsView* view)
{
    ViewEntry charts = entry(
        "charts", [] { return ViewsWords::tr("Charts"); }, view);
    for (const ChartKind kind : kCharts)
        charts.parts.push_back({chartName(kind), [kind] { return chartTitle(kind); },
                                [view, kind] { view->showChart(kind); },
                                [view, kind] { return csvOf(view->table(kind)); }});
    charts.shownPart = [view] { return view->shown() ? chartName(*view->shown()) : QString(); };
    charts.showAll = [view] { view->showChart(std::nullopt); };
    charts.chooser = view->chooser();
    return charts;
}

// Cards and both boxes; five lanes and the overview; a few rows; every line of the longest algorithm.
int readableHeight(const QString& view)
{
    static const QHash<QString, int> heights{
        {"chain", 262}, {"timeline", 168}, {"ladder", 168},    {"log", 84},        {"charts", 84},
        {"queue", 110}, {"watches", 110},  {"algorithm", 212}, {"inspector", 212}, {"findings", 150}};
    return heights.value(view, 110);
}

} // namespace

std::vector<ViewEntry> makeViews(RunModel* model, Selection* selection, TimeWindow* window, Notes* notes,
                                 Breakpoints* breakpoints, Look* look, QWidget* parent)
{
    std::vector<ViewEntry> views;
    auto* clients = new ClientsView(model, selection, look, parent);
    views.push_back(entry(
        "clients", [] { return ViewsWords::tr("Clients"); }, clients));
    views.back().choices << clients->byPlace();
    views.push_back(entry(
        "chain", [] { return ViewsWords::tr("Watch chain"); }, new ChainView(model, selection, look, parent)));
    views.push_back(entry(
        "timeline", [] { return ViewsWords::tr("Handoff timeline"); },
        new TimelineView({model, selection, window, notes, look}, parent)));
    auto* log = new LogView(model, selection, look, parent);
    views.push_back(entry(
        "log", [] { return ViewsWords::tr("Protocol log"); }, log));
    auto* ladder = new LadderView(model, selection, look, parent);
    QObject::connect(log, &LogView::filterChanged, ladder, &LadderView::setFilter);
    views.push_back(entry(
        "ladder", [] { return ViewsWords::tr("Protocol"); }, ladder));
    auto* charts = new ChartsView(model, selection, look, parent);
    charts->setNaming(&runTitle);
    views.push_back(chartsEntry(charts));
    views.push_back(entry(
        "queue", [] { return ViewsWords::tr("Lock children, sorted"); },
        new QueueView(model, selection, look, parent)));
    views.push_back(entry(
        "watches", [] { return ViewsWords::tr("Watches"); }, new WatchesView(model, selection, look, parent)));
    views.push_back(entry(
        "algorithm", [] { return ViewsWords::tr("Algorithm"); },
        new AlgorithmView(model, selection, breakpoints, look, parent)));
    views.push_back(entry(
        "findings", [] { return ViewsWords::tr("Findings"); }, new FindingsView(model, selection, look, parent)));
    views.push_back(entry(
        "inspector", [] { return ViewsWords::tr("Inspector"); },
        new InspectorView(model, selection, look, parent)));
    for (ViewEntry& each : views)
        each.readable = readableHeight(each.name);
    for (ViewEntry& each : views)
        if (each.name == QLatin1String("chain") || each.name == QLatin1String("queue") ||
            each.name == QLatin1String("watches"))
            each.header = new LockTabs(model, selection, parent);
    return views;
}

} // namespace lockscope::ui
