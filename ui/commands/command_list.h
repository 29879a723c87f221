// The entries of the command palette, best match first: the commands of the window, and scenarios by name.
// GUI thread.
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
    QString category;    // "Run", "Scenario"
    QString shortcut;    // in native text, may be empty
    QString description; // a sentence; of a disabled entry, the reason
    bool enabled = true;
    QPointer<QAction> action;               // either this is triggered
    std::function<void()> run;              // or this is called
    std::function<void()> runAlternative{}; // called instead with Shift+Enter, if set
    QString searchTerms{};                  // keywords, and the text in Chinese and English
    bool showsRecordedRun = false;          // sorted after the entries that start a run
};

// Every command of the window that has a text, in a menu or with a key alone.
std::vector<CommandEntry> commandsOf(const QWidget& window);

class CommandList : public QAbstractListModel
{
    Q_OBJECT
public:
    explicit CommandList(std::vector<CommandEntry> entries, QObject* parent);
    void setQuery(const QString& typed);
    const CommandEntry* entry(int row) const;
    const std::vector<int>& positions(int row) const; // of the matching letters in the text

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row
    {
        std::size_t entry;
        int score;
        std::vector<int> positions; // of the matching letters in the text
    };
    static std::optional<Row> matchWords(const QStringList& words, const CommandEntry& entry);
    void addFuzzyMatches(const QString& typed);
    std::vector<CommandEntry> m_entries;
    std::vector<Row> m_rows;
};

} // namespace lockscope::ui
