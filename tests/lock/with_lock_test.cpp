// The scoped execution under a lock: a function or a coroutine runs while it is held.
#include "core/lock/with_lock.h"
#include "tests/lock/any_lock_test.h"

#include <stdexcept>

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class WithLock : public AnyLockTest
{
protected:
    lock::Mutex& mutex() { return m_client ? *m_client->mutex : *(m_client = &addClient())->mutex; }
    // Another client holds it.
    LockClient& hold()
    {
        LockClient& holder = addClient();
        acquireNow(holder);
        return holder;
    }
    template <class Fn>
    auto run(Fn fn, lock::WithLockOptions how = {})
    {
        const auto done = world->start(lock::withLock(mutex(), kOne, std::move(how), std::move(fn)));
        world->runUntil([&] { return done.arrived(); }, "the work to end");
        return *done;
    }
    int failures() { return count<trace::AcquireFailed>(*m_client); }
    void expectFree()
    {
        EXPECT_EQ(mutex().depth(kOne), 0);
        EXPECT_THAT(queue(), IsEmpty());
    }

private:
    LockClient* m_client = nullptr;
};

TEST_F(WithLock, RunsUnderTheLockAndReturnsTheResult)
{
    std::optional<Zxid> token;
    std::uint16_t depth = 0;
    const Result<int> result = run([&](const Grant& grant) {
        token = grant.token;
        depth = mutex().depth(kOne);
        return 42;
    });
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, 42);
    EXPECT_TRUE(token);
    EXPECT_EQ(depth, 1);
    expectFree();
}

TEST_F(WithLock, TakesAFunctionThatReturnsNothing)
{
    bool ran = false;
    const Result<void> result = run([&] { ran = true; });
    EXPECT_TRUE(result);
    EXPECT_TRUE(ran);
    expectFree();
}

zk::Awaitable<std::string> readNode(zk::Session* session, std::string node, lock::Mutex* mutex)
{
    zk::Pending<zk::Data> read;
    session->getData(node, read.handler());
    const zk::Data data = co_await read.get();
    EXPECT_EQ(mutex->depth(kOne), 1) << "the coroutine has not ended";
    co_return data.bytes;
}

TEST_F(WithLock, WaitsForACoroutine)
{
    zk::Session* session = &world->observer();
    const Result<std::string> result =
        run([=, this](const Grant& grant) { return readNode(session, path() + "/" + grant.node, &mutex()); });
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, lock::defaultNodeData());
    expectFree();
}

TEST_F(WithLock, PassesAnErrorOfTheFunctionOn)
{
    const Result<int> result = run([]() -> Result<int> { return Error{ErrorCode::badInput, "No.", ""}; });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::badInput);
    expectFree();
}

zk::Awaitable<bool> catches(lock::Lock* lock)
{
    auto fails = []() -> int { throw std::runtime_error("the work failed"); };
    const lock::WithLockOptions once;
    try {
        co_await lock::withLock(*lock, kOne, once, fails);
    } catch (const std::runtime_error&) {
        co_return true;
    }
    co_return false;
}

TEST_F(WithLock, ReleasesWhenTheFunctionThrows)
{
    const auto done = world->start(catches(&mutex()));
    world->runUntil([&] { return done.arrived(); }, "the work to end");
    EXPECT_TRUE(*done);
    expectFree();
}

TEST_F(WithLock, SaysBusyAfterItsTries)
{
    hold();
    bool ran = false;
    const Result<void> result = run([&] { ran = true; }, {milliseconds(20), 3});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::busy);
    EXPECT_THAT(result.error().message.english(), HasSubstr(path()));
    EXPECT_THAT(result.error().message.english(), HasSubstr("3 attempts"));
    EXPECT_FALSE(ran);
    EXPECT_THAT(queue(), SizeIs(1)) << "the holder's";
    EXPECT_EQ(failures(), 3);
}

TEST_F(WithLock, HasItInALaterTry)
{
    LockClient& holder = hold();
    int ran = 0;
    auto work = [&] { ++ran; };
    const auto done = world->start(lock::withLock(mutex(), kOne, {milliseconds(20), 1000}, work));
    world->runUntil([&] { return failures() >= 2; }, "two tries");
    ASSERT_TRUE(release(holder));
    world->runUntil([&] { return done.arrived(); }, "the work to end");
    EXPECT_TRUE(*done);
    EXPECT_EQ(ran, 1);
    expectFree();
}

TEST_F(WithLock, PassesAnErrorOfTheAcquireOnAtOnce)
{
    hold();
    lock::WithLockOptions how{std::nullopt, 1000};
    how.cancel.request();
    EXPECT_EQ(run([] {}, how).error().code, ErrorCode::cancelled);
    EXPECT_THAT(queue(), SizeIs(1));
}

zk::Awaitable<int> deleteNode(zk::Session* session, std::string node, lock::Mutex* mutex)
{
    zk::Pending<bool> lost;
    const auto tell = std::make_shared<decltype(lost.handler())>(lost.handler());
    mutex->onLost([tell](OwnerId) { (*tell)(true); });
    session->remove(node, [](zk::Code) {});
    co_await lost.get();
    co_return 1;
}

TEST_F(WithLock, SaysThatTheLockWasLostMeanwhile)
{
    zk::Session* session = &world->observer();
    const Result<int> result = run(
        [=, this](const Grant& grant) { return deleteNode(session, path() + "/" + grant.node, &mutex()); });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::noNode);
    EXPECT_THAT(queue(), IsEmpty());
}

} // namespace
} // namespace lockscope::tests
