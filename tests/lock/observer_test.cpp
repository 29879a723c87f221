// What is reported to an observer of a lock, and the metrics and the log that are made of it.
#include "core/lock/log_observer.h"
#include "core/lock/metrics.h"
#include "core/lock/semaphore.h"
#include "tests/lock/lock_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace event = lock::event;

// The names of the events, without requests and replies.
class Names final : public lock::Observer
{
public:
    EventIndex onEvent(const std::string& where, const lock::Event& what, EventIndex) override
    {
        paths.insert(where);
        std::visit([this](const auto& it) { add(it); }, what);
        return EventIndex::none();
    }
    std::vector<std::string> names;
    std::set<std::string> paths;
    Duration waited{};

private:
    void add(const event::AcquireCalled&) { names.push_back("called"); }
    void add(const event::Queued& it) { names.push_back("queued " + std::to_string(it.position)); }
    void add(const event::Acquired& it)
    {
        names.push_back("acquired");
        waited = it.waited;
    }
    void add(const event::Reentered&) { names.push_back("reentered"); }
    void add(const event::AcquireFailed& it)
    {
        names.push_back(it.error.code == ErrorCode::timedOut ? "timed out" : "failed");
    }
    void add(const event::StartedOver&) { names.push_back("started over"); }
    void add(const event::ReleaseCalled&) { names.push_back("releasing"); }
    void add(const event::Released& it) { names.push_back("released " + std::to_string(it.depth)); }
    void add(const event::Abandoned&) { names.push_back("abandoned"); }
    void add(const event::HoldLost& it)
    {
        names.push_back(it.reason == lock::LostReason::nodeDeleted ? "lost its node" : "lost");
    }
    void add(const event::RequestSent&) {}
    void add(const event::ReplyReceived&) {}
    void add(const event::WatchFired&) {}
};

class Observed : public LockTest
{
protected:
    std::unique_ptr<lock::Mutex> mutexWith(std::shared_ptr<lock::Observer> observer)
    {
        lock::MutexOptions own = options;
        own.observer = std::move(observer);
        own.watchHoldAfter = {};
        return std::make_unique<lock::Mutex>(world->connect(), own);
    }
    Result<Grant> acquired(lock::Lock& lock, std::optional<Duration> limit = std::nullopt)
    {
        const auto acquiring = world->start(lock.acquire(OwnerId{0}, limit));
        world->runUntil([&] { return acquiring.arrived(); }, "the acquire to end");
        return *acquiring;
    }
    Result<void> released(lock::Lock& lock)
    {
        const auto releasing = world->start(lock.release(OwnerId{0}));
        world->runUntil([&] { return releasing.arrived(); }, "the release to end");
        return *releasing;
    }
};

TEST_F(Observed, AHoldIsReportedFromItsCallToItsRelease)
{
    const auto seen = std::make_shared<Names>();
    const auto mutex = mutexWith(seen);
    ASSERT_TRUE(acquired(*mutex));
    ASSERT_TRUE(acquired(*mutex));
    ASSERT_TRUE(released(*mutex));
    ASSERT_TRUE(released(*mutex));
    EXPECT_THAT(seen->names, ElementsAre("called", "queued 0", "acquired", "reentered", "releasing",
                                         "released 1", "releasing", "released 0"));
    EXPECT_THAT(seen->paths, ElementsAre(path()));
    EXPECT_GT(seen->waited, Duration{});
}

TEST_F(Observed, ALostHoldAndAFailedAcquireAreReported)
{
    const auto seen = std::make_shared<Names>();
    const auto mutex = mutexWith(seen);
    const Grant grant = *acquired(*mutex);
    const auto other = std::make_shared<Names>();
    const auto waiter = mutexWith(other);
    EXPECT_FALSE(acquired(*waiter, Duration{}));
    EXPECT_THAT(other->names, ElementsAre("called", "queued 1", "timed out"));
    seen->names.clear();
    ASSERT_EQ(world->remove(world->observer(), path() + "/" + grant.node), zk::Code::ok);
    world->runUntil([&] { return !seen->names.empty(); }, "the loss");
    EXPECT_THAT(seen->names, ElementsAre("lost its node"));
}

class Throwing final : public lock::Observer
{
public:
    EventIndex onEvent(const std::string&, const lock::Event&, EventIndex) override
    {
        ++calls;
        throw std::runtime_error("from an observer");
    }
    int calls = 0;
};

// The exceptions leave the io_context, as those of any callback.
TEST_F(Observed, AnObserverThatThrowsBreaksNothing)
{
    const auto throwing = std::make_shared<Throwing>();
    const auto mutex = mutexWith(throwing);
    const auto acquiring = world->start(mutex->acquire(OwnerId{0}));
    int thrown = 0;
    const auto run = [&](const auto& later) {
        while (!later.arrived()) {
            try {
                if (!world->runUntil([&] { return later.arrived(); }, "the end of it"))
                    return;
            } catch (const std::runtime_error&) {
                ++thrown;
            }
        }
    };
    run(acquiring);
    ASSERT_TRUE(*acquiring);
    const auto releasing = world->start(mutex->release(OwnerId{0}));
    run(releasing);
    EXPECT_TRUE(*releasing);
    EXPECT_GT(throwing->calls, 4);
    for (bool more = true; more;) { // those that were posted last
        more = false;
        try {
            world->runReady();
        } catch (const std::runtime_error&) {
            ++thrown;
            more = true;
        }
    }
    EXPECT_EQ(thrown, throwing->calls);
}

TEST_F(Observed, SeveralObserversAreOne)
{
    const auto one = std::make_shared<Names>();
    const auto two = std::make_shared<Names>();
    const auto mutex =
        mutexWith(std::make_shared<lock::Observers>(std::vector<std::shared_ptr<lock::Observer>>{one, two}));
    ASSERT_TRUE(acquired(*mutex));
    EXPECT_THAT(one->names, ElementsAre("called", "queued 0", "acquired"));
    EXPECT_EQ(one->names, two->names);
    ASSERT_TRUE(released(*mutex));
}

TEST_F(Observed, MetricsCountWhatHappened)
{
    const auto metrics = std::make_shared<lock::Metrics>();
    const auto holder = mutexWith(metrics);
    const auto waiter = mutexWith(metrics);
    ASSERT_TRUE(acquired(*holder));
    ASSERT_TRUE(acquired(*holder));
    EXPECT_FALSE(acquired(*waiter, Duration{}));
    lock::MetricsSnapshot now = metrics->snapshot();
    EXPECT_EQ(now.acquired, 1U);
    EXPECT_EQ(now.reentered, 1U);
    EXPECT_EQ(now.timedOut, 1U);
    EXPECT_EQ(now.held, 1);
    EXPECT_EQ(now.waiting, 0);
    EXPECT_EQ(now.wait.count(), 1U);
    EXPECT_GT(now.wait.sum, Duration{});

    const auto waiting = world->start(waiter->acquire(OwnerId{0}));
    ASSERT_TRUE(world->waitForChildren(path(), 2));
    EXPECT_EQ(metrics->snapshot().waiting, 1);
    ASSERT_TRUE(released(*holder));
    EXPECT_EQ(metrics->snapshot().released, 0U) << "one level is left";
    ASSERT_TRUE(released(*holder));
    ASSERT_TRUE(world->runUntil([&] { return waiting.arrived(); }, "the grant"));
    now = metrics->snapshot();
    EXPECT_EQ(now.acquired, 2U);
    EXPECT_EQ(now.released, 1U);
    EXPECT_EQ(now.hold.count(), 1U);
    EXPECT_EQ(now.held, 1);
    EXPECT_EQ(now.lost, 0U);

    ASSERT_EQ(world->remove(world->observer(), path() + "/" + (*waiting)->node), zk::Code::ok);
    ASSERT_TRUE(world->runUntil([&] { return metrics->snapshot().lost == 1; }, "the loss"));
    now = metrics->snapshot();
    EXPECT_EQ(now.held, 0);
    EXPECT_EQ(now.hold.count(), 2U);
}

TEST_F(Observed, MetricsCountAllLeasesOfOneAcquireAsOne)
{
    const auto metrics = std::make_shared<lock::Metrics>();
    lock::SemaphoreOptions own;
    own.lock = options;
    own.lock.observer = metrics;
    own.leases = 3;
    lock::Semaphore semaphore(world->connect(), own);
    const auto acquiring = world->start(semaphore.acquire(OwnerId{0}, 3));
    ASSERT_TRUE(world->runUntil([&] { return acquiring.arrived(); }, "the leases"));
    const lock::MetricsSnapshot now = metrics->snapshot();
    EXPECT_EQ(now.acquired, 1U);
    EXPECT_EQ(now.held, 3);
    EXPECT_EQ(now.waiting, 0);
}

TEST_F(Observed, ADestroyedLockHoldsNoMore)
{
    const auto metrics = std::make_shared<lock::Metrics>();
    auto mutex = mutexWith(metrics);
    ASSERT_TRUE(acquired(*mutex));
    mutex.reset();
    EXPECT_EQ(metrics->snapshot().held, 0);
    EXPECT_EQ(metrics->snapshot().released, 1U);
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

TEST_F(Observed, ReconnectsAndLostSessionsAreCounted)
{
    const auto metrics = std::make_shared<lock::Metrics>();
    const auto count = lock::countPhases(metrics);
    using enum zk::SessionPhase;
    for (const zk::SessionPhase phase :
         {connecting, connected, suspended, connected, suspended, connecting, lost, connecting, connected})
        count(phase);
    EXPECT_EQ(metrics->snapshot().reconnects, 1U);
    EXPECT_EQ(metrics->snapshot().lostSessions, 1U);
}

TEST_F(Observed, TheLogContainsGrantsAndWarningsAndNoData)
{
    std::vector<std::pair<lock::LogLevel, std::string>> lines;
    options.nodeData = "secret";
    const auto log = std::make_shared<lock::LogObserver>(
        [&](lock::LogLevel level, const std::string& line) { lines.emplace_back(level, line); },
        lock::LogLevel::debug);
    const auto mutex = mutexWith(log);
    const Grant grant = *acquired(*mutex);
    ASSERT_TRUE(released(*mutex));
    std::string info;
    for (const auto& [level, line] : lines) {
        EXPECT_THAT(line, HasSubstr(path()));
        EXPECT_THAT(line, Not(HasSubstr("secret")));
        if (level == lock::LogLevel::info)
            info += line + "\n";
    }
    EXPECT_THAT(info, HasSubstr(grant.node));
    EXPECT_THAT(info, HasSubstr(std::to_string(grant.token->value)));
    EXPECT_EQ(std::count(info.begin(), info.end(), '\n'), 2);
}

} // namespace
} // namespace lockscope::tests
