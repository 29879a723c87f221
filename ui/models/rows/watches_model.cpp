#include "ui/models/rows/watches_model.h"

#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/empty_state.h"
#include "ui/texts/watch_text.h"

#include <algorithm>
#include <array>

namespace lockscope::ui {

using replay::ComparedWatch;
using replay::WatchVerdict;

namespace {

constexpr std::array<TableColumn, WatchesModel::ColumnCount> kWatchesColumns{
    {//: table head: which node is watched
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchesModel", "Node")},
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchesModel", "Clients' belief")},
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchesModel", "Server's table")},
     //: table head: whether the belief and the table are the same
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchesModel", "Verdict")}}};

// All watches of a node are one row.
WatchItem& addTo(std::vector<WatchItem>& all, const ComparedWatch& watch)
{
    if (all.empty() || all.back().node != watch.key.node)
        all.push_back({watch.key.node, {}, watch.verdict});
    WatchItem& item = all.back();
    item.watches.push_back({watch});
    if (item.later || urgency(watch.verdict) < urgency(item.verdict))
        item.verdict = watch.verdict;
    item.later = false;
    return item;
}

// Adds a watch that was requested after the table was read. It does not change the verdict of those in the
// table.
void addLaterTo(std::vector<WatchItem>& all, const ComparedWatch& watch)
{
    if (all.empty() || all.back().node != watch.key.node)
        addTo(all, watch).later = true;
    else
        all.back().watches.push_back({watch});
    all.back().watches.back().later = true;
}

constexpr int kNamed = 3; // watchers of one node before the others are counted
constexpr int kToolTipLines = 12;

} // namespace

WatchesModel::WatchesModel(RunModel* run, Selection* selection, QObject* parent)
    : RowsModel(kWatchesColumns, parent)
    , m_run(run)
    , m_selection(selection)
{
    followRun(run);
    followLock(selection, &m_lock);
    refresh();
}

void WatchesModel::refresh()
{
    m_lock = m_selection->lock();
    assignRows(items());
}

std::vector<WatchItem> WatchesModel::items()
{
    std::vector<WatchItem> all = spareRows();
    const replay::LockRow* lock = m_run->state().lock(m_lock);
    if (!lock)
        return all;
    if (asked()) {
        addRead(all, *lock);
    } else {
        for (const replay::BelievedWatch& watch : lock->watches.believed)
            addTo(all, unread(watch));
    }
    const auto kept = std::stable_partition(all.begin(), all.end(),
                                            [](const WatchItem& item) { return isDifference(item.verdict); });
    std::stable_partition(kept, all.end(), [](const WatchItem& item) { return !item.gone; });
    addList(all);
    return all;
}

// A believed watch that is in no table that was read.
ComparedWatch WatchesModel::unread(const replay::BelievedWatch& watch) const
{
    const bool own = m_run->state().ownerOf(m_lock, watch.key.node) == watch.client;
    return {watch.key, watch.client, false, own, WatchVerdict::unknown};
}

// Adds the table that was read and, in its order, the watches that clients have requested since.
void WatchesModel::addRead(std::vector<WatchItem>& all, const replay::LockRow& lock) const
{
    const replay::RunState& state = m_run->state();
    const auto& read = lock.watches.compared;
    auto next = lock.watches.believed.begin();
    const auto addLater = [&](const replay::WatchKey* before) {
        for (; next != lock.watches.believed.end() && (!before || next->key < *before); ++next)
            if (next->asked > state.watchReading.at)
                addLaterTo(all, unread(*next));
        while (before && next != lock.watches.believed.end() && next->key == *before)
            ++next;
    };
    for (const ComparedWatch& watch : read) {
        addLater(&watch.key);
        WatchItem& item = addTo(all, watch);
        item.gone = urgency(item.verdict) > 0 && !state.node(m_lock, item.node);
    }
    addLater(nullptr);
}

// Adds the clients that wait for a change of the list itself.
void WatchesModel::addList(std::vector<WatchItem>& all) const
{
    WatchItem list;
    for (const replay::ClientRow& client : m_run->state().clients) {
        bool here = false;
        client.forEach(
            [&](const replay::LockUse& one) { here = here || (one.watchesList && one.lock == m_lock); });
        if (here)
            list.watches.push_back(
                {{{-1, {}, client.sessionId}, client.id, false, false, WatchVerdict::unknown}});
    }
    if (!list.watches.empty())
        all.insert(all.begin(), std::move(list));
}

int WatchesModel::rowOf(const Selection& selection) const
{
    const int watched = rowThat([&](const WatchItem& it) {
        return !it.gone && std::any_of(it.watches.begin(), it.watches.end(), [&](const ComparedWatch& watch) {
            return watch.client.valid() && watch.client == selection.client() && !watch.own;
        });
    });
    const std::string node = selection.node().toStdString();
    return watched >= 0 || node.empty() ? watched
                                        : rowThat([&](const WatchItem& it) { return it.node == node; });
}

ClientId WatchesModel::firstClient(int row) const
{
    for (const ComparedWatch& watch : item(row).watches)
        if (watch.client.valid())
            return watch.client;
    return ClientId::none();
}

QVariant WatchesModel::cell(int row, int column, int role) const
{
    return role == Qt::DisplayRole || role == Qt::AccessibleTextRole ? text(row, column)
           : role == Qt::ToolTipRole                                 ? format::toolTip(toolTip(row))
                                                                     : QVariant();
}

// Marks a watch newer than the table where the verdict concerns other watches.
QString WatchesModel::named(const ComparedWatch& watch, bool since) const
{
    const QString who = watcherName(m_run->state(), watch.key.session, watch.client);
    if (watch.own && watch.client.valid())
        return (since ? tr("%1 (its own node, since)") : tr("%1 (its own node)")).arg(who);
    return since ? tr("%1 (since)").arg(who) : who;
}

QStringList WatchesModel::names(const WatchItem& it, bool served) const
{
    QStringList all;
    qsizetype more = 0;
    for (std::size_t i = 0; i < it.watches.size(); ++i) {
        const WatchOfNode& watch = it.watches[i];
        if (served ? !watch.served : !watch.client.valid())
            continue;
        // The server has one watch for all clients of a session.
        if (served && i > 0 && it.watches[i - 1].key == watch.key)
            continue;
        if (all.size() >= kNamed)
            ++more;
        else
            all << named(watch, !it.later && watch.later);
    }
    if (more > 0)
        all << tr("%1 more").arg(format::count(static_cast<quint64>(more)));
    return all;
}

QString WatchesModel::differenceText(const WatchItem& it, const ComparedWatch& watch) const
{
    const auto count = std::count_if(it.watches.begin(), it.watches.end(),
                                     [](const ComparedWatch& each) { return isDifference(each.verdict); });
    if (count > 1)
        return tr("%1 differ").arg(format::count(static_cast<quint64>(count)));
    const QString who = watcherName(m_run->state(), watch.key.session, watch.client);
    return watch.verdict == WatchVerdict::stray ? tr("stray: of %1").arg(who) : tr("missing: of %1").arg(who);
}

QString WatchesModel::verdictText(const WatchItem& it) const
{
    if (it.node.empty())
        return tr("not in the table");
    if (it.gone)
        return tr("gone since");
    if (it.later)
        return tr("not read yet");
    switch (it.verdict) {
    case WatchVerdict::stray:
    case WatchVerdict::missing:
        return differenceText(
            it, *std::find_if(it.watches.begin(), it.watches.end(),
                              [](const ComparedWatch& watch) { return isDifference(watch.verdict); }));
    case WatchVerdict::underWay:
        return tr("in flight");
    case WatchVerdict::unknown:
        return asked() ? tr("a server did not answer") : tr("not asked");
    case WatchVerdict::foreign:
        return tr("another program's");
    case WatchVerdict::ownNode:
        return tr("on its own node");
    case WatchVerdict::agrees:
        break;
    }
    //: verdict: the client's belief and the server's table are the same
    return tr("agree");
}

Tone WatchesModel::tone(int row) const
{
    const WatchVerdict verdict = item(row).verdict;
    return item(row).node.empty() || item(row).gone || item(row).later           ? Tone::muted
           : isDifference(verdict)                                               ? Tone::stale
           : verdict == WatchVerdict::agrees || verdict == WatchVerdict::ownNode ? Tone::holds
                                                                                 : Tone::muted;
}

QVariant WatchesModel::sortKey(const WatchItem& it, int column) const
{
    if (column == Node)
        return it.node.empty() ? -1 : qlonglong{replay::watchKey(it.node, SessionId::none()).sequence};
    if (column == Verdict) // what differs before what agrees
        return qlonglong{urgency(it.verdict)};
    return textOf(it, column);
}

QString WatchesModel::textOf(const WatchItem& it, int column) const
{
    const QString nothing = QStringLiteral("–");
    switch (column) {
    case Node:
        //: in place of the name of a node: the list of all nodes is watched
        return it.node.empty() ? tr("children") : format::sequenceShort(it.node);
    case Believed: {
        const QStringList who = names(it, false);
        return who.isEmpty() ? nothing : who.join(tr(", "));
    }
    case Served: {
        if (it.node.empty() || !asked())
            return QStringLiteral("?");
        const QStringList who = names(it, true);
        return who.isEmpty() ? nothing : who.join(tr(", "));
    }
    case Verdict:
        return verdictText(it);
    default:
        return {};
    }
}

QString WatchesModel::toolTip(int row) const
{
    const WatchItem& it = item(row);
    if (it.node.empty())
        return tr("wchp lists watches on nodes, never those on a list of children.");
    QStringList lines{format::plain(it.node, 200)};
    for (const ComparedWatch& watch : it.watches) {
        const QString difference = watchDifference(m_run->state(), watch.key, watch.client, watch.verdict);
        if (!difference.isEmpty() && lines.size() < kToolTipLines)
            lines << difference;
    }
    if (it.verdict == WatchVerdict::underWay)
        lines << tr("Set or fired while the table was being read. The next reading will include it.");
    return lines.join(QLatin1Char('\n'));
}

QString WatchesModel::caption() const
{
    const replay::WatchReading& reading = m_run->state().watchReading;
    if (!reading.refusal.empty())
        return translateMessage(reading.refusal, 300);
    if (!asked())
        return m_run->hasRun() ? tr("the server's table was not read") : QString();
    const auto rowsThat = [this](auto&& are) {
        return static_cast<quint64>(std::count_if(rows().begin(), rows().end(), are));
    };
    const quint64 differing = rowsThat([](const WatchItem& it) { return isDifference(it.verdict); });
    const quint64 underWay =
        rowsThat([](const WatchItem& it) { return it.verdict == WatchVerdict::underWay; });
    QString text = replay::onlyWatches(m_run->state()) ? tr("%1 nodes watched").arg(format::count(rowCount()))
                   : differing > 0
                       ? tr("%1 of %2 differ").arg(format::count(differing), format::count(rowCount()))
                   : underWay > 0 ? tr("no difference, %1 in flight").arg(format::count(underWay))
                                  : tr("no difference");
    if (reading.answered < reading.servers)
        text += QStringLiteral(" · ") + tr("%1 of %2 servers").arg(reading.answered).arg(reading.servers);
    return text + QStringLiteral(" · ") +
           tr("as of %1 · wchp read in %2").arg(format::moment(reading.at), format::duration(reading.took));
}

QString WatchesModel::emptyText() const
{
    if (const QString why = emptyStateText(*m_run); !why.isEmpty() && !replay::onlyWatches(m_run->state()))
        return why;
    if (replay::onlyWatches(m_run->state()))
        return asked() ? tr("The server has no watch on a node of these locks.")
                       : tr("The server has not been asked for its watches.");
    return asked() ? tr("No node is watched, and the server agrees. A watch appears here when a client has "
                        "to wait.")
                   : tr("No node is watched. A watch appears here when a client has to wait.");
}

} // namespace lockscope::ui

#include "moc_watches_model.cpp"
