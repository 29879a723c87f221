// Text for a terminal: how wide it is, and what of it fits.
#include "core/trace/plain_text.h"

#include <gtest/gtest.h>

namespace lockscope::trace {
namespace {

TEST(PlainText, CountsTheColumnsOfATerminal)
{
    EXPECT_EQ(columnsOf(""), 0U);
    EXPECT_EQ(columnsOf("/locks"), 6U);
    EXPECT_EQ(columnsOf("/caf\u00e9"), 5U);
    EXPECT_EQ(columnsOf("/\u8ba2\u5355"), 5U) << "wide ones";
    EXPECT_EQ(columnsOf("\U0001f512"), 2U);
    EXPECT_EQ(columnsOf("\xc3"), 1U) << "no character";
}

TEST(PlainText, IsCutBetweenCharacters)
{
    EXPECT_EQ(cutToColumns("/locks", 3), "/lo");
    EXPECT_EQ(cutToColumns("/locks", 10), "/locks");
    EXPECT_EQ(cutToColumns("/caf\u00e9/x", 5), "/caf\u00e9");
    EXPECT_EQ(cutToColumns("/caf\u00e9/x", 4), "/caf");
    EXPECT_EQ(cutToColumns("/\u8ba2\u5355", 3), "/\u8ba2");
    EXPECT_EQ(cutToColumns("/\u8ba2\u5355", 4), "/\u8ba2") << "half of a wide one has no room";
    EXPECT_EQ(cutToColumns("\xc3\xc3", 1), "\xc3");
}

} // namespace
} // namespace lockscope::trace
