// The rule of the lock, without a server: who holds, who waits for whom.
#include "core/lock/decide.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lockscope::lock {
namespace {

Decision decideAmong(const std::vector<const char*>& children, std::string_view own,
                     const NodeNaming& naming = {})
{
    return decide(children, own, naming);
}

TEST(Decide, FirstInTheQueueHoldsTheLock)
{
    const Decision decision = decideAmong({"b-lock-0000000002", "a-lock-0000000001"}, "a-lock-0000000001");
    EXPECT_TRUE(decision.found);
    EXPECT_EQ(decision.position, 0U);
    EXPECT_EQ(decision.ahead, "");
    EXPECT_EQ(decision.count, 2U);
    EXPECT_EQ(decision.own, "a-lock-0000000001");
}

TEST(Decide, SecondWatchesTheFirst)
{
    const Decision decision = decideAmong({"b-lock-0000000002", "a-lock-0000000001"}, "b-lock-0000000002");
    EXPECT_EQ(decision.position, 1U);
    EXPECT_EQ(decision.ahead, "a-lock-0000000001");
}

TEST(Decide, EveryWaiterWatchesTheOneDirectlyInFront)
{
    const std::vector<const char*> children{"z-lock-0000000004", "a-lock-0000000007", "m-lock-0000000001",
                                            "k-lock-0000000005", "b-lock-0000000002"};
    EXPECT_EQ(decideAmong(children, "b-lock-0000000002").ahead, "m-lock-0000000001");
    EXPECT_EQ(decideAmong(children, "z-lock-0000000004").ahead, "b-lock-0000000002");
    EXPECT_EQ(decideAmong(children, "k-lock-0000000005").ahead, "z-lock-0000000004");
    EXPECT_EQ(decideAmong(children, "a-lock-0000000007").ahead, "k-lock-0000000005");
    EXPECT_EQ(decideAmong(children, "a-lock-0000000007").position, 4U);
}

TEST(Decide, AloneHoldsTheLock)
{
    const Decision decision = decideAmong({"a-lock-0000000001"}, "a-lock-0000000001");
    EXPECT_TRUE(decision.found);
    EXPECT_EQ(decision.position, 0U);
    EXPECT_EQ(decision.count, 1U);
}

TEST(Decide, AMissingOwnNodeIsNeverFirst)
{
    const Decision decision = decideAmong({"a-lock-0000000001"}, "b-lock-0000000002");
    EXPECT_FALSE(decision.found);
    EXPECT_EQ(decision.own, "");
    EXPECT_EQ(decision.count, 1U);
    EXPECT_FALSE(decideAmong({}, "b-lock-0000000002").found);
}

TEST(Decide, FindsTheOwnNodeByItsProtectionPrefix)
{
    const Decision decision = decideAmong({"_c_1111-lock-0000000001", "_c_2222-lock-0000000002"}, "_c_2222-");
    EXPECT_TRUE(decision.found);
    EXPECT_EQ(decision.own, "_c_2222-lock-0000000002");
    EXPECT_EQ(decision.ahead, "_c_1111-lock-0000000001");
}

// Curator leaves no child out: a foreign name counts where it sorts.
TEST(Decide, AForeignChildThatSortsAfterDoesNotBlock)
{
    const Decision decision = decideAmong({"hello", "a-lock-0000000001"}, "a-lock-0000000001");
    EXPECT_EQ(decision.position, 0U);
    EXPECT_EQ(decision.count, 2U);
}

TEST(Decide, AForeignChildThatSortsBeforeBlocks)
{
    const Decision decision = decideAmong({"a-lock-0000000001", "!"}, "a-lock-0000000001");
    EXPECT_EQ(decision.position, 1U);
    EXPECT_EQ(decision.ahead, "!");
}

TEST(Decide, AForeignChildInBetweenIsTheOneToWatch)
{
    const Decision decision =
        decideAmong({"b-lock-0000000005", "0000000003", "a-lock-0000000001"}, "b-lock-0000000005");
    EXPECT_EQ(decision.position, 2U);
    EXPECT_EQ(decision.ahead, "0000000003");
}

TEST(Decide, EqualKeysKeepTheOrderOfTheList)
{
    const std::vector<const char*> children{"b-lock-0000000001", "a-lock-0000000001", "c-lock-0000000001"};
    EXPECT_EQ(decideAmong(children, "b-lock-0000000001").position, 0U);
    EXPECT_EQ(decideAmong(children, "a-lock-0000000001").ahead, "b-lock-0000000001");
    EXPECT_EQ(decideAmong(children, "c-lock-0000000001").ahead, "a-lock-0000000001");
}

TEST(Decide, AnOverflowedSequenceSortsFirst)
{
    const Decision decision = decideAmong({"a-lock-2147483647", "b-lock--2147483648"}, "a-lock-2147483647");
    EXPECT_EQ(decision.position, 1U);
    EXPECT_EQ(decision.ahead, "b-lock--2147483648");
}

} // namespace
} // namespace lockscope::lock
