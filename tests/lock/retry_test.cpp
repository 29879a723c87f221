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
    Duration ceiling = policy.baseDelay;
    for (int i = 0; i < 200; ++i) {
        const Duration pause = retry.next().value();
        EXPECT_GE(pause, ceiling / 2) << "try " << i;
        EXPECT_LE(pause, ceiling) << "try " << i;
        ceiling = std::min<Duration>(ceiling * 2, policy.maxDelay);
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

TEST(Retry, UntilElapsedEndsWithItsTime)
{
    const MonotonicTime begin{std::chrono::hours(5)};
    Retry retry(RetryPolicy::untilElapsed(std::chrono::seconds(10), std::chrono::seconds(2)), 1, begin);
    EXPECT_TRUE(retry.next(begin + std::chrono::seconds(1)));
    EXPECT_TRUE(retry.next(begin + std::chrono::seconds(8)));
    EXPECT_FALSE(retry.next(begin + std::chrono::seconds(10))) << "the next try would begin too late";
}

TEST(Retry, DoesNotOverflowWithALongFirstPause)
{
    Retry retry(RetryPolicy::forever(std::chrono::hours(1), std::chrono::hours(24)), 1);
    for (int i = 0; i < 100; ++i) {
        const auto pause = retry.next();
        ASSERT_TRUE(pause);
        EXPECT_GE(*pause, std::chrono::minutes(30));
        EXPECT_LE(*pause, std::chrono::hours(24));
    }
}

} // namespace
} // namespace lockscope::lock
