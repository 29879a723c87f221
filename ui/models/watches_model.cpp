#include "ui/models/watches_model.h"

#include "ui/models/format.h"
#include "ui/models/watch_text.h"

#include <algorithm>

namespace lockscope::ui {

using replay::ComparedWatch;
using replay::WatchVerdict;

namespace {

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

// One that was asked for after the table was read: beside those that were read it changes no verdict.
void addLaterTo(std::vector<WatchItem>& all, const ComparedWatch& watch)
{
    if (all.empty() || all.back().node != watch.key.node)
        addTo(all, watch).later = true;
    else
        all.back().watches.push_back({watch});
    all.back().watches.back().later = true;
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
            addTo(all, unread(watch));
    }
    const auto kept = std::stable_partition(all.begin(), all.end(),
                                            [](const WatchItem& item) { return isDifference(item.verdict); });
    std::stable_partition(kept, all.end(), [](const WatchItem& item) { return !item.gone; });
    addList(all);
    return all;
}

// One that is in no table that was read.
ComparedWatch WatchesModel::unread(const replay::BelievedWatch& watch) const
{
    const bool own = m_run->state().ownerOf(m_lock, watch.key.node) == watch.client;
    return {watch.key, watch.client, false, own, WatchVerdict::unknown};
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

// Who waits for a change of the list itself.
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

int WatchesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

int WatchesModel::rowOf(const Selection& selection) const
{
    const auto rowThat = [this](auto&& is) {
        const auto found = std::find_if(rows().begin(), rows().end(), is);
        return found == rows().end() ? -1 : static_cast<int>(found - rows().begin());
    };
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
