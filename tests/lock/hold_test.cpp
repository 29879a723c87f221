// Notifications of a holder: its node was deleted, or another client requests the lock.
#include "core/lock/mutex.h"
#include "core/queue/words.h"
#include "tests/lock/lock_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class Hold : public EitherPolicy
{
protected:
    // From here on notified() lists the owners whose hold was lost.
    void listen(LockClient& client)
    {
        client.mutex->onLost([this](OwnerId owner) { m_notified.push_back(owner.value); });
    }
    const std::vector<std::uint32_t>& notified() const { return m_notified; }
    // The holder's eye on its own node is open.
    void waitUntilWatched(const LockClient& client)
    {
        world->runUntil([&] { return isWatched(client); }, "the holder to watch its node");
    }

private:
    bool isWatched(const LockClient& client) const
    {
        for (std::size_t i = store->count(); i-- > 0;) {
            const trace::Event& event = store->at(i);
            const auto* reply = std::get_if<trace::Reply>(&event.what);
            if (event.client == client.id && std::holds_alternative<trace::Acquired>(event.what))
                return false;
            if (event.client == client.id && reply && reply->op == Operation::getData &&
                reply->node == nodeOf(client))
                return true;
        }
        return false;
    }
    std::vector<std::uint32_t> m_notified;
};
INSTANTIATE_TEST_SUITE_P(Handoff, Hold, ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced),
                         policyName);

TEST_P(Hold, DeletingTheNodeTakesTheLockAndNotifiesTheHolder)
{
    LockClient& holder = addClient();
    listen(holder);
    acquireNow(holder, OwnerId{7});
    acquireNow(holder, OwnerId{7});
    waitUntilWatched(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    deleteNodeOf(holder);
    granted(waiting);
    world->runUntil([&] { return !notified().empty(); }, "the holder to be notified");
    EXPECT_THAT(notified(), ElementsAre(7U));
    EXPECT_EQ(holder.mutex->depth(OwnerId{7}), 0);
    const Result<void> released = release(holder, OwnerId{7});
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::noNode) << released.error().text();
    EXPECT_THAT(queue(), SizeIs(1)) << "the new holder's";
}

TEST_P(Hold, AHolderWhoseNodeWentBeforeItLookedIsNotifiedToo)
{
    options.watchHoldAfter = std::chrono::milliseconds(200);
    LockClient& holder = addClient();
    listen(holder);
    acquireNow(holder);
    deleteNodeOf(holder);
    EXPECT_EQ(holder.mutex->depth(OwnerId{0}), 1) << "it has not looked yet";
    world->runUntil([&] { return !notified().empty(); }, "the holder to be notified");
    EXPECT_EQ(holder.mutex->depth(OwnerId{0}), 0);
}

TEST_P(Hold, CanBeHadAgainAfterTheNodeWasDeleted)
{
    LockClient& holder = addClient();
    listen(holder);
    acquireNow(holder);
    waitUntilWatched(holder);
    deleteNodeOf(holder);
    world->runUntil([&] { return !notified().empty(); }, "the holder to be notified");
    const Grant again = acquireNow(holder);
    EXPECT_THAT(queue(), ElementsAre(again.node));
    EXPECT_TRUE(release(holder));
}

TEST_P(Hold, ItsOwnReleaseIsNoLoss)
{
    LockClient& holder = addClient();
    listen(holder);
    acquireNow(holder);
    waitUntilWatched(holder);
    ASSERT_TRUE(release(holder));
    settle(holder);
    EXPECT_TRUE(notified().empty());
    EXPECT_EQ(world->watchesUnder(path()), 0U);
}

// ---- revocation: Curator testRevoking ----

TEST_P(Hold, AHolderThatAgreesGivesTheLockToWhoAsksForIt)
{
    LockClient& holder = addClient();
    int asked = 0;
    holder.mutex->makeRevocable([&](OwnerId) { ++asked; });
    const Grant held = acquireNow(holder);
    EXPECT_EQ(world->get(world->observer(), path() + "/" + held.node).bytes, "")
        << "as Curator's revocable mutex";
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    const auto request = world->start(lock::requestRevocation(client.session, path() + "/" + held.node));
    world->runUntil([&] { return asked == 1 && request.arrived(); }, "the holder to be asked");
    EXPECT_TRUE(*request);
    EXPECT_FALSE(waiting.arrived()) << "it is for the holder to decide";
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

TEST_P(Hold, IsAskedForALockThatWasAskedForWhileItWaited)
{
    LockClient& first = addClient();
    acquireNow(first);
    LockClient& second = addClient();
    int asked = 0;
    second.mutex->makeRevocable([&](OwnerId) { ++asked; });
    const Acquiring waiting = queueUp(second);
    const auto request = world->start(lock::requestRevocation(first.session, path() + "/" + nodeOf(second)));
    world->runUntil([&] { return request.arrived(); }, "the request");
    EXPECT_EQ(asked, 0) << "it does not hold yet";
    ASSERT_TRUE(release(first));
    granted(waiting);
    world->runUntil([&] { return asked == 1; }, "the holder to be asked");
    EXPECT_EQ(second.mutex->depth(OwnerId{0}), 1);
}

TEST_P(Hold, IsAskedOncePerHold)
{
    LockClient& holder = addClient();
    int asked = 0;
    holder.mutex->makeRevocable([&](OwnerId) { ++asked; });
    for (int round = 1; round <= 2; ++round) {
        const std::string node = path() + "/" + acquireNow(holder).node;
        world->set(world->observer(), node, "something else");
        world->set(world->observer(), node, queue::kRevokeMessage);
        world->runUntil([&] { return asked == round; }, "the holder to be asked");
        world->set(world->observer(), node, queue::kRevokeMessage);
        settle(holder);
        EXPECT_EQ(asked, round);
        ASSERT_TRUE(release(holder));
    }
}

TEST_P(Hold, AHolderThatDidNotAgreeIsNotAsked)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    const auto request = world->start(lock::requestRevocation(holder.session, path() + "/" + held.node));
    world->runUntil([&] { return request.arrived(); }, "the request");
    EXPECT_TRUE(*request);
    settle(holder);
    EXPECT_EQ(holder.mutex->depth(OwnerId{0}), 1);
    ASSERT_TRUE(release(holder));
}

TEST_P(Hold, AMissingNodeHasNoHolderToAsk)
{
    LockClient& client = addClient();
    const auto request = world->start(lock::requestRevocation(client.session, path() + "/missing"));
    world->runUntil([&] { return request.arrived(); }, "the request");
    ASSERT_FALSE(*request);
    EXPECT_EQ(request->error().code, ErrorCode::noNode);
}

} // namespace
} // namespace lockscope::tests
