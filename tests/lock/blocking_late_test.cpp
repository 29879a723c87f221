// What threads learn when things happen in an unlucky order, when the client has ended, and when a server
// turns them away.
#include "core/lock/blocking/blocking_mutex.h"
#include "core/lock/blocking/internal/io_thread.h"
#include "core/lock/blocking/time_limit.h"
#include "tests/lock/blocking_test.h"
#include "tests/support/fake_server.h"

#include <stdexcept>

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

// ---- a loss that arrives between a grant and its delivery ----

// A recipe that is granted at once, and whose hold is lost before the thread learns of the second grant.
class LosesHold final : public lock::Lock
{
public:
    explicit LosesHold(zk::SessionPtr session)
        : m_session(std::move(session))
    {}
    zk::Task<Result<lock::Grant>> acquire(OwnerId owner, std::optional<Duration>, lock::CancelToken) override
    {
        if (++m_acquires == 2)
            m_session->scheduler().post([this, owner] {
                m_depth = 0;
                m_lost.notify(owner);
            });
        co_return lock::Grant{"node", Zxid{m_acquires}, ++m_depth};
    }
    zk::Task<Result<void>> release(OwnerId) override
    {
        co_return m_depth > 0 ? (--m_depth, Result<void>{})
                              : Result<void>(Error{ErrorCode::notOwner, {}, {}});
    }
    std::uint16_t depth(OwnerId) const override { return m_depth; }
    ListenerId onLost(std::function<void(OwnerId)> callback) override
    {
        return m_lost.add(std::move(callback));
    }
    void removeLostListener(ListenerId listener) override { m_lost.remove(listener); }
    const std::string& path() const override { return m_path; }
    zk::Scheduler& scheduler() override { return m_session->scheduler(); }

private:
    zk::SessionPtr m_session;
    std::string m_path = "/fake";
    Listeners<OwnerId> m_lost;
    std::int64_t m_acquires = 0;
    std::uint16_t m_depth = 0;
};

class LockThatLosesHolds : public lock::BlockingLock
{
public:
    explicit LockThatLosesHolds(const lock::Client& client)
        : BlockingLock(
              client, lock::LockOptions::at("/fake"), [](const zk::SessionPtr& session, const auto&) {
                  return Recipe{std::make_shared<LosesHold>(session), std::make_shared<LosesHold>(session)};
              })
    {}
    using BlockingLock::held;
    using BlockingLock::lock;
    Result<void> release(Side side) { return BlockingLock::release(side); }
};

class LateLoss : public BlockingTest, public ::testing::WithParamInterface<Side>
{};
INSTANTIATE_TEST_SUITE_P(Side, LateLoss, ::testing::Values(Side::exclusive, Side::shared),
                         [](const auto& side) {
                             return std::string(side.param == Side::shared ? "shared" : "exclusive");
                         });

TEST_P(LateLoss, IsNotUndoneByTheReentryThatItMet)
{
    const ClientPtr client = connect();
    LockThatLosesHolds lock(*client);
    std::promise<void> lost;
    lock.onLost([&lost](const lock::LostHold&) { lost.set_value(); });
    lock.lock(GetParam());
    ASSERT_TRUE(lock.held(GetParam()));
    EXPECT_EQ(thrownBy([&] { lock.lock(GetParam()); }), is(std::errc::not_connected));
    auto notified = lost.get_future();
    ASSERT_TRUE(ends(notified));
    EXPECT_FALSE(lock.held(GetParam())) << "the loss was reported, and the thread still has a token";
    EXPECT_EQ(lock.release(GetParam()).error().code, ErrorCode::sessionLost);
    lock.lock(GetParam());
    EXPECT_TRUE(lock.held(GetParam()));
    EXPECT_TRUE(lock.release(GetParam()));
}

// ---- after the end of the client ----

// A new thread may get the id of the I/O thread that has ended.
TEST_F(BlockingClient, NoThreadIsMistakenForTheIoThreadAfterItsEnd)
{
    ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    client.reset();
    for (int i = 0; i < 20; ++i) {
        auto code = elsewhere([&] { return thrownBy([&] { mutex.lock(); }); });
        ASSERT_TRUE(ends(code));
        EXPECT_EQ(code.get(), is(std::errc::operation_canceled));
    }
}

// ---- functions that throw on the I/O thread ----

TEST_F(BlockingClient, NoThreadWaitsForEverForAFunctionThatThrows)
{
    const auto io = std::make_shared<lock::IoThread>();
    ASSERT_TRUE(io->open({}));
    std::vector<std::string> errors;
    auto waiting = elsewhere([&] {
        io->callAndWait([&] { io->onError([&](const Error& error) { errors.push_back(error.text()); }); });
        io->callAndWait([] { throw std::runtime_error("no such luck"); });
        const auto reply = std::make_shared<lock::Reply<void>>();
        io->call(reply, [] { throw std::runtime_error("nor here"); });
        std::string thrown;
        try {
            static_cast<void>(reply->wait());
        } catch (const std::runtime_error& error) {
            thrown = error.what();
        }
        io->callAndWait([&] { io->callAndWait([] { throw std::runtime_error("on the thread itself"); }); });
        return thrown;
    });
    ASSERT_TRUE(ends(waiting));
    EXPECT_EQ(waiting.get(), "nor here");
    EXPECT_THAT(errors, ::testing::ElementsAre(HasSubstr("no such luck"), HasSubstr("on the thread itself")));
    io->close();
}

// ---- limits ----

// Is set back by an hour after it was read for the first time.
struct SetBack
{
    using duration = std::chrono::system_clock::duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<SetBack>;
    static constexpr bool is_steady = false;
    static inline std::atomic<int> reads = 0;
    static time_point now() { return time_point(std::chrono::hours(reads++ == 0 ? 2 : 1)); }
};

TEST_F(BlockingClient, AClockThatIsSetBackDoesNotProlongATry)
{
    const ClientPtr client = connect(), other = connect();
    BlockingMutex held(*other, path());
    BlockingSharedMutex heldToo(*other, path() + "-shared");
    held.lock();
    heldToo.lock();
    BlockingMutex mutex(*client, path());
    BlockingSharedMutex shared(*client, path() + "-shared");
    for (const bool sharing : {false, true}) {
        auto tried = elsewhere([&] {
            SetBack::reads = 0;
            const SetBack::time_point soon{std::chrono::hours(2) + milliseconds(50)};
            return sharing ? shared.try_lock_shared_until(soon) : mutex.try_lock_until(soon);
        });
        if (!ends(tried)) {
            held.unlock();
            heldToo.unlock();
            break;
        }
        EXPECT_FALSE(tried.get());
    }
}

// ---- servers that turn a client away ----

TEST(TurnedAway, AServerThatClosesAtOnceIsNotCalledSilent)
{
    FakeServer server;
    server.hangUp();
    zk::ConnectOptions options{server.address()};
    options.connectTimeout = seconds(3);
    const auto client = lock::Client::connect(options);
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, ErrorCode::noServer);
    EXPECT_THAT(client.error().text(), HasSubstr("accepted and closed at once"));
    EXPECT_THAT(client.error().text(), HasSubstr("maxClientCnxns"));
}

TEST(TurnedAway, AServerThatIsNotThereIsNotSaidToCloseConnections)
{
    std::string address;
    {
        const FakeServer gone;
        address = gone.address();
    }
    zk::ConnectOptions options{address};
    options.connectTimeout = seconds(2);
    const auto client = lock::Client::connect(options);
    ASSERT_FALSE(client);
    EXPECT_THAT(client.error().text(), ::testing::Not(HasSubstr("closed")));
    EXPECT_THAT(client.error().text(), HasSubstr("Check the address"));
}

// A server with sessionRequireClientSASLAuth answers every request like this, and closes the connection.
TEST(TurnedAway, AServerThatDemandsSaslIsNamedAsTheCause)
{
    FakeServer server([](const FakeRequest& request) { return reply(request.xid, -124); });
    const auto client = lock::Client::connect({server.address()});
    ASSERT_TRUE(client);
    BlockingMutex mutex(**client, "/a");
    try {
        mutex.lock();
        ADD_FAILURE() << "it has the lock";
    } catch (const LockError& error) {
        EXPECT_EQ(error.code(), std::errc::permission_denied);
        EXPECT_THAT(error.what(), HasSubstr("requires that clients authenticate"));
        EXPECT_THAT(error.what(), HasSubstr("SASL"));
    }
}

} // namespace
} // namespace lockscope::tests
