// The announced handoff: when a waiter may take the lock without a list, and when it must not.
#include "tests/lock/lock_test.h"

namespace lockscope::tests {
namespace {

class AnnouncedHandoff : public LockTest
{
protected:
    void SetUp() override
    {
        LockTest::SetUp();
        options.handoff = HandoffPolicy::announced;
    }
};

TEST_F(AnnouncedHandoff, NeedsNoListOnceTheHolderHasSaidThatItHolds)
{
    LockClient& first = addClient();
    acquireNow(first);
    LockClient& second = addClient();
    const Acquiring secondWaits = queueUp(second);
    LockClient& third = addClient();
    const Acquiring thirdWaits = queueUp(third);
    ASSERT_TRUE(release(first));
    const Grant holds = granted(secondWaits);
    world->runUntil(
        [&] {
            return world->get(world->observer(), path() + "/" + holds.node).bytes ==
                   lock::defaultNodeData() + " __HOLDS__";
        },
        "the announcement");
    settle(third);
    waitUntilAsleep(third);
    const int lists = requests(third, Operation::getChildren);
    ASSERT_TRUE(release(second));
    granted(thirdWaits);
    EXPECT_EQ(requests(third, Operation::getChildren), lists);
    EXPECT_EQ(lists, 1) << "one when it joined, none for the handoff";
}

// A read that no handoff needs would slow down all clients of a lock whose holds are short.
TEST_F(AnnouncedHandoff, WatchesTheOwnNodeOnlyWhenTheNodeAheadIsFirst)
{
    LockClient& first = addClient();
    acquireNow(first);
    LockClient& second = addClient();
    const Acquiring secondWaits = queueUp(second);
    LockClient& third = addClient();
    const Acquiring thirdWaits = queueUp(third);
    settle(third);
    EXPECT_EQ(requests(second, Operation::getData), 2) << "the node ahead, which is first, and its own";
    EXPECT_EQ(requests(third, Operation::getData), 1) << "the node ahead";
    ASSERT_TRUE(release(first));
    granted(secondWaits);
    ASSERT_TRUE(release(second));
    granted(thirdWaits);
}

TEST_F(AnnouncedHandoff, TheSecondInLineNeedsNoAnnouncement)
{
    LockClient& first = addClient();
    acquireNow(first);
    LockClient& second = addClient();
    const Acquiring waiting = queueUp(second);
    ASSERT_TRUE(release(first));
    granted(waiting);
    EXPECT_EQ(requests(second, Operation::getChildren), 1);
}

TEST_F(AnnouncedHandoff, ListsWhenTheHolderGoesBeforeItsAnnouncementWasRead)
{
    LockClient& first = addClient();
    acquireNow(first);
    LockClient& second = addClient();
    const Acquiring secondWaits = queueUp(second);
    LockClient& third = addClient();
    const Acquiring thirdWaits = queueUp(third);
    third.session->freeze();
    ASSERT_TRUE(release(first));
    granted(secondWaits);
    ASSERT_TRUE(release(second)); // the third has not seen that the second held
    third.session->thaw();
    granted(thirdWaits);
    EXPECT_EQ(requests(third, Operation::getChildren), 2);
}

TEST_F(AnnouncedHandoff, IsNotBelievedWhenItStandsOnANodeThatWasDeletedInTheMiddle)
{
    LockClient& first = addClient();
    acquireNow(first);
    LockClient& second = addClient();
    const Acquiring secondWaits = queueUp(second);
    LockClient& third = addClient();
    const Acquiring thirdWaits = queueUp(third);
    deleteNodeOf(second); // it never held, and never said so
    settle(third);
    EXPECT_FALSE(thirdWaits.arrived());
    ASSERT_TRUE(release(first));
    granted(thirdWaits);
    ASSERT_TRUE(release(third));
    granted(secondWaits);
}

// The waiter's node was written to: the watch on it is used up, so the next handoff is not taken on
// trust.
TEST_F(AnnouncedHandoff, ListsAfterAnotherClientWroteIntoTheOwnNode)
{
    LockClient& first = addClient();
    acquireNow(first);
    LockClient& second = addClient();
    const Acquiring waiting = queueUp(second);
    world->set(world->observer(), path() + "/" + nodeOf(second), "a word to the waiter");
    settle(second);
    ASSERT_TRUE(release(first));
    granted(waiting);
    EXPECT_EQ(requests(second, Operation::getChildren), 2);
}

// Clients of both policies share a lock: the announcement costs the others one wake-up and nothing else.
TEST_F(AnnouncedHandoff, GetsAlongWithClientsThatDoNotAnnounce)
{
    std::vector<LockClient*> clients;
    std::vector<Acquiring> acquiring;
    for (int i = 0; i < 8; ++i) {
        options.handoff = i % 2 == 0 ? HandoffPolicy::announced : HandoffPolicy::curator;
        clients.push_back(&addClient());
        acquiring.push_back(acquire(*clients.back()));
        world->waitForChildren(path(), static_cast<std::size_t>(i) + 1);
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
        granted(acquiring[i]);
        for (std::size_t behind = i + 1; behind < clients.size(); ++behind)
            EXPECT_FALSE(acquiring[behind].arrived());
        ASSERT_TRUE(release(*clients[i]));
    }
}

} // namespace
} // namespace lockscope::tests
