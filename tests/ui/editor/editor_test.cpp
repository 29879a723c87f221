// The form of a scenario: what is typed is what is saved, and what is saved runs the same.
#include "core/sim/scenario/settings.h"
#include "tests/ui/editor/editor_test_fixture.h"
#include "ui/editor/client_row.h"
#include "ui/editor/clients_page.h"
#include "ui/editor/field.h"
#include "ui/editor/scenario_editor.h"
#include "ui/editor/scenario_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

TEST_F(EditorTest, EveryBuiltInGoesThroughTheFormUnchanged)
{
    for (const sim::BuiltIn& builtIn : sim::builtIns()) {
        const auto scenario = sim::loadScenario(std::string(builtIn.name));
        ASSERT_TRUE(scenario.has_value()) << builtIn.name;
        editor.edit(*scenario, {});
        ASSERT_TRUE(form().scenario().has_value()) << builtIn.name;
        EXPECT_EQ(form().toml().toStdString(), sim::toToml(*scenario)) << builtIn.name;
        EXPECT_FALSE(editor.unsaved()) << builtIn.name;
    }
}

// A setting without a control would be lost by saving.
TEST_F(EditorTest, EverySettingOfAFileHasItsControl)
{
    for (const std::string_view key : sim::settingKeys())
        EXPECT_NE(editor.findChild<Field*>("field." + QString::fromUtf8(key.data(), qsizetype(key.size()))),
                  nullptr)
            << key;
    sim::Scenario scenario = ScenarioEditor::defaultScenario();
    scenario.connect = "zk1.example:2181";
    scenario.joinForeign = true;
    editor.edit(scenario, {});
    ASSERT_TRUE(form().scenario().has_value());
    EXPECT_TRUE(made().joinForeign);
}

TEST_F(EditorTest, WhatIsEditedWithKeysIsSavedAndReadAgain)
{
    type("title", "Two who want the same");
    find<QSpinBox>("clients")->setFocus();
    type(find<QSpinBox>("clients"), "3");
    type(find<QSpinBox>("cycles"), "7");
    type("session_timeout", "4s");
    type("seed", "42");
    auto* locks = find<QPlainTextEdit>("locks");
    type(locks, "/locks/left\n/locks/right");
    type("takes", "left, right");
    find<QPushButton>("addLine")->setFocus();
    QTest::keyClick(find<QPushButton>("addLine"), Qt::Key_Space);
    type("when", "after 2 handoffs");
    type("action", "kill the holder");
    auto* verdict = find<QComboBox>("no_herd");
    verdict->setFocus();
    QTest::keyClick(verdict, Qt::Key_Down);

    const QString path = folder.filePath("mine.toml");
    ASSERT_TRUE(editor.saveTo(path)) << form().mistakes();
    const auto read = sim::loadScenario(path.toStdString());
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->title, "Two who want the same");
    EXPECT_EQ(read->clients, 3U);
    EXPECT_EQ(read->work.cycles, 7U);
    EXPECT_EQ(read->sessionTimeout, std::chrono::seconds(4));
    EXPECT_EQ(read->seed, 42U);
    EXPECT_EQ(read->locks, (std::vector<std::string>{"/locks/left", "/locks/right"}));
    EXPECT_EQ(read->work.takes.size(), 2U);
    ASSERT_EQ(read->script.size(), 1U);
    EXPECT_EQ(read->script[0].text, "after 2 handoffs: kill the holder");
    EXPECT_EQ(sim::expected(*read, "no_herd"), sim::ExpectedOutcome::violated);
    EXPECT_EQ(sim::toToml(*read), sim::toToml(made())) << "what runs from the file is what was edited";
    EXPECT_FALSE(editor.unsaved());
}

TEST_F(EditorTest, ChangesAreTakenBackAndMadeAgainFieldByField)
{
    const QString title = find<QLineEdit>("title")->text();
    const int clients = find<QSpinBox>("clients")->value();
    type("title", "Another");
    find<QSpinBox>("clients")->setFocus();
    type(find<QSpinBox>("clients"), "17");
    auto *undo = find<QPushButton>("undoEdit"), *redo = find<QPushButton>("redoEdit");
    EXPECT_FALSE(redo->isEnabled());
    undo->click();
    EXPECT_EQ(find<QSpinBox>("clients")->value(), clients);
    EXPECT_EQ(find<QLineEdit>("title")->text(), "Another");
    undo->click();
    EXPECT_EQ(find<QLineEdit>("title")->text(), title) << "all of what was typed into it";
    EXPECT_FALSE(undo->isEnabled());
    EXPECT_FALSE(editor.unsaved());
    redo->click();
    redo->click();
    EXPECT_EQ(find<QSpinBox>("clients")->value(), 17);
    EXPECT_EQ(find<QLineEdit>("title")->text(), "Another");
    EXPECT_FALSE(redo->isEnabled());
    type("session_timeout", "soon");
    ASSERT_FALSE(form().scenario().has_value());
    undo->click();
    EXPECT_TRUE(form().scenario().has_value()) << "without the mistake";
    EXPECT_EQ(find<QSpinBox>("clients")->value(), 17);
}

TEST_F(EditorTest, ShowsOnlyWhatTheRecipeHas)
{
    auto* recipe = find<QComboBox>("recipe");
    const auto shown = [&](const char* name) { return !find<Field>(name)->isHidden(); };
    recipe->setCurrentIndex(recipe->findData("semaphore"));
    EXPECT_TRUE(shown("field.leases"));
    EXPECT_TRUE(shown("field.permits"));
    EXPECT_FALSE(shown("field.handoff"));
    EXPECT_FALSE(shown("field.write_percent"));
    recipe->setCurrentIndex(recipe->findData("read-write"));
    EXPECT_FALSE(shown("field.leases"));
    EXPECT_TRUE(shown("field.write_percent"));
    recipe->setCurrentIndex(recipe->findData("mutex"));
    EXPECT_TRUE(shown("field.handoff"));
    EXPECT_FALSE(shown("field.write_percent"));
}

TEST_F(EditorTest, ANamedClientCanHaveAWorkOfItsOwn)
{
    find<QPushButton>("addClient")->click();
    EXPECT_FALSE(form().scenario().has_value()) << "it has no name yet";
    type("name", "zed");
    type("process", "office");
    type("start", "200ms");
    ASSERT_TRUE(form().scenario().has_value());
    ASSERT_EQ(made().named.size(), 1U);
    EXPECT_EQ(made().clients, 5U) << "beside those without a name";
    EXPECT_EQ(made().named[0].work, made().work);
    ClientRow* row = form().findChild<ClientsPage*>()->rows()[0];
    auto* own = row->findChild<QCheckBox*>("ownWork");
    own->setFocus();
    QTest::keyClick(own, Qt::Key_Space);
    auto* cycles = row->findChild<QSpinBox*>("cycles");
    ASSERT_NE(cycles, nullptr);
    type(cycles, "3");
    ASSERT_TRUE(form().scenario().has_value());
    EXPECT_EQ(made().named[0].work.cycles, 3U);
    EXPECT_NE(made().work.cycles, 3U);
    EXPECT_EQ(made().named[0].process, "office");
    const auto again = sim::parseScenario(sim::toToml(made()), "scenario.toml");
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->named, made().named);
}

TEST_F(EditorTest, AWorkOfItsOwnStartsFromTheCommonOneAsItStands)
{
    auto* cycles = find<QSpinBox>("cycles");
    type(cycles, "7");
    ASSERT_TRUE(form().scenario().has_value());
    const sim::Work common = made().work;
    find<QPushButton>("addClient")->click();
    type("name", "zed");
    ClientRow* row = form().findChild<ClientsPage*>()->rows()[0];
    row->findChild<QCheckBox*>("ownWork")->click();
    ASSERT_TRUE(form().scenario().has_value());
    EXPECT_EQ(made().named[0].work, common);
    EXPECT_EQ(common.cycles, 7U);
    row->findChild<QCheckBox*>("ownWork")->click();

    find<QPushButton>("addClient")->click(); // its box is set after another change
    row = form().findChild<ClientsPage*>()->rows()[1];
    type(row->name(), "yan");
    type(cycles, "9");
    ASSERT_TRUE(form().scenario().has_value());
    row->findChild<QCheckBox*>("ownWork")->click();
    ASSERT_TRUE(form().scenario().has_value());
    EXPECT_EQ(made().named[1].work, made().work);
    EXPECT_EQ(made().work.cycles, 9U);
}

TEST_F(EditorTest, ALockWithACommaInItsNameIsTaken)
{
    sim::Scenario scenario = ScenarioEditor::defaultScenario();
    scenario.locks = {"/locks/left, upper", "/locks/\"right\"", "/locks/lower"};
    scenario.work.takes = {sim::Take{0}, sim::Take{2}, sim::Take{1}};
    editor.edit(scenario, {});
    ASSERT_TRUE(form().scenario().has_value()) << mistakeAt("takes").toStdString();
    EXPECT_EQ(made().work.takes, scenario.work.takes);
    EXPECT_EQ(find<QLineEdit>("takes")->text().toStdString(), "\"left, upper\", lower, \"\"\"right\"\"\"");
    type("takes", "lower,\"left, upper\"");
    ASSERT_TRUE(form().scenario().has_value()) << mistakeAt("takes").toStdString();
    ASSERT_EQ(made().work.takes.size(), 2U);
    EXPECT_EQ(made().work.takes[0].lock, 2U);
    EXPECT_EQ(made().work.takes[1].lock, 0U);
}

TEST_F(EditorTest, AFileThatCannotBeWrittenIsSaid)
{
    EXPECT_FALSE(editor.saveTo(folder.filePath("no/such/folder/x.toml")));
    EXPECT_TRUE(find<QLabel>("editorState")->text().contains("x.toml"));
    EXPECT_EQ(form().name(), "scenario") << "it has no file of that name";
    EXPECT_FALSE(editor.windowTitle().contains('x')) << editor.windowTitle().toStdString();
}

TEST_F(EditorTest, EveryControlHasANameForAScreenReaderAndTakesTheFocusByKeys)
{
    find<QPushButton>("addLine")->click();
    find<QPushButton>("addClient")->click();
    for (const Field* field : editor.findChildren<Field*>()) {
        EXPECT_FALSE(field->control()->accessibleName().isEmpty() &&
                     field->control()->focusProxy() == nullptr)
            << field->key().toStdString();
        const QWidget* control =
            field->control()->focusProxy() ? field->control()->focusProxy() : field->control();
        EXPECT_FALSE(control->accessibleName().isEmpty()) << field->key().toStdString();
        EXPECT_TRUE(control->focusPolicy() & Qt::TabFocus) << field->key().toStdString();
    }
}

} // namespace
} // namespace lockscope::ui
