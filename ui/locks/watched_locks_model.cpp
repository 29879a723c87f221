#include "ui/locks/watched_locks_model.h"

#include "ui/models/style/format.h"
#include "ui/texts/field_text.h"
#include "ui/texts/history_text.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <array>

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
    : LockListModel(kWatchedLocksColumns, parent)
{}

void WatchedLocksModel::setRoot(const std::string& path)
{
    m_root = path.empty() || path == "/" ? std::string() : path + '/';
}

void WatchedLocksModel::assign(field::SnapshotPtr snapshot)
{
    const field::SnapshotPtr before =
        std::exchange(m_snapshot, std::move(snapshot)); // the old rows point into it
    showLocks({m_snapshot, &m_snapshot->locks});
}

std::vector<WatchedLocksModel::Key> WatchedLocksModel::keysOf(const std::vector<field::LockStatus>& locks,
                                                              int column, const QString& filter) const
{
    const std::int64_t now = m_snapshot->knownMs();
    std::vector<Key> keys;
    keys.reserve(locks.size());
    for (const field::LockStatus& lock : locks) {
        const QString holder = column == Holder || !filter.isEmpty() ? text(lock, Holder) : QString();
        if (!filter.isEmpty() && !contains(lock.path, filter) &&
            !holder.contains(filter, Qt::CaseInsensitive) &&
            !toText(lock.recipe).contains(filter, Qt::CaseInsensitive))
            continue;
        const std::int64_t key = column == Since         ? heldMs(lock, now)
                                 : column == Waiting     ? static_cast<std::int64_t>(lock.waiting)
                                 : column == LongestWait ? lock.longestWaitNowMs
                                 : column == Handoffs
                                     ? static_cast<std::int64_t>(lock.handoffsPerMinute * 1000)
                                     : 0;
        keys.push_back({key,
                        column == Lock     ? QString::fromStdString(lock.path)
                        : column == Holder ? holder
                                           : QString(),
                        &lock});
    }
    return keys;
}

// Enough rows to tell what the names have in common.
void WatchedLocksModel::onRows(const Rows& rows)
{
    constexpr std::size_t kRead = 500;
    m_holders = {};
    for (std::size_t row = 0; row < std::min(rows.size(), kRead); ++row)
        if (rows[row]->holders == 1 && rows[row]->holder)
            m_holders.add(whoText(*rows[row]->holder));
}

int WatchedLocksModel::stuckCount() const
{
    return static_cast<int>(std::count_if(locks().begin(), locks().end(), [](const field::LockStatus& lock) {
        return lock.diagnosis.has_value();
    }));
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
        if (column == Holder && !lock.holder)
            return format::toolTip(text(lock, column));
        if (lock.holder && column <= Since) {
            QStringList lines{text(lock, Holder)}; // the column may have no room for all of it
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
