#include "ui/shell/docking/views.h"

#include "ui/chain/algorithm_view.h"
#include "ui/chain/chain_view.h"
#include "ui/charts/charts_view.h"
#include "ui/inspector/inspector_view.h"
#include "ui/models/time_window.h"
#include "ui/protocol/protocol_view.h"
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

#include <algorithm>
#include <iterator>

namespace lockscope::ui {

namespace {

struct ViewTexts // lives only to give the titles a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Views)
};

constexpr QSize kPartSize(640, 360);

// Pictures that show more than one card, and their sizes.
struct WholePicture
{
    const char* name;
    QSize size;
};
constexpr WholePicture kWindowPicture{"window", {1680, 1050}};
constexpr WholePicture kWholePictures[] = {
    {"presentation", {1280, 800}}, {"welcome", {1680, 1050}}, {"compare", {1680, 1050}}};

template <class View>
ViewEntry plainEntry(const ViewContext& context)
{
    return viewEntry(new View(context.run, context.selection, context.theme, context.parent));
}

// A view with tabs above it, one for each lock.
template <class View>
ViewEntry entryOfLock(const ViewContext& context)
{
    ViewEntry entry = plainEntry<View>(context);
    entry.header = new LockTabs(context.run, context.selection, context.parent);
    return entry;
}

ViewEntry clientsEntry(const ViewContext& context)
{
    auto* clients = new ClientsView(context.run, context.selection, context.theme, context.parent);
    ViewEntry entry = viewEntry(clients);
    entry.choices << clients->byPlace();
    return entry;
}

ViewEntry timelineEntry(const ViewContext& context)
{
    return viewEntry(new TimelineView(
        {context.run, context.selection, context.window, context.bookmarks, context.theme}, context.parent));
}

ViewEntry algorithmEntry(const ViewContext& context)
{
    return viewEntry(new AlgorithmView(context.run, context.selection, context.breakpoints, context.theme,
                                       context.parent));
}

ViewEntry chartsEntry(const ViewContext& context)
{
    auto* view = new ChartsView(context.run, context.selection, context.theme, context.parent);
    view->setRunNamer(&runTitle);
    ViewEntry charts = viewEntry(view);
    for (const ChartKind kind : kCharts)
        charts.parts.push_back({chartName(kind), [kind] { return chartTitle(kind); },
                                [view, kind] { view->showChart(kind); },
                                [view, kind] { return csvOf(view->table(kind)); }});
    charts.shownPart = [view] { return view->shown() ? chartName(*view->shown()) : QString(); };
    charts.showAll = [view] { view->showChart(std::nullopt); };
    charts.chooser = view->chooser();
    return charts;
}

QStringList chartNames()
{
    QStringList names;
    for (const ChartKind kind : kCharts)
        names << chartName(kind);
    return names;
}

template <class View>
View* viewAmong(const std::vector<ViewEntry>& entries)
{
    for (const ViewEntry& entry : entries)
        if (auto* view = qobject_cast<View*>(entry.view))
            return view;
    return nullptr;
}

} // namespace

// The readable heights fit the cards and both boxes of the chain; five lanes, legend and overview of the
// timeline; a few rows of the tables; every line of the longest algorithm.
ViewTable viewTable()
{
    using enum DockPlace;
    const auto row = [](const char* name, QString (*title)(), ViewEntry (*make)(const ViewContext&),
                        DockPlace place, int readableHeight, QSize shotSize, const QStringList& parts = {}) {
        return ViewDescription{
            QString::fromLatin1(name), title, make, place, readableHeight, shotSize, parts};
    };
    return {
        //: title of a card: the list of the clients
        row("clients", [] { return ViewTexts::tr("Clients"); }, clientsEntry, topLeft, 110, {640, 360}),
        row("chain", [] { return ViewTexts::tr("Watch chain"); }, entryOfLock<ChainView>, top, 262,
            {1200, 480}),
        row("timeline", [] { return ViewTexts::tr("Handoff timeline"); }, timelineEntry, middle, 168,
            {1200, 480}),
        row("log", [] { return ViewTexts::tr("Protocol log"); }, plainEntry<LogView>, bottomLeft, 84,
            {1200, 480}),
        //: title of a card: the messages between the clients and the server
        row("protocol", [] { return ViewTexts::tr("Protocol"); }, plainEntry<ProtocolView>, middle, 168,
            {1200, 800}),
        //: title of a card
        row(
            "charts", [] { return ViewTexts::tr("Charts"); }, chartsEntry, bottom, 84, {1200, 640},
            chartNames()),
        row("lock-children", [] { return ViewTexts::tr("Lock children, sorted"); }, entryOfLock<QueueView>,
            upperRight, 110, {640, 360}),
        //: title of a card, a noun: the watches of the server and of the clients
        row("watches", [] { return ViewTexts::tr("Watches"); }, entryOfLock<WatchesView>, upperRight, 110,
            {640, 360}),
        //: title of a card: the lock recipe as lines of pseudocode
        row("algorithm", [] { return ViewTexts::tr("Algorithm"); }, algorithmEntry, right, 212, {640, 360}),
        //: title of a card: the rules that were checked
        row("findings", [] { return ViewTexts::tr("Findings"); }, plainEntry<FindingsView>, lowerRight, 150,
            {480, 800}),
        //: title of a card: all that is known of the selected item
        row("inspector", [] { return ViewTexts::tr("Inspector"); }, plainEntry<InspectorView>, right, 212,
            {480, 800}),
    };
}

QStringList pictureNames(const ViewTable& table)
{
    QStringList names{QString::fromLatin1(kWindowPicture.name)};
    for (const ViewDescription& view : table)
        names << view.name << view.parts;
    for (const WholePicture& whole : kWholePictures)
        names << QString::fromLatin1(whole.name);
    return names;
}

QSize shotSize(const ViewTable& table, const QString& picture)
{
    for (const ViewDescription& view : table)
        if (view.name == picture)
            return view.shotSize;
    for (const WholePicture& whole : kWholePictures)
        if (picture == QLatin1String(whole.name))
            return whole.size;
    return picture == QLatin1String(kWindowPicture.name) ? kWindowPicture.size : kPartSize;
}

Views makeViews(const ViewTable& table, const ViewContext& context)
{
    Views all;
    for (const ViewDescription& description : table) {
        ViewEntry entry = description.make(context);
        entry.name = description.name;
        entry.title = description.title;
        entry.place = description.place;
        entry.readableHeight = description.readableHeight;
        all.entries.push_back(std::move(entry));
    }
    all.clients = viewAmong<ClientsView>(all.entries);
    all.chain = viewAmong<ChainView>(all.entries);
    all.timeline = viewAmong<TimelineView>(all.entries);
    all.log = viewAmong<LogView>(all.entries);
    if (auto* protocol = viewAmong<ProtocolView>(all.entries); protocol && all.log)
        QObject::connect(all.log, &LogView::filterChanged, protocol, &ProtocolView::setFilter);
    return all;
}

} // namespace lockscope::ui
