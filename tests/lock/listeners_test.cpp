// Who listens to the loss of a hold, whatever the lock: several, that throw, and that let go of the lock.
#include "core/lock/multi_lock.h"
#include "core/lock/mutex.h"
#include "core/lock/semaphore.h"
#include "core/sim/teaching/herd_mutex.h"
#include "core/zk/memory/ensemble.h"
#include "core/zk/memory/memory_session.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <gmock/gmock.h>

#include <array>
#include <stdexcept>

namespace lockscope::lock {
namespace {

using ::testing::ElementsAre;
using zk::memory::Ensemble;
using zk::memory::VirtualClock;
using zk::memory::VirtualScheduler;

// One client of a simulated ensemble.
class World : public ::testing::Test
{
protected:
    World()
    {
        session = ensemble.connect(process, {});
        ensemble.settle();
    }
    ~World() override
    {
        session->close();
        clock.runReady();
    }
    template <class T>
    void run(zk::Task<T> work)
    {
        const auto wait = [](zk::Task<T> task) -> zk::Awaitable<void> {
            co_await std::move(task).asResult();
        };
        boost::asio::co_spawn(process.executor(), wait(std::move(work)), boost::asio::detached);
        settle();
    }
    void settle()
    {
        clock.runReady();
        ensemble.settle();
    }
    // What listeners throw leaves the scheduler; how often it did.
    int settleAndCatch()
    {
        for (int caught = 0;; ++caught) {
            try {
                settle();
                return caught;
            } catch (const std::runtime_error&) {
            }
        }
    }
    LockOptions at(const std::string& path) const
    {
        LockOptions options;
        options.path = path;
        return options;
    }

    VirtualClock clock;
    VirtualScheduler process{clock};
    Ensemble ensemble{clock, {}};
    std::shared_ptr<zk::memory::MemorySession> session;
};

enum class Kind { mutex, semaphoreMutex, herdMutex, multiLock };

class LostListeners : public World, public ::testing::WithParamInterface<Kind>
{
protected:
    std::unique_ptr<Lock> make() const
    {
        switch (GetParam()) {
        case Kind::mutex:
            return std::make_unique<Mutex>(session, at("/lock"));
        case Kind::semaphoreMutex:
            return std::make_unique<SemaphoreMutex>(session, at("/lock"));
        case Kind::herdMutex:
            return std::make_unique<HerdMutex>(session, at("/lock"));
        case Kind::multiLock:
            break;
        }
        return std::make_unique<MultiLock>(std::vector<std::shared_ptr<Lock>>{
            std::make_shared<Mutex>(session, at("/a")), std::make_shared<Mutex>(session, at("/b"))});
    }
    void acquire()
    {
        run(lock->acquire(kOwner));
        ASSERT_EQ(lock->depth(kOwner), 1);
    }
    std::function<void(OwnerId)> note(const std::string& name)
    {
        return [this, name](OwnerId owner) {
            EXPECT_EQ(owner, kOwner);
            EXPECT_EQ(lock->depth(owner), 0) << "the hold is gone by then";
            calls.push_back(name);
        };
    }

    static constexpr OwnerId kOwner{3};
    std::unique_ptr<Lock> lock = make();
    std::vector<std::string> calls;
};

TEST_P(LostListeners, AreAllCalledInTheirOrder)
{
    lock->onLost(note("one"));
    lock->onLost(nullptr);
    lock->onLost(note("two"));
    acquire();
    session->close();
    settle();
    EXPECT_THAT(calls, ElementsAre("one", "two"));
}

TEST_P(LostListeners, MayBeRemoved)
{
    ListenerId second = 0;
    lock->removeLostListener(lock->onLost([](OwnerId) { ADD_FAILURE() << "it was removed"; }));
    lock->onLost([&, mine = note("one")](OwnerId owner) {
        mine(owner);
        lock->removeLostListener(second);
    });
    second = lock->onLost([](OwnerId) { ADD_FAILURE() << "it was removed meanwhile"; });
    lock->onLost(note("three"));
    lock->removeLostListener(lock->onLost(nullptr));
    acquire();
    session->close();
    settle();
    EXPECT_THAT(calls, ElementsAre("one", "three"));
}

TEST_P(LostListeners, AreCalledThoughOneOfThemThrows)
{
    lock->onLost(note("one"));
    lock->onLost([](OwnerId) { throw std::runtime_error("a listener's"); });
    lock->onLost(note("three"));
    acquire();
    session->close();
    EXPECT_EQ(settleAndCatch(), 1);
    EXPECT_THAT(calls, ElementsAre("one", "three"));
}

TEST_P(LostListeners, MayLetGoOfTheLock)
{
    bool whole = false;
    lock->onLost([this, &whole, mine = std::make_shared<int>()](OwnerId) {
        const std::weak_ptr<int> listener = mine;
        lock.reset();
        whole = !listener.expired();
    });
    acquire();
    session->close();
    settle();
    EXPECT_EQ(lock, nullptr);
    EXPECT_TRUE(whole) << "the listener was destroyed while it ran";
}

std::string kindName(const ::testing::TestParamInfo<Kind>& kind)
{
    constexpr std::array kNames{"mutex", "semaphoreMutex", "herdMutex", "multiLock"};
    return kNames.at(static_cast<std::size_t>(kind.param));
}

INSTANTIATE_TEST_SUITE_P(All, LostListeners,
                         ::testing::Values(Kind::mutex, Kind::semaphoreMutex, Kind::herdMutex,
                                           Kind::multiLock),
                         kindName);

// A session holds for several owners: each loss is reported.
TEST_F(World, EveryLossIsReportedThoughAListenerThrows)
{
    SemaphoreOptions options;
    options.lock = at("/lock");
    options.leases = 3;
    Semaphore semaphore(session, options);
    std::vector<OwnerId> calls;
    semaphore.onLost([&](const Lease& lease) {
        calls.push_back(lease.owner);
        throw std::runtime_error("a listener's");
    });
    for (const OwnerId owner : {OwnerId{1}, OwnerId{2}, OwnerId{3}})
        run(semaphore.acquire(owner));
    session->close();
    EXPECT_EQ(settleAndCatch(), 3);
    EXPECT_THAT(calls, ::testing::UnorderedElementsAre(OwnerId{1}, OwnerId{2}, OwnerId{3}));
    EXPECT_THAT(semaphore.held(), ::testing::IsEmpty());
}

TEST_F(World, ACountIsFollowedThoughAListenerThrows)
{
    SharedCount one(session, "/count", 1);
    run(one.start());
    std::vector<std::int32_t> heard;
    one.addListener([](std::int32_t) { throw std::runtime_error("a listener's"); });
    one.addListener([&](std::int32_t value) { heard.push_back(value); });
    for (const std::int32_t value : {2, 3}) {
        ASSERT_TRUE(ensemble.write("/count", encodeCount(value)));
        EXPECT_EQ(settleAndCatch(), 1);
        EXPECT_EQ(one.value(), value);
    }
    EXPECT_THAT(heard, ElementsAre(2, 3));
}

TEST_F(World, AHolderThatThrowsWhenItIsAskedForTheLockKeepsIt)
{
    Mutex mutex(session, at("/lock"));
    mutex.makeRevocable([](OwnerId) { throw std::runtime_error("a listener's"); });
    run(mutex.acquire(OwnerId{0}));
    ASSERT_TRUE(ensemble.write("/lock/" + mutex.held(OwnerId{0})->node, "__REVOKE__"));
    EXPECT_EQ(settleAndCatch(), 1);
    EXPECT_EQ(mutex.depth(OwnerId{0}), 1);
}

TEST_F(World, AHolderThatIsAskedForTheLockMayLetGoOfIt)
{
    auto mutex = std::make_unique<Mutex>(session, at("/lock"));
    bool asked = false;
    bool whole = false;
    mutex->makeRevocable([&, mine = std::make_shared<int>()](OwnerId) {
        asked = true;
        const std::weak_ptr<int> listener = mine;
        mutex.reset();
        whole = !listener.expired();
    });
    run(mutex->acquire(OwnerId{0}));
    ASSERT_TRUE(ensemble.write("/lock/" + mutex->held(OwnerId{0})->node, "__REVOKE__"));
    settle();
    EXPECT_TRUE(asked);
    EXPECT_TRUE(whole) << "the listener was destroyed while it ran";
}

} // namespace
} // namespace lockscope::lock
