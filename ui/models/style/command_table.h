// Every command once: its name, its keys, its text and what it does. The same name stands for it in menus,
// key tables, the list of all commands and links of the manual. Who offers a command makes its action from
// the table, and connects it. GUI thread.
#pragma once

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QList>

#include <span>

namespace lockscope::ui {

// The texts of menus share one translation context, so that the list of all commands finds each in Chinese.
struct MenuTexts
{
    Q_DECLARE_TR_FUNCTIONS(Menus)
};

struct CommandRow
{
    const char* name;      // "follow"; of a view or panel with its name before it: "timeline.zoomIn"
    const char* keys = ""; // separated by "; ", the one that menus show first; two strokes: "L, S"
    const char* text = ""; // English, with its mnemonic; empty: it depends on the run
    const char* explanation =
        "";                    // an English sentence; only commands with one are in the list of all commands
    const char* brief = "";    // English, for a button
    const char* keywords = ""; // more English words to find it by
    bool checkable = false;
};

std::span<const CommandRow> commandTable();
const CommandRow* commandRow(QAnyStringView name); // null: there is none of this name
QList<QKeySequence> keysOf(QAnyStringView name);   // empty: the command has none
QString explanationOf(QAnyStringView name);        // in the language of the window

// An action for a row of the table, named like it, with its keys and its texts in the language of the window.
// `parent` is a widget.
QAction* makeCommand(const char* name, QObject* parent);

// Sets what the action does, or why it is disabled: the tool tip is "Pause (Space)" with this below it.
void setExplanation(QAction& action, const QString& explanation);

// The Chinese of an English text, whatever the language of the window; empty: there is none in this context
// of the translations.
QString chineseText(const char* context, const QString& english);
QString chineseMenuText(const QString& english);

// Properties of an action for the list of all commands: more search words, its text in Chinese where that is
// not the translation of its text, and that it shows an earlier run under the name of its scenario.
inline constexpr const char* kKeywords = "keywords";
inline constexpr const char* kChineseText = "chineseText";
inline constexpr const char* kShowsRecordedRun = "showsRecordedRun";

// A property of a widget: the name of the manual's page about it.
inline constexpr const char* kManualPage = "manualPage";

} // namespace lockscope::ui
