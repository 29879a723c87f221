// Scenarios in the window: the form, the welcome page and the list of commands, by the keys that open them.
#include "tests/support/fake_server.h"
#include "tests/support/sample_run.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/commands/command_list.h"
#include "ui/commands/command_palette.h"
#include "ui/editor/scenario_form.h"
#include "ui/models/run/run_model.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/main_window.h"
#include "ui/shell/window/scenario_controller.h"
#include "ui/welcome/scenario_card.h"
#include "ui/welcome/welcome_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>

#include <gtest/gtest.h>

#include <set>

namespace lockscope::ui {
namespace {

struct ScenariosTest : WindowTest
{
    ScenariosTest()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        setup.runs.connect = "127.0.0.1:1"; // no server listens there: a run begins, and fails
        window = shownWindow(setup);
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        QTest::keyClick(window->windowHandle(), key, modifiers);
    }
    WelcomePage* welcome() { return window->scenarioController().welcome(); }
    CommandPalette* palette() { return window->findChild<CommandPalette*>(); }
};

TEST_F(ScenariosTest, TheListOfCommandsHasEveryAction)
{
    press(Qt::Key_K, Qt::ControlModifier);
    ASSERT_NE(palette(), nullptr);
    std::set<const QAction*> listed;
    int scenarios = 0;
    for (int row = 0; row < palette()->list().rowCount(); ++row) {
        const CommandEntry* entry = palette()->list().entry(row);
        listed.insert(entry->action);
        scenarios += entry->action ? 0 : 1;
    }
    for (QAction* each : window->actions())
        EXPECT_TRUE(listed.contains(each)) << each->objectName().toStdString();
    for (const QAction* menu : window->menuBar()->actions())
        for (QAction* each : menu->menu()->actions())
            EXPECT_TRUE(each->isSeparator() || each->menu() || listed.contains(each))
                << each->text().toStdString();
    EXPECT_EQ(scenarios, static_cast<int>(sim::builtIns().size()));
}

TEST_F(ScenariosTest, EveryCommandIsFoundInChineseTooInTheEnglishWindow)
{
    static const QRegularExpression han("\\p{Han}");
    for (const CommandEntry& entry : commandsOf(*window)) {
        const QString own = entry.searchTerms.section('\n', 1, 1);
        // The steps of a recipe and the languages are called the same everywhere.
        if (entry.category.endsWith("Breakpoints") || entry.category.endsWith("Language"))
            continue;
        EXPECT_TRUE(own.contains(han)) << entry.text.toStdString() << ": " << entry.searchTerms.toStdString();
    }
    // The core's word is what a client writes under the lock: no command of a menu is called so.
    EXPECT_NE(chineseText("Core", "order"), QString());
    EXPECT_EQ(chineseMenuText("order"), QString());
}

TEST_F(ScenariosTest, TheListOfCommandsDoesWhatIsChosen)
{
    press(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(palette()->input(), "dark theme");
    QTest::keyClick(palette()->input(), Qt::Key_Return);
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->theme().palette().dark && !palette(); }));
    press(Qt::Key_K, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([this] { return palette() != nullptr; }));
    QTest::keyClicks(palette()->input(), "two clients step");
    QTest::keyClick(palette()->input(), Qt::Key_Return);
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->control().scenarioName() == "two-clients"; }));
}

TEST_F(ScenariosTest, TheWelcomePageComesAndGoesAndStartsAStory)
{
    EXPECT_FALSE(welcome()->isVisible()) << "not before it is opened";
    window->control().showTrace("sample.jsonl", {tests::sampleRun(), {}});
    press(Qt::Key_Home, Qt::AltModifier);
    EXPECT_TRUE(welcome()->isVisible());
    EXPECT_FALSE(window->docks().isVisible());
    press(Qt::Key_Home, Qt::AltModifier);
    EXPECT_FALSE(welcome()->isVisible());
    EXPECT_TRUE(window->docks().isVisible());
    EXPECT_EQ(qobject_cast<QAbstractButton*>(window->focusWidget()), nullptr)
        << "it would take the space bar";
    action("welcome")->trigger();
    auto* card = welcome()->findChild<ScenarioCard*>("scenario.herd");
    ASSERT_NE(card, nullptr);
    card->click();
    EXPECT_EQ(window->control().scenarioName(), "herd");
    EXPECT_FALSE(welcome()->isVisible());
    EXPECT_TRUE(window->docks().isVisible());
}

TEST_F(ScenariosTest, TheWelcomePageLeadsBackToTheViewsOnlyWhenTheyShowSomething)
{
    auto* back = welcome()->findChild<QPushButton*>("command.welcome");
    action("welcome")->trigger();
    EXPECT_FALSE(back->isVisible()) << "the views are empty";
    EXPECT_FALSE(action("welcome")->isVisible()) << "nor does the menu";
    window->control().showTrace("sample.jsonl", {tests::sampleRun(), {}});
    ASSERT_FALSE(welcome()->isVisible());
    EXPECT_TRUE(action("welcome")->isVisible());
    action("welcome")->trigger();
    ASSERT_TRUE(back->isVisible());
    EXPECT_EQ(back->text(), "Back to the Views");
    QTest::mouseClick(back, Qt::LeftButton);
    EXPECT_TRUE(window->docks().isVisible());
}

TEST_F(ScenariosTest, WhatTheWindowBeginsWithGoesOnUntilItIsEnded)
{
    window->control().startBuiltIn(RunController::kDefaultScenario);
    EXPECT_EQ(window->control().scenario()->work.cycles, 0U) << "without end";
    EXPECT_GE(window->control().scenario()->duration.value_or(Duration::zero()), std::chrono::minutes(30));
    EXPECT_GT(sim::loadScenario(RunController::kDefaultScenario)->work.cycles, 0U) << "elsewhere it ends";
    window->control().startBuiltIn("well");
    EXPECT_EQ(window->control().scenario()->work, sim::loadScenario("well")->work);
}

TEST_F(ScenariosTest, APlaceThatHasNotAnsweredIsNotRemembered)
{
    const tests::FakeServer silent(tests::defaultReply, {.answersHandshakes = false});
    const QString address = QString::fromStdString(silent.address());
    window->scenarioController().attach({address, "/locks/one"});
    window->scenarioController().attach({address, "/locks/other"});
    EXPECT_EQ(window->control().stage(), RunController::Stage::starting);
    EXPECT_TRUE(RecentTargets(&settings).all().isEmpty());
    window->control().showTrace("run.jsonl", {tests::sampleRun(), {}});
    EXPECT_EQ(window->control().stage(), RunController::Stage::trace);
    EXPECT_TRUE(RecentTargets(&settings).all().isEmpty()) << "another run took its place";
}

TEST_F(ScenariosTest, ClosingARunLeadsToTheWelcomePage)
{
    window->control().startBuiltIn("five-clients");
    ASSERT_TRUE(window->model().hasRun());
    press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_TRUE(welcome()->isVisible());
    EXPECT_EQ(window->model().engine(), nullptr) << "the run has ended";
    action("welcome")->trigger();
    EXPECT_TRUE(window->docks().isVisible()) << "what it recorded can still be looked at";
}

TEST_F(ScenariosTest, AFileThatWasOpenedIsOfferedAgain)
{
    const QString path = written("mine.toml", "clients = 2\ncycles = 1\n");
    window->control().openPath(path);
    action("welcome")->trigger();
    auto* button = welcome()->findChild<QPushButton*>("recentFile");
    ASSERT_NE(button, nullptr);
    EXPECT_EQ(button->text(), "mine.toml");
    button->click();
    EXPECT_FALSE(welcome()->isVisible());
    EXPECT_EQ(window->control().scenarioName(), "mine");
}

TEST_F(ScenariosTest, TheEditorKeepsTheFileThatItSavedWhenTheScenarioRuns)
{
    const QString path = folder.filePath("mine.toml");
    press(Qt::Key_N, Qt::ControlModifier);
    ScenarioEditor* editor = window->scenarioController().editor();
    ASSERT_TRUE(editor->saveTo(path));
    press(Qt::Key_N, Qt::ControlModifier);
    EXPECT_TRUE(editor->windowTitle().contains("mine.toml")) << "asked for once more, it is as it was";
    editor->run();
    EXPECT_EQ(window->control().scenarioPath(), path);
    press(Qt::Key_E, Qt::ControlModifier);
    EXPECT_TRUE(editor->windowTitle().contains("mine.toml"));
    auto* seed = editor->findChild<QLineEdit*>("seed");
    seed->setFocus();
    QTest::keyClick(seed, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(seed, "12");
    editor->run();
    EXPECT_TRUE(editor->unsaved());
    editor->save();
    EXPECT_EQ(sim::loadScenario(path.toStdString())->seed, 12U);
    EXPECT_FALSE(editor->unsaved());
}

TEST_F(ScenariosTest, DiscardingIsNeverWhatReturnDoes)
{
    press(Qt::Key_N, Qt::ControlModifier);
    ScenarioEditor* editor = window->scenarioController().editor();
    auto* seed = editor->findChild<QLineEdit*>("seed");
    QTest::keyClicks(seed, "12");
    ASSERT_TRUE(editor->unsaved());
    editor->reject();
    auto* question = editor->findChild<QMessageBox*>("unsavedQuestion");
    ASSERT_NE(question, nullptr);
    for (QAbstractButton* each : question->buttons()) {
        const auto* button = qobject_cast<QPushButton*>(each);
        const bool stays = question->buttonRole(each) == QMessageBox::RejectRole;
        EXPECT_EQ(button->isDefault(), stays) << button->text().toStdString();
    }
    QTest::keyClick(question, Qt::Key_Return);
    EXPECT_TRUE(editor->isVisible());
    EXPECT_TRUE(editor->unsaved());
}

QPushButton* buttonIn(const ScenarioEditor* editor, QMessageBox::ButtonRole role)
{
    const auto* question = editor->findChild<QMessageBox*>("unsavedQuestion");
    if (!question)
        return nullptr;
    for (QAbstractButton* each : question->buttons())
        if (question->buttonRole(each) == role)
            return qobject_cast<QPushButton*>(each);
    return nullptr;
}

QPushButton* discardIn(const ScenarioEditor* editor)
{
    return buttonIn(editor, QMessageBox::DestructiveRole);
}

TEST_F(ScenariosTest, EscapeInTheEditorOffersToSave)
{
    press(Qt::Key_N, Qt::ControlModifier);
    QPointer<ScenarioEditor> editor = window->scenarioController().editor();
    const QString path = folder.filePath("own.toml");
    ASSERT_TRUE(editor->saveTo(path));
    editor->findChild<QLineEdit*>("seed")->setText("12");
    QTest::keyClick(editor, Qt::Key_Escape);
    QPushButton* save = buttonIn(editor, QMessageBox::AcceptRole);
    ASSERT_NE(save, nullptr);
    save->click();
    EXPECT_EQ(sim::loadScenario(path.toStdString())->seed, 12U);
    EXPECT_TRUE(waitFor([&] { return editor.isNull() || !editor->isVisible(); }));
}

TEST_F(ScenariosTest, TheEditorMakesRoomForItsRunAndComesBackAsItWas)
{
    press(Qt::Key_N, Qt::ControlModifier);
    QPointer<ScenarioEditor> editor = window->scenarioController().editor();
    auto* seed = editor->findChild<QLineEdit*>("seed");
    seed->setText("12");
    editor->form().showPage(4);
    editor->run();
    EXPECT_EQ(window->control().scenario()->seed, 12U);
    EXPECT_FALSE(editor->isVisible()) << "it stands above the window";
    action("editScenario")->trigger();
    ASSERT_EQ(window->scenarioController().editor(), editor);
    EXPECT_TRUE(editor->isVisible());
    EXPECT_EQ(seed->text(), "12");
    EXPECT_EQ(editor->form().page(), 4);
    EXPECT_TRUE(editor->unsaved());
    editor->run();
    window->control().startBuiltIn("herd");
    action("editScenario")->trigger();
    EXPECT_EQ(seed->text(), "12") << "not replaced by another one before it is given up";
    QPushButton* discard = discardIn(editor);
    ASSERT_NE(discard, nullptr);
    discard->click();
    EXPECT_EQ(editor->form().name(), "herd");
    EXPECT_TRUE(editor->isVisible());
    EXPECT_FALSE(editor->unsaved());
}

TEST_F(ScenariosTest, TheWindowAsksBeforeItTakesUnsavedChangesAlong)
{
    press(Qt::Key_N, Qt::ControlModifier);
    QPointer<ScenarioEditor> editor = window->scenarioController().editor();
    editor->findChild<QLineEdit*>("seed")->setText("12");
    editor->run(); // which hides it
    window->close();
    EXPECT_TRUE(window->isVisible());
    ASSERT_TRUE(editor && editor->isVisible());
    editor->reject(); // asked twice, the last question stands
    window->close();
    EXPECT_TRUE(window->isVisible());
    QPushButton* discard = discardIn(editor);
    ASSERT_NE(discard, nullptr);
    discard->click();
    EXPECT_FALSE(window->isVisible());
    EXPECT_EQ(window->scenarioController().editor(), nullptr);
}

TEST_F(ScenariosTest, AScenarioIsStartedStepByStepFromEverywhere)
{
    const auto stepped = [this](const char* name) {
        return QTest::qWaitFor([this, name] {
            return window->control().scenarioName() == name && window->control().scenario()->stepping;
        });
    };
    action("welcome")->trigger();
    QTest::keyClick(welcome()->findChild<ScenarioCard*>("scenario.herd"), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_TRUE(stepped("herd"));
    action("welcome")->trigger();
    QTest::keyClicks(welcome()->search(), "chain");
    const QString first = welcome()->shownCards().front()->name();
    QTest::keyClick(welcome()->search(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_TRUE(stepped(first.toUtf8().constData()));
    press(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(palette()->input(), "five cl");
    QTest::keyClick(palette()->input(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_TRUE(stepped("five-clients"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return palette() == nullptr; }));
    press(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(palette()->input(), "five cl");
    QTest::keyClick(palette()->input(), Qt::Key_Return);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !window->control().scenario()->stepping; }));
}

TEST_F(ScenariosTest, SavingSuggestsANameOfScenarioAndDate)
{
    const auto store = tests::sampleRun();
    window->control().showTrace("sample.jsonl", {store, {}});
    const QString name = window->control().suggestedName();
    EXPECT_FALSE(name.isEmpty());
    action("saveTrace")->trigger();
    auto* dialog = window->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(QFileInfo(dialog->selectedFiles().value(0)).fileName(), name + ".jsonl");
    dialog->reject();
    trace::Header header;
    header.scenario = "herd";
    header.wallNanoseconds = 1'700'000'000'000'000'000;
    auto dated = std::make_shared<trace::TraceStore>(header);
    dated->append(store->at(0));
    window->control().showTrace("herd.jsonl", {dated, {}});
    EXPECT_TRUE(window->control().suggestedName().startsWith("herd-2023-11-1"));
}

TEST_F(ScenariosTest, AFailedRunDoesNotLeadToThePageOnWhichAPlaceWasChosenBefore)
{
    const tests::FakeServer silent(tests::defaultReply, {.answersHandshakes = false});
    action("welcome")->trigger();
    window->scenarioController().attach({QString::fromStdString(silent.address()), "/locks/theirs"});
    ASSERT_FALSE(welcome()->isVisible());
    window->control().startBuiltIn("two-clients");
    ASSERT_TRUE(waitForMessage("127.0.0.1:1")) << messages().toStdString();
    ASSERT_TRUE(window->control().failed());
    EXPECT_FALSE(welcome()->isVisible());
    EXPECT_TRUE(RecentTargets(&settings).all().isEmpty());
}

TEST_F(ScenariosTest, TheEditorBeginsAtTheTitle)
{
    press(Qt::Key_N, Qt::ControlModifier);
    ScenarioEditor* editor = window->scenarioController().editor();
    ASSERT_TRUE(QTest::qWaitForWindowActive(editor));
    const auto* title = editor->findChild<QLineEdit*>("title");
    ASSERT_TRUE(QTest::qWaitFor([&] { return QApplication::focusWidget() == title; }));
    QTest::keyClicks(QApplication::focusWidget(), "!");
    EXPECT_TRUE(QString::fromStdString(editor->form().scenario()->title).endsWith('!'));
}

} // namespace
} // namespace lockscope::ui
