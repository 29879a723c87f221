// The number at the end of a name: where it stands in the queue, and whether the server can have given it.
#include "core/queue/number.h"

#include <gtest/gtest.h>

namespace lockscope::queue {
namespace {

std::int64_t order(std::string_view name) { return numberOf(name).value().order(); }

TEST(Number, WantsTenDigits)
{
    for (const char* name : {"", "lock-", "lock-000000042", "lock-000000004x", "holder"})
        EXPECT_FALSE(numberOf(name)) << name;
    EXPECT_FALSE(numberOf("lock-9999999999")) << "no 32-bit number";
    EXPECT_EQ(numberOf("lock-0000000042")->value, 42);
    EXPECT_EQ(numberOf("lock-0000000042")->at, 5u);
    EXPECT_EQ(numberOf("0000000042")->at, 0u);
}

// The counter went from 2147483647 to -2147483648; the clients compare text.
TEST(Number, AWrappedOneComesBeforeAllOthers)
{
    EXPECT_EQ(numberOf("lock--2147483648")->value, -2147483648LL);
    EXPECT_EQ(numberOf("lock--2147483648")->at, 5u);
    EXPECT_LT(order("lock--2147483647"), order("lock--2147483648"));
    EXPECT_LT(order("lock--2147483648"), order("lock-0000000000"));
    EXPECT_LT(order("lock-0000000009"), order("lock-2147483647"));
}

TEST(Number, IsTheServersOnlyIfTheParentHadAsManyChildren)
{
    EXPECT_EQ(givenTo(3, 4), Given::allowed);
    EXPECT_EQ(givenTo(4, 4), Given::notByServer);
    EXPECT_EQ(givenTo(1'795'761'000, 3), Given::notByServer) << "seconds since 1970";
    EXPECT_EQ(givenTo(1'795'761'000, std::nullopt), Given::notByServer);
    EXPECT_EQ(givenTo(3, std::nullopt), Given::possibly);
    EXPECT_EQ(givenTo(-2147483647, -2147483646), Given::allowed) << "the counter has wrapped";
}

TEST(Number, IsProvedByTheCreation)
{
    EXPECT_EQ(givenAtCreation(3, 4), Given::byServer);
    EXPECT_EQ(givenAtCreation(2, 4), Given::allowed) << "Curator's reader takes its writer's number";
    EXPECT_EQ(givenAtCreation(9, 4), Given::notByServer);
    EXPECT_EQ(givenAtCreation(3, std::nullopt), Given::possibly) << "ZooKeeper 3.3 wrote no cversion";
}

TEST(Number, AStatShowsTheCreationsTwice)
{
    EXPECT_EQ(creationsFrom(4, 2), 3) << "three created, one deleted";
    EXPECT_EQ(creationsFrom(0, 0), 0);
    EXPECT_EQ(creationsFrom(5, 5), 5);
}

} // namespace
} // namespace lockscope::queue
