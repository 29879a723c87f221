#include "ui/shell/docking/views.h"

#include "ui/chain/algorithm_view.h"
#include "ui/chain/chain_view.h"
#include "ui/charts/charts_view.h"
#include "ui/inspector/inspector_view.h"
#include "ui/models/run/time_window.h"
#include "ui/models/style/command_table.h"
#include "ui/protocol/protocol_view.h"
#include "ui/shell/docking/lock_tabs.h"
#include "ui/shell/run/run_title.h"
#include "ui/tables/clients_view.h"
#include "ui/tables/findings_view.h"
#include "ui/tables/handoffs_view.h"
#include "ui/tables/log_view.h"
#include "ui/tables/queue_view.h"
#include "ui/tables/watches_view.h"
#include "ui/timeline/timeline_view.h"

#include <algorithm>
#include <iterator>

namespace lockscope::ui {

namespace {

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

template <class Made>
View* plain(const ViewContext& context)
{
    return new Made(context.run, context.selection, context.theme, context.parent);
}

View* timeline(const ViewContext& context)
{
    return new TimelineView(
        {context.run, context.selection, context.window, context.bookmarks, context.theme}, context.parent);
}

View* algorithm(const ViewContext& context)
{
    return new AlgorithmView(context.run, context.selection, context.breakpoints, context.theme,
                             context.parent);
}

View* charts(const ViewContext& context)
{
    auto* view = new ChartsView(context.run, context.selection, context.theme, context.parent);
    view->setRunNamer(&runTitle);
    return view;
}

QStringList chartNames()
{
    QStringList names;
    for (const ChartKind kind : kCharts)
        names << chartName(kind);
    return names;
}

} // namespace

// The readable heights fit the cards and both boxes of the chain; five lanes, legend and overview of the
// timeline; a few rows of the tables; every line of the longest algorithm.
ViewTable viewTable()
{
    using enum DockPlace;
    return {
        //: title of a card: the list of the clients
        {"clients", [] { return MenuTexts::tr("Clients"); }, plain<ClientsView>, topLeft},
        {"chain", [] { return MenuTexts::tr("Watch chain"); }, plain<ChainView>, top, 262, {1200, 480}, true},
        {"timeline", [] { return MenuTexts::tr("Handoff timeline"); }, timeline, middle, 168, {1200, 480}},
        {"log", [] { return MenuTexts::tr("Protocol log"); }, plain<LogView>, bottomLeft, 84, {1200, 480}},
        //: title of a card: the messages between the clients and the server
        {"protocol", [] { return MenuTexts::tr("Protocol"); }, plain<ProtocolView>, middle, 168, {1200, 800}},
        //: title of a card
        {"charts",
         [] { return MenuTexts::tr("Charts"); },
         charts,
         bottom,
         84,
         {1200, 640},
         false,
         chartNames()},
        //: title of a card: the table of the handoffs
        {"handoffs", [] { return MenuTexts::tr("Handoffs"); }, plain<HandoffsView>, bottom, 84, {1200, 480}},
        {"lock-children",
         [] { return MenuTexts::tr("Lock children, sorted"); },
         plain<QueueView>,
         upperRight,
         110,
         {640, 360},
         true},
        //: title of a card, a noun: the watches of the server and of the clients
        {"watches",
         [] { return MenuTexts::tr("Watches"); },
         plain<WatchesView>,
         upperRight,
         110,
         {640, 360},
         true},
        //: title of a card: the lock recipe as lines of pseudocode
        {"algorithm", [] { return MenuTexts::tr("Algorithm"); }, algorithm, right, 212},
        //: title of a card: the rules that were checked
        {"findings",
         [] { return MenuTexts::tr("Findings"); },
         plain<FindingsView>,
         lowerRight,
         150,
         {480, 800}},
        //: title of a card: all that is known of the selected item
        {"inspector",
         [] { return MenuTexts::tr("Inspector"); },
         plain<InspectorView>,
         right,
         212,
         {480, 800}},
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

std::vector<ViewEntry> makeViews(const ViewTable& table, const ViewContext& context,
                                 const std::function<QWidget*(const View&)>& footerOf)
{
    std::vector<ViewEntry> all;
    for (const ViewDescription& row : table) {
        View* view = row.make(context);
        all.push_back({row, view, dynamic_cast<QWidget*>(view),
                       row.ofOneLock ? new LockTabs(context.run, context.selection, context.parent) : nullptr,
                       view->footer().isEmpty() ? nullptr : footerOf(*view)});
    }
    auto* log = viewAmong<LogView>(all);
    if (auto* protocol = viewAmong<ProtocolView>(all); protocol && log)
        QObject::connect(log, &LogView::filterChanged, protocol, &ProtocolView::setFilter);
    return all;
}

} // namespace lockscope::ui
