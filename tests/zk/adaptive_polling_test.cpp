// How the I/O thread waits for replies: whatever is quicker, tried again and again at little cost.
#include "core/zk/c_client/adaptive_polling.h"

#include <gtest/gtest.h>

namespace lockscope::zk::c_client {
namespace {

using std::chrono::microseconds;
using Wait = AdaptivePolling::Wait;

constexpr int kMany = 5000;

// Replies as they would come.
struct Replies
{
    AdaptivePolling polling;
    // How many of the next `waits` were awake, when the one with this number takes took(number, how).
    template <class Took>
    int awakeOf(int waits, Took took)
    {
        int poll = 0;
        for (int i = 0; i < waits; ++i) {
            const Wait how = polling.next();
            poll += how == Wait::poll ? 1 : 0;
            polling.recordWait(how, took(i, how));
        }
        return poll;
    }
    int awakeOf(int waits, Duration awakeTook, Duration asleepTook)
    {
        return awakeOf(waits, [=](int, Wait how) { return how == Wait::poll ? awakeTook : asleepTook; });
    }
};

TEST(AdaptivePolling, IsAwakeWhereThatIsQuicker)
{
    Replies replies;
    EXPECT_GT(replies.awakeOf(kMany, microseconds(120), microseconds(180)), kMany * 9 / 10);
}

TEST(AdaptivePolling, SleepsWhileAnotherProcessComputes)
{
    Replies replies;
    EXPECT_LT(replies.awakeOf(kMany, microseconds(3000), microseconds(250)), kMany / 50);
}

TEST(AdaptivePolling, SleepsWhenOneInEightIsFarTooLate)
{
    const auto took = [](int number, Wait how) {
        if (how == Wait::sleep)
            return microseconds(180);
        return number % 8 == 7 ? microseconds(3000) : microseconds(120);
    };
    EXPECT_LT(Replies().awakeOf(kMany, took), kMany / 10);
}

} // namespace
} // namespace lockscope::zk::c_client
