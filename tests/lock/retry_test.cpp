// How long a recipe pauses before it tries again, and when it gives up.
#include "core/lock/retry.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::lock {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kSeed = 1;

TEST(Retry, NeverMeansNoSecondTry)
{
    Retry retry(RetryPolicy::never());
    EXPECT_FALSE(retry.next(kSeed));
    EXPECT_EQ(retry.retries(), 0U);
}

TEST(Retry, GivesUpAfterSoManyTries)
{
    Retry retry(RetryPolicy::times(3, milliseconds(10)));
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(retry.next(kSeed));
    EXPECT_FALSE(retry.next(kSeed));
    EXPECT_EQ(retry.retries(), 3U);
}

TEST(Retry, PausesGrowToTheLongestAndNoFurther)
{
    const RetryPolicy policy = RetryPolicy::forever(milliseconds(10), milliseconds(100));
    Retry retry(policy);
    Duration ceiling = policy.baseDelay;
    for (int i = 0; i < 200; ++i) {
        const Duration pause = retry.next(kSeed).value();
        EXPECT_GE(pause, ceiling / 2) << "try " << i;
        EXPECT_LE(pause, ceiling) << "try " << i;
        ceiling = std::min<Duration>(ceiling * 2, policy.maxDelay);
    }
}

TEST(Retry, PausesDifferSoThatManyClientsDoNotComeTogether)
{
    Retry one(RetryPolicy{});
    Retry other(RetryPolicy{});
    int equal = 0;
    for (int i = 0; i < 20; ++i)
        equal += one.next(SessionId{1}) == other.next(SessionId{2}) ? 1 : 0;
    EXPECT_LT(equal, 5);
}

TEST(Retry, AZeroPauseIsNoPause)
{
    Retry retry(RetryPolicy::times(2, Duration{}));
    EXPECT_EQ(retry.next(kSeed), Duration{});
}

TEST(Retry, UntilElapsedEndsWithItsTime)
{
    const MonotonicTime begin{std::chrono::hours(5)};
    Retry retry(RetryPolicy::untilElapsed(std::chrono::seconds(10), std::chrono::seconds(2)), begin);
    EXPECT_TRUE(retry.next(kSeed, begin + std::chrono::seconds(1)));
    EXPECT_TRUE(retry.next(kSeed, begin + std::chrono::seconds(8)));
    EXPECT_FALSE(retry.next(kSeed, begin + std::chrono::seconds(10))) << "the next try would begin too late";
}

TEST(Retry, CountsNoRetryThatWouldBeginTooLate)
{
    const MonotonicTime begin{std::chrono::hours(5)};
    Retry retry(RetryPolicy::untilElapsed(std::chrono::seconds(10), std::chrono::seconds(2)), begin);
    EXPECT_FALSE(retry.next(kSeed, begin + std::chrono::seconds(10)));
    EXPECT_EQ(retry.retries(), 0U) << "only the first try ran";
}

TEST(Retry, DoesNotOverflowWithALongFirstPause)
{
    Retry retry(RetryPolicy::forever(std::chrono::hours(1), std::chrono::hours(24)));
    for (int i = 0; i < 100; ++i) {
        const auto pause = retry.next(kSeed);
        ASSERT_TRUE(pause);
        EXPECT_GE(*pause, std::chrono::minutes(30));
        EXPECT_LE(*pause, std::chrono::hours(24));
    }
}

} // namespace
} // namespace lockscope::lock
