#include "ui/locks/locks_model.h"

#include "ui/models/style/format.h"
#include "ui/texts/history_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kPath = 200;
constexpr std::array<TableColumn, LocksModel::ColumnCount> kLocksColumns{
    {//: table head, a noun: the path of the lock
     {QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "Lock"),
      QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "The path whose child nodes form the queue.")},
     //: table head: the way in which the lock works
     {QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "Recipe"),
      QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "The recipe, recognized by the names of the nodes.")},
     //: table head: how often the lock was acquired
     {QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "Acquisitions"),
      QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "The number of nodes that became first."), true},
     {QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "Max. hold"),
      QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "The longest time that a node was first."), true},
     {QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "Max. wait"),
      QT_TRANSLATE_NOOP("lockscope::ui::LocksModel",
                        "The longest time until a node was first or left the queue."),
      true},
     //: table head, a noun: the greatest length of the queue
     {QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "Queue"),
      QT_TRANSLATE_NOOP("lockscope::ui::LocksModel",
                        "The maximum number of nodes at a time, including the holder."),
      true},
     //: table head: how many holds ended because the session expired
     {QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "Expirations"),
      QT_TRANSLATE_NOOP("lockscope::ui::LocksModel",
                        "The number of holds that ended because the session expired."),
      true},
     {QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "Last used (UTC)"),
      QT_TRANSLATE_NOOP("lockscope::ui::LocksModel", "The time of its last transaction, in UTC."), true}}};

// The key that a column is sorted by. Paths are sorted already, and recipes have keys of their own.
std::int64_t sortKey(const history::LockSummary& lock, int column)
{
    switch (column) {
    case LocksModel::Acquisitions:
        return static_cast<std::int64_t>(lock.ends.acquisitions());
    case LocksModel::LongestHold:
        return lock.longestHoldMs;
    case LocksModel::LongestWait:
        return lock.longestWaitMs;
    case LocksModel::DeepestQueue:
        return lock.deepestQueue;
    case LocksModel::Expired:
        return static_cast<std::int64_t>(lock.ends.sessionExpired);
    case LocksModel::LastUsed:
        return lock.lastUsedMs;
    default:
        return 0;
    }
}

using queue::kRecipes;

template <class Value, class Function>
std::array<Value, kRecipes> ofRecipes(Function function)
{
    std::array<Value, kRecipes> values{};
    for (std::size_t i = 0; i < kRecipes; ++i)
        values[i] = function(static_cast<history::Recipe>(i));
    return values;
}

} // namespace

LocksModel::LocksModel(QObject* parent)
    : LockListModel(kLocksColumns, parent)
{}

std::vector<LocksModel::Key> LocksModel::keysOf(const std::vector<history::LockSummary>& locks, int column,
                                                const QString& filter) const
{
    const auto names = ofRecipes<QString>([](history::Recipe recipe) { return toText(recipe); });
    const auto inFilter = ofRecipes<bool>([&](history::Recipe recipe) {
        return names[static_cast<std::size_t>(recipe)].contains(filter, Qt::CaseInsensitive);
    });
    const auto recipeKey = ofRecipes<std::int64_t>([&](history::Recipe recipe) {
        return std::count_if(names.begin(), names.end(), [&](const QString& name) {
            return name < names[static_cast<std::size_t>(recipe)];
        });
    });
    std::vector<Key> keys;
    keys.reserve(locks.size());
    for (std::size_t i = 0; i < locks.size(); ++i) {
        const auto recipe = static_cast<std::size_t>(locks[i].recipe);
        if (!filter.isEmpty() && !inFilter[recipe] && !contains(locks[i].path, filter))
            continue;
        const std::int64_t key = column == Path     ? static_cast<std::int64_t>(i)
                                 : column == Recipe ? recipeKey[recipe]
                                                    : sortKey(locks[i], column);
        keys.push_back({key, {}, &locks[i]});
    }
    return keys;
}

QVariant LocksModel::cell(int row, int column, int role) const
{
    const history::LockSummary& lock = this->lock(row);
    if (role == Qt::DisplayRole)
        return text(lock, column);
    if (role == Qt::ToolTipRole && column == Path)
        return format::toolTip(format::plain(lock.path, 4 * kPath));
    if (role == Qt::ToolTipRole && column == LastUsed)
        return format::toolTip(tr("%1 UTC").arg(utcText(lock.lastUsedMs)) + u'\n' +
                               localTimeText(lock.lastUsedMs));
    return {};
}

QString LocksModel::text(const history::LockSummary& lock, int column) const
{
    switch (column) {
    case Path:
        return format::plain(lock.path, kPath);
    case Recipe:
        return toText(lock.recipe);
    case Acquisitions:
        return lock.ends.unknown == 0
                   ? format::count(lock.ends.acquisitions())
                   //: a cell: how often a lock was acquired, and how many nodes more may have held it
                   : tr("%1, %2 unknown")
                         .arg(format::count(lock.ends.acquisitions()), format::count(lock.ends.unknown));
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

} // namespace lockscope::ui

#include "moc_locks_model.cpp"
