// Jute: what is written is read, and what does not fit fails and reads as nothing.
#include "core/base/jute.h"

#include <gtest/gtest.h>

#include <limits>

namespace lockscope::jute {
namespace {

TEST(Jute, ReadsWhatWasWritten)
{
    Writer out;
    out.int32(-2)
        .int64(std::numeric_limits<std::int64_t>::min())
        .boolean(true)
        .buffer("a b")
        .buffer("")
        .int32(-1);
    Reader in(out.bytes());
    EXPECT_EQ(in.int32(), -2);
    EXPECT_EQ(in.int64(), std::numeric_limits<std::int64_t>::min());
    EXPECT_TRUE(in.boolean());
    EXPECT_EQ(in.buffer(), "a b");
    EXPECT_EQ(in.buffer(), "");
    EXPECT_EQ(in.buffer(), "") << "null";
    EXPECT_TRUE(in.ok());
    EXPECT_EQ(in.rest(), "");
}

TEST(Jute, IsBigEndian) { EXPECT_EQ(Writer().int32(0x01020304).bytes(), std::string("\1\2\3\4")); }

TEST(Jute, WhatIsTooShortFailsForGood)
{
    for (const std::string& bytes :
         {std::string("\0\0\0", 3), Writer().int32(5).raw("abc").bytes(), Writer().int32(-2).bytes(),
          Writer().int32(0x7fffffff).raw("abc").bytes()}) {
        Reader in(bytes);
        EXPECT_EQ(in.buffer(), "");
        EXPECT_FALSE(in.ok());
        EXPECT_EQ(in.int64(), 0);
        EXPECT_EQ(in.rest(), "");
    }
}

TEST(Jute, ACountIsBoundByWhatIsThere)
{
    const std::string bytes = Writer().int32(3).raw("123456789abc").bytes();
    EXPECT_EQ(Reader(bytes).count(4), 3u);
    Reader tooMany(bytes);
    EXPECT_EQ(tooMany.count(5), 0u);
    EXPECT_FALSE(tooMany.ok());
    const std::string null = Writer().int32(-1).bytes();
    EXPECT_EQ(Reader(null).count(1), 0u);
}

} // namespace
} // namespace lockscope::jute
