// Names and their order: what makes a Curator client and ours agree on who is first.
#include "core/lock/naming.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace lockscope::lock {
namespace {

constexpr const char* kGuid = "0f4d9fc2-6a4d-4c58-9d1c-8c2f6a7f3a11";

std::string key(std::string_view node, const NodeNaming& naming = {})
{
    return std::string(naming.sortKey(node));
}

TEST(Naming, CreatesWhatCuratorCreates)
{
    EXPECT_EQ(NodeNaming::protectionPrefix(kGuid), std::string("_c_") + kGuid + "-");
    EXPECT_EQ(NodeNaming{}.createName(kGuid), std::string("_c_") + kGuid + "-lock-");
    EXPECT_EQ(NodeNaming{"__WRIT__"}.createName(kGuid), std::string("_c_") + kGuid + "-__WRIT__");
}

TEST(Naming, SortsByTheSequenceAndNotByTheGuid)
{
    EXPECT_EQ(key(std::string("_c_") + kGuid + "-lock-0000000042"), "0000000042");
    EXPECT_EQ(key("lock-0000000042"), "0000000042");
}

TEST(Naming, SortsANameWithoutTheLockNameByTheWholeName)
{
    EXPECT_EQ(key("hello"), "hello");
    EXPECT_EQ(key("x-0000000001"), "x-0000000001");
    EXPECT_EQ(key(""), "");
}

TEST(Naming, TakesTheTextAfterTheLastLockName)
{
    EXPECT_EQ(key("lock-lock-0000000007"), "0000000007");
    EXPECT_EQ(key("lock-a-lock-b"), "b");
    EXPECT_EQ(key("lock-0000000001-extra"), "0000000001-extra");
    EXPECT_EQ(key("lock-"), "");
}

TEST(Naming, TakesTheLockNameOfTheRecipe)
{
    const NodeNaming write{"__WRIT__"};
    EXPECT_EQ(key("_c_x-__WRIT__0000000003", write), "0000000003");
    EXPECT_EQ(key("_c_x-__READ__0000000002", write), "_c_x-__READ__0000000002");
}

// The shortcut for usual names must not change the answer for unusual ones.
TEST(Naming, TakesElevenDigitsAsTheyAre)
{
    EXPECT_EQ(key("lock-00000000042"), "00000000042");
    EXPECT_EQ(key("lock-0000000042lock-"), "");
    EXPECT_EQ(key("lock-lock-000000004"), "000000004");
}

TEST(Naming, ComparesAfterAnOverflowAsCuratorDoes)
{
    // The server's counter has gone below zero: a text comparison puts those first, in Curator too.
    const std::string overflowed = "_c_x-lock--2147483648";
    EXPECT_EQ(key(overflowed), "-2147483648");
    EXPECT_LT(key(overflowed), key("_c_x-lock-2147483647"));
}

TEST(Sequence, IsTheNumberAtTheEnd)
{
    EXPECT_EQ(sequenceOf("_c_x-lock-0000000042"), 42);
    EXPECT_EQ(sequenceOf("lock-2147483647"), 2147483647);
    EXPECT_EQ(sequenceOf("0000000000"), 0);
}

TEST(Sequence, IsNegativeAfterTheCounterOverflowed)
{
    EXPECT_EQ(sequenceOf("_c_x-lock--2147483648"), -2147483647 - 1);
    EXPECT_EQ(sequenceOf("_c_x-__WRIT__-2147483648"), -2147483647 - 1);
    EXPECT_EQ(sequenceOf("_c_x-__READ__-2147483647"), -2147483647);
    EXPECT_EQ(sequenceOf("_c_x-__READ__2147483647"), 2147483647);
    EXPECT_EQ(sequenceOf("_c_x-lock--0000000001"), -1);
}

TEST(Sequence, IsNoneWhereThereIsNoNumber)
{
    EXPECT_FALSE(sequenceOf(""));
    EXPECT_FALSE(sequenceOf("hello"));
    EXPECT_FALSE(sequenceOf("lock-42"));
    EXPECT_FALSE(sequenceOf("lock-00000000x2"));
    EXPECT_FALSE(sequenceOf("lock-9999999999")); // more than the server can count
}

} // namespace
} // namespace lockscope::lock
