#include "ui/field/watched_locks_model.h"

#include "ui/field/watch_text.h"
#include "ui/history/history_text.h"
#include "ui/models/format.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lockscope::ui {

namespace {

constexpr int kShownLock = 200;
constexpr std::array<TableColumn, WatchedLocksModel::ColumnCount> kWatchedLocksColumns{
    {//: table head, a noun: the path of the lock
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "Lock"),
      QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel",
                        "The path whose child nodes form the queue, and why it looks stuck.")},
     //: table head: who holds the lock
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "Holder"),
      QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel",
                        "The client that is first by the rule of the recipe.")},
     //: table head, a noun: how long the holder has held the lock
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "Hold"),
      QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "How long it has held the lock."), true},
     //: table head: how many clients wait
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "Waiting"),
      QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "The number of clients that wait now."), true},
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "Max. wait"),
      QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "The longest wait at present."), true},
     {QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "Per min"),
      QT_TRANSLATE_NOOP("lockscope::ui::WatchedLocksModel", "Handoffs in the last minute."), true}}};
constexpr int kTextSide = 8;

std::int64_t heldMs(const field::LockStatus& lock, std::int64_t nowMs)
{
    return lock.holder && lock.holder->heldSince ? nowMs - lock.holder->heldSince->latestMs : -1;
}

} // namespace

WatchedLocksModel::WatchedLocksModel(QObject* parent)
    : ColumnsModel(kWatchedLocksColumns, parent)
{}

void WatchedLocksModel::setRoot(const std::string& path)
{
    m_root = path.empty() || path == "/" ? std::string() : path + '/';
}

void WatchedLocksModel::setFilter(const QString& text)
{
    m_filter = text.trimmed();
    assign(m_snapshot);
}

void WatchedLocksModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    assign(m_snapshot);
}

bool WatchedLocksModel::isShown(const field::LockStatus& lock) const
{
    return m_filter.isEmpty() ||
           QString::fromUtf8(lock.path.data(), static_cast<qsizetype>(lock.path.size()))
               .contains(m_filter, Qt::CaseInsensitive) ||
           text(lock, Holder).contains(m_filter, Qt::CaseInsensitive) ||
           toText(lock.recipe).contains(m_filter, Qt::CaseInsensitive);
}

bool WatchedLocksModel::isBefore(const field::LockStatus& a, const field::LockStatus& b) const
{
    const std::int64_t now = m_snapshot->knownMs();
    switch (m_sortColumn) {
    case Since:
        return heldMs(a, now) < heldMs(b, now);
    case Waiting:
        return a.waiting < b.waiting;
    case LongestWait:
        return a.longestWaitNowMs < b.longestWaitNowMs;
    case Handoffs:
        return a.handoffsPerMinute < b.handoffsPerMinute;
    default:
        return a.path < b.path;
    }
}

// Enough rows to tell what the names have in common.
void WatchedLocksModel::nameHolders()
{
    constexpr std::size_t kRead = 500;
    m_holders = {};
    for (std::size_t row = 0; row < std::min(m_rows.size(), kRead); ++row)
        if (m_rows[row]->holders == 1 && m_rows[row]->holder)
            m_holders.add(whoText(*m_rows[row]->holder));
}

// Makes the text of each row once, instead of in each comparison.
void WatchedLocksModel::sortByHolder(std::vector<const field::LockStatus*>& rows) const
{
    std::vector<std::pair<QString, const field::LockStatus*>> named;
    named.reserve(rows.size());
    for (const field::LockStatus* row : rows)
        named.emplace_back(text(*row, Holder), row);
    std::stable_sort(named.begin(), named.end(), [this](const auto& a, const auto& b) {
        return m_sortOrder == Qt::AscendingOrder ? a.first < b.first : b.first < a.first;
    });
    std::transform(named.begin(), named.end(), rows.begin(), [](const auto& one) { return one.second; });
}

// Rows appear, disappear and move with every snapshot: selected rows are found again by their paths.
void WatchedLocksModel::assign(field::SnapshotPtr snapshot)
{
    std::vector<const field::LockStatus*> rows;
    const field::SnapshotPtr before =
        std::exchange(m_snapshot, std::move(snapshot)); // the old rows point into it
    if (m_snapshot)
        for (const field::LockStatus& lock : m_snapshot->locks)
            if (isShown(lock))
                rows.push_back(&lock);
    if (m_sortColumn == Holder)
        sortByHolder(rows);
    else if (m_sortColumn >= 0)
        std::stable_sort(rows.begin(), rows.end(),
                         [this](const field::LockStatus* a, const field::LockStatus* b) {
                             return m_sortOrder == Qt::AscendingOrder ? isBefore(*a, *b) : isBefore(*b, *a);
                         });
    const bool same =
        std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                   [](const field::LockStatus* a, const field::LockStatus* b) { return a->path == b->path; });
    if (same) {
        m_rows = std::move(rows);
        nameHolders();
        if (!m_rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    emit layoutAboutToBeChanged();
    const QModelIndexList kept = persistentIndexList();
    std::unordered_map<std::string_view, int> places;
    if (!kept.isEmpty())
        for (std::size_t i = 0; i < rows.size(); ++i)
            places.emplace(rows[i]->path, static_cast<int>(i));
    QModelIndexList moved;
    for (const QModelIndex& old : kept) {
        const auto place = places.find(lock(old.row()).path);
        moved << (place == places.end() ? QModelIndex() : createIndex(place->second, old.column()));
    }
    m_rows = std::move(rows);
    nameHolders();
    changePersistentIndexList(kept, moved);
    emit layoutChanged();
}

int WatchedLocksModel::rowOf(std::string_view path) const
{
    const auto row = std::find_if(m_rows.begin(), m_rows.end(),
                                  [&](const field::LockStatus* lock) { return lock->path == path; });
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

int WatchedLocksModel::stuckCount() const
{
    return m_snapshot ? static_cast<int>(std::count_if(
                            m_snapshot->locks.begin(), m_snapshot->locks.end(),
                            [](const field::LockStatus& lock) { return lock.diagnosis.has_value(); }))
                      : 0;
}

int WatchedLocksModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant WatchedLocksModel::cell(int row, int column, int role) const
{
    const field::LockStatus& lock = this->lock(row);
    switch (role) {
    case Qt::DisplayRole:
        return text(lock, column);
    case kDetailRole:
        return lock.diagnosis ? stuckText(lock.diagnosis->kind) : toText(lock.recipe);
    case kVariantsRole:
        return lock.holder && lock.holders == 1 ? m_holders.variantsOf(whoText(*lock.holder)) : QString();
    case kStuckRole:
        return lock.diagnosis.has_value() && (column == Lock || column == LongestWait || column == Since);
    case Qt::ToolTipRole:
        if (column == Lock)
            return format::toolTip(format::plain(lock.path, 4 * kShownLock) + u'\n' + toText(lock.recipe));
        if (lock.holder && column <= Since) {
            QStringList lines;
            for (const auto& [label, value] : participantFacts(*lock.holder, m_snapshot->knownMs()))
                lines << tr("%1: %2").arg(label, value);
            return format::toolTip(lines.join(u'\n'));
        }
        return {};
    default:
        return {};
    }
}

QString WatchedLocksModel::text(const field::LockStatus& lock, int column) const
{
    switch (column) {
    case Lock:
        return format::plain(lock.path.starts_with(m_root) ? lock.path.substr(m_root.size()) : lock.path,
                             kShownLock);
    case Holder:
        return !lock.holder        ? noHolderText(lock)
               : lock.holders == 1 ? whoText(*lock.holder)
                                   : tr("%Ln holders", nullptr, static_cast<int>(lock.holders));
    case Since:
        return lock.holder ? sinceText(*lock.holder, m_snapshot->knownMs()) : QStringLiteral("–");
    case Waiting:
        return format::count(lock.waiting);
    case LongestWait:
        return lock.waiting > 0 ? spanText(lock.longestWaitNowMs) : QStringLiteral("–");
    case Handoffs:
        return format::count(static_cast<quint64>(lock.handoffsPerMinute));
    default:
        return {};
    }
}

void WatchedLockDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const Palette& palette = m_theme->palette();
    QString text = std::exchange(item.text, QString());
    if (index.column() == WatchedLocksModel::Holder)
        if (const QString names = index.data(WatchedLocksModel::kVariantsRole).toString(); !names.isEmpty())
            text = names;
    const QWidget* widget = option.widget;
    (widget ? widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &item, painter, widget);
    const bool stuck = index.data(WatchedLocksModel::kStuckRole).toBool();
    const QRect room = option.rect.adjusted(kTextSide, 0, -kTextSide, 0);
    painter->save();
    if (index.column() != WatchedLocksModel::Lock) {
        painter->setFont(m_theme->fonts().text);
        painter->setPen(stuck ? palette.staleText : palette.text);
        painter->drawText(room, static_cast<int>(item.displayAlignment),
                          item.fontMetrics.elidedText(text, Qt::ElideMiddle, room.width()));
    } else {
        const QRect upper = room.adjusted(0, 3, 0, -room.height() / 2);
        const QRect lower = room.adjusted(0, room.height() / 2, 0, -3);
        painter->setFont(m_theme->fonts().title);
        painter->setPen(palette.text);
        painter->drawText(upper, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(m_theme->fonts().title).elidedText(text, Qt::ElideLeft, room.width()));
        painter->setFont(m_theme->fonts().small);
        painter->setPen(stuck ? palette.staleText : palette.textMuted);
        painter->drawText(lower, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(m_theme->fonts().small)
                              .elidedText(index.data(WatchedLocksModel::kDetailRole).toString(),
                                          Qt::ElideRight, room.width()));
    }
    painter->restore();
}

} // namespace lockscope::ui

#include "moc_watched_locks_model.cpp"
