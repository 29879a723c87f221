#include "ui/commands/command_list.h"

#include "ui/commands/fuzzy.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"

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

struct Place
{
    QString path;    // with submenus: "View › Language"
    QString chinese; // the same
};
using Places = std::map<const QAction*, Place>;

QString plainChinese(const QString& text) { return format::withoutMnemonic(chineseMenuText(text)); }

void collect(const QMenu& menu, const Place& place, Places& places, std::vector<QAction*>& order)
{
    for (QAction* action : menu.actions()) {
        if (QMenu* inner = action->menu()) {
            collect(*inner,
                    {place.path + QStringLiteral(" › ") + format::withoutMnemonic(inner->title()),
                     place.chinese + ' ' + plainChinese(inner->title())},
                    places, order);
        } else if (isCommand(*action) && places.emplace(action, place).second) {
            order.push_back(action);
        }
    }
}

// "show timeline" for "show.timeline": the English name, independent of the language.
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

CommandEntry entryOf(QAction* action, const Place& place)
{
    CommandEntry entry;
    entry.text = format::withoutMnemonic(action->text());
    entry.category = place.path;
    entry.shortcut = action->shortcut().toString(QKeySequence::NativeText);
    entry.description = action->statusTip();
    entry.enabled = action->isEnabled();
    entry.action = action;
    entry.showsRecordedRun = action->property(kShowsRecordedRun).toBool();
    const QString keywords = action->property(kKeywords).toString();
    QString chinese = action->property(kChineseText).toString();
    if (chinese.isEmpty())
        chinese = plainChinese(action->text());
    if (const CommandRow* row = commandRow(action->objectName()); row && *row->text)
        chinese += u' ' + plainChinese(QString::fromUtf8(row->text));
    entry.searchTerms =
        QStringList{englishName(*action), chinese, place.chinese, keywords, plainChinese(keywords)}.join(
            '\n');
    return entry;
}

constexpr int kMaxWordScore = 6; // score of the best match of a word
constexpr int kWorstWordWeight = 1000;

// 0: no match.
int matchScore(WordMatch title, WordMatch keywords)
{
    if (title >= WordMatch::beginning) {
        return title == WordMatch::whole ? kMaxWordScore : kMaxWordScore - 1;
    }
    if (keywords >= WordMatch::beginning) {
        return keywords == WordMatch::whole ? 4 : 3;
    }
    return title == WordMatch::inside ? 2 : keywords == WordMatch::inside ? 1 : 0;
}

} // namespace

std::vector<CommandEntry> commandsOf(const QWidget& window)
{
    Places places;
    std::vector<QAction*> order;
    for (const QMenuBar* bar : window.findChildren<QMenuBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        for (const QAction* action : bar->actions()) {
            if (const QMenu* menu = action->menu()) {
                collect(*menu, {format::withoutMnemonic(menu->title()), plainChinese(menu->title())}, places,
                        order);
            }
        }
    }
    // Actions that are in no menu: the window's own, and every one in it that is explained. Others are mere
    // keys.
    QList<QAction*> others = window.actions();
    for (QAction* action : window.findChildren<QAction*>()) {
        if (!action->objectName().isEmpty() && !action->statusTip().isEmpty()) {
            others += action;
        }
    }
    for (QAction* action : others) {
        if (isCommand(*action) && places.emplace(action, Place()).second) {
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
    setQuery({});
}

// Every word must match. The word with the lowest score decides the rank, then the sum.
std::optional<CommandList::Row> CommandList::matchWords(const QStringList& words, const CommandEntry& entry)
{
    Row row{};
    int worst = kMaxWordScore;
    int sum = 0;
    for (const QString& word : words) {
        const WordPosition title = findWord(word, entry.text);
        const int worth = matchScore(title.match, std::max(findWord(word, entry.category).match,
                                                           findWord(word, entry.searchTerms).match));
        if (worth == 0) {
            return std::nullopt;
        }
        worst = std::min(worst, worth);
        sum += worth + (title.at == 0 ? 1 : 0);
        for (int i = 0; title.at >= 0 && i < word.size(); ++i) {
            row.positions.push_back(title.at + i);
        }
    }
    row.score = worst * kWorstWordWeight + sum;
    return row;
}

// Matches scattered letters: used when no entry matches by words.
void CommandList::addFuzzyMatches(const QString& typed)
{
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (auto match = fuzzyMatch(typed, m_entries[i].text)) {
            m_rows.push_back({i, match->score, std::move(match->positions)});
        }
    }
}

void CommandList::setQuery(const QString& typed)
{
    beginResetModel();
    m_rows.clear();
    const QStringList words = typed.simplified().split(' ', Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (auto row = matchWords(words, m_entries[i])) {
            row->entry = i;
            m_rows.push_back(std::move(*row));
        }
    }
    if (m_rows.empty()) {
        addFuzzyMatches(typed);
    }
    if (!words.isEmpty()) {
        std::stable_sort(m_rows.begin(), m_rows.end(), [this](const Row& a, const Row& b) {
            // Of the same words, the entry of a menu comes before one of a menu inside it.
            const auto depth = [this](const Row& row) {
                return m_entries[row.entry].category.count(QStringLiteral(" › "));
            };
            return std::pair(-a.score, depth(a)) < std::pair(-b.score, depth(b));
        });
    }
    std::stable_partition(m_rows.begin(), m_rows.end(),
                          [this](const Row& row) { return !m_entries[row.entry].showsRecordedRun; });
    endResetModel();
}

const CommandEntry* CommandList::entry(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return row >= 0 && at < m_rows.size() ? &m_entries[m_rows[at].entry] : nullptr;
}

const std::vector<int>& CommandList::positions(int row) const
{
    return m_rows[static_cast<std::size_t>(row)].positions;
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
        return shown->description;
    default:
        return {};
    }
}

// A disabled entry can be selected too, so that its reason can be read.
Qt::ItemFlags CommandList::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren
                           : Qt::NoItemFlags;
}

} // namespace lockscope::ui

#include "moc_command_list.cpp"
