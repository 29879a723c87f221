// How the I/O thread waits for replies: whatever is quicker, tried again and again at little cost.
#include "core/zk/c_client/wakefulness.h"

#include <gtest/gtest.h>

namespace lockscope::zk::c_client {
namespace {

using std::chrono::microseconds;
using Wait = Wakefulness::Wait;

constexpr int kMany = 5000;

// Replies as they would come, `awakeTook` and `asleepTook` after the request.
struct Replies
{
    Wakefulness wakefulness;
    // How many of the next `waits` were awake.
    int awakeOf(int waits, Duration awakeTook, Duration asleepTook)
    {
        int awake = 0;
        for (int i = 0; i < waits; ++i) {
            const Wait how = wakefulness.next();
            awake += how == Wait::awake ? 1 : 0;
            wakefulness.ended(how, how == Wait::awake ? awakeTook : asleepTook);
        }
        return awake;
    }
};

TEST(Wakefulness, IsAwakeWhereThatIsQuicker)
{
    Replies replies;
    EXPECT_GT(replies.awakeOf(kMany, microseconds(120), microseconds(180)), kMany * 9 / 10);
}

TEST(Wakefulness, SleepsWhereItMakesNoDifference)
{
    Replies replies;
    EXPECT_LT(replies.awakeOf(kMany, microseconds(900), microseconds(910)), kMany / 50);
}

TEST(Wakefulness, SleepsWhereSomebodyElseComputes)
{
    Replies replies;
    EXPECT_LT(replies.awakeOf(kMany, microseconds(3000), microseconds(250)), kMany / 50);
}

TEST(Wakefulness, NoticesAtOnceThatItHasBecomeWorse)
{
    Replies replies;
    replies.awakeOf(kMany, microseconds(120), microseconds(180));
    EXPECT_LT(replies.awakeOf(kMany, microseconds(3000), microseconds(180)), 2 * kMany / 50);
}

TEST(Wakefulness, NoticesThatItPaysAgain)
{
    Replies replies;
    replies.awakeOf(kMany, microseconds(3000), microseconds(180));
    EXPECT_GT(replies.awakeOf(4 * kMany, microseconds(120), microseconds(180)), 2 * kMany);
}

TEST(Wakefulness, SleepsWhenOneInEightIsFarTooLate)
{
    Wakefulness wakefulness;
    int awake = 0;
    for (int i = 0; i < kMany; ++i) {
        const Wait how = wakefulness.next();
        awake += how == Wait::awake ? 1 : 0;
        const microseconds quick(how == Wait::awake ? 120 : 180);
        wakefulness.ended(how, how == Wait::awake && i % 8 == 7 ? microseconds(3000) : quick);
    }
    EXPECT_LT(awake, kMany / 10);
}

TEST(Wakefulness, OneStallDecidesNothing)
{
    Wakefulness wakefulness;
    int awake = 0;
    for (int i = 0; i < kMany; ++i) {
        const Wait how = wakefulness.next();
        awake += how == Wait::awake ? 1 : 0;
        wakefulness.ended(how, i == 2 ? std::chrono::seconds(5) : microseconds(300)); // a slept one
    }
    EXPECT_LT(awake, kMany / 50);
}

} // namespace
} // namespace lockscope::zk::c_client
