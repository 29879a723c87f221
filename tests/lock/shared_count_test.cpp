// The shared count, by itself and as the most of a semaphore that changes while clients wait.
#include "tests/lock/semaphore_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class SharedCount : public SemaphoreTest
{
protected:
    std::shared_ptr<lock::SharedCount> startCount(zk::SessionPtr session, std::int32_t seed)
    {
        auto made = std::make_shared<lock::SharedCount>(std::move(session), path() + "/most", seed);
        const auto started = world->start(made->start());
        world->runUntil([&] { return started.arrived(); }, "the count to start");
        EXPECT_TRUE(*started) << started->error().text();
        return made;
    }
    std::shared_ptr<lock::SharedCount> startCount(std::int32_t seed)
    {
        return startCount(world->connect(), seed);
    }
    Result<void> set(lock::SharedCount& most, std::int32_t value)
    {
        const auto setting = world->start(most.set(value));
        world->runUntil([&] { return setting.arrived(); }, "the count to be set");
        return *setting;
    }
    std::string countBytes() { return world->get(world->observer(), path() + "/most").bytes; }
};

// ---- the shared count by itself ----

TEST_F(SharedCount, IsFourBytesBigEndianAsCuratorReadsIt)
{
    const auto one = startCount(0x01020304);
    EXPECT_EQ(countBytes(), "\x01\x02\x03\x04");
    ASSERT_TRUE(set(*one, -2));
    EXPECT_EQ(countBytes(), "\xff\xff\xff\xfe");
    EXPECT_EQ(one->value(), -2);
    EXPECT_EQ(startCount(5)->value(), -2);
}

TEST_F(SharedCount, TellsEverybodyOfAChangeOnce)
{
    const auto one = startCount(1);
    const auto other = startCount(1);
    std::vector<std::int32_t> atOne;
    std::vector<std::int32_t> atOther;
    const auto listener = one->listen([&](std::int32_t value) { atOne.push_back(value); });
    other->listen([&](std::int32_t value) { atOther.push_back(value); });
    for (const std::int32_t value : {5, 6, 7}) {
        ASSERT_TRUE(set(*one, value));
        world->runUntil([&] { return other->value() == value; }, "the other to hear");
    }
    one->unlisten(listener);
    ASSERT_TRUE(set(*other, 8));
    world->runUntil([&] { return one->value() == 8; }, "the first to hear");
    EXPECT_THAT(atOne, ElementsAre(5, 6, 7));
    EXPECT_THAT(atOther, ElementsAre(5, 6, 7, 8));
}

TEST_F(SharedCount, LearnsAfterAReconnectWhatItMissed)
{
    const auto session = world->connect(std::chrono::seconds(30), relay->address());
    const auto one = startCount(session, 1);
    const auto other = startCount(1);
    const int reads = relay->requests(LossyRelay::Op::getData);
    const auto beAway = [&] {
        relay->cut();
        ASSERT_TRUE(world->waitFor(*session, zk::SessionPhase::suspended));
    };
    beAway();
    relay->mend();
    world->runUntil([&] { return relay->requests(LossyRelay::Op::getData) > reads; }, "another look");
    beAway();
    ASSERT_TRUE(set(*other, 2));
    relay->mend();
    world->runUntil([&] { return one->value() == 2; }, "it to learn");
    world->settle(*session);
    ASSERT_TRUE(set(*other, 3));
    world->runUntil([&] { return one->value() == 3; }, "it to hear of the next one");
}

TEST_F(SharedCount, IsSetThoughTheReplyIsLost)
{
    const auto session = world->connect(std::chrono::seconds(30), relay->address());
    const auto one = startCount(session, 1);
    relay->loseReplyTo(LossyRelay::Op::setData);
    ASSERT_TRUE(set(*one, 9));
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_EQ(one->value(), 9);
}

TEST_F(SharedCount, StartsThoughTheReplyIsLost)
{
    relay->loseReplyTo(LossyRelay::Op::create);
    world->create(world->observer(), path());
    const auto session = world->connect(std::chrono::seconds(30), relay->address());
    EXPECT_EQ(startCount(session, 4)->value(), 4);
    EXPECT_EQ(relay->losses(), 1);
}

TEST_F(SharedCount, KeepsItsValueWhileItsNodeIsMissing)
{
    const auto one = startCount(3);
    ASSERT_EQ(world->remove(world->observer(), path() + "/most"), zk::Code::ok);
    EXPECT_EQ(set(*one, 4).error().code, ErrorCode::noNode);
    EXPECT_EQ(one->value(), 3);
    const auto other = startCount(6);
    world->runUntil([&] { return one->value() == 6; }, "it to hear of the new one");
}

TEST_F(SharedCount, RefusesANodeThatHoldsSomethingElse)
{
    world->create(world->observer(), path());
    world->create(world->observer(), path() + "/most", "twelve");
    lock::SharedCount one(world->connect(), path() + "/most", 1);
    const auto started = world->start(one.start());
    world->runUntil([&] { return started.arrived(); }, "the answer");
    ASSERT_FALSE(*started);
    EXPECT_EQ(started->error().code, ErrorCode::badInput);
    EXPECT_THAT(started->error().message, HasSubstr(path() + "/most"));
}

TEST_F(SharedCount, SaysThatItsSessionIsLost)
{
    const auto session = world->connect();
    const auto one = startCount(session, 1);
    session->close();
    world->runReady();
    EXPECT_EQ(set(*one, 2).error().code, ErrorCode::sessionLost);
}

// ---- the most changes while clients wait ----

// CURATOR-75: who waited did not hear of it.
TEST_F(SharedCount, RaisingTheCountLetsAWaiterIn)
{
    const auto most = startCount(1);
    acquireNow(add(most));
    SemaphoreClient& client = add(most);
    const Leasing waiting = waitInside(client);
    settle(client);
    EXPECT_FALSE(waiting.arrived());
    ASSERT_TRUE(set(*most, 2));
    granted(waiting);
    EXPECT_THAT(leases(), SizeIs(2));
}

TEST_F(SharedCount, RaisingTheCountElsewhereLetsAWaiterIn)
{
    const auto here = startCount(1);
    const auto there = startCount(7);
    EXPECT_EQ(there->value(), 1) << "the seed is for who comes first";
    acquireNow(add(here));
    const Leasing waiting = waitInside(add(here), 3);
    ASSERT_TRUE(set(*there, 4));
    granted(waiting);
}

TEST_F(SharedCount, LoweringTheCountTakesNoLeaseAway)
{
    const auto most = startCount(3);
    SemaphoreClient& holder = add(most);
    const Leases held = acquireNow(holder, 3);
    ASSERT_TRUE(set(*most, 1));
    settle(holder);
    EXPECT_THAT(holder.semaphore->held(), SizeIs(3));
    EXPECT_THAT(leases(), SizeIs(3));
    SemaphoreClient& client = add(most);
    const Leasing waiting = waitInside(client);
    ASSERT_TRUE(release(holder, {held[0], held[1]}));
    settle(client);
    settle(client);
    EXPECT_FALSE(waiting.arrived()) << "one is the most, and it is out";
    ASSERT_TRUE(release(holder, {held[2]}));
    granted(waiting);
}

} // namespace
} // namespace lockscope::tests
