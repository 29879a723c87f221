// Several locks as one.
#include "tests/lock/multi_lock_test.h"

#include "core/lock/semaphore.h"

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(MultiLock, HoldsAllOrNone)
{
    lock::MultiLock& multi = add();
    const HubSessionPtr other = world->connect();
    const auto b = mutexIn(other, "b");
    acquireNow(*b);
    EXPECT_EQ(refused(start(multi, kOne, milliseconds(100))).code, ErrorCode::timedOut);
    EXPECT_EQ(multi.depth(kOne), 0);
    EXPECT_THAT(in("a"), IsEmpty());
    EXPECT_THAT(in("b"), SizeIs(1));
    ASSERT_TRUE(release(*b));
    acquireNow(multi);
    for (const char* name : {"a", "b", "c"})
        EXPECT_THAT(in(name), SizeIs(1)) << name;
    ASSERT_TRUE(release(multi));
    for (const char* name : {"a", "b", "c"})
        EXPECT_THAT(in(name), IsEmpty()) << name;
}

TEST_F(MultiLock, GivesOneTokenForEachPart)
{
    const HubSessionPtr session = world->connect();
    const auto inner = std::make_shared<lock::MultiLock>(
        std::vector<std::shared_ptr<lock::Lock>>{mutexIn(session, "c"), mutexIn(session, "b")});
    multis.push_back(std::make_unique<lock::MultiLock>(
        std::vector<std::shared_ptr<lock::Lock>>{inner, mutexIn(session, "a")}));
    for (const int depth : {1, 2}) {
        const Grant grant = acquireNow(*multis.back());
        EXPECT_EQ(grant.token, std::nullopt) << depth;
        std::vector<std::string> names;
        for (const lock::PartToken& part : grant.parts) {
            names.push_back(part.path.substr(path().size() + 1));
            const std::string node = part.path + "/" + in(names.back()).at(0);
            EXPECT_EQ(part.token, world->get(world->observer(), node).stat.czxid) << node << " " << depth;
        }
        EXPECT_THAT(names, ElementsAre("a", "b", "c")) << depth;
    }
}

TEST_F(MultiLock, LooksOnceAtEachWithAZeroLimit)
{
    lock::MultiLock& multi = add();
    const auto c = mutexIn(world->connect(), "c");
    acquireNow(*c);
    EXPECT_EQ(refused(start(multi, kOne, Duration{})).code, ErrorCode::timedOut);
    EXPECT_THAT(in("a"), IsEmpty());
    EXPECT_THAT(in("b"), IsEmpty());
    ASSERT_TRUE(release(*c));
    granted(start(multi, kOne, Duration{}));
}

TEST_F(MultiLock, ReentersAndIsHeldUntilTheOutermostRelease)
{
    lock::MultiLock& multi = add();
    lock::MultiLock& other = add();
    EXPECT_EQ(acquireNow(multi).depth, 1);
    EXPECT_EQ(acquireNow(multi).depth, 2);
    EXPECT_EQ(acquireNow(multi).depth, 3);
    const Acquiring waiting = start(other);
    ASSERT_TRUE(waitFor("a", 2));
    ASSERT_TRUE(release(multi));
    ASSERT_TRUE(release(multi));
    EXPECT_EQ(multi.depth(kOne), 1);
    EXPECT_FALSE(waiting.arrived());
    ASSERT_TRUE(release(multi));
    granted(waiting);
    EXPECT_EQ(release(multi).error().code, ErrorCode::notOwner);
}

TEST_F(MultiLock, KeepsTwoOwnersOfOneClientApart)
{
    lock::MultiLock& multi = add();
    acquireNow(multi, kOne);
    acquireNow(multi, kOne);
    const Acquiring second = start(multi, kTwo);
    ASSERT_TRUE(waitFor("a", 2));
    EXPECT_FALSE(second.arrived());
    EXPECT_EQ(refused(start(multi, kTwo)).code, ErrorCode::busy);
    ASSERT_TRUE(release(multi, kOne));
    ASSERT_TRUE(release(multi, kOne));
    granted(second);
    EXPECT_EQ(multi.depth(kTwo), 1);
}

// Given in opposite orders and taken so, each would have one and wait for the other's.
TEST_F(MultiLock, TwoInOppositeOrdersDoNotWaitForEachOther)
{
    const HubSessionPtr holder = world->connect();
    const auto a = mutexIn(holder, "a");
    const auto b = mutexIn(holder, "b");
    acquireNow(*a);
    acquireNow(*b);
    lock::MultiLock& first = add({"a", "b"});
    lock::MultiLock& second = add({"b", "a"});
    const Acquiring firstWaits = start(first);
    ASSERT_TRUE(waitFor("a", 2));
    const Acquiring secondWaits = start(second);
    ASSERT_TRUE(waitFor("a", 3)) << "both begin with the same one";
    EXPECT_THAT(in("b"), SizeIs(1));
    ASSERT_TRUE(release(*a));
    ASSERT_TRUE(release(*b));
    granted(firstWaits);
    ASSERT_TRUE(release(first));
    granted(secondWaits);
    EXPECT_EQ(first.path(), second.path());
}

TEST_F(MultiLock, CanBeCancelledWhileItWaits)
{
    const auto b = mutexIn(world->connect(), "b");
    acquireNow(*b);
    lock::MultiLock& multi = add();
    const lock::CancelToken cancel;
    const Acquiring waiting = start(multi, kOne, std::nullopt, cancel);
    ASSERT_TRUE(waitFor("b", 2));
    cancel.request();
    EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled);
    EXPECT_THAT(in("a"), IsEmpty());
    EXPECT_THAT(in("b"), SizeIs(1));
}

TEST_F(MultiLock, WorksOverLocksOfSeveralKinds)
{
    const HubSessionPtr session = world->connect();
    lock::LockOptions own = options;
    own.path = path() + "/once";
    const auto once = std::make_shared<lock::SemaphoreMutex>(session, own);
    multis.push_back(std::make_unique<lock::MultiLock>(
        std::vector<std::shared_ptr<lock::Lock>>{once, mutexIn(session, "a")}));
    lock::MultiLock& multi = *multis.back();
    acquireNow(multi);
    EXPECT_EQ(refused(start(multi, kOne, milliseconds(50))).code, ErrorCode::timedOut)
        << "one part cannot be re-entered";
    EXPECT_EQ(multi.depth(kOne), 1);
    ASSERT_TRUE(release(multi));
    EXPECT_THAT(in("a"), IsEmpty());
    EXPECT_TRUE(waitFor("once/leases", 0));
}

// The second one would wait for the first.
TEST_F(MultiLock, RefusesPartsWithTheSamePath)
{
    lock::MultiLock& multi = add({"a", "b", "a"});
    const Error error = refused(start(multi, kOne, milliseconds(100)));
    EXPECT_EQ(error.code, ErrorCode::badUsage);
    EXPECT_THAT(error.message.english(), HasSubstr(path() + "/a"));
    EXPECT_EQ(multi.depth(kOne), 0);
    for (const char* name : {"a", "b"})
        EXPECT_THAT(in(name), IsEmpty()) << name;
}

TEST_F(MultiLock, GivesEachPartWhatIsLeftOfTheLimit)
{
    lock::MultiLock& multi = addFake();
    granted(start(multi, kOne, std::chrono::hours(1)));
    EXPECT_LE(*fakes[0]->given, std::chrono::hours(1));
    EXPECT_LE(*fakes[1]->given, std::chrono::hours(1) - FakeLock::kTakes);
    EXPECT_LE(*fakes[2]->given, std::chrono::hours(1) - 2 * FakeLock::kTakes);
    EXPECT_GT(*fakes[2]->given, Duration{});
    ASSERT_TRUE(release(multi));
    granted(start(multi));
    EXPECT_FALSE(fakes[2]->given) << "no limit";
}

TEST_F(MultiLock, GivesBackWhatItHoldsWhenItGoes)
{
    lock::MultiLock& holder = add();
    acquireNow(holder);
    acquireNow(holder);
    lock::MultiLock& waiter = add();
    const Acquiring waiting = start(waiter);
    ASSERT_TRUE(waitFor("a", 2));
    multis[0].reset();
    granted(waiting);
    const Acquiring closing = start(waiter, kTwo);
    ASSERT_TRUE(waitFor("a", 2));
    multis[1].reset();
    EXPECT_EQ(refused(closing).code, ErrorCode::closed);
    for (const char* name : {"a", "b", "c"})
        EXPECT_TRUE(waitFor(name, 0)) << name;
}

} // namespace
} // namespace lockscope::tests
