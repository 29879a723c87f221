#include "ui/shell/docking/views.h"

#include "ui/chain/algorithm_view.h"
#include "ui/chain/chain_view.h"
#include "ui/charts/chart_chooser.h"
#include "ui/charts/charts_view.h"
#include "ui/inspector/inspector_view.h"
#include "ui/ladder/ladder_view.h"
#include "ui/models/time_window.h"
#include "ui/shell/docking/lock_tabs.h"
#include "ui/shell/export/chart_csv.h"
#include "ui/shell/run/run_title.h"
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

struct ViewTexts // lives only to give the titles a translation context
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
        "charts", [] { return ViewTexts::tr("Charts"); }, view);
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

Views makeViews(RunModel* model, Selection* selection, TimeWindow* window, Bookmarks* bookmarks,
                                 Breakpoints* breakpoints, Theme* theme, QWidget* parent)
{
    Views all;
    std::vector<ViewEntry>& views = all.entries;
    auto* clients = all.clients = new ClientsView(model, selection, theme, parent);
    views.push_back(entry(
        "clients", [] { return ViewTexts::tr("Clients"); }, clients));
    views.back().choices << clients->byPlace();
    all.chain = new ChainView(model, selection, theme, parent);
    views.push_back(entry(
        "chain", [] { return ViewTexts::tr("Watch chain"); }, all.chain));
    all.timeline = new TimelineView({model, selection, window, bookmarks, theme}, parent);
    views.push_back(entry(
        "timeline", [] { return ViewTexts::tr("Handoff timeline"); }, all.timeline));
    auto* log = all.log = new LogView(model, selection, theme, parent);
    views.push_back(entry(
        "log", [] { return ViewTexts::tr("Protocol log"); }, log));
    auto* ladder = new LadderView(model, selection, theme, parent);
    QObject::connect(log, &LogView::filterChanged, ladder, &LadderView::setFilter);
    views.push_back(entry(
        "ladder", [] { return ViewTexts::tr("Protocol"); }, ladder));
    auto* charts = new ChartsView(model, selection, theme, parent);
    charts->setRunNamer(&runTitle);
    views.push_back(chartsEntry(charts));
    views.push_back(entry(
        "queue", [] { return ViewTexts::tr("Lock children, sorted"); },
        new QueueView(model, selection, theme, parent)));
    views.push_back(entry(
        "watches", [] { return ViewTexts::tr("Watches"); }, new WatchesView(model, selection, theme, parent)));
    views.push_back(entry(
        "algorithm", [] { return ViewTexts::tr("Algorithm"); },
        new AlgorithmView(model, selection, breakpoints, theme, parent)));
    views.push_back(entry(
        "findings", [] { return ViewTexts::tr("Findings"); }, new FindingsView(model, selection, theme, parent)));
    views.push_back(entry(
        "inspector", [] { return ViewTexts::tr("Inspector"); },
        new InspectorView(model, selection, theme, parent)));
    for (ViewEntry& each : views)
        each.readable = readableHeight(each.name);
    for (ViewEntry& each : views)
        if (each.name == QLatin1String("chain") || each.name == QLatin1String("queue") ||
            each.name == QLatin1String("watches"))
            each.header = new LockTabs(model, selection, parent);
    return all;
}

} // namespace lockscope::ui
