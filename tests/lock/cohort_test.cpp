// The cohort of a node, step by step: in which order its members hold, when the node goes, and each race that
// cohort.h draws, forced. Each function is one step, so an order of calls is an interleaving.
#include "core/lock/blocking/internal/cohort.h"

#include <gtest/gtest.h>

#include <memory>

namespace lockscope::tests {
namespace {

using lock::Cohort;
using lock::Grant;
using lock::LocalHandoffs;
using std::chrono::milliseconds;
using Entry = Cohort::Entry;

constexpr MonotonicTime kBegin{std::chrono::hours(1)};
const Error kRefused{ErrorCode::noAuth, "refused", {}};

lock::Caller caller(std::uint64_t number) { return {lock::ThreadNumber{number}, {}}; }

struct Waiter final : Cohort::Waiter
{
    explicit Waiter(std::uint64_t number, std::optional<Duration> limit = std::nullopt)
        : Cohort::Waiter(caller(number), limit)
    {}
    void wake() noexcept override { ++woken; }
    bool holds() const { return outcome && outcome->has_value(); }
    ErrorCode error() const { return outcome->error().code; }
    int woken = 0;
};

class CohortTest : public ::testing::Test
{
protected:
    Grant node(std::int64_t token) const { return Grant{"node", Zxid{token}}; }
    // The first member holds a node with this token.
    void begin(Waiter& first, std::int64_t token = 7)
    {
        ASSERT_EQ(cohort.enter(first), Entry::needsKeeper);
        ASSERT_TRUE(cohort.wants(&limit));
        number = cohort.granted(node(token), kBegin);
        ASSERT_TRUE(first.holds());
    }
    bool passesOn(std::uint64_t from, Duration after = {})
    {
        return cohort.leave(caller(from), kBegin + after).value() == 0;
    }

    Cohort cohort{"/a", LocalHandoffs{2, milliseconds(10)}};
    Waiter one{1}, two{2}, three{3}, four{4};
    std::optional<Duration> limit;
    std::uint64_t number = 0;
};

TEST_F(CohortTest, PassesTheNodeOnInOrderAsOftenAsItMay)
{
    begin(one);
    for (Waiter* waiter : {&two, &three, &four})
        EXPECT_EQ(cohort.enter(*waiter), Entry::waits);
    EXPECT_EQ(cohort.waiting(), 3U);
    EXPECT_TRUE(passesOn(1));
    EXPECT_TRUE(two.holds());
    EXPECT_EQ(two.woken, 1);
    EXPECT_EQ(two.outcome->value().token, Zxid{7});
    EXPECT_FALSE(three.outcome);
    EXPECT_FALSE(cohort.grantOf(caller(1)));
    EXPECT_TRUE(passesOn(2));
    EXPECT_TRUE(three.holds());
    EXPECT_EQ(cohort.leave(caller(3), kBegin).value(), number) << "twice is its budget";
    EXPECT_FALSE(cohort.isHeld());
    EXPECT_FALSE(four.outcome);
    EXPECT_TRUE(cohort.wants(&limit));
    EXPECT_EQ(cohort.granted(node(9), kBegin), number + 1);
    EXPECT_EQ(four.outcome->value().token, Zxid{9});
}

TEST_F(CohortTest, PassesNothingOnWhenTheTimeOfTheNodeIsOver)
{
    begin(one);
    cohort.enter(two);
    EXPECT_FALSE(passesOn(1, milliseconds(10)));
    EXPECT_FALSE(two.outcome);
}

TEST_F(CohortTest, PassesNothingOnWithoutAConnection)
{
    begin(one);
    cohort.enter(two);
    cohort.setConnected(false);
    EXPECT_FALSE(passesOn(1));
    ASSERT_TRUE(cohort.wants(&limit));
    cohort.granted(node(9), kBegin);
    EXPECT_TRUE(two.holds()) << "a grant is an answer of the server";
    Waiter again(1);
    cohort.enter(again);
    EXPECT_TRUE(passesOn(2));
}

TEST_F(CohortTest, CountsTheLevelsOfItsHolder)
{
    begin(one);
    cohort.enter(two);
    Waiter again(1);
    EXPECT_EQ(cohort.enter(again), Entry::ended);
    EXPECT_EQ(again.outcome->value().depth, 2);
    EXPECT_TRUE(passesOn(1));
    EXPECT_FALSE(two.outcome);
    EXPECT_TRUE(passesOn(1));
    EXPECT_TRUE(two.holds());
    EXPECT_EQ(two.outcome->value().depth, 1);
    EXPECT_EQ(cohort.leave(caller(1), kBegin).error().code, ErrorCode::notOwner);
}

TEST_F(CohortTest, CountsNoFurtherThanItCan)
{
    begin(one);
    for (int depth = 2; depth <= lock::kMaxDepth; ++depth)
        ASSERT_EQ(cohort.enter(*std::make_unique<Waiter>(1)), Entry::ended);
    Waiter tooMany(1);
    EXPECT_EQ(cohort.enter(tooMany), Entry::ended);
    EXPECT_EQ(tooMany.error(), ErrorCode::limitExceeded);
    EXPECT_EQ(cohort.leave(caller(1), kBegin).value(), 0U);
    EXPECT_TRUE(cohort.isHeld()) << "on the other levels";
}

TEST_F(CohortTest, ASingleTryAsksOnlyWhenNoOtherMemberIsThere)
{
    Waiter tries(5, Duration{}), late(6, Duration{});
    EXPECT_EQ(cohort.enter(tries), Entry::needsKeeper);
    ASSERT_TRUE(cohort.wants(&limit));
    EXPECT_EQ(limit, Duration{});
    EXPECT_EQ(cohort.enter(late), Entry::ended);
    EXPECT_EQ(late.error(), ErrorCode::timedOut);
    EXPECT_EQ(cohort.enter(one), Entry::waits);
    EXPECT_TRUE(cohort.refuse(Error{ErrorCode::timedOut, "taken", {}}));
    EXPECT_EQ(tries.error(), ErrorCode::timedOut);
    EXPECT_FALSE(one.outcome);
    ASSERT_TRUE(cohort.wants(&limit));
    EXPECT_FALSE(limit) << "it waits now";
}

TEST_F(CohortTest, ErrorsEndWhomTheyConcern)
{
    Waiter limited(5, milliseconds(1));
    cohort.enter(one);
    cohort.enter(limited);
    EXPECT_TRUE(cohort.refuse(Error{ErrorCode::noServer, "away", {}}));
    EXPECT_EQ(one.error(), ErrorCode::noServer);
    EXPECT_FALSE(limited.outcome) << "its limit is its own";
    EXPECT_TRUE(cohort.refuse(kRefused));
    EXPECT_EQ(limited.error(), ErrorCode::noAuth);
    EXPECT_FALSE(cohort.refuse(kRefused)) << "nobody is there";
    EXPECT_FALSE(cohort.wants(&limit));
}

// ---- the races of cohort.h, by their numbers ----

TEST_F(CohortTest, Race1AGrantAtTheLimitIsTaken)
{
    begin(one);
    cohort.enter(two);
    EXPECT_TRUE(passesOn(1));
    EXPECT_FALSE(cohort.giveUp(two));
    EXPECT_TRUE(cohort.grantOf(caller(2)));
}

TEST_F(CohortTest, Race2WhoEntersWhenTheLastOneHasGivenUpKeepsTheAcquire)
{
    cohort.enter(one);
    ASSERT_TRUE(cohort.wants(&limit));
    EXPECT_TRUE(cohort.giveUp(one));
    EXPECT_FALSE(cohort.isWanted());
    EXPECT_EQ(cohort.enter(two), Entry::waits);
    EXPECT_TRUE(cohort.isWanted());
}

// It may not wait for the acquire of another, and asks when that has ended without a node.
TEST_F(CohortTest, ASingleTryKeepsNoAcquire)
{
    Waiter tries(5, Duration{}), again(6, Duration{});
    cohort.enter(one);
    ASSERT_TRUE(cohort.wants(&limit));
    EXPECT_TRUE(cohort.giveUp(one));
    EXPECT_EQ(cohort.enter(tries), Entry::waits);
    EXPECT_FALSE(cohort.isWanted());
    cohort.refuse(kRefused);
    EXPECT_EQ(cohort.enter(again), Entry::waits) << "the keeper has not looked yet";
    ASSERT_TRUE(cohort.wants(&limit));
    EXPECT_EQ(limit, Duration{});
}

TEST_F(CohortTest, Race3ANodeThatNobodyWaitsForGoes)
{
    cohort.enter(one);
    ASSERT_TRUE(cohort.wants(&limit));
    EXPECT_TRUE(cohort.giveUp(one));
    cohort.granted(node(7), kBegin);
    EXPECT_FALSE(cohort.isHeld());
    EXPECT_FALSE(cohort.grantOf(caller(1)));
}

TEST_F(CohortTest, Race4WhoEntersWhileTheNodeGoesWaitsForTheNextOne)
{
    begin(one);
    EXPECT_FALSE(passesOn(1));
    EXPECT_EQ(cohort.enter(two), Entry::waits);
    Waiter tries(5, Duration{});
    EXPECT_EQ(cohort.enter(tries), Entry::waits) << "nobody holds it";
    EXPECT_TRUE(cohort.wants(&limit));
    EXPECT_FALSE(limit);
}

TEST_F(CohortTest, Race5WhoEntersAfterTheKeeperHasEndedNeedsAnother)
{
    begin(one);
    EXPECT_FALSE(passesOn(1));
    EXPECT_FALSE(cohort.wants(&limit));
    EXPECT_EQ(cohort.enter(two), Entry::needsKeeper);
}

TEST_F(CohortTest, Race6ALossBeforeTheHolderLeaves)
{
    begin(one);
    cohort.enter(two);
    Waiter again(1);
    cohort.enter(again);
    const auto lost = cohort.lost();
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->member.number, lock::ThreadNumber{1});
    EXPECT_EQ(lost->grant.token, Zxid{7});
    EXPECT_FALSE(cohort.isHeld() || cohort.grantOf(caller(1)) || two.outcome);
    EXPECT_FALSE(cohort.lost()) << "once";
    ASSERT_TRUE(cohort.wants(&limit));
    cohort.granted(node(9), kBegin);
    EXPECT_EQ(two.outcome->value().token, Zxid{9});
    Waiter third(1);
    EXPECT_EQ(cohort.enter(third), Entry::ended);
    EXPECT_EQ(third.error(), ErrorCode::sessionLost) << "it has not left yet";
    for (int level = 0; level < 2; ++level)
        EXPECT_EQ(cohort.leave(caller(1), kBegin).error().code, ErrorCode::sessionLost);
    EXPECT_EQ(cohort.leave(caller(1), kBegin).error().code, ErrorCode::notOwner);
    Waiter fourth(1);
    EXPECT_EQ(cohort.enter(fourth), Entry::waits);
    EXPECT_TRUE(cohort.grantOf(caller(2)));
}

TEST_F(CohortTest, Race7ALossAfterTheHolderHasPassedItOn)
{
    begin(one);
    cohort.enter(two);
    EXPECT_TRUE(passesOn(1));
    const auto lost = cohort.lost();
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->member.number, lock::ThreadNumber{2});
    EXPECT_EQ(cohort.leave(caller(2), kBegin).error().code, ErrorCode::sessionLost);
}

TEST_F(CohortTest, EndsAllWhenItIsClosed)
{
    begin(one);
    cohort.enter(two);
    cohort.close(kRefused);
    EXPECT_EQ(two.error(), ErrorCode::noAuth);
    EXPECT_FALSE(cohort.grantOf(caller(1)));
    EXPECT_FALSE(cohort.isHeld() || cohort.wants(&limit));
    EXPECT_EQ(cohort.leave(caller(1), kBegin).error().code, ErrorCode::sessionLost);
    EXPECT_EQ(cohort.enter(three), Entry::ended);
    EXPECT_EQ(three.error(), ErrorCode::noAuth);
}

} // namespace
} // namespace lockscope::tests
