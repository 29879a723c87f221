// The teaching recipes do what they are there to show.
#include "core/sim/teaching/herd_mutex.h"
#include "core/sim/teaching/herd_read_write_lock.h"
#include "tests/lock/read_write_test.h"
#include "tests/support/fake_server.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

class Teaching : public ReadWriteTest
{
protected:
    lock::LockOptions traced(std::uint32_t client)
    {
        lock::LockOptions own = options;
        own.observer = observe(ClientId{client});
        return own;
    }
    lock::HerdMutex herd(std::uint32_t client, const std::string& hosts = {})
    {
        sessions.push_back(world->connect(std::chrono::seconds(30), hosts));
        return lock::HerdMutex(sessions.back(), traced(client));
    }
    std::vector<HubSessionPtr> sessions;
};

// ---- one node that all clients watch ----

TEST_F(Teaching, AHerdMutexGivesUpInTimeAndLeavesNothing)
{
    lock::HerdMutex holder = herd(0);
    lock::HerdMutex other = herd(1);
    acquireNow(holder);
    acquireNow(holder);
    EXPECT_EQ(holder.depth(kOne), 2);
    EXPECT_FALSE(canHave(other));
    EXPECT_EQ(refused(start(other, kOne, std::chrono::milliseconds(50))).code, ErrorCode::timedOut);
    ASSERT_TRUE(release(holder));
    EXPECT_FALSE(canHave(other)) << "it was acquired twice";
    ASSERT_TRUE(release(holder));
    EXPECT_THAT(queue(), IsEmpty());
    EXPECT_TRUE(canHave(other));
    EXPECT_EQ(release(holder).error().code, ErrorCode::notOwner);
}

TEST_F(Teaching, AHerdMutexFindsItsNodeAfterALostReply)
{
    LossyRelay relay(server().address());
    makePath();
    lock::HerdMutex mutex = herd(0, relay.address());
    relay.loseReplyTo(LossyRelay::Op::create);
    acquireNow(mutex);
    EXPECT_EQ(relay.losses(), 1);
    ASSERT_TRUE(release(mutex));
    EXPECT_THAT(queue(), IsEmpty());
    sessions.back()->close();
}

TEST_F(Teaching, AHerdMutexThatIsGivenUpInFlightLeavesNothing)
{
    makePath();
    lock::HerdMutex mutex = herd(0);
    sessions.back()->freeze();
    const lock::CancelToken cancel;
    const Acquiring acquiring = world->start(mutex.acquire(kOne, std::nullopt, cancel));
    world->runReady();
    ASSERT_TRUE(world->waitForChildren(path(), 1)) << "the server has made it";
    cancel.request();
    world->runReady();
    sessions.back()->thaw();
    EXPECT_EQ(refused(acquiring).code, ErrorCode::cancelled);
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

TEST_F(Teaching, AHerdMutexSaysHowItWasLost)
{
    LossyRelay relay(server().address());
    sessions.push_back(world->connect(std::chrono::seconds(4), relay.address()));
    lock::HerdMutex mutex(sessions.back(), traced(0));
    acquireNow(mutex);
    relay.cut();
    ASSERT_TRUE(world->waitFor(*sessions.back(), zk::SessionPhase::lost));
    std::vector<trace::LostReason> reasons;
    for (std::size_t i = 0; i < store->count(); ++i)
        if (const auto* lost = std::get_if<trace::HoldLost>(&store->at(i).what))
            reasons.push_back(lost->reason);
    EXPECT_THAT(reasons, ElementsAre(trace::LostReason::sessionTimedOut)) << "no server said so";
}

TEST_F(Teaching, AHerdMutexThatTheServerRefusesDoesNotAskForEver)
{
    constexpr std::int32_t kExists = 3, kCreate = 15, kCreateContainer = 19;
    constexpr std::int32_t kNoNode = -101, kNodeExists = -110, kThrottled = -127;
    struct Refusal
    {
        std::int32_t ofNode, ofPath; // the codes of their creates
        ErrorCode expected;
    };
    for (const Refusal& refusal :
         {Refusal{kNoNode, kThrottled, ErrorCode::internal}, Refusal{kNoNode, kNoNode, ErrorCode::badUsage},
          Refusal{kNodeExists, kNodeExists, ErrorCode::internal}}) {
        const FakeServer refusing([&](const FakeRequest& request) {
            switch (request.op) {
            case kCreate:
                return reply(request.xid, refusal.ofNode);
            case kCreateContainer:
                return reply(request.xid, refusal.ofPath);
            case kExists:
                return reply(request.xid, kThrottled);
            default:
                return defaultReply(request);
            }
        });
        lock::HerdMutex mutex = herd(0, refusing.address());
        EXPECT_EQ(refused(start(mutex)).code, refusal.expected) << refusal.ofNode << ' ' << refusal.ofPath;
        sessions.back()->close();
    }
}

// ---- all clients watch the children ----

TEST_F(Teaching, TheHerdReadWriteLockNamesItsNodesByHost)
{
    sessions = {world->connect(), world->connect()};
    lock::HerdReadWriteLock ada(sessions[0], traced(0), "ada");
    lock::HerdReadWriteLock bo(sessions[1], traced(1), "bo");
    acquireNow(ada.readLock());
    acquireNow(bo.readLock());
    EXPECT_THAT(queue(), ElementsAre("ada-R-0000000000", "bo-R-0000000001"));
    ASSERT_TRUE(release(ada.readLock()));
    ASSERT_TRUE(release(bo.readLock()));
    EXPECT_THAT(acquireNow(ada.writeLock()).node, MatchesRegex("ada-W-[0-9]+"));
    EXPECT_FALSE(canHave(bo.readLock()));
    EXPECT_FALSE(canHave(bo.writeLock()));
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_F(Teaching, EveryChangeWakesAllWhoWaitInTheHerdReadWriteLock)
{
    constexpr std::uint32_t kWaiters = 4;
    std::vector<std::unique_ptr<lock::HerdReadWriteLock>> locks;
    for (std::uint32_t i = 0; i <= kWaiters; ++i) {
        sessions.push_back(world->connect());
        locks.push_back(std::make_unique<lock::HerdReadWriteLock>(sessions.back(), traced(i),
                                                                  "host" + std::to_string(i)));
    }
    acquireNow(locks[0]->writeLock());
    std::vector<Acquiring> waiting;
    for (std::uint32_t i = 1; i <= kWaiters; ++i) {
        waiting.push_back(start(locks[i]->writeLock()));
        ASSERT_TRUE(world->waitForChildren(path(), i + 1));
        for (HubSessionPtr& session : sessions)
            world->settle(*session);
    }
    const int before = fired(trace::WatchKind::childrenChanged);
    EXPECT_EQ(before, 3 + 2 + 1) << "everyone who came woke those before";
    ASSERT_TRUE(release(locks[0]->writeLock()));
    granted(waiting[0]);
    for (HubSessionPtr& session : sessions)
        world->settle(*session);
    EXPECT_EQ(fired(trace::WatchKind::childrenChanged) - before, 4) << "one of them can go in";
    EXPECT_FALSE(waiting[1].arrived());
}

TEST_F(Teaching, TheHerdReadWriteLockIsTriedAsOftenAsItsPolicySays)
{
    const FakeServer refusing([](const FakeRequest& request) {
        constexpr std::int32_t kCreate = 15, kThrottled = -127;
        return request.op == kCreate ? reply(request.xid, kThrottled) : defaultReply(request);
    });
    sessions.push_back(world->connect(std::chrono::seconds(30), refusing.address()));
    options.retry = lock::RetryPolicy::times(2, std::chrono::milliseconds(1));
    lock::HerdReadWriteLock ada(sessions.back(), traced(0), "ada");
    EXPECT_EQ(refused(start(ada.writeLock())).code, ErrorCode::internal);
    EXPECT_EQ(refusing.requests(), 3);
    sessions.back()->close();
}

// ---- the mutex with a mistake ----

} // namespace
} // namespace lockscope::tests
