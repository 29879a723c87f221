// The multi-lock when parts of it fail, are lost or cannot be reached.
#include "tests/lock/multi_lock_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// ---- when parts fail ----

TEST_F(MultiLock, GivesBackWhatItHasWhenOneFailsToLock)
{
    lock::MultiLock& multi = addFake();
    fakes[2]->acquireFails = Error{ErrorCode::internal, "The third cannot be had.", ""};
    const Error error = refused(start(multi));
    EXPECT_EQ(error.message.english(), "The third cannot be had.");
    EXPECT_EQ(fakes[0]->held, 0);
    EXPECT_EQ(fakes[1]->held, 0);
    EXPECT_EQ(fakes[2]->releases, 0);
}

TEST_F(MultiLock, KeepsTheFirstErrorWhenGivingBackFailsToo)
{
    lock::MultiLock& multi = addFake();
    fakes[2]->acquireFails = Error{ErrorCode::internal, "The third cannot be had.", ""};
    fakes[1]->releaseFails = Error{ErrorCode::noAuth, "The second stays.", ""};
    const Error error = refused(start(multi));
    EXPECT_EQ(error.message.english(), "The third cannot be had. The second stays.");
    EXPECT_EQ(error.code, ErrorCode::noAuth);
    EXPECT_EQ(fakes[0]->held, 0) << "the others are given back all the same";
}

TEST_F(MultiLock, ReleasesTheOthersWhenSomeCannotBe)
{
    lock::MultiLock& multi = addFake();
    acquireNow(multi);
    fakes[1]->releaseFails = Error{ErrorCode::noAuth, "The second stays.", ""};
    fakes[2]->releaseFails = Error{ErrorCode::noAuth, "The third stays.", ""};
    const Result<void> released = release(multi);
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().message.english(), "The second stays.");
    EXPECT_EQ(fakes[0]->held, 0);
    EXPECT_EQ(multi.depth(kOne), 0);
}

// A part that cannot be reached must not hold up the others, nor the caller.
TEST_F(MultiLock, APartWithoutAConnectionDoesNotHoldTheCaller)
{
    LossyRelay relay(server().address());
    const HubSessionPtr unlucky = world->connect(std::chrono::seconds(30), relay.address());
    const HubSessionPtr lucky = world->connect();
    multis.push_back(std::make_unique<lock::MultiLock>(std::vector<std::shared_ptr<lock::Lock>>{
        mutexIn(lucky, "a"), mutexIn(unlucky, "b"), mutexIn(lucky, "c")}));
    lock::MultiLock& multi = *multis.back();
    const auto c = mutexIn(world->connect(), "c");
    acquireNow(*c);
    const lock::CancelToken cancel;
    const Acquiring waiting = start(multi, kOne, std::nullopt, cancel);
    ASSERT_TRUE(waitFor("c", 2));
    relay.cut();
    ASSERT_TRUE(world->waitFor(*unlucky, zk::SessionPhase::suspended));
    cancel.request();
    EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled);
    EXPECT_THAT(in("a"), IsEmpty());
    EXPECT_THAT(in("b"), SizeIs(1));
    relay.heal();
    EXPECT_TRUE(waitFor("b", 0)) << "given back when the link is back";
    ASSERT_TRUE(world->waitFor(*unlucky, zk::SessionPhase::connected));
    unlucky->close();
    multis.clear();
}

// ---- when parts are lost ----

TEST_F(MultiLock, IsLostWhenAnyPartIs)
{
    lock::MultiLock& multi = add();
    acquireNow(multi);
    acquireNow(multi);
    std::vector<OwnerId> lost;
    multi.onLost([&](OwnerId owner) {
        lost.push_back(owner);
        EXPECT_EQ(multi.depth(owner), 0);
    });
    for (const char* name : {"b", "c"})
        world->remove(world->observer(), path() + "/" + name + "/" + in(name)[0]);
    world->runUntil([&] { return !lost.empty(); }, "the loss");
    EXPECT_THAT(in("a"), SizeIs(1)) << "its owner has not let go of it";
    const Result<void> released = release(multi);
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::noNode);
    EXPECT_THAT(in("a"), IsEmpty()) << "both levels";
    EXPECT_THAT(lost, ElementsAre(kOne)) << "it is reported once";
    EXPECT_EQ(release(multi).error().code, ErrorCode::notOwner);
}

TEST_F(MultiLock, CanBeHadAgainAfterALoss)
{
    lock::MultiLock& multi = add();
    acquireNow(multi);
    bool lost = false;
    multi.onLost([&](OwnerId) { lost = true; });
    world->remove(world->observer(), path() + "/b/" + in("b")[0]);
    world->runUntil([&] { return lost; }, "the loss");
    EXPECT_EQ(acquireNow(multi).depth, 1);
    ASSERT_TRUE(release(multi));
    for (const char* name : {"a", "b", "c"})
        EXPECT_THAT(in(name), IsEmpty()) << name;
}

TEST_F(MultiLock, AKilledHolderIsNotifiedAndTheNextOneHasAll)
{
    const HubSessionPtr session = world->connect();
    lock::MultiLock& holder = add(session, {"a", "b"});
    acquireNow(holder);
    int lost = 0;
    holder.onLost([&](OwnerId) { ++lost; });
    lock::MultiLock& next = add({"a", "b"});
    const Acquiring waiting = start(next);
    ASSERT_TRUE(waitFor("a", 2));
    ASSERT_TRUE(world->kill(*session));
    granted(waiting);
    world->runUntil([&] { return lost > 0; }, "the loss");
    EXPECT_EQ(release(holder).error().code, ErrorCode::sessionLost);
    EXPECT_EQ(lost, 1);
}

// Interleaving: a part is lost; while the others are given back for the next acquire, there is one more.
TEST_F(MultiLock, RefusesASecondAcquireWhileItGivesBackWhatALossHasLeft)
{
    lock::MultiLock& multi = addFake();
    acquireNow(multi);
    fakes[1]->lose(kOne);
    const Acquiring first = world->start(multi.acquire(kOne));
    const Acquiring second = world->start(multi.acquire(kOne));
    EXPECT_EQ(refused(second).code, ErrorCode::busy);
    EXPECT_EQ(granted(first).depth, 1);
    for (const auto& fake : fakes)
        EXPECT_EQ(fake->held, 1) << fake->path();
}

TEST_F(MultiLock, LeavesItsPartsTheirOwnListeners)
{
    const HubSessionPtr session = world->connect();
    const auto a = mutexIn(session, "a");
    std::vector<std::string> calls;
    a->onLost([&](OwnerId) { calls.push_back("a, before"); });
    multis.push_back(std::make_unique<lock::MultiLock>(
        std::vector<std::shared_ptr<lock::Lock>>{a, mutexIn(session, "b")}));
    lock::MultiLock& multi = *multis.back();
    multi.onLost([&](OwnerId) { calls.push_back("both"); });
    a->onLost([&](OwnerId) { calls.push_back("a, after"); });
    acquireNow(multi);
    world->remove(world->observer(), path() + "/a/" + in("a")[0]);
    world->runUntil([&] { return calls.size() == 3; }, "the loss");
    EXPECT_THAT(calls, ElementsAre("a, before", "both", "a, after"));
    multis.clear();
    calls.clear();
    acquireNow(*a);
    world->remove(world->observer(), path() + "/a/" + in("a")[0]);
    world->runUntil([&] { return calls.size() == 2; }, "the loss");
    EXPECT_THAT(calls, ElementsAre("a, before", "a, after"));
}

// It would hold a lock without one of its parts.
TEST_F(MultiLock, GivesUpWhenAPartIsLostWhileItWaitsForAnother)
{
    const auto c = mutexIn(world->connect(), "c");
    acquireNow(*c);
    lock::MultiLock& multi = add();
    const Acquiring waiting = start(multi);
    ASSERT_TRUE(waitFor("c", 2));
    world->remove(world->observer(), path() + "/a/" + in("a")[0]);
    const Error error = refused(waiting);
    EXPECT_EQ(error.code, ErrorCode::noNode);
    EXPECT_THAT(error.message.english(), HasSubstr(path() + "/a"));
    EXPECT_THAT(in("b"), IsEmpty());
    EXPECT_THAT(in("c"), SizeIs(1));
    EXPECT_EQ(multi.depth(kOne), 0);
}

TEST_F(MultiLock, GoesOnAfterTheServerWasAway)
{
    lock::MultiLock& holder = add();
    lock::MultiLock& next = add();
    acquireNow(holder);
    const Acquiring waiting = start(next);
    ASSERT_TRUE(waitFor("a", 2));
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

} // namespace
} // namespace lockscope::tests
