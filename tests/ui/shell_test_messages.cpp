// The bar of messages above the views.
#include "ui/models/look.h"
#include "ui/shell/message_bar.h"

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

TEST_F(MessageBarTest, StacksThreeAndQueuesTheRest)
{
    for (const char* key : {"a", "b", "c", "d", "e"})
        bar.say(message(key, QStringLiteral("text %1").arg(key)));
    EXPECT_EQ(bar.shownTexts(), QStringList({"text a", "text b", "text c"}));
    EXPECT_EQ(bar.waiting(), 2);
    bar.unsay("b");
    EXPECT_EQ(bar.shownTexts(), QStringList({"text a", "text c", "text d"})) << "the next one moves up";
    EXPECT_EQ(bar.waiting(), 1);
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

TEST_F(MessageBarTest, ClosesAndActsByItsButtons)
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
    for (QToolButton* close : bar.findChildren<QToolButton*>("messageClose"))
        if (close->isVisible())
            close->click();
    EXPECT_TRUE(bar.shownTexts().isEmpty());
}

TEST_F(MessageBarTest, AMessageThatStaysHasNoCloseButton)
{
    Message down = message("server", "ZooKeeper does not answer.", Message::Kind::warning);
    down.stays = true;
    bar.say(down);
    EXPECT_FALSE(bar.findChild<QToolButton*>("messageClose")->isVisibleTo(&bar));
}

} // namespace
} // namespace lockscope::ui
