#include "ui/history/locks_model.h"

#include "ui/history/history_text.h"
#include "ui/models/format.h"

namespace lockscope::ui {

namespace {
constexpr int kPath = 200;
constexpr std::size_t kMaxRowChanges = 100; // of rows that come or go; each moves all behind it

// How many stretches of paths are in one of the two alone.
std::size_t countRowChanges(const std::vector<history::LockSummary>& a, const std::vector<history::LockSummary>& b)
{
    std::size_t changes = 0;
    int before = 0;
    for (std::size_t i = 0, k = 0; i < a.size() || k < b.size();) {
        const int order = i == a.size() ? 1 : k == b.size() ? -1 : a[i].path.compare(b[k].path);
        const int side = order < 0 ? -1 : order > 0 ? 1 : 0;
        changes += side != 0 && side != before ? 1 : 0;
        before = side;
        i += side <= 0 ? 1 : 0;
        k += side >= 0 ? 1 : 0;
    }
    return changes;
}
}

void LocksModel::assign(std::vector<history::LockSummary> locks)
{
    if (countRowChanges(m_locks, locks) > kMaxRowChanges) {
        beginResetModel();
        m_locks = std::move(locks);
        return endResetModel();
    }
    // A lock that was seen stays: new ones come between the others.
    std::size_t at = 0;
    for (std::size_t i = 0; i < locks.size();) {
        if (at < m_locks.size() && m_locks[at].path == locks[i].path) {
            m_locks[at++] = std::move(locks[i++]);
            continue;
        }
        if (at < m_locks.size() && m_locks[at].path < locks[i].path) {
            beginRemoveRows({}, static_cast<int>(at), static_cast<int>(at));
            m_locks.erase(m_locks.begin() + static_cast<std::ptrdiff_t>(at));
            endRemoveRows();
            continue;
        }
        std::size_t end = i + 1;
        while (end < locks.size() && (at == m_locks.size() || locks[end].path < m_locks[at].path))
            ++end;
        beginInsertRows({}, static_cast<int>(at), static_cast<int>(at + end - i - 1));
        m_locks.insert(m_locks.begin() + static_cast<std::ptrdiff_t>(at),
                       std::make_move_iterator(locks.begin() + static_cast<std::ptrdiff_t>(i)),
                       std::make_move_iterator(locks.begin() + static_cast<std::ptrdiff_t>(end)));
        endInsertRows();
        at += end - i;
        i = end;
    }
    if (at < m_locks.size()) {
        beginRemoveRows({}, static_cast<int>(at), static_cast<int>(m_locks.size() - 1));
        m_locks.resize(at);
        endRemoveRows();
    }
    if (!m_locks.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void LocksModel::clear()
{
    beginResetModel();
    m_locks.clear();
    endResetModel();
}

int LocksModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_locks.size());
}

int LocksModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LocksModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const history::LockSummary& lock = this->lock(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(lock, index.column());
    case kSortRole:
        return sortValue(lock, index.column());
    case Qt::TextAlignmentRole:
        return QVariant(index.column() <= Recipe ? Qt::AlignLeft | Qt::AlignVCenter
                                                 : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (index.column() == Path)
            return format::toolTip(format::plain(lock.path, 4 * kPath));
        if (index.column() == LastUsed)
            return format::toolTip(tr("%1 UTC").arg(utcText(lock.lastUsedMs)) + u'\n' + localTimeText(lock.lastUsedMs));
        return {};
    default:
        return {};
    }
}

QString LocksModel::text(const history::LockSummary& lock, int column) const
{
    switch (column) {
    case Path:
        return format::plain(lock.path, kPath);
    case Recipe:
        return toText(lock.recipe);
    case Acquisitions:
        return format::count(lock.ends.acquisitions());
    case LongestHold:
        return lock.ends.acquisitions() == 0 ? QStringLiteral("–") : millisecondsText(lock.longestHoldMs);
    case LongestWait:
        return millisecondsText(lock.longestWaitMs);
    case DeepestQueue:
        return format::count(lock.deepestQueue);
    case Expired:
        return format::count(lock.ends.sessionExpired);
    case LastUsed:
        return utcText(lock.lastUsedMs).left(19);
    default:
        return {};
    }
}

QVariant LocksModel::sortValue(const history::LockSummary& lock, int column)
{
    const auto number = [](std::uint64_t value) { return QVariant(static_cast<qulonglong>(value)); };
    switch (column) {
    case Path:
        return format::plain(lock.path, 4 * kPath);
    case Recipe:
        return toText(lock.recipe);
    case Acquisitions:
        return number(lock.ends.acquisitions());
    case LongestHold:
        return static_cast<qlonglong>(lock.longestHoldMs);
    case LongestWait:
        return static_cast<qlonglong>(lock.longestWaitMs);
    case DeepestQueue:
        return number(lock.deepestQueue);
    case Expired:
        return number(lock.ends.sessionExpired);
    case LastUsed:
        return static_cast<qlonglong>(lock.lastUsedMs);
    default:
        return {};
    }
}

QVariant LocksModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(section <= Recipe ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (section) {
    case Path:
        return tip ? tr("The path whose child nodes form the queue.") : tr("Lock");
    case Recipe:
        return tip ? tr("The recipe, recognized by the names of the nodes.") : tr("Recipe");
    case Acquisitions:
        return tip ? tr("The number of nodes that became first.") : tr("Acquired");
    case LongestHold:
        return tip ? tr("The longest time that a node was first.") : tr("Max. hold");
    case LongestWait:
        return tip ? tr("The longest time until a node was first or left the queue.") : tr("Max. wait");
    case DeepestQueue:
        return tip ? tr("The maximum number of nodes at a time, including the holder.") : tr("Queue");
    case Expired:
        return tip ? tr("The number of holds that ended because the session expired.") : tr("Expired");
    case LastUsed:
        return tip ? tr("The time of its last transaction, in UTC.") : tr("Last used (UTC)");
    default:
        return {};
    }
}

LocksFilter::LocksFilter(LocksModel* locks, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_locks(locks)
{
    setSourceModel(locks);
    setSortRole(LocksModel::kSortRole);
    setDynamicSortFilter(true);
}

void LocksFilter::setText(const QString& text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

bool LocksFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    if (m_text.isEmpty())
        return true;
    const history::LockSummary& lock = m_locks->lock(row);
    return QString::fromUtf8(lock.path.data(), static_cast<qsizetype>(lock.path.size()))
               .contains(m_text, Qt::CaseInsensitive) ||
           toText(lock.recipe).contains(m_text, Qt::CaseInsensitive);
}

} // namespace lockscope::ui
