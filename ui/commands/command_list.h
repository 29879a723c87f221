// What the palette offers, best match first: the commands of the window, and scenarios by name. GUI thread.
#pragma once

#include <QAbstractListModel>
#include <QPointer>

#include <functional>
#include <optional>
#include <vector>

class QAction;

namespace lockscope::ui {

struct CommandEntry
{
    QString text;
    QString category;    // "Run", "Scenario": what it belongs to
    QString shortcut; // as it is shown, may be empty
    QString description;    // a sentence; why not, when it cannot be done now
    bool enabled = true;
    QPointer<QAction> action;  // either this is triggered
    std::function<void()> run; // or this is called
    std::function<void()> runAlternative{}; // this with Shift+Enter, where there is another way
    QString searchTerms{};      // keywords, and its words in other languages
    bool showsRecordedRun = false;    // shows a run that was: what starts one comes first
};

// A property of an action: more words that find it, as "csv table".
inline constexpr const char* kKeywords = "keywords";
// Of an action that shows a run that was, under the name of its scenario.
inline constexpr const char* kShowsRecordedRun = "ofThePast";

// Every command of the window that has words: those in its menus, and those that have only a key.
// `translated` says a text as it stands in a menu in another language, or nothing.
using TranslateText = std::function<QString(const QString&)>;
std::vector<CommandEntry> commandsOf(const QWidget& window, const TranslateText& translated = {});

class CommandList : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { kPositionsRole = Qt::UserRole };
    explicit CommandList(std::vector<CommandEntry> entries, QObject* parent);
    void setQuery(const QString& typed);
    const CommandEntry* entry(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row
    {
        std::size_t entry;
        int score;
        std::vector<int> positions; // of the letters that match in the text
    };
    static std::optional<Row> matchWords(const QStringList& words, const CommandEntry& entry);
    void addFuzzyMatches(const QString& typed);
    std::vector<CommandEntry> m_entries;
    std::vector<Row> m_rows;
};

} // namespace lockscope::ui
