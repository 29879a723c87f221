// Several locks as one.
#include "core/lock/guaranteed_delete.h"
#include "core/lock/multi_lock.h"
#include "core/lock/semaphore_mutex.h"
#include "tests/lock/lock_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr OwnerId kOne{1};
constexpr OwnerId kTwo{2};

// A lock that is always free, and fails when it is told to.
class FakeLock final : public lock::Lock
{
public:
    static constexpr Duration kTakes = milliseconds(2); // an acquire
    FakeLock(zk::Scheduler& scheduler, std::string path)
        : m_scheduler(scheduler)
        , m_path(std::move(path))
    {}
    std::optional<Error> acquireFails;
    std::optional<Error> releaseFails;
    std::optional<Duration> given; // limit of the last acquire
    int held = 0;
    int releases = 0;
    std::function<void(OwnerId)> lost;

    zk::Task<Result<Grant>> acquire(OwnerId, std::optional<Duration> limit, lock::Cancel) override
    {
        given = limit;
        co_await lock::sleepFor(&m_scheduler, kTakes);
        if (acquireFails) {
            co_return *acquireFails;
        }
        ++held;
        co_return Grant{};
    }
    zk::Task<Result<void>> release(OwnerId) override
    {
        ++releases;
        if (releaseFails) {
            co_return *releaseFails;
        }
        --held;
        co_return Result<void>{};
    }
    std::uint16_t depth(OwnerId) const override { return static_cast<std::uint16_t>(held); }
    void onLost(std::function<void(OwnerId)> callback) override { lost = std::move(callback); }
    const std::string& path() const override { return m_path; }
    zk::Scheduler& scheduler() override { return m_scheduler; }

private:
    zk::Scheduler& m_scheduler;
    std::string m_path;
};

class MultiLock : public LockTest
{
protected:
    void TearDown() override
    {
        multis.clear();
        LockTest::TearDown();
    }
    // One client's lock over mutexes in these folders of path(), in the order given.
    lock::MultiLock& add(HubSessionPtr session, const std::vector<std::string>& names)
    {
        std::vector<std::shared_ptr<lock::Lock>> parts;
        for (const std::string& name : names)
            parts.push_back(mutexIn(session, name));
        multis.push_back(std::make_unique<lock::MultiLock>(std::move(parts)));
        return *multis.back();
    }
    lock::MultiLock& add(const std::vector<std::string>& names = {"a", "b", "c"})
    {
        return add(world->connect(), names);
    }
    std::shared_ptr<lock::Mutex> mutexIn(HubSessionPtr session, const std::string& name)
    {
        lock::MutexOptions own = options;
        own.path = path() + "/" + name;
        return std::make_shared<lock::Mutex>(std::move(session), own);
    }
    // One over three fakes.
    lock::MultiLock& addFake()
    {
        std::vector<std::shared_ptr<lock::Lock>> parts;
        for (const char* name : {"/a", "/b", "/c"}) {
            fakes.push_back(std::make_shared<FakeLock>(world->hub(), name));
            parts.push_back(fakes.back());
        }
        multis.push_back(std::make_unique<lock::MultiLock>(std::move(parts)));
        return *multis.back();
    }
    Acquiring start(lock::Lock& lock, OwnerId owner = kOne, std::optional<Duration> limit = std::nullopt,
                    lock::Cancel cancel = lock::Cancel::never())
    {
        const Acquiring acquiring = world->start(lock.acquire(owner, limit, std::move(cancel)));
        world->runReady();
        return acquiring;
    }
    Grant acquireNow(lock::Lock& lock, OwnerId owner = kOne) { return granted(start(lock, owner)); }
    Result<void> release(lock::Lock& lock, OwnerId owner = kOne)
    {
        const auto releasing = world->start(lock.release(owner));
        world->runUntil([&] { return releasing.arrived(); }, "the release");
        return *releasing;
    }
    std::vector<std::string> in(const std::string& name) { return world->children(path() + "/" + name); }
    bool waitFor(const std::string& name, std::size_t count)
    {
        return world->waitForChildren(path() + "/" + name, count);
    }

    std::vector<std::shared_ptr<FakeLock>> fakes;
    std::vector<std::unique_ptr<lock::MultiLock>> multis;
};

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
    const lock::Cancel cancel;
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

// ---- when parts fail ----

TEST_F(MultiLock, GivesBackWhatItHasWhenOneFailsToLock)
{
    lock::MultiLock& multi = addFake();
    fakes[2]->acquireFails = Error{ErrorCode::internal, "The third cannot be had.", ""};
    const Error error = refused(start(multi));
    EXPECT_EQ(error.message, "The third cannot be had.");
    EXPECT_EQ(fakes[0]->held, 0);
    EXPECT_EQ(fakes[1]->held, 0);
    EXPECT_EQ(fakes[2]->releases, 0);
}

TEST_F(MultiLock, KeepsTheFirstErrorWhenGivingBackFailsToo)
{
    lock::MultiLock& multi = addFake();
    fakes[2]->acquireFails = Error{ErrorCode::internal, "The third cannot be had.", ""};
    fakes[1]->releaseFails = Error{ErrorCode::noAuth, "The second stays.", ""};
    EXPECT_EQ(refused(start(multi)).message, "The third cannot be had.");
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
    EXPECT_EQ(released.error().message, "The second stays.");
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
    const lock::Cancel cancel;
    const Acquiring waiting = start(multi, kOne, std::nullopt, cancel);
    ASSERT_TRUE(waitFor("c", 2));
    relay.cut();
    ASSERT_TRUE(world->waitFor(*unlucky, zk::SessionPhase::suspended));
    cancel.request();
    EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled);
    EXPECT_THAT(in("a"), IsEmpty());
    EXPECT_THAT(in("b"), SizeIs(1));
    relay.mend();
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
    EXPECT_THAT(lost, ElementsAre(kOne)) << "it is told once";
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

TEST_F(MultiLock, AKilledHolderIsToldAndTheNextOneHasAll)
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
    EXPECT_THAT(error.message, HasSubstr(path() + "/a"));
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
