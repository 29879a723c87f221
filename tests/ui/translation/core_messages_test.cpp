// The core's messages in the language of the window: each literal of message("...") has a translation, and
// translateMessage() puts it together with its arguments.
#include "core/base/message.h"
#include "tests/ui/translation/translation_entries.h"
#include "ui/shell/window/language.h"
#include "ui/texts/core_messages.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace lockscope::ui {
namespace {

using test::hasChinese;
using test::placesIn;
using test::TranslationEntry;
using test::updatedEntries;

TEST(CoreMessages, EachHasAFinishedTranslationWithTheSamePlaces)
{
    std::map<QString, TranslationEntry> messages;
    for (const TranslationEntry& each : updatedEntries("lockscope_zh_CN.ts"))
        if (each.context == "Core")
            messages.emplace(each.source, each);
    ASSERT_GT(messages.size(), 50U);
    for (const auto& [source, each] : messages) {
        EXPECT_TRUE(each.state.isEmpty() && !each.translation.isEmpty()) << source.toStdString();
        EXPECT_EQ(placesIn(source), placesIn(each.translation)) << source.toStdString();
    }
    EXPECT_TRUE(messages.contains("%1: %2")) << "of core";
    EXPECT_TRUE(messages.contains("The scenario %1 cannot be written: %2.")) << "of ui";
    EXPECT_TRUE(messages.contains("Locks of others, watched live")) << "the title of a run";
    EXPECT_FALSE(messages.contains("The lock path \"%1\" is too long.")) << "the example in a comment";
}

TEST(CoreMessages, NestedMessagesAreTranslated)
{
    const Language chinese("zh_CN");
    const Message cause = message("The scenario %1 cannot be written: %2.", "a.toml", "disk full");
    const QString text = translateMessage(message("%1: %2", "run", cause));
    EXPECT_TRUE(hasChinese(text)) << text.toStdString();
    EXPECT_TRUE(text.contains("a.toml") && text.contains("disk full") && text.startsWith("run"))
        << text.toStdString();
    EXPECT_FALSE(text.contains("cannot be written")) << text.toStdString();
}

TEST(CoreMessages, AnUnknownSentenceStaysEnglish)
{
    const Language chinese("zh_CN");
    EXPECT_EQ(translateMessage(message("A later version says %1.", "this")), "A later version says this.");
    EXPECT_EQ(translateMessage("ada"), "ada");
    EXPECT_EQ(translateMessage({}), QString());
}

TEST(CoreMessages, PlacesOfAnArgumentAreNotFilled)
{
    EXPECT_EQ(translateMessage(message("%1: %2", "%2", "%1")), "%2: %1");
    EXPECT_EQ(translateMessage(message("%1: %2", "only one")), "only one: %2");
    EXPECT_EQ(translateMessage(message("100 % of %1 and %9", "it")), "100 % of it and %9");
}

TEST(CoreMessages, TextFromOutsideStaysPlainAndShort)
{
    const QString text =
        translateMessage(message("%1: %2", "<b>bold</b>\n\x1b[1m", std::string(5'000, 'x')), 100);
    EXPECT_TRUE(text.startsWith("<b>bold</b>")) << "markup is shown as it is: the widgets show plain text";
    EXPECT_FALSE(text.contains(u'\n') || text.contains(QChar(0x1b)));
    EXPECT_LT(text.size(), 250);
}

TEST(CoreMessages, NonsenseIsSurvived)
{
    for (const std::string& nonsense :
         {std::string("\x1e"), std::string("\x1e\x1f"), std::string("\x1e\x1d\x1d"),
          std::string("\x1e%1\x1f\x1e%1\x1f"), std::string("%1 %n %"), std::string("\x1f\x1d"),
          std::string("\xff\xfe"), std::string(1, '\0')})
        EXPECT_LT(translateMessage(MessageView(nonsense)).size(), 100);
    Message deep = "core";
    for (int i = 0; i < 100; ++i)
        deep = message("%1: %2", i, deep);
    EXPECT_LT(translateMessage(deep).size(), 300) << "nesting is limited";
}

} // namespace
} // namespace lockscope::ui
