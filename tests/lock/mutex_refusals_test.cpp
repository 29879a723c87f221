// The mutex when the server refuses what it asks: it is never taken for the answer that was wanted.
#include "tests/lock/over_relay_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Asked = LossyRelay::Op;

class MutexRefusals : public OverRelay
{};
INSTANTIATE_TEST_SUITE_P(Handoff, MutexRefusals,
                         ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced), policyName);

// The answer says that the session is closed, and it is not: nothing stops the acquire, and nothing explains
// how it ended.
TEST_P(MutexRefusals, AnAnswerThatExplainsNothingIsNoGrant)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addOverRelay();
    // Under the announced policy the first one is for its own node.
    relay->refuse(Asked::getData, LossyRelay::kClosing, 2);
    const Acquiring waiting = acquire(client);
    world->runUntil([&] { return relay->refusals() == 2; }, "the server to refuse");
    settle(client);
    EXPECT_FALSE(waiting.arrived() && waiting->has_value()) << "two hold the lock";
    ASSERT_TRUE(release(holder));
    granted(waiting);
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_P(MutexRefusals, EveryRequestIsTriedAgain)
{
    LockClient& holder = addClient();
    for (const Asked op : {Asked::create, Asked::list, Asked::getData, Asked::remove}) {
        acquireNow(holder);
        LockClient& client = addOverRelay();
        const int before = relay->refusals();
        relay->refuse(op, LossyRelay::kThrottled, 2);
        const Acquiring waiting = acquire(client);
        if (op != Asked::remove) {
            world->runUntil([&] { return relay->refusals() == before + 2; }, "the server to refuse");
        }
        ASSERT_TRUE(release(holder));
        EXPECT_THAT(queue(), ElementsAre(granted(waiting).node)) << static_cast<int>(op);
        EXPECT_TRUE(release(client)) << static_cast<int>(op);
        EXPECT_EQ(relay->refusals(), before + 2) << static_cast<int>(op);
    }
    EXPECT_THAT(queue(), IsEmpty());
}

// The reply to the create is lost, and the sync that must come before the search is refused.
TEST_P(MutexRefusals, ASearchWithoutASyncIsNone)
{
    for (const std::int32_t code : {LossyRelay::kThrottled, LossyRelay::kUnimplemented, -1, -102}) {
        LockClient& client = addOverRelay();
        const int before = relay->refusals();
        relay->loseReplyTo(Asked::create);
        relay->refuse(Asked::sync, code, 2);
        const Grant grant = acquireNow(client);
        EXPECT_EQ(relay->refusals(), before + 2) << "it took the node without one: " << code;
        EXPECT_THAT(queue(), ElementsAre(grant.node)) << code;
        EXPECT_TRUE(release(client)) << code;
    }
}

// A caller with a limit must not wait for a server that goes on refusing; the node goes when it does not any
// more.
TEST_P(MutexRefusals, ALimitHoldsThoughTheServerRefusesToDelete)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addOverRelay();
    relay->refuse(Asked::remove, LossyRelay::kThrottled, 1'000'000);
    EXPECT_EQ(refused(acquire(client, OwnerId{0}, Duration{})).code, ErrorCode::timedOut);
    EXPECT_THAT(queue(), SizeIs(2));
    relay->refuse(Asked::remove, LossyRelay::kThrottled, 0);
    EXPECT_TRUE(world->waitForChildren(path(), 1));
    EXPECT_TRUE(release(holder));
}

} // namespace
} // namespace lockscope::tests
