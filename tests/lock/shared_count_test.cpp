// The shared count by itself.
#include "tests/lock/shared_count_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST_F(SharedCount, IsFourBytesBigEndianAsCuratorReadsIt)
{
    const auto one = startCount(0x01020304);
    EXPECT_EQ(encodeCount(), "\x01\x02\x03\x04");
    ASSERT_TRUE(set(*one, -2));
    EXPECT_EQ(encodeCount(), "\xff\xff\xff\xfe");
    EXPECT_EQ(one->value(), -2);
    EXPECT_EQ(startCount(5)->value(), -2);
}

TEST_F(SharedCount, NotifiesEachClientOfAChangeOnce)
{
    const auto one = startCount(1);
    const auto other = startCount(1);
    std::vector<std::int32_t> atOne;
    std::vector<std::int32_t> atOther;
    const auto listener = one->addListener([&](std::int32_t value) { atOne.push_back(value); });
    other->addListener([&](std::int32_t value) { atOther.push_back(value); });
    for (const std::int32_t value : {5, 6, 7}) {
        ASSERT_TRUE(set(*one, value));
        world->runUntil([&] { return other->value() == value; }, "the other to hear");
    }
    one->removeListener(listener);
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
    relay->heal();
    world->runUntil([&] { return relay->requests(LossyRelay::Op::getData) > reads; }, "another look");
    beAway();
    ASSERT_TRUE(set(*other, 2));
    relay->heal();
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
    EXPECT_EQ(version(), 1) << "it is set once";
}

// Interleaving: set(5) is carried out and its reply is lost; another client sets 7; then the first one is
// back.
TEST_F(SharedCount, DoesNotOverwriteAnotherOnesValueWhenItsOwnReplyWasLost)
{
    const auto one = startOverRelay(1);
    const auto other = startCount(1);
    relay->loseReplyTo(LossyRelay::Op::setData);
    relay->stayDownAfterLoss();
    const auto setting = world->start(one->set(5));
    world->runUntil([&] { return relay->losses() == 1; }, "the reply to be lost");
    world->runUntil([&] { return other->value() == 5; }, "the write to be heard of");
    ASSERT_TRUE(set(*other, 7));
    relay->heal();
    world->runUntil([&] { return setting.arrived(); }, "the count to be set");
    EXPECT_TRUE(*setting);
    EXPECT_EQ(encodeCount(), lock::encodeCount(7));
    EXPECT_EQ(one->value(), 7);
    EXPECT_EQ(version(), 2);
}

// The same, but the request is lost: it was not carried out, and the last one that sets is the first client.
TEST_F(SharedCount, IsSetAfterAnotherOneWhenItsOwnRequestWasLost)
{
    const auto one = startOverRelay(1);
    const auto other = startCount(1);
    relay->loseRequest(LossyRelay::Op::setData);
    relay->stayDownAfterLoss();
    const auto setting = world->start(one->set(5));
    world->runUntil([&] { return relay->losses() == 1; }, "the request to be lost");
    ASSERT_TRUE(set(*other, 7));
    relay->heal();
    world->runUntil([&] { return setting.arrived(); }, "the count to be set");
    EXPECT_TRUE(*setting);
    EXPECT_EQ(encodeCount(), lock::encodeCount(5));
    EXPECT_EQ(version(), 2);
}

// ---- compare and set ----

TEST_F(SharedCount, IsSetWhenItIsStillAsItWasRead)
{
    const auto one = startCount(1);
    const auto other = startCount(1);
    const lock::VersionedCount before = other->versioned();
    EXPECT_EQ(before.value, 1);
    EXPECT_EQ(before.version, version());
    EXPECT_TRUE(trySet(*one, one->versioned(), 2).value());
    EXPECT_EQ(one->versioned().value, 2);
    EXPECT_EQ(one->versioned().version, before.version + 1);
    EXPECT_FALSE(trySet(*other, before, 3).value());
    EXPECT_EQ(other->versioned().value, 2) << "it knows what it lost against";
    EXPECT_TRUE(trySet(*other, other->versioned(), 3).value());
    EXPECT_EQ(encodeCount(), lock::encodeCount(3));
}

TEST_F(SharedCount, RefusesToReplaceAValueThatItHasNeverRead)
{
    lock::SharedCount one(world->connect(), path() + "/most", 1);
    EXPECT_EQ(trySet(one, one.versioned(), 2).error().code, ErrorCode::badUsage);
}

TEST_F(SharedCount, TriesToSetAgainWhenItsRequestWasLost)
{
    const auto one = startOverRelay(1);
    relay->loseRequest(LossyRelay::Op::setData);
    EXPECT_TRUE(trySet(*one, one->versioned(), 2).value());
    EXPECT_EQ(version(), 1);
}

// Interleaving: the request is lost, and another client sets a value; then the first one is back.
TEST_F(SharedCount, SaysThatAnotherOneWasQuickerWhenItsRequestWasLost)
{
    const auto one = startOverRelay(1);
    const auto other = startCount(1);
    relay->loseRequest(LossyRelay::Op::setData);
    relay->stayDownAfterLoss();
    const auto setting = world->start(one->trySet(one->versioned(), 2));
    world->runUntil([&] { return relay->losses() == 1; }, "the request to be lost");
    ASSERT_TRUE(set(*other, 7));
    relay->heal();
    world->runUntil([&] { return setting.arrived(); }, "the answer");
    EXPECT_FALSE(setting->value());
    EXPECT_EQ(encodeCount(), lock::encodeCount(7));
}

// Another client may have set the same value: two would believe that they have counted on.
TEST_F(SharedCount, DoesNotKnowWhoseValueItIsWhenItsReplyWasLost)
{
    const auto one = startOverRelay(1);
    relay->loseReplyTo(LossyRelay::Op::setData);
    EXPECT_EQ(trySet(*one, one->versioned(), 2).error().code, ErrorCode::connectionLost);
    EXPECT_EQ(one->value(), 2);
    EXPECT_EQ(version(), 1) << "it is set once";
}

// ---- the server's trouble ----

TEST_F(SharedCount, StartsThoughTheReplyIsLost)
{
    relay->loseReplyTo(LossyRelay::Op::create);
    world->create(world->observer(), path());
    const auto session = world->connect(std::chrono::seconds(30), relay->address());
    EXPECT_EQ(startCount(session, 4)->value(), 4);
    EXPECT_EQ(relay->losses(), 1);
}

TEST_F(SharedCount, IsFollowedThoughTheServerIsTooBusyForAWhile)
{
    const auto one = startOverRelay(1);
    const auto other = startCount(1);
    relay->refuse(LossyRelay::Op::getData, LossyRelay::kThrottled, 3);
    ASSERT_TRUE(set(*other, 2));
    world->runUntil([&] { return one->value() == 2; }, "it to learn of 2");
    EXPECT_EQ(relay->refusals(), 3);
    ASSERT_TRUE(set(*other, 3));
    world->runUntil([&] { return one->value() == 3; }, "it to hear of the next one");
}

TEST_F(SharedCount, WaitsForItsNodeThoughTheServerIsTooBusyForAWhile)
{
    const auto one = startOverRelay(1);
    relay->refuse(LossyRelay::Op::exists, LossyRelay::kThrottled, 2);
    ASSERT_EQ(world->remove(world->observer(), path() + "/most"), zk::Code::ok);
    world->runUntil([&] { return relay->refusals() == 2; }, "the refusals");
    startCount(6);
    world->runUntil([&] { return one->value() == 6; }, "it to hear of the new one");
}

TEST_F(SharedCount, StartsAndIsSetThoughTheServerIsTooBusyForAWhile)
{
    const auto session = world->connect(std::chrono::seconds(30), relay->address());
    relay->refuse(LossyRelay::Op::getData, LossyRelay::kThrottled, 2);
    const auto one = startCount(session, 1);
    relay->refuse(LossyRelay::Op::getData, LossyRelay::kThrottled, 1);
    ASSERT_TRUE(set(*one, 2));
    EXPECT_EQ(relay->refusals(), 3);
    EXPECT_EQ(encodeCount(), lock::encodeCount(2));
}

TEST_F(SharedCount, MayGoInsideAListenerOfIt)
{
    auto one = startCount(1);
    const auto other = startCount(1);
    std::vector<std::int32_t> heard;
    const auto alive = std::make_shared<int>();
    one->addListener([&, alive](std::int32_t value) {
        const std::weak_ptr<int> listener = alive;
        one.reset();
        heard.push_back(value);
        EXPECT_GT(listener.use_count(), 1) << "it is whole while it runs";
    });
    one->addListener([&](std::int32_t) { ADD_FAILURE() << "the count is gone"; });
    ASSERT_TRUE(set(*other, 2));
    world->runUntil([&] { return !one; }, "it to hear");
    EXPECT_THAT(heard, ElementsAre(2));
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
    EXPECT_THAT(started->error().message.english(), HasSubstr(path() + "/most"));
}

TEST_F(SharedCount, SaysThatTheRootOfItsConnectionIsMissing)
{
    const auto session = world->connect(std::chrono::seconds(30), server().address() + path() + "/missing");
    for (const char* where : {"/most", "/deep/most"}) {
        lock::SharedCount count(session, where, 1);
        const auto started = world->start(count.start());
        world->runUntil([&] { return started.arrived(); }, "the refusal");
        ASSERT_FALSE(*started) << where;
        EXPECT_EQ(started->error().code, ErrorCode::badUsage) << started->error().text();
    }
}

TEST_F(SharedCount, SaysThatItsSessionIsLost)
{
    const auto session = world->connect();
    const auto one = startCount(session, 1);
    session->close();
    world->runReady();
    EXPECT_EQ(set(*one, 2).error().code, ErrorCode::sessionLost);
}

} // namespace
} // namespace lockscope::tests
