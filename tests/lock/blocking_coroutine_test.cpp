// How the blocking API runs coroutines.
#include "core/lock/mutex.h"
#include "tests/lock/blocking_test.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;

zk::Awaitable<Result<Zxid>> lockOnce(zk::SessionPtr session, std::string path)
{
    lock::MutexOptions options;
    options.path = std::move(path);
    lock::Mutex mutex(std::move(session), options);
    const Result<lock::Grant> grant = co_await mutex.acquire(OwnerId{0}).asResult();
    if (!grant) {
        co_return grant.error();
    }
    const Result<void> released = co_await mutex.release(OwnerId{0}).asResult();
    if (!released) {
        co_return released.error();
    }
    co_return grant->token.value();
}

zk::Awaitable<std::string> fail()
{
    throw std::domain_error("on purpose");
    co_return "";
}

zk::Awaitable<void> nothing() { co_return; }

TEST_F(BlockingClient, RunsACoroutineAndGivesItsResult)
{
    const ClientPtr client = connect();
    const Result<Zxid> token =
        client->run([this](zk::SessionPtr session) { return lockOnce(session, path()); });
    ASSERT_TRUE(token) << token.error().text();
    EXPECT_TRUE(token->valid());
    EXPECT_EQ(client->run([](zk::SessionPtr session) { return lockOnce(session, "no path"); }).error().code,
              ErrorCode::badUsage);
    const Result<void> done = client->run(nothing());
    EXPECT_TRUE(done);
    EXPECT_THROW(static_cast<void>(client->run(fail())), std::domain_error);
}

zk::Awaitable<int> sleepLong(std::promise<void>* asleep)
{
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, std::chrono::hours(1));
    asleep->set_value();
    co_await timer.async_wait(boost::asio::use_awaitable);
    co_return 1;
}

TEST_F(BlockingClient, CancelsACoroutineThatSleeps)
{
    ClientPtr client = connect();
    std::promise<void> asleep;
    auto running = elsewhere([&, inner = client.get()] { return inner->run(sleepLong(&asleep)); });
    ASSERT_TRUE(ends(asleep.get_future()));
    client.reset();
    ASSERT_TRUE(ends(running));
    const Result<int> result = running.get();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::closed);
}

TEST_F(BlockingClient, WaitingOnTheIoThreadIsRefused)
{
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    const Result<bool> done = client->run([&](zk::SessionPtr) -> zk::Awaitable<bool> {
        EXPECT_EQ(thrownBy([&] { mutex.lock(); }), is(std::errc::resource_deadlock_would_occur));
        EXPECT_EQ(thrownBy([&] { mutex.try_lock(); }), is(std::errc::resource_deadlock_would_occur));
        const Result<void> inner = client->run(nothing());
        EXPECT_FALSE(inner);
        EXPECT_THAT(inner.error().text(), HasSubstr("I/O thread"));
        EXPECT_FALSE(mutex.isHeld());
        mutex.unlock();
        co_return true;
    });
    EXPECT_TRUE(done);
    EXPECT_TRUE(mutex.try_lock());
}

} // namespace
} // namespace lockscope::tests
