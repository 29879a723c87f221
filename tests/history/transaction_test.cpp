// Every type of transaction is decoded into what it changes.
#include "core/history/transaction.h"

#include "core/base/jute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockscope::history {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

jute::Writer head(std::int32_t type, std::int32_t cxid = 9)
{
    jute::Writer out;
    out.int64(0x100000012ab0003).int32(cxid).int64(0x200000005).int64(1'700'000'000'123).int32(type);
    return out;
}

jute::Writer acl() { return std::move(jute::Writer().int32(1).int32(31).buffer("world").buffer("anyone")); }

struct TransactionTest : ::testing::Test
{
    DecodeResult read(const jute::Writer& record)
    {
        bytes = record.bytes();
        return decode(bytes, txn);
    }
    const Change& change() const { return txn.changes.at(0); }

    std::string bytes;
    Transaction txn;
};

TEST_F(TransactionTest, ACreateOf33HasNoCversion)
{
    ASSERT_EQ(read(head(1).buffer("/a").buffer("").raw(acl().bytes()).boolean(false)), DecodeResult::whole);
    EXPECT_FALSE(change().hasCversion);
    EXPECT_FALSE(change().ephemeral);
}

TEST_F(TransactionTest, TheOtherKindsOfCreate)
{
    ASSERT_EQ(read(head(15).buffer("/a").buffer("").int32(-1).boolean(true).int32(1)), DecodeResult::whole);
    EXPECT_TRUE(change().ephemeral);
    ASSERT_EQ(read(head(19).buffer("/a").buffer("").raw(acl().bytes()).int32(1)), DecodeResult::whole);
    EXPECT_TRUE(change().container);
    EXPECT_FALSE(change().ephemeral);
    ASSERT_EQ(read(head(21).buffer("/a").buffer("").raw(acl().bytes()).int32(1).int64(5000)),
              DecodeResult::whole);
    EXPECT_EQ(change().ttlMs, 5000);
}

// Before 3.6: nothing, or the digest alone, whose first number is no count.
TEST_F(TransactionTest, ASessionsEndWithoutPaths)
{
    ASSERT_EQ(read(head(-11)), DecodeResult::whole);
    EXPECT_FALSE(txn.listsPaths);
    ASSERT_EQ(read(head(-11).int32(2).int64(0x1234567890)), DecodeResult::whole);
    EXPECT_FALSE(txn.listsPaths);
    EXPECT_THAT(txn.closedPaths, IsEmpty());
}

TEST_F(TransactionTest, AMultiIsAllOrNothing)
{
    const std::string made =
        jute::Writer().buffer("/a").buffer("").raw(acl().bytes()).boolean(true).int32(1).bytes();
    const std::string checked = jute::Writer().buffer("/b").int32(3).bytes();
    const std::string removed = jute::Writer().buffer("/c").bytes();
    ASSERT_EQ(
        read(head(14).int32(3).int32(13).buffer(checked).int32(1).buffer(made).int32(2).buffer(removed)),
        DecodeResult::whole);
    ASSERT_THAT(txn.changes, SizeIs(2));
    EXPECT_EQ(txn.changes[1].path, "/c");
    const std::string failed = jute::Writer().int32(-101).bytes();
    ASSERT_EQ(read(head(14).int32(2).int32(1).buffer(made).int32(-1).buffer(failed)), DecodeResult::whole);
    EXPECT_THAT(txn.changes, IsEmpty());
    EXPECT_EQ(txn.error, -101);
}

TEST_F(TransactionTest, WhatDoesNotFitIsSaid)
{
    EXPECT_EQ(read(head(2).int32(100).raw("/a")), DecodeResult::fieldBeyondRecord);
    EXPECT_EQ(read(head(1).buffer("/a").buffer("").int32(0x7fffffff)), DecodeResult::fieldBeyondRecord);
    EXPECT_EQ(read(head(14).int32(0x7fffffff)), DecodeResult::fieldBeyondRecord);
    EXPECT_THAT(txn.changes, IsEmpty());
    EXPECT_EQ(read(head(99).raw("anything")), DecodeResult::unknownType);
    EXPECT_EQ(read(std::move(jute::Writer().int32(1))), DecodeResult::fieldBeyondRecord);
}

} // namespace
} // namespace lockscope::history
