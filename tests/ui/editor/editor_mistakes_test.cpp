// Mistakes in the form of a scenario: shown at their fields, in the words of the file's reader.
#include "core/sim/script/script_text.h"
#include "tests/ui/editor/editor_test_fixture.h"
#include "ui/editor/client_row.h"
#include "ui/editor/clients_page.h"
#include "ui/editor/field.h"
#include "ui/editor/scenario_form.h"
#include "ui/editor/script_completions.h"
#include "ui/editor/script_page.h"
#include "ui/editor/script_row.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>

#include <gtest/gtest.h>

#include <string>

namespace lockscope::ui {
namespace {

TEST_F(EditorTest, AMistakeIsShownAtItsFieldAndGoesWithIt)
{
    type("session_timeout", "soon");
    EXPECT_FALSE(form().scenario().has_value());
    EXPECT_TRUE(mistakeAt("session_timeout").contains("250ms")) << mistakeAt("session_timeout").toStdString();
    EXPECT_FALSE(find<QPushButton>("saveScenario")->isEnabled());
    EXPECT_FALSE(find<QPushButton>("runScenario")->isEnabled());
    EXPECT_TRUE(find<QTabWidget>("pages")->tabText(4).contains("1"));
    type("session_timeout", "5s");
    EXPECT_TRUE(mistakeAt("session_timeout").isEmpty());
    EXPECT_TRUE(find<QPushButton>("saveScenario")->isEnabled());
}

TEST_F(EditorTest, AScreenReaderReadsTheMistakeAndThenTheHintAgain)
{
    const auto read = [this] { return find<QLineEdit>("duration")->accessibleDescription(); };
    const QString hint = read();
    EXPECT_FALSE(hint.isEmpty());
    type("duration", "soon");
    EXPECT_EQ(read(), mistakeAt("duration"));
    type("duration", "5s");
    EXPECT_EQ(read(), hint);
}

TEST_F(EditorTest, WhatTheWholeLacksIsShownAtTheFieldThatMendsIt)
{
    type(find<QPlainTextEdit>("locks"), "locks/well");
    EXPECT_TRUE(mistakeAt("locks").contains("slash")) << mistakeAt("locks").toStdString();
    type(find<QPlainTextEdit>("locks"), "/locks/well");
    type(find<QSpinBox>("tries"), "3");
    EXPECT_TRUE(mistakeAt("tries").contains("acquire_timeout")) << mistakeAt("tries").toStdString();
    type("acquire_timeout", "1s");
    EXPECT_EQ(form().mistakes(), 0);
    type(find<QSpinBox>("clients"), "0");
    EXPECT_FALSE(mistakeAt("clients").isEmpty());
    type(find<QSpinBox>("clients"), "5");
    auto* hold = find<Field>("field.hold");
    hold->findChild<QComboBox*>("kind")->setCurrentIndex(1);
    type(hold->findChild<QLineEdit*>("low"), "2s");
    type(hold->findChild<QLineEdit*>("high"), "1s");
    EXPECT_EQ(form().mistakes(), 1);
    EXPECT_FALSE(mistakeAt("hold").isEmpty());
    hold->findChild<QComboBox*>("kind")->setCurrentIndex(0);
    auto* recipe = find<QComboBox>("recipe");
    recipe->setCurrentIndex(recipe->findData("semaphore"));
    find<Field>("field.permits")->findChild<QSpinBox*>("max")->setValue(2);
    EXPECT_TRUE(mistakeAt("permits").contains("leases")) << mistakeAt("permits").toStdString();
}

// The brackets of the lists of the script and of the expectations belong to no field.
TEST_F(EditorTest, AMistakeInTheWorkOfOneClientIsShownThereThoughFindingsAreExpected)
{
    auto* verdict = find<QComboBox>("no_herd");
    verdict->setCurrentIndex(verdict->findData("violated"));
    find<QPushButton>("addClient")->click();
    type("name", "zed");
    ClientRow* row = form().findChild<ClientsPage*>()->rows()[0];
    row->findChild<QCheckBox*>("ownWork")->setChecked(true);
    row->findChild<QSpinBox*>("tries")->setValue(3);
    EXPECT_EQ(form().mistakes(), 1);
    EXPECT_TRUE(row->findChild<Field*>("field.tries")->mistake().contains("acquire_timeout"));
}

TEST_F(EditorTest, ALineOfTheScriptIsCheckedAsItIsTyped)
{
    find<QPushButton>("addLine")->click();
    find<QPushButton>("addLine")->click();
    const auto& rows = form().findChild<ScriptPage*>()->rows();
    ASSERT_EQ(rows.size(), 2U);
    rows[0]->setLine("at 1s: kill ada");
    rows[1]->setLine("at 2s: eat ada");
    EXPECT_TRUE(rows[0]->field()->mistake().isEmpty());
    EXPECT_TRUE(rows[1]->field()->mistake().contains("freeze ada for 4s"));
    rows[1]->setLine("at noon: kill ada");
    EXPECT_TRUE(rows[1]->field()->mistake().contains("after 3 handoffs"));
    rows[1]->setLine("at 2s: kill nobody-there");
    EXPECT_TRUE(rows[1]->field()->mistake().contains("nobody-there"));
    rows[1]->setLine("at 2s: thaw ada");
    EXPECT_EQ(form().mistakes(), 0);
    ASSERT_EQ(made().script.size(), 2U);
    rows[1]->findChild<QWidget*>("moveUp")->setFocus();
    QTest::keyClick(rows[1]->findChild<QWidget*>("moveUp"), Qt::Key_Space);
    EXPECT_EQ(made().script[0].text, "at 2s: thaw ada");
}

// The list of conditions took the first letter of what was to happen.
TEST_F(EditorTest, ALineThatIsTypedAsAWholeIsDividedAtItsColon)
{
    find<QPushButton>("addLine")->click();
    auto* when = find<QLineEdit>("when");
    when->setFocus();
    for (const char letter : std::string("after 3 handoffs: freeze the holder")) {
        QWidget* list = QApplication::activePopupWidget();
        QTest::keyClick(list ? list : QApplication::focusWidget(), letter);
        QApplication::processEvents();
    }
    EXPECT_EQ(when->text(), "after 3 handoffs");
    EXPECT_EQ(find<QLineEdit>("action")->text(), "freeze the holder");
}

TEST_F(EditorTest, EveryFormThatIsOfferedIsUnderstood)
{
    for (const QString& form : conditionCompletions(made()))
        EXPECT_TRUE(sim::parseTrigger(form.toStdString()).has_value()) << form.toStdString();
    for (const QString& form : actionCompletions(made()))
        EXPECT_TRUE(sim::parseAction(form.toStdString()).has_value()) << form.toStdString();
    EXPECT_TRUE(conditionCompletions(made()).contains("when ada waits"));
}

TEST_F(EditorTest, ALineThatIsPastedAsAWholeIsDividedAtItsColon)
{
    find<QPushButton>("addLine")->click();
    auto* when = find<QLineEdit>("when");
    when->setFocus();
    QGuiApplication::clipboard()->setText("after 3 handoffs: freeze the holder for 4s");
    when->paste();
    EXPECT_EQ(when->text(), "after 3 handoffs");
    EXPECT_EQ(find<QLineEdit>("action")->text(), "freeze the holder for 4s");
    EXPECT_EQ(made().script.size(), 1U);
}

} // namespace
} // namespace lockscope::ui
