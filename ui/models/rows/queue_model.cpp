#include "ui/models/rows/queue_model.h"

#include "ui/models/style/format.h"
#include "ui/texts/empty_state.h"
#include "ui/texts/watched_lock_text.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace lockscope::ui {

namespace {

auto shownFields(const replay::NodeRow& n)
{
    return std::tie(n.name, n.owner, n.phase, n.watches, n.depth, n.waitingSince, n.waitsLonger,
                    n.ownerFrozen, n.session, n.kind);
}

constexpr std::array<TableColumn, QueueModel::ColumnCount> kQueueColumns{
    {{QT_TRANSLATE_NOOP("lockscope::ui::QueueModel", "#")},
     //: table head: the number of the node
     {QT_TRANSLATE_NOOP("lockscope::ui::QueueModel", "Sequence")},
     //: table head: whose node it is
     {QT_TRANSLATE_NOOP("lockscope::ui::QueueModel", "Owner")},
     //: table head: holds the lock or waits
     {QT_TRANSLATE_NOOP("lockscope::ui::QueueModel", "State")},
     //: table head, a verb: the owner watches a node
     {QT_TRANSLATE_NOOP("lockscope::ui::QueueModel", "Watches")},
     //: table head: how often the lock was entered
     {QT_TRANSLATE_NOOP("lockscope::ui::QueueModel", "Depth")},
     //: table head, a noun: how long it waited
     {QT_TRANSLATE_NOOP("lockscope::ui::QueueModel", "Wait"), "", true}}};

QString nothing() { return QStringLiteral("–"); }

bool waits(const replay::NodeRow& node)
{
    return node.phase == replay::NodePhase::waits || node.phase == replay::NodePhase::joining;
}

} // namespace

bool NodeItem::operator==(const NodeItem& other) const
{
    return shownFields(node) == shownFields(other.node) && place == other.place && owner == other.owner &&
           colour == other.colour && awake == other.awake;
}

QueueModel::QueueModel(RunModel* run, Selection* selection, QObject* parent)
    : RowsModel(kQueueColumns, parent)
    , m_run(run)
    , m_selection(selection)
    , m_time(run, this)
{
    followRun(run);
    connect(&m_time, &ShownTime::moved, this, &QueueModel::tickTimes);
    followLock(selection, &m_lock);
    refresh();
}

void QueueModel::refresh()
{
    m_lock = m_selection->lock();
    const replay::RunState& state = m_run->state();
    std::vector<NodeItem> next = spareRows();
    if (const replay::LockRow* lock = state.lock(m_lock)) {
        next.reserve(lock->queue.size());
        for (const replay::NodeRow& node : lock->queue) {
            const replay::ClientRow* owner = state.client(node.owner);
            next.push_back({node, next.size(), owner ? owner->name : trace::Text(),
                            owner ? owner->colour : std::uint16_t{0}, isWoken(state, *lock, node),
                            lock->watched});
        }
    }
    m_names.update(state);
    assignRows(std::move(next));
}

void QueueModel::tickTimes()
{
    if (rowCount() > 0)
        emit dataChanged(index(0, Waited), index(rowCount() - 1, Waited));
}

QString QueueModel::shownOwner(int row) const
{
    return item(row).owner.empty() ? text(row, Owner) : m_names.variantsOf(text(row, Owner));
}

QString QueueModel::textOf(const NodeItem& it, int column) const
{
    switch (column) {
    case Place:
        return format::count(it.place + 1);
    case Sequence:
        return format::sequenceShort(it.node.name);
    case Owner:
        if (it.watched && it.owner.empty())
            return watchedOwnerText(it.node);
        //: in place of the owner of a node: it belongs to no client of the run
        return it.owner.empty() ? tr("foreign") : format::plain(it.owner, 40);
    case State:
        return statusOf(it).text;
    case Watches:
        return it.node.watches.empty() ? nothing() : format::sequenceShort(it.node.watches);
    case Depth:
        return it.node.phase == replay::NodePhase::holds && it.node.depth > 0 ? format::count(it.node.depth)
                                                                              : nothing();
    case Waited:
        if (it.watched && waits(it.node))
            return watchedWaitText(it.node, m_time.now());
        return waits(it.node) && it.node.owner.valid()
                   ? format::waitTime(m_run->state().pauses.without(it.node.waitingSince, m_time.now()))
                   : nothing();
    default:
        return {};
    }
}

QVariant QueueModel::sortKey(const NodeItem& it, int column) const
{
    switch (column) {
    case Place:
        return qulonglong{it.place};
    case Sequence:
        return qlonglong{it.node.sequence};
    case Depth:
        return it.node.phase == replay::NodePhase::holds ? uint{it.node.depth} : 0U;
    case Waited: // who does not wait comes before who has just begun to
        return waits(it.node) ? -qlonglong{it.node.waitingSince.count()} : -qlonglong{kForever.count()};
    default:
        return textOf(it, column);
    }
}

int QueueModel::rowOf(const QString& node) const
{
    return rowThat([name = node.toStdString()](const NodeItem& item) { return item.node.name == name; });
}

int QueueModel::rowOf(ClientId owner) const
{
    return owner.valid() ? rowThat([owner](const NodeItem& item) { return item.node.owner == owner; }) : -1;
}

QString QueueModel::emptyReason() const
{
    const replay::LockRow* lock = m_run->hasRun() ? m_run->state().lock(m_lock) : nullptr;
    return lock && lock->watched ? watchedEmptyText(*lock) : emptyStateText(*m_run);
}

QString QueueModel::path() const
{
    const replay::LockRow* lock = m_run->state().lock(m_lock);
    return lock ? format::plain(lock->path, 60) : QString();
}

QVariant QueueModel::cell(int row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole: // not the place: it changes when a row in front goes
        return column == Place ? QVariant() : text(row, column);
    case Qt::AccessibleTextRole:
        return text(row, column);
    case Qt::ToolTipRole:
        if (const NodeItem& it = item(row); it.watched && column == State)
            return watchedDoubtText(it.node);
        if (column == Sequence)
            return format::toolTip(format::plain(item(row).node.name, 200));
        return {};
    default:
        return {};
    }
}

} // namespace lockscope::ui

#include "moc_queue_model.cpp"
