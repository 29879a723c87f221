// A program judged in the window: the dialog, the run that takes no command, and the verdict, on a real
// ZooKeeper.
#include "core/replay/findings/claims.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/shell/dialogs/judge_dialog.h"
#include "ui/shell/window/main_window.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

struct JudgeWindowTest : WindowTest
{
    JudgeWindowTest()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
    }
    JudgeDialog* ask()
    {
        action("judge")->trigger();
        return window->findChild<JudgeDialog*>();
    }
    void judge(const QString& command)
    {
        JudgeDialog* dialog = ask();
        ASSERT_NE(dialog, nullptr);
        auto* line = dialog->findChild<QLineEdit*>("judgeCommand");
        line->clear();
        QTest::keyClick(dialog, Qt::Key_Return);
        EXPECT_TRUE(dialog->findChild<QLabel*>("judgeFault")->isVisible()) << "there is no program";
        line->setText(command);
        dialog->findChild<QSpinBox*>("judgeSeconds")->setValue(1);
        dialog->findChild<QSpinBox*>("judgeSeed")->setValue(20); // its first fault needs no lock
        QTest::keyClick(dialog, Qt::Key_Return);
    }
    std::string lastVerb()
    {
        const trace::TraceStore& store = *window->model().store();
        std::string verb;
        for (std::size_t i = 0; i < store.count(); ++i)
            if (const auto* refused = std::get_if<trace::CommandRefused>(&store.at(i).what))
                verb = refused->verb;
        return verb;
    }
};

// Copies that take no lock at all.
TEST_F(JudgeWindowTest, SaysWhatIsWrongAndShowsTheEvent)
{
    judge("sh -c \"while true; do echo acquired; sleep 0.1; echo released; sleep 0.01; done\"");
    RunController& control = window->control();
    ASSERT_TRUE(waitFor([&] { return control.stage() == RunController::Stage::running; }))
        << messages().toStdString();
    ASSERT_TRUE(waitFor([&] { return state().clients.size() == 3; }));
    EXPECT_EQ(std::string(state().clients.front().name), "ada");
    control.runOrPause();
    EXPECT_TRUE(waitForMessage("the faults of this run are planned"));
    EXPECT_FALSE(action("slower")->isEnabled());
    ASSERT_TRUE(waitForMessage("The lock is not right: 1 rule")) << messages().toStdString();
    EXPECT_TRUE(messages().contains("said that it has the lock while"));
    EXPECT_EQ(control.stage(), RunController::Stage::ended);
    EXPECT_EQ(lastVerb(), "") << "no command reached the run";
    const std::size_t all = window->model().position();
    for (QPushButton* button : window->findChildren<QPushButton*>("messageAction"))
        if (button->text() == "Show Event")
            button->click();
    EXPECT_LT(window->model().position(), all);
    const auto event = replay::judgeClaims(*control.store()).of(replay::ClaimRule::exclusion).event;
    EXPECT_EQ(window->model().position(), event.value + 1);
    EXPECT_EQ(ask()->findChild<QLineEdit*>("judgeCommand")->text().left(5), "sh -c")
        << "kept for the next time";
}

TEST_F(JudgeWindowTest, SaysWhyItCannotJudge)
{
    judge("sh -c \"echo Acquired; sleep 1000\"");
    EXPECT_TRUE(waitForMessage("The program cannot be judged. ")) << messages().toStdString();
    EXPECT_TRUE(messages().contains("It wrote the line \"Acquired\""));
    judge("/no/such/program");
    EXPECT_TRUE(waitForMessage("/no/such/program cannot be executed")) << messages().toStdString();
    EXPECT_FALSE(messages().contains("The program cannot be judged.")) << "that was another run";
}

} // namespace
} // namespace lockscope::ui
