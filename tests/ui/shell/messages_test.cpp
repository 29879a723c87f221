// Messages: the newest lies over the views, the others wait behind the bell.
#include "tests/ui/shell/recorded_window_fixture.h"
#include "ui/models/style/theme.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/messages/message_list.h"
#include "ui/shell/runbar/run_bar.h"

#include <QApplication>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

UserMessage userMessage(const QString& key, const QString& text,
                        UserMessage::Kind kind = UserMessage::Kind::error)
{
    return {.key = key, .kind = kind, .text = [text] { return text; }};
}

struct MessageBarTest : testing::Test
{
    Theme theme{Theme::ColourScheme::light};
    MessageBar bar{&theme};
};

TEST_F(MessageBarTest, AProgressStaysWhereItIsHoweverOftenItIsSaid)
{
    UserMessage opening = userMessage("open", "Opening.", UserMessage::Kind::progress);
    bar.post(opening);
    bar.post(userMessage("error", "Refused."));
    opening.percent = 40;
    bar.post(opening);
    EXPECT_EQ(bar.shown(), "Refused.");
    bar.dismiss("error");
    EXPECT_EQ(bar.shown(), "Opening.");
}

TEST_F(MessageBarTest, CountsARepeatedMessage)
{
    bar.post(userMessage("a", "Refused."));
    bar.post(userMessage("a", "Refused."));
    bar.post(userMessage("a", "Refused."));
    EXPECT_EQ(bar.shownTexts(), QStringList("Refused. (3 times)"));
    bar.post(userMessage("a", "Accepted."));
    EXPECT_EQ(bar.shownTexts(), QStringList("Accepted.")) << "another text takes its place";
}

TEST_F(MessageBarTest, ShowsTextFromOutsideAsPlainText)
{
    bar.post(userMessage("a", "<b>bold</b>"));
    const auto* label = bar.findChild<QLabel*>("messageText");
    ASSERT_NE(label, nullptr);
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
    EXPECT_EQ(label->text(), "<b>bold</b>");
}

TEST_F(MessageBarTest, ClosesAndActsByItsButtonsAndKeys)
{
    int actionTriggered = 0;
    UserMessage failure = userMessage("a", "No Java was found.");
    failure.actionText = [] { return QStringLiteral("Try again"); };
    failure.action = [&actionTriggered] { ++actionTriggered; };
    bar.post(failure);
    bar.show();
    QTest::mouseClick(bar.findChild<QPushButton*>("messageAction"), Qt::LeftButton);
    EXPECT_EQ(actionTriggered, 1);
    EXPECT_TRUE(bar.shownTexts().isEmpty()) << "what was answered goes away";

    bar.post(userMessage("b", "Something else."));
    bar.findChild<QToolButton*>("messageClose")->click();
    EXPECT_TRUE(bar.shownTexts().isEmpty());

    bar.post(userMessage("c", "One more."));
    QTest::keyClick(bar.findChild<QToolButton*>("messageClose"), Qt::Key_Escape);
    EXPECT_TRUE(bar.shownTexts().isEmpty());
}

TEST_F(MessageBarTest, AMessageThatStaysHasNoCloseButton)
{
    UserMessage down = userMessage("server", "ZooKeeper does not answer.", UserMessage::Kind::warning);
    down.persistent = true;
    bar.post(down);
    EXPECT_FALSE(bar.findChild<QToolButton*>("messageClose")->isVisibleTo(&bar));
    bar.removeAll();
    EXPECT_EQ(bar.shownTexts().size(), 1);
}

using MessagesInWindow = MainWindowTest;

TEST_F(MessagesInWindow, LieOverTheViewsAndMoveNothing)
{
    open(saved("run.jsonl"));
    QApplication::processEvents();
    const QRect docks = window->docks().geometry();
    const QRect bell = window->findChild<QWidget*>("runStatus")->findChild<MessageBell*>()->geometry();
    MessageBar& bar = window->messages();
    for (const char* key : {"a", "b", "c"})
        bar.post(userMessage(key, "The disk is full."));
    QApplication::processEvents();
    EXPECT_EQ(window->docks().geometry(), docks);
    EXPECT_EQ(window->findChild<QWidget*>("runStatus")->findChild<MessageBell*>()->geometry(), bell);
    ASSERT_TRUE(bar.isVisible());
    EXPECT_TRUE(docks.contains(bar.geometry())) << "between the two bars";
    EXPECT_EQ(window->centralWidget()->childAt(bar.geometry().center())->window(), window.get());
    window->resize(1000, 700);
    QApplication::processEvents();
    EXPECT_TRUE(window->docks().geometry().contains(bar.geometry()));
}

TEST_F(MessagesInWindow, AreListedBehindTheBell)
{
    MessageBar& bar = window->messages();
    auto* bell = window->findChild<QWidget*>("runStatus")->findChild<MessageBell*>();
    bar.post(userMessage("a", "first"));
    bar.post(userMessage("b", "second"));
    EXPECT_EQ(bell->text(), "1");
    int actionTriggered = 0;
    UserMessage third = userMessage("c", "third");
    third.actionText = [] { return QStringLiteral("Do it"); };
    third.action = [&actionTriggered] { ++actionTriggered; };
    bar.post(third);
    bell->click();
    QPointer<MessageList> list = window->findChild<MessageList*>();
    ASSERT_FALSE(list.isNull());
    QStringList texts;
    for (const QLabel* label : list->findChildren<QLabel*>("messageText"))
        texts << label->text();
    EXPECT_EQ(texts, QStringList({"third", "second", "first"}));
    for (QPushButton* button : list->findChildren<QPushButton*>("messageAction"))
        if (button->isVisible())
            button->click();
    EXPECT_EQ(actionTriggered, 1);
    EXPECT_EQ(bar.shownTexts(), QStringList({"second", "first"}));
    EXPECT_TRUE(QTest::qWaitFor([&] { return list.isNull(); }));
    action("messages")->trigger();
    list = window->findChild<MessageList*>();
    list->findChild<QPushButton*>("messagesClear")->click();
    EXPECT_TRUE(bar.entries().isEmpty());
    EXPECT_TRUE(QTest::qWaitFor([&] { return list->findChild<QLabel*>("noMessages") != nullptr; }));
    QTest::keyClick(list, Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([&] { return list.isNull(); }));
}

// Else it could not be clicked: between press and release the next percent comes.
TEST_F(MessagesInWindow, TheButtonOfAProgressStaysInTheListWhileItGoesOn)
{
    MessageBar& bar = window->messages();
    UserMessage opening = userMessage("open", "Opening.", UserMessage::Kind::progress);
    opening.actionText = [] { return QStringLiteral("Cancel"); };
    bar.post(userMessage("a", "The disk is full."));
    bar.post(opening);
    action("messages")->trigger();
    const QPointer<MessageList> list = window->findChild<MessageList*>();
    ASSERT_FALSE(list.isNull());
    const QPointer<MessageRow> row = list->findChildren<MessageRow*>().front();
    opening.percent = 40;
    opening.text = [] { return QStringLiteral("Evaluating."); };
    bar.post(opening);
    QApplication::processEvents();
    ASSERT_FALSE(row.isNull());
    EXPECT_EQ(row->findChild<QLabel*>("messageText")->text(), "Evaluating.");
    EXPECT_EQ(row->findChild<QProgressBar*>()->value(), 40);
    bar.dismiss("open");
    EXPECT_TRUE(QTest::qWaitFor([&] { return row.isNull(); }));
}

TEST_F(MessagesInWindow, ALongTraceThatIsLeftIsNoLongerEvaluated)
{
    window->control().showTrace("long.jsonl", {tests::sampleRun({.events = 300'000}), {}});
    ASSERT_TRUE(window->model().opening());
    emit window->model().progress(0.5); // its own may come when all is evaluated
    ASSERT_TRUE(messages().contains("Evaluating long.jsonl")) << messages().toStdString();
    window->control().showTrace("short.jsonl", {tests::sampleRun(), {}});
    ASSERT_FALSE(window->model().opening());
    EXPECT_EQ(messages(), QString());
}

TEST_F(MessagesInWindow, AreNeitherInALectureNorInPictures)
{
    open(saved("run.jsonl"));
    window->messages().post(userMessage("a", "The disk is full."));
    window->messages().post(userMessage("b", "The disk is still full."));
    EXPECT_FALSE(window->messages().visibleRegion().isEmpty());
    int pictures = 0;
    QObject::connect(&window->exportController(), &ExportController::capturing, window.get(),
                     [&](bool capturing) {
                         EXPECT_EQ(window->messages().visibleRegion().isEmpty(), capturing);
                         pictures += capturing ? 1 : 0;
                     });
    window->exportController().savePictureOf("window", folder.filePath("window.png"));
    EXPECT_EQ(pictures, 1);
    action("presentation")->trigger();
    window->messages().post(userMessage("c", "Full."));
    EXPECT_FALSE(window->messages().isVisible());
    action("presentation")->trigger();
    EXPECT_TRUE(window->messages().isVisible());
    EXPECT_EQ(window->messages().shown(), "Full.");
}

} // namespace
} // namespace lockscope::ui
