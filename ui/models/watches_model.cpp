#include "ui/models/watches_model.h"

#include "ui/models/core_sentences.h"
#include "ui/models/format.h"
#include "ui/models/watch_words.h"

#include <algorithm>

namespace lockscope::ui {

using replay::ComparedWatch;
using replay::WatchVerdict;

namespace {

constexpr int kNamed = 3; // watchers of one node before the others are counted
constexpr int kToolTipLines = 12;

// What deserves the eye first.
int rankOf(WatchVerdict verdict)
{
    switch (verdict) {
    case WatchVerdict::stray:
    case WatchVerdict::missing:
        return 0;
    case WatchVerdict::underWay:
        return 1;
    case WatchVerdict::unknown:
        return 2;
    case WatchVerdict::foreign:
        return 3;
    case WatchVerdict::ownNode:
    case WatchVerdict::agrees:
        break;
    }
    return 4;
}

bool differs(WatchVerdict verdict) { return rankOf(verdict) == 0; }

// All watches of a node are one row.
WatchItem& addTo(std::vector<WatchItem>& all, const ComparedWatch& watch)
{
    if (all.empty() || all.back().node != watch.key.node)
        all.push_back({watch.key.node, {}, watch.verdict});
    WatchItem& item = all.back();
    item.watches.push_back(watch);
    if (rankOf(watch.verdict) < rankOf(item.verdict))
        item.verdict = watch.verdict;
    return item;
}

} // namespace

WatchesModel::WatchesModel(RunModel* run, Selection* selection, QObject* parent)
    : RowsModel(parent)
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
            addTo(all, {watch.key, watch.client, false, WatchVerdict::unknown});
    }
    const auto kept = std::stable_partition(all.begin(), all.end(),
                                            [](const WatchItem& item) { return differs(item.verdict); });
    std::stable_partition(kept, all.end(), [](const WatchItem& item) { return !item.gone; });
    addList(all);
    return all;
}

// The table that was read, and in its order what clients have asked for since.
void WatchesModel::addRead(std::vector<WatchItem>& all, const replay::LockRow& lock) const
{
    const replay::RunState& state = m_run->state();
    const auto& read = lock.watches.compared;
    auto next = lock.watches.believed.begin();
    const auto addLater = [&](const replay::WatchKey* before) {
        for (; next != lock.watches.believed.end() && (!before || next->key < *before); ++next)
            if (next->asked > state.watchReading.at)
                addTo(all, {next->key, next->client, false, WatchVerdict::unknown}).later = true;
        while (before && next != lock.watches.believed.end() && next->key == *before)
            ++next;
    };
    for (const ComparedWatch& watch : read) {
        addLater(&watch.key);
        WatchItem& item = addTo(all, watch);
        item.gone = rankOf(item.verdict) > 0 && !state.node(m_lock, item.node);
    }
    addLater(nullptr);
}

// Who waits for a change of the list itself.
void WatchesModel::addList(std::vector<WatchItem>& all) const
{
    WatchItem list;
    for (const replay::ClientRow& client : m_run->state().clients) {
        bool here = false;
        client.forEach(
            [&](const replay::Engagement& one) { here = here || (one.watchesList && one.lock == m_lock); });
        if (here)
            list.watches.push_back({{-1, {}, client.sessionId}, client.id, false, WatchVerdict::unknown});
    }
    if (!list.watches.empty())
        all.insert(all.begin(), std::move(list));
}

int WatchesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QStringList WatchesModel::names(int row, bool served) const
{
    QStringList all;
    qsizetype more = 0;
    const replay::RunState& state = m_run->state();
    const WatchItem& it = item(row);
    for (std::size_t i = 0; i < it.watches.size(); ++i) {
        const ComparedWatch& watch = it.watches[i];
        if (served ? !watch.served : !watch.client.valid())
            continue;
        // The server has one for all clients of a session.
        const bool again = served && i > 0 && it.watches[i - 1].key == watch.key;
        if (again)
            continue;
        if (all.size() >= kNamed)
            ++more;
        else if (const QString who = watcherName(state, watch.key.session, watch.client);
                 watch.client.valid() && state.ownerOf(m_lock, watch.key.node) == watch.client)
            all << tr("%1 (its own node)").arg(who); // a holder is told when its node goes
        else
            all << who;
    }
    if (more > 0)
        all << tr("%1 more").arg(format::count(static_cast<quint64>(more)));
    return all;
}

QString WatchesModel::differenceText(const WatchItem& it, const ComparedWatch& watch) const
{
    const auto count = std::count_if(it.watches.begin(), it.watches.end(),
                                     [](const ComparedWatch& each) { return differs(each.verdict); });
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
                              [](const ComparedWatch& watch) { return differs(watch.verdict); }));
    case WatchVerdict::underWay:
        return tr("under way");
    case WatchVerdict::unknown:
        return asked() ? tr("a server is silent") : tr("not asked");
    case WatchVerdict::foreign:
        return tr("another program's");
    case WatchVerdict::ownNode:
        return tr("on its own node");
    case WatchVerdict::agrees:
        break;
    }
    return tr("agree");
}

Tone WatchesModel::tone(int row) const
{
    const WatchVerdict verdict = item(row).verdict;
    return item(row).node.empty() || item(row).gone || item(row).later           ? Tone::muted
           : differs(verdict)                                                    ? Tone::stale
           : verdict == WatchVerdict::agrees || verdict == WatchVerdict::ownNode ? Tone::holds
                                                                                 : Tone::muted;
}

QString WatchesModel::text(int row, int column) const
{
    const WatchItem& it = item(row);
    const QString nothing = QStringLiteral("–");
    switch (column) {
    case Node:
        return it.node.empty() ? tr("children") : format::sequenceShort(it.node);
    case Believed: {
        const QStringList who = names(row, false);
        return who.isEmpty() ? nothing : who.join(tr(", "));
    }
    case Served: {
        if (it.node.empty() || !asked())
            return QStringLiteral("?");
        const QStringList who = names(row, true);
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
        lines << tr("Set or fired while the table was on its way: the next table will tell.");
    return lines.join(QLatin1Char('\n'));
}

int WatchesModel::rowOf(const QString& node) const
{
    const std::string name = node.toStdString();
    const auto found =
        std::find_if(rows().begin(), rows().end(), [&](const WatchItem& it) { return it.node == name; });
    return name.empty() || found == rows().end() ? -1 : static_cast<int>(found - rows().begin());
}

ClientId WatchesModel::firstClient(int row) const
{
    for (const ComparedWatch& watch : item(row).watches)
        if (watch.client.valid())
            return watch.client;
    return ClientId::none();
}

QString WatchesModel::caption() const
{
    const replay::WatchReading& reading = m_run->state().watchReading;
    if (!reading.refusal.empty())
        return retold(format::plain(reading.refusal, 300));
    if (!asked())
        return m_run->hasRun() ? tr("the server was not asked") : QString();
    const auto differing =
        std::count_if(rows().begin(), rows().end(), [](const WatchItem& it) { return differs(it.verdict); });
    QString text = differing == 0 ? tr("no difference")
                                  : tr("%1 of %2 differ")
                                        .arg(format::count(static_cast<quint64>(differing)),
                                             format::count(static_cast<quint64>(rowCount())));
    if (reading.answered < reading.servers)
        text += QStringLiteral(" · ") + tr("%1 of %2 servers").arg(reading.answered).arg(reading.servers);
    return text + QStringLiteral(" · ") +
           tr("as of %1 · wchp read in %2").arg(format::moment(reading.at), format::duration(reading.took));
}

QString WatchesModel::emptyText() const
{
    if (!m_run->hasRun())
        return tr("No watches yet: press Run.");
    return asked() ? tr("Nobody watches a node, and the server says the same.")
                   : tr("Nobody watches a node.");
}

QVariant WatchesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return format::toolTip(toolTip(index.row()));
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant WatchesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Node:
        return tr("node");
    case Believed:
        return tr("the clients believe");
    case Served:
        return tr("the server has");
    case Verdict:
        return tr("verdict");
    default:
        return {};
    }
}

} // namespace lockscope::ui
