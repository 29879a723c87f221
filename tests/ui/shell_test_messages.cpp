// Messages: the newest lies over the views, the others wait behind the bell.
#include "tests/ui/shell_test_window_fixture.h"
#include "ui/models/look.h"
#include "ui/shell/dock_area.h"
#include "ui/shell/export_desk.h"
#include "ui/shell/message_bar.h"
#include "ui/shell/message_list.h"
#include "ui/shell/message_row.h"
#include "ui/shell/run_bar.h"

#include <QApplication>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

Message message(const QString& key, const QString& text, Message::Kind kind = Message::Kind::error)
{
    return {.key = key, .kind = kind, .text = [text] { return text; }};
}

struct MessageBarTest : testing::Test
{
    Look look{Look::Theme::light};
    MessageBar bar{&look};
};

TEST_F(MessageBarTest, IsNotThereWithoutAMessage)
{
    EXPECT_FALSE(bar.isVisibleTo(nullptr));
    bar.say(message("a", "The disk is full."));
    EXPECT_TRUE(bar.isVisibleTo(nullptr));
    bar.unsay("a");
    EXPECT_FALSE(bar.isVisibleTo(nullptr));
}

TEST_F(MessageBarTest, ShowsTheNewestAndKeepsTheRest)
{
    for (const char* key : {"a", "b", "c"})
        bar.say(message(key, QStringLiteral("text %1").arg(key)));
    EXPECT_EQ(bar.shown(), "text c");
    EXPECT_EQ(bar.findChildren<MessageRow*>().size(), 1);
    EXPECT_EQ(bar.waiting(), 2);
    bar.unsay("c");
    EXPECT_EQ(bar.shown(), "text b");
    EXPECT_EQ(bar.shownTexts(), QStringList({"text b", "text a"}));
    EXPECT_EQ(bar.waiting(), 1);
}

TEST_F(MessageBarTest, AProgressStaysWhereItIsHoweverOftenItIsSaid)
{
    Message opening = message("open", "Opening.", Message::Kind::progress);
    bar.say(opening);
    bar.say(message("error", "Refused."));
    opening.percent = 40;
    bar.say(opening);
    EXPECT_EQ(bar.shown(), "Refused.");
    bar.unsay("error");
    EXPECT_EQ(bar.shown(), "Opening.");
}

TEST_F(MessageBarTest, NothingIsShownWhileItIsQuietAndNothingIsLost)
{
    bar.setQuiet(true);
    bar.say(message("a", "Refused."));
    EXPECT_FALSE(bar.isVisibleTo(nullptr));
    EXPECT_EQ(bar.waiting(), 1);
    bar.setQuiet(false);
    EXPECT_EQ(bar.shown(), "Refused.");
    EXPECT_EQ(bar.waiting(), 0);
}

TEST_F(MessageBarTest, CountsARepeatedMessage)
{
    bar.say(message("a", "Refused."));
    bar.say(message("a", "Refused."));
    bar.say(message("a", "Refused."));
    EXPECT_EQ(bar.shownTexts(), QStringList("Refused. (3 times)"));
    bar.say(message("a", "Accepted."));
    EXPECT_EQ(bar.shownTexts(), QStringList("Accepted.")) << "another text takes its place";
}

TEST_F(MessageBarTest, ShowsTextFromOutsideAsPlainText)
{
    bar.say(message("a", "<b>bold</b>"));
    const auto* label = bar.findChild<QLabel*>("messageText");
    ASSERT_NE(label, nullptr);
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
    EXPECT_EQ(label->text(), "<b>bold</b>");
}

TEST_F(MessageBarTest, ClosesAndActsByItsButtonsAndKeys)
{
    int acted = 0;
    Message failure = message("a", "No Java was found.");
    failure.actionText = [] { return QStringLiteral("Try again"); };
    failure.action = [&acted] { ++acted; };
    bar.say(failure);
    bar.show();
    QTest::mouseClick(bar.findChild<QPushButton*>("messageAction"), Qt::LeftButton);
    EXPECT_EQ(acted, 1);
    EXPECT_TRUE(bar.shownTexts().isEmpty()) << "what was answered goes away";

    bar.say(message("b", "Something else."));
    bar.findChild<QToolButton*>("messageClose")->click();
    EXPECT_TRUE(bar.shownTexts().isEmpty());

    bar.say(message("c", "One more."));
    QTest::keyClick(bar.findChild<QToolButton*>("messageClose"), Qt::Key_Escape);
    EXPECT_TRUE(bar.shownTexts().isEmpty());
}

TEST_F(MessageBarTest, AMessageThatStaysHasNoCloseButton)
{
    Message down = message("server", "ZooKeeper does not answer.", Message::Kind::warning);
    down.stays = true;
    bar.say(down);
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
    const QRect bell = window->findChild<RunBar*>()->findChild<MessageBell*>()->geometry();
    MessageBar& bar = window->messages();
    for (const char* key : {"a", "b", "c"})
        bar.say(message(key, "The disk is full."));
    QApplication::processEvents();
    EXPECT_EQ(window->docks().geometry(), docks);
    EXPECT_EQ(window->findChild<RunBar*>()->findChild<MessageBell*>()->geometry(), bell);
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
    auto* bell = window->findChild<RunBar*>()->findChild<MessageBell*>();
    bar.say(message("a", "first"));
    bar.say(message("b", "second"));
    EXPECT_EQ(bell->text(), "1");
    int acted = 0;
    Message third = message("c", "third");
    third.actionText = [] { return QStringLiteral("Do it"); };
    third.action = [&acted] { ++acted; };
    bar.say(third);
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
    EXPECT_EQ(acted, 1);
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

TEST_F(MessagesInWindow, AreNeitherInALectureNorInPictures)
{
    open(saved("run.jsonl"));
    window->messages().say(message("a", "The disk is full."));
    window->messages().say(message("b", "The disk is still full."));
    EXPECT_FALSE(window->messages().visibleRegion().isEmpty());
    int pictures = 0;
    QObject::connect(&window->exporting(), &ExportDesk::posing, window.get(), [&](bool posing) {
        EXPECT_EQ(window->messages().visibleRegion().isEmpty(), posing);
        pictures += posing ? 1 : 0;
    });
    window->exporting().savePictureOf("window", folder.filePath("window.png"));
    EXPECT_EQ(pictures, 1);
    action("lecture")->trigger();
    window->messages().say(message("c", "Full."));
    EXPECT_FALSE(window->messages().isVisible());
    action("lecture")->trigger();
    EXPECT_TRUE(window->messages().isVisible());
    EXPECT_EQ(window->messages().shown(), "Full.");
}

} // namespace
} // namespace lockscope::ui
