#include "ui/commands/command_list.h"

#include "ui/commands/fuzzy.h"
#include "ui/models/format.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <map>
#include <set>

namespace lockscope::ui {

namespace {

bool isCommand(const QAction& action)
{
    return !action.isSeparator() && !action.menu() && !action.text().isEmpty() && action.isVisible();
}

using Places = std::map<const QAction*, QString>;

// Menus within menus too: "View › Language".
void collect(const QMenu& menu, const QString& path, Places& places, std::vector<QAction*>& order)
{
    for (QAction* action : menu.actions()) {
        if (QMenu* inner = action->menu()) {
            collect(*inner, path + QStringLiteral(" › ") + format::withoutMnemonic(inner->title()), places, order);
        } else if (isCommand(*action) && places.emplace(action, path).second) {
            order.push_back(action);
        }
    }
}

// "show.timeline", "stepNext": what it is called in English, whatever is spoken.
QString englishName(const QAction& action)
{
    QString words;
    for (const QChar letter : action.objectName()) {
        if (letter.isUpper() || !letter.isLetterOrNumber()) {
            words += u' ';
        }
        if (letter.isLetterOrNumber()) {
            words += letter.toLower();
        }
    }
    return words.simplified();
}

CommandEntry entryOf(QAction* action, const QString& where)
{
    CommandEntry entry;
    entry.text = format::withoutMnemonic(action->text());
    entry.where = where;
    entry.shortcut = action->shortcut().toString(QKeySequence::NativeText);
    entry.about = action->statusTip();
    entry.possible = action->isEnabled();
    entry.action = action;
    entry.otherNames = englishName(*action);
    return entry;
}

} // namespace

std::vector<CommandEntry> commandsOf(const QWidget& window)
{
    Places places;
    std::vector<QAction*> order;
    for (const QMenuBar* bar : window.findChildren<QMenuBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        for (const QAction* action : bar->actions()) {
            if (const QMenu* menu = action->menu()) {
                collect(*menu, format::withoutMnemonic(menu->title()), places, order);
            }
        }
    }
    // Those of no menu: the window's own, and those with a name anywhere in it.
    QList<QAction*> others = window.actions();
    for (QAction* action : window.findChildren<QAction*>()) {
        if (!action->objectName().isEmpty()) {
            others += action;
        }
    }
    for (QAction* action : others) {
        if (isCommand(*action) && places.emplace(action, QString()).second) {
            order.push_back(action);
        }
    }
    std::vector<CommandEntry> entries;
    for (QAction* action : order) {
        entries.push_back(entryOf(action, places[action]));
    }
    return entries;
}

CommandList::CommandList(std::vector<CommandEntry> entries, QObject* parent)
    : QAbstractListModel(parent)
    , m_entries(std::move(entries))
{
    setTyped({});
}

// A match in the words counts more than one in where they belong.
void CommandList::setTyped(const QString& typed)
{
    beginResetModel();
    m_rows.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const CommandEntry& entry = m_entries[i];
        if (auto match = fuzzyMatch(typed, entry.text)) {
            m_rows.push_back({i, match->score, std::move(match->positions)});
        } else if (const auto wider = fuzzyMatch(typed, entry.where + ' ' + entry.text)) {
            m_rows.push_back({i, wider->score / 2, {}});
        } else if (entry.otherNames.contains(typed.simplified(), Qt::CaseInsensitive)) {
            m_rows.push_back({i, 0, {}});
        }
    }
    if (!typed.trimmed().isEmpty()) {
        std::stable_sort(m_rows.begin(), m_rows.end(),
                         [](const Row& a, const Row& b) { return a.score > b.score; });
    }
    endResetModel();
}

const CommandEntry* CommandList::entry(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return row >= 0 && at < m_rows.size() ? &m_entries[m_rows[at].entry] : nullptr;
}

int CommandList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant CommandList::data(const QModelIndex& index, int role) const
{
    const CommandEntry* shown = entry(index.row());
    if (!shown || !index.isValid()) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return shown->text;
    case Qt::AccessibleTextRole:
        return shown->shortcut.isEmpty() ? shown->text
                                         : QStringLiteral("%1, %2").arg(shown->text, shown->shortcut);
    case Qt::AccessibleDescriptionRole:
        return shown->about;
    case kWhere:
        return shown->where;
    case kShortcut:
        return shown->shortcut;
    case kPositions: {
        QVariantList positions;
        for (const int at : m_rows[static_cast<std::size_t>(index.row())].positions) {
            positions += at;
        }
        return positions;
    }
    default:
        return {};
    }
}

// One that cannot be done now is still shown and can be chosen, so that its reason can be read.
Qt::ItemFlags CommandList::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren
                           : Qt::NoItemFlags;
}

} // namespace lockscope::ui
