// How long a recipe pauses before it tries again, and when it gives up.
#include "core/lock/retry.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::lock {
namespace {

using std::chrono::milliseconds;

TEST(Retry, NeverMeansNoSecondTry)
{
    Retry retry(RetryPolicy::never(), 1);
    EXPECT_FALSE(retry.next());
    EXPECT_EQ(retry.tries(), 0U);
}

TEST(Retry, GivesUpAfterSoManyTries)
{
    Retry retry(RetryPolicy::times(3, milliseconds(10)), 1);
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(retry.next());
    EXPECT_FALSE(retry.next());
    EXPECT_EQ(retry.tries(), 3U);
}

TEST(Retry, PausesGrowToTheLongestAndNoFurther)
{
    const RetryPolicy policy = RetryPolicy::forever(milliseconds(10), milliseconds(100));
    Retry retry(policy, 1);
    Duration ceiling = policy.first;
    for (int i = 0; i < 200; ++i) {
        const Duration pause = retry.next().value();
        EXPECT_GE(pause, ceiling / 2) << "try " << i;
        EXPECT_LE(pause, ceiling) << "try " << i;
        ceiling = std::min<Duration>(ceiling * 2, policy.longest);
    }
}

TEST(Retry, PausesDifferSoThatManyClientsDoNotComeTogether)
{
    Retry one(RetryPolicy{}, 1);
    Retry other(RetryPolicy{}, 2);
    int equal = 0;
    for (int i = 0; i < 20; ++i)
        equal += one.next() == other.next() ? 1 : 0;
    EXPECT_LT(equal, 5);
}

TEST(Retry, AZeroPauseIsNoPause)
{
    Retry retry(RetryPolicy::times(2, Duration{}), 1);
    EXPECT_EQ(retry.next(), Duration{});
}

} // namespace
} // namespace lockscope::lock
