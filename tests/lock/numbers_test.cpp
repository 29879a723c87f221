// What happens when a lock path has used up its numbers: a real server would take years to get there, the
// simulated one is set to it.
#include "core/lock/mutex.h"
#include "core/zk/memory/ensemble.h"
#include "core/zk/memory/memory_session.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <gtest/gtest.h>

namespace lockscope::lock {
namespace {

using zk::memory::Ensemble;
using zk::memory::VirtualClock;
using zk::memory::VirtualScheduler;

class Numbers : public ::testing::Test
{
protected:
    struct Client
    {
        explicit Client(VirtualClock& clock)
            : process(clock)
        {}
        VirtualScheduler process;
        std::shared_ptr<zk::memory::MemorySession> session;
        std::unique_ptr<Mutex> mutex;
        std::optional<Result<Grant>> got;
    };
    Client& add()
    {
        Client& client = *clients.emplace_back(std::make_unique<Client>(clock));
        client.session = ensemble.connect(client.process, {});
        MutexOptions options;
        options.path = "/lock";
        options.retry = RetryPolicy::never();
        client.mutex = std::make_unique<Mutex>(client.session, options);
        ensemble.settle();
        return client;
    }
    void acquire(Client& client)
    {
        callAcquire(client);
        ensemble.settle();
    }
    void callAcquire(Client& client)
    {
        const auto run = [](Client* c) -> zk::Awaitable<void> {
            Result<Grant> got = co_await c->mutex->acquire(OwnerId{0}).asResult();
            c->got.emplace(std::move(got));
        };
        boost::asio::co_spawn(client.process.executor(), run(&client), boost::asio::detached);
        clock.runReady();
    }
    void release(Client& client)
    {
        const auto run = [](Client* c) -> zk::Awaitable<void> {
            co_await c->mutex->release(OwnerId{0}).asResult();
        };
        boost::asio::co_spawn(client.process.executor(), run(&client), boost::asio::detached);
        clock.runReady();
        ensemble.settle();
    }
    void TearDown() override
    {
        for (const auto& client : clients)
            client->mutex.reset();
        clock.runReady();
        ensemble.settle();
        for (const auto& client : clients)
            client->session->close();
        clock.runReady();
    }

    VirtualClock clock;
    std::vector<std::unique_ptr<Client>> clients; // outlive the ensemble
    Ensemble ensemble{clock, {}};
};

// ZOOKEEPER-2944, kazoo 730: "-2147483648" sorts in front of "2147483647", so its owner would come in beside
// the holder.
TEST_F(Numbers, NoClientGetsInByANumberThatOverflowed)
{
    Client& holder = add();
    acquire(holder);
    release(holder);
    ensemble.skipSequenceNumbers("/lock", INT32_MAX - 1); // one is used already
    acquire(holder);
    ASSERT_TRUE(holder.got && *holder.got) << (holder.got ? holder.got->error().text() : "waits");
    Client& late = add();
    acquire(late);
    ASSERT_TRUE(late.got);
    ASSERT_FALSE(*late.got) << "two hold the lock";
    EXPECT_EQ(late.got->error().code, ErrorCode::limitExceeded) << late.got->error().text();
    release(holder);
    EXPECT_EQ(ensemble.head().find("/lock")->children.size(), 0U) << "nothing is left behind";
}

// The same for a node that was found again because the reply to its create was lost.
TEST_F(Numbers, NorByOneThatIsLearntFromTheList)
{
    Client& holder = add();
    acquire(holder);
    release(holder);
    ensemble.skipSequenceNumbers("/lock", INT32_MAX - 1);
    acquire(holder);
    ASSERT_TRUE(holder.got && *holder.got);
    Client& late = add();
    callAcquire(late);
    ensemble.cut(late.session->index(), 1, 0); // the create arrives, and nothing comes back
    ensemble.settle();
    ASSERT_TRUE(late.got);
    ASSERT_FALSE(*late.got) << "two hold the lock";
    EXPECT_EQ(late.got->error().code, ErrorCode::limitExceeded) << late.got->error().text();
    release(holder);
    EXPECT_EQ(ensemble.head().find("/lock")->children.size(), 0U) << "nothing is left behind";
}

} // namespace
} // namespace lockscope::lock
