// The window in Simplified Chinese, and the language changed while it is open.
#include "tests/ui/translation/language_window_fixture.h"
#include "tests/ui/translation/translation_entries.h"
#include "ui/editor/scenario_editor.h"
#include "ui/editor/scenario_form.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/run/faults.h"
#include "ui/shell/runbar/scenario_chooser.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/language.h"
#include "ui/shell/window/language_menu.h"
#include "ui/shell/window/main_window.h"
#include "ui/texts/chain_text.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {

using test::hasChinese;

namespace {

struct TranslatedWindowTest : LanguageWindowTest
{
    TranslatedWindowTest()
        : LanguageWindowTest("zh_CN", {})
    {}

    QString captionOf(const char* card) { return window->docks().card(card)->header()->caption(); }
};

TEST_F(TranslatedWindowTest, SpeaksChinese)
{
    EXPECT_EQ(window->docks().card("clients")->windowTitle(), QStringLiteral("客户端"));
    EXPECT_EQ(window->docks().card("timeline")->windowTitle(), QStringLiteral("交接时间线"));
    EXPECT_TRUE(captionOf("clients").contains(QStringLiteral("个会话")))
        << captionOf("clients").toStdString();
    EXPECT_TRUE(captionOf("findings").contains(QStringLiteral("检查")))
        << captionOf("findings").toStdString();
    EXPECT_EQ(window->findChild<QPushButton*>("runButton")->text(), QStringLiteral("实时运行"));
    EXPECT_EQ(window->menuBar()->actions().front()->text(), QStringLiteral("文件(&F)"));
    const auto* chooser = window->findChild<ScenarioChooser*>();
    ASSERT_NE(chooser, nullptr);
    const int five = chooser->findData(QStringLiteral("five-clients"));
    ASSERT_GE(five, 0);
    EXPECT_TRUE(hasChinese(chooser->itemText(five))) << chooser->itemText(five).toStdString();
}

TEST_F(TranslatedWindowTest, EveryCommandIsChineseAndExplainsItselfInChinese)
{
    for (const QAction* each : window->actions()) {
        if (!commandRow(each->objectName()))
            continue;
        EXPECT_TRUE(hasChinese(each->text())) << each->objectName().toStdString();
        EXPECT_TRUE(hasChinese(each->statusTip())) << each->objectName().toStdString();
        EXPECT_FALSE(each->toolTip().contains("(&")) << each->toolTip().toStdString();
    }
}

// Nothing stays behind in the other language, there and back.
// What of a menu has the letter of another one in it: "文件(&F)", "&File".
QStringList sharedLetters(const QList<QAction*>& actions)
{
    QMap<QChar, QString> taken;
    QStringList shared;
    for (const QAction* action : actions) {
        const qsizetype mark = action->text().indexOf(u'&');
        if (mark < 0 || mark + 1 >= action->text().size())
            continue;
        const QChar letter = action->text()[mark + 1].toLower();
        if (taken.contains(letter))
            shared += taken[letter] + " / " + action->text();
        taken[letter] = action->text();
    }
    return shared;
}

TEST_F(TranslatedWindowTest, NoTwoEntriesOfAMenuShareTheirLetter)
{
    for (const char* code : {"zh_CN", "en"}) {
        language.use(code);
        QApplication::processEvents();
        EXPECT_EQ(sharedLetters(window->menuBar()->actions()), QStringList()) << code;
        for (const QMenu* menu : window->findChildren<QMenu*>())
            EXPECT_EQ(sharedLetters(menu->actions()).join("; ").toStdString(), "")
                << code << " " << menu->title().toStdString();
    }
}

TEST_F(TranslatedWindowTest, TheWelcomePageOffersTheLanguages)
{
    window->findChild<Actions*>()->of("welcome")->trigger();
    drainEvents();
    auto* english = window->findChild<QPushButton*>("command.language.en");
    ASSERT_NE(english, nullptr);
    EXPECT_TRUE(english->isVisible());
    QTest::mouseClick(english, Qt::LeftButton);
    drainEvents();
    EXPECT_EQ(window->docks().card("clients")->windowTitle(), "Clients");
    auto* chinese = window->findChild<QPushButton*>("command.language.zh_CN");
    ASSERT_NE(chinese, nullptr);
    QTest::mouseClick(chinese, Qt::LeftButton);
    drainEvents();
    EXPECT_EQ(window->docks().card("clients")->windowTitle(), QStringLiteral("客户端"));
}

TEST_F(TranslatedWindowTest, WhatIfsNameTheSelectedClientInEveryLanguage)
{
    window->model().seekEvent(200);
    window->selectClientForPicture();
    drainEvents();
    const auto* actions = window->findChild<Actions*>();
    const auto named = [&] {
        QStringList texts;
        for (const Fault each : kFaults)
            texts << actions->of(nameOf(each))->text();
        return texts;
    };
    const QStringList chinese = named();
    setLanguage("en");
    const QStringList english = named();
    setLanguage("zh_CN");
    EXPECT_EQ(named(), chinese);
    const auto& state = window->model().state();
    const auto& queue = state.locks.front().queue;
    ASSERT_GT(queue.size(), 1U);
    const QString name = QString::fromStdString(std::string(state.client(queue[1].owner)->name));
    for (const QStringList& texts : {chinese, english})
        EXPECT_GT(texts.filter(name).size(), 10) << texts.join('\n').toStdString();
}

TEST_F(TranslatedWindowTest, RunAndPlaceStayWhenTheLanguageChanges)
{
    window->model().seekEvent(10);
    drainEvents();
    const auto position = window->model().position();
    const auto events = window->model().store()->count();
    setLanguage("en");
    EXPECT_EQ(window->model().position(), position);
    EXPECT_EQ(window->model().store()->count(), events);
}

TEST_F(TranslatedWindowTest, KeepsTheChoiceForTheNextStart)
{
    setLanguage("en");
    EXPECT_EQ(LanguageMenu::kept(&settings), "en");
    EXPECT_TRUE(window->findChild<QAction*>("language.en")->isChecked());
    setLanguage("system");
    EXPECT_EQ(LanguageMenu::kept(&settings), QString());
    settings.setValue("language", "tlh");
    EXPECT_EQ(LanguageMenu::kept(&settings), QString());
}

TEST_F(TranslatedWindowTest, AnEditorThatIsOpenKeepsWhatWasTyped)
{
    ScenarioEditor editor(&window->theme(), window.get());
    editor.edit(ScenarioEditor::defaultScenario(), {});
    editor.show();
    auto* title = editor.form().findChild<QWidget*>("field.title")->findChild<QLineEdit*>();
    ASSERT_NE(title, nullptr);
    title->setText("Typed");
    const QString before = editor.form().toml();
    EXPECT_TRUE(hasChinese(editor.findChild<QPushButton*>("saveScenario")->text()));
    setLanguage("en");
    EXPECT_EQ(editor.form().toml(), before);
    EXPECT_TRUE(editor.form().isVisible());
    EXPECT_TRUE(before.contains("Typed"));
    EXPECT_TRUE(editor.unsaved());
    for (const QLabel* label : editor.form().findChildren<QLabel*>()) {
        EXPECT_FALSE(hasChinese(label->text())) << label->text().toStdString();
    }
}

} // namespace
} // namespace lockscope::ui
