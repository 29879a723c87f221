// No key means two things, wherever the focus is: what is a command of the window is taken by no view, no
// sequence of keys begins with another one, and no two commands share one.
#include "tests/ui/shell/recorded_window_fixture.h"
#include "ui/canvas/canvas.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/shell/dialogs/preferences_dialog.h"
#include "ui/shell/docking/dock_area.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QShortcut>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableWidget>
#include <QTextEdit>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace lockscope::ui {
namespace {

bool isLocal(const QAction& action)
{
    return action.shortcutContext() == Qt::WidgetShortcut ||
           action.shortcutContext() == Qt::WidgetWithChildrenShortcut;
}

struct Command
{
    QKeySequence keys;
    QString name;
};

std::vector<Command> commandsOfWindow(const MainWindow& window)
{
    std::vector<Command> all;
    for (const QAction* each : window.findChildren<QAction*>())
        for (const QKeySequence& keys : each->shortcuts())
            if (!isLocal(*each) && !keys.isEmpty())
                all.push_back({keys, each->text()});
    return all;
}

std::string description(const Command& command)
{
    return command.keys.toString().toStdString() + " of " + command.name.toStdString();
}

// Whether the focused widget would use the key itself.
bool handlesKey(QWidget& widget, QKeyCombination stroke, QEvent::Type type)
{
    const bool shift = stroke.keyboardModifiers().testFlag(Qt::ShiftModifier);
    const bool letter = stroke.key() >= Qt::Key_Space && stroke.key() <= Qt::Key_AsciiTilde &&
                        !(stroke.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier));
    const QChar sign(stroke.key() & 0xff);
    QKeyEvent event(type, stroke.key(), stroke.keyboardModifiers(),
                    letter ? QString(shift ? sign : sign.toLower()) : QString());
    event.setAccepted(type == QEvent::KeyPress);
    static_cast<QObject&>(widget).event(&event); // sent, it would do the command first
    return event.isAccepted();
}

// Where one types, keys are text. A button that was reached by Tab is pressed by the space bar.
bool canClaim(const QWidget& widget, QKeyCombination stroke)
{
    const bool pressed =
        qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QComboBox*>(&widget);
    return qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QTextEdit*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(&widget) || (pressed && stroke.key() == Qt::Key_Space);
}

// Whose keys are our own: those of Qt's widgets are known to give way to commands.
bool hasKeysOfItsOwn(const QWidget& widget)
{
    return QByteArrayView(widget.metaObject()->className()).startsWith("lockscope::") &&
           !qobject_cast<const QAbstractItemView*>(&widget) &&
           !qobject_cast<const QAbstractButton*>(&widget) && !qobject_cast<const QComboBox*>(&widget) &&
           !qobject_cast<const QTabBar*>(&widget);
}

using KeysTest = MainWindowTest;

TEST_F(KeysTest, NoTwoCommandsShareAKey)
{
    std::set<QString> keys;
    std::map<QString, QString> ofOneView; // of the view that has the focus: several may have it
    for (const Command& command : commandsOfWindow(*window))
        EXPECT_TRUE(keys.insert(command.keys.toString()).second) << description(command);
    for (const QAction* each : window->findChildren<QAction*>())
        for (const QKeySequence& key : each->shortcuts())
            if (isLocal(*each))
                ofOneView[key.toString()] = each->text();
    for (const auto& [key, text] : ofOneView)
        EXPECT_FALSE(keys.contains(key)) << key.toStdString() << " of " << text.toStdString();
    for (const char* key : {"Space", "Ctrl+O", "Ctrl+S", "K", "Shift+K", "Alt++", "Alt+-", "F", "Ctrl+0"})
        EXPECT_TRUE(keys.contains(QKeySequence(key).toString())) << key;
}

TEST_F(KeysTest, NoSequenceBeginsWithAnotherOne)
{
    const std::vector<Command> all = commandsOfWindow(*window);
    for (const Command& one : all)
        for (const Command& other : all)
            EXPECT_FALSE(one.keys != other.keys && one.keys.matches(other.keys) == QKeySequence::PartialMatch)
                << description(one) << " and " << description(other);
    for (const QAction* each : window->findChildren<QAction*>())
        for (const QKeySequence& key : each->shortcuts())
            for (const Command& command : all)
                EXPECT_FALSE(isLocal(*each) && key[0] == command.keys[0])
                    << key.toString().toStdString() << " of " << each->text().toStdString() << " and "
                    << description(command);
}

TEST_F(KeysTest, NoViewTakesTheFirstStrokeOfACommand)
{
    open(saved("run.jsonl"));
    window->selectClientForPicture(); // views may handle more keys with a selected client
    std::map<int, QString> strokes;
    for (const Command& command : commandsOfWindow(*window))
        strokes.emplace(command.keys[0].toCombined(), command.name);
    int asked = 0;
    for (QWidget* widget : window->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->isWindow())
            continue;
        ++asked;
        for (const auto& [combined, name] : strokes) {
            const QKeyCombination stroke = QKeyCombination::fromCombined(combined);
            if (canClaim(*widget, stroke))
                continue;
            const std::string what = QKeySequence(stroke).toString().toStdString() + " of " +
                                     name.toStdString() + " in " + widget->metaObject()->className() + ' ' +
                                     widget->objectName().toStdString();
            EXPECT_FALSE(handlesKey(*widget, stroke, QEvent::ShortcutOverride))
                << what << " is never heard of";
            EXPECT_FALSE(hasKeysOfItsOwn(*widget) && handlesKey(*widget, stroke, QEvent::KeyPress))
                << what << " does not reach the view";
        }
    }
    EXPECT_GT(asked, 20);
}

TEST_F(KeysTest, NoTwoMenusShareALetter)
{
    std::set<QKeySequence> letters;
    for (const QAction* menu : window->menuBar()->actions())
        EXPECT_TRUE(letters.insert(QKeySequence::mnemonic(menu->text())).second)
            << menu->text().toStdString();
    for (const Command& command : commandsOfWindow(*window))
        EXPECT_FALSE(letters.contains(command.keys)) << description(command);
}

// Who looks for a key, or changes one, finds it in the table; and nothing in the table is without a command.
TEST_F(KeysTest, EveryKeyIsDeclaredInTheTableOfKeys)
{
    std::map<QString, std::set<QString>> inTable;
    std::set<std::string_view> names;
    for (const CommandRow& row : commandTable()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(keysOf(row.name).size(), QString(row.keys).split("; ", Qt::SkipEmptyParts).size())
            << row.name;
        for (const QKeySequence& keys : keysOf(row.name)) {
            EXPECT_FALSE(keys.isEmpty()) << row.name;
            EXPECT_TRUE(inTable[keys.toString()].insert(row.name).second) << row.name;
        }
    }
    std::set<QString> used;
    for (const QAction* action : window->findChildren<QAction*>()) {
        const QString name = action->objectName();
        if (name.startsWith("show.") || name.startsWith("goTo."))
            continue; // numbered in the order of the cards
        for (const QKeySequence& keys : action->shortcuts()) {
            EXPECT_TRUE(inTable.contains(keys.toString()))
                << keys.toString().toStdString() << " of " << action->text().toStdString();
            used.insert(keys.toString());
        }
    }
    for (const QShortcut* shortcut : window->findChildren<QShortcut*>())
        used.insert(shortcut->key().toString());
    for (const auto& [keys, commands] : inTable) {
        // the editor is a window of its own
        if (std::ranges::any_of(commands, [](const QString& name) { return !name.startsWith("editor."); })) {
            EXPECT_TRUE(used.contains(keys)) << keys.toStdString();
        }
    }
}

// With a layout of Cyrillic letters alone Qt finds no shortcut: the key at the place of W counts.
TEST_F(KeysTest, ALetterOfAnotherScriptIsTheCommandOfItsPlace)
{
    open(saved("run.jsonl"));
    auto* timeline = window->docks().card("timeline")->view()->findChild<Canvas*>();
    ASSERT_TRUE(timeline && timeline->command("timeline.zoomIn"));
    timeline->setFocus();
    const auto type = [](QWidget* widget, char32_t letter, quint32 scanCode) {
        QKeyEvent press(QEvent::KeyPress, static_cast<int>(QChar::toUpper(letter)), Qt::NoModifier, scanCode,
                        0, 0, QString::fromUcs4(&letter, 1));
        QApplication::sendEvent(widget, &press);
    };
    QSignalSpy zoomed(timeline->command("timeline.zoomIn"), &QAction::triggered);
    type(timeline, U'ц', 25);
    EXPECT_EQ(zoomed.size(), 1) << "of the view that has the focus";
    window->model().seekEvent(20);
    ASSERT_TRUE(waitFor([&] { return action("follow")->isEnabled(); }));
    QSignalSpy followed(action("follow"), &QAction::triggered);
    type(timeline, U'а', 41);
    EXPECT_EQ(followed.size(), 1) << "of the window";
    QLineEdit typed(window.get());
    type(&typed, U'ц', 25);
    EXPECT_EQ(typed.text(), QStringLiteral("ц")) << "where one types it is a letter";
    EXPECT_EQ(zoomed.size(), 1);
}

TEST_F(KeysTest, AnotherKeyIsGivenInThePreferencesAndKept)
{
    action("preferences")->trigger();
    auto* dialog = window->findChild<PreferencesDialog*>();
    ASSERT_NE(dialog, nullptr);
    auto* keys = dialog->findChild<QTableWidget*>("keysTable");
    const auto rowOf = [keys](const char* name) {
        for (int row = 0; row < keys->rowCount(); ++row)
            if (keys->item(row, 0)->data(Qt::UserRole).toString() == QLatin1String(name))
                return row;
        return -1;
    };
    const auto press = [keys](int row, Qt::Key key, Qt::KeyboardModifiers modifiers) {
        keys->setCurrentCell(row, 1);
        keys->editItem(keys->item(row, 1));
        const auto edits = keys->findChildren<QKeySequenceEdit*>(); // an earlier one goes later
        ASSERT_FALSE(edits.isEmpty());
        QKeySequenceEdit* edit = edits.back();
        edit->setKeySequence(QKeySequence(static_cast<int>(modifiers) | key));
        emit edit->editingFinished();
    };
    press(rowOf("follow"), Qt::Key_J, Qt::ControlModifier);
    EXPECT_EQ(action("follow")->shortcut(), QKeySequence("Ctrl+J"));
    EXPECT_TRUE(action("follow")->toolTip().contains("Ctrl+J"));
    press(rowOf("timeline.zoomIn"), Qt::Key_J, Qt::ControlModifier);
    EXPECT_EQ(keysOf("timeline.zoomIn").front(), QKeySequence("W"));
    EXPECT_TRUE(dialog->findChild<QLabel*>("keysNote")->text().contains("Follow Live")) << "it has the key";
    press(rowOf("timeline.zoomIn"), Qt::Key_Y, {});
    EXPECT_EQ(action("timeline.zoomIn")->shortcut(), QKeySequence("Y"));
    EXPECT_EQ(settings.value("keys").toMap().size(), 2);
    keys->setCurrentCell(rowOf("follow"), 1);
    dialog->findChild<QPushButton*>("defaultKey")->click();
    EXPECT_EQ(action("follow")->shortcut(), QKeySequence("F"));
    EXPECT_EQ(settings.value("keys").toMap().size(), 1);

    window.reset();
    MainWindow::Setup setup;
    setup.settings = &settings;
    window = shownWindow(setup);
    EXPECT_EQ(action("timeline.zoomIn")->shortcut(), QKeySequence("Y")) << "at the next start";
    action("preferences")->trigger();
    window->findChild<QPushButton*>("defaultKeys")->click();
    EXPECT_EQ(action("timeline.zoomIn")->shortcuts(), keysOf("timeline.zoomIn"));
    EXPECT_EQ(action("timeline.zoomIn")->shortcut(), QKeySequence("W"));
}

} // namespace
} // namespace lockscope::ui
