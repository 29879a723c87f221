// Why a hold was lost is remembered for its release, and no more than that.
#include "core/lock/internal/lost_holds.h"

#include <gtest/gtest.h>

namespace lockscope::lock {
namespace {

TEST(LostHolds, SaysOnceWhyOneWasLost)
{
    LostHolds<int> lost;
    EXPECT_TRUE(lost.empty());
    lost.add(1, LostReason::nodeDeleted);
    lost.add(2, LostReason::sessionExpired);
    lost.add(1, LostReason::closed);
    EXPECT_EQ(lost.take(1), LostReason::closed);
    EXPECT_EQ(lost.take(1), std::nullopt);
    EXPECT_EQ(lost.take(2), LostReason::sessionExpired);
    EXPECT_TRUE(lost.empty());
}

TEST(LostHolds, ForgetsTheOldestOfManyThatAreNeverReleased)
{
    constexpr int kMax = LostHolds<int>::kMaxRemembered;
    LostHolds<int> lost;
    for (int i = 0; i < 2 * kMax; ++i)
        lost.add(-i, LostReason::nodeDeleted);
    EXPECT_EQ(lost.size(), LostHolds<int>::kMaxRemembered);
    EXPECT_EQ(lost.take(-(kMax - 1)), std::nullopt);
    EXPECT_EQ(lost.take(-kMax), LostReason::nodeDeleted);
}

TEST(LostHolds, RemembersAllThatASessionHeldAtItsEnd)
{
    constexpr int kMax = LostHolds<int>::kMaxRemembered;
    LostHolds<int> lost;
    for (int i = 0; i < 2 * kMax; ++i)
        lost.add(i, LostReason::sessionExpired);
    EXPECT_EQ(lost.take(0), LostReason::sessionExpired);
}

} // namespace
} // namespace lockscope::lock
