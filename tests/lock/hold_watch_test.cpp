// A holder learns that its node was deleted, whatever happened to its connection and to the watch on the node
// before: every recipe whose holders watch their nodes.
#include "core/lock/read_write_lock.h"
#include "core/lock/semaphore.h"
#include "tests/lock/any_lock_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

enum class Recipe { mutex, announcedMutex, readLock, writeLock, semaphoreMutex };

class HoldWatch : public AnyLockTest, public ::testing::WithParamInterface<Recipe>
{
protected:
    void SetUp() override
    {
        AnyLockTest::SetUp();
        options.watchHoldAfter = std::chrono::milliseconds(20);
        relay = std::make_unique<LossyRelay>(server().address());
        session = world->connect(std::chrono::seconds(30), relay->address());
        ours = make(session);
        ours->onLost([this](OwnerId owner) { lost.push_back(owner.value); });
    }
    void TearDown() override
    {
        relay->heal();
        ours.reset();
        AnyLockTest::TearDown();
        session.reset();
        relay.reset();
    }
    std::shared_ptr<lock::Lock> make(const HubSessionPtr& of)
    {
        lock::LockOptions own = options;
        if (GetParam() == Recipe::announcedMutex)
            own.handoff = HandoffPolicy::announced;
        if (GetParam() == Recipe::semaphoreMutex)
            return std::make_shared<lock::SemaphoreMutex>(of, own);
        if (GetParam() != Recipe::readLock && GetParam() != Recipe::writeLock)
            return std::make_shared<lock::Mutex>(of, own);
        const auto both = std::make_shared<lock::ReadWriteLock>(of, own);
        return {both, GetParam() == Recipe::readLock ? &both->readLock() : &both->writeLock()};
    }
    // As an administrator does it.
    void deleteNode(const Grant& grant)
    {
        const std::string folder = GetParam() == Recipe::semaphoreMutex ? "/leases/" : "/";
        ASSERT_EQ(world->remove(world->observer(), path() + folder + grant.node), zk::Code::ok);
    }
    void expectTheLoss()
    {
        world->runUntil([&] { return !lost.empty(); }, "the holder to learn that its node is gone");
        EXPECT_THAT(lost, ElementsAre(1U));
        EXPECT_EQ(ours->depth(kOne), 0);
        EXPECT_EQ(release(*ours).error().code, ErrorCode::noNode);
    }

    std::unique_ptr<LossyRelay> relay;
    HubSessionPtr session;
    std::shared_ptr<lock::Lock> ours;
    std::vector<std::uint32_t> lost;
};
std::string nameOf(const ::testing::TestParamInfo<Recipe>& recipe)
{
    switch (recipe.param) {
    case Recipe::mutex:
        return "mutex";
    case Recipe::announcedMutex:
        return "announcedMutex";
    case Recipe::readLock:
        return "readLock";
    case Recipe::writeLock:
        return "writeLock";
    case Recipe::semaphoreMutex:
        return "semaphoreMutex";
    }
    return "";
}
INSTANTIATE_TEST_SUITE_P(Of, HoldWatch,
                         ::testing::Values(Recipe::mutex, Recipe::announcedMutex, Recipe::readLock,
                                           Recipe::writeLock, Recipe::semaphoreMutex),
                         nameOf);

// It looks for the first time while it has no connection.
TEST_P(HoldWatch, IsSetWhenTheConnectionWasCutBeforeIt)
{
    Grant grant = acquireNow(*ours);
    relay->cut();
    for (int looked = 0;
         relay->requests(LossyRelay::Op::getData) > looked;) { // a slow machine: it was too late
        relay->heal();
        ASSERT_TRUE(world->waitFor(*session, zk::SessionPhase::connected));
        ASSERT_TRUE(release(*ours));
        looked = relay->requests(LossyRelay::Op::getData);
        grant = acquireNow(*ours);
        relay->cut();
    }
    ASSERT_TRUE(world->waitFor(*session, zk::SessionPhase::suspended));
    bool due = false;
    world->hub().after(options.watchHoldAfter, [&] { due = true; });
    world->runUntil([&] { return due; }, "the time at which the holder looks");
    deleteNode(grant);
    EXPECT_THAT(lost, IsEmpty());
    relay->heal();
    expectTheLoss();
}

TEST_P(HoldWatch, IsSetAgainWhenItsReplyWasLost)
{
    const Grant grant = acquireNow(*ours);
    relay->loseReplyTo(LossyRelay::Op::getData);
    world->runUntil([&] { return relay->losses() == 1 && relay->connections() == 2; }, "the loss");
    ASSERT_TRUE(world->waitFor(*session, zk::SessionPhase::connected));
    deleteNode(grant);
    expectTheLoss();
}

// Without a reconnect, which would make it look again anyway.
TEST_P(HoldWatch, IsSetAgainWhenTheServerRefusedIt)
{
    const Grant grant = acquireNow(*ours);
    relay->refuse(LossyRelay::Op::getData, LossyRelay::kThrottled, 3);
    world->runUntil([&] { return relay->refusals() > 0; }, "the server to refuse");
    deleteNode(grant);
    expectTheLoss();
    EXPECT_EQ(relay->connections(), 1);
    EXPECT_EQ(relay->refusals(), 3);
}

TEST_P(HoldWatch, TellsNothingOfANodeThatIsThere)
{
    acquireNow(*ours);
    relay->loseReplyTo(LossyRelay::Op::getData);
    world->runUntil([&] { return relay->losses() == 1 && relay->requests(LossyRelay::Op::getData) == 2; },
                    "the watch to be set again");
    world->settle(*session);
    EXPECT_THAT(lost, IsEmpty());
    EXPECT_EQ(ours->depth(kOne), 1);
    EXPECT_TRUE(release(*ours));
}

} // namespace
} // namespace lockscope::tests
