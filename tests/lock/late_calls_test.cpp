// Calls that come too late or too often, whatever the lock: an acquire that begins after its lock was
// destroyed, a re-entry whose hold is lost before its caller learns of the grant, and one level more than can
// be counted.
#include "core/lock/blocking/internal/node_keeper.h"
#include "core/lock/multi_lock.h"
#include "core/lock/mutex.h"
#include "core/lock/read_write_lock.h"
#include "core/lock/semaphore.h"
#include "core/sim/teaching/session_decorator.h"
#include "core/zk/memory/ensemble.h"
#include "core/zk/memory/memory_session.h"
#include "tests/lock/fake_lock.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gmock/gmock.h>

#include <array>
#include <functional>
#include <optional>
#include <type_traits>

namespace lockscope::lock {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using zk::memory::Ensemble;
using zk::memory::VirtualClock;
using zk::memory::VirtualScheduler;

constexpr OwnerId kOwner{3};

// One client of a simulated ensemble.
class LateCalls : public ::testing::Test
{
protected:
    LateCalls()
    {
        session = ensemble.connect(process, {});
        ensemble.settle();
    }
    ~LateCalls() override
    {
        session->close();
        clock.runReady();
    }
    template <class T>
    std::shared_ptr<std::optional<Result<T>>> start(zk::Task<Result<T>> task)
    {
        const auto got = std::make_shared<std::optional<Result<T>>>();
        std::move(task).asResult()(
            [got](boost::system::error_code, Result<T> result) { got->emplace(std::move(result)); });
        return got;
    }
    template <class T>
    Result<T> finish(zk::Task<Result<T>> task)
    {
        const auto got = start(std::move(task));
        ensemble.settle();
        EXPECT_TRUE(*got) << "it waits";
        return *got ? std::move(**got) : Result<T>(Error{});
    }
    std::vector<std::string> nodes(const std::string& path)
    {
        std::vector<std::string> names;
        if (const auto* node = ensemble.head().find(path))
            for (const auto& child : node->children)
                names.push_back(child);
        return names;
    }
    // Without running the process.
    void deliverAll()
    {
        std::vector<zk::memory::Transition> possible;
        for (;;) {
            possible.clear();
            ensemble.enabledTransitions(possible);
            std::erase_if(possible,
                          [](const auto& one) { return one.kind == zk::memory::TransitionKind::expire; });
            if (possible.empty())
                return;
            ensemble.execute(possible.front());
        }
    }
    static LockOptions at(const std::string& path) { return LockOptions::at(path); }

    VirtualClock clock;
    VirtualScheduler process{clock};
    Ensemble ensemble{clock, {}};
    std::shared_ptr<zk::memory::MemorySession> session;
};

// ---- whatever the lock ----

struct LockKind
{
    const char* name;
    std::function<std::shared_ptr<Lock>(const zk::SessionPtr&)> make;
};
void PrintTo(const LockKind& kind, std::ostream* out) { *out << kind.name; }

std::shared_ptr<Lock> sideOf(const zk::SessionPtr& session, bool write)
{
    const auto whole = std::make_shared<ReadWriteLock>(session, LockOptions::at("/a"));
    return {whole, write ? &whole->writeLock() : &whole->readLock()};
}

std::vector<LockKind> reentrantKinds()
{
    return {{"Mutex",
             [](const auto& session) { return std::make_shared<Mutex>(session, LockOptions::at("/a")); }},
            {"Writer", [](const auto& session) { return sideOf(session, true); }},
            {"Reader", [](const auto& session) { return sideOf(session, false); }},
            {"MultiLock", [](const auto& session) {
                 return std::make_shared<MultiLock>(std::vector<std::shared_ptr<Lock>>{
                     std::make_shared<Mutex>(session, LockOptions::at("/a")),
                     std::make_shared<Mutex>(session, LockOptions::at("/b"))});
             }}};
}

std::vector<LockKind> kinds()
{
    std::vector<LockKind> all = reentrantKinds();
    all.push_back({"SemaphoreMutex", [](const auto& session) {
                       return std::make_shared<SemaphoreMutex>(session, LockOptions::at("/a"));
                   }});
    return all;
}

class EveryLock : public LateCalls, public ::testing::WithParamInterface<LockKind>
{};
INSTANTIATE_TEST_SUITE_P(Kind, EveryLock, ::testing::ValuesIn(kinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });
class ReentrantLock : public EveryLock
{};
INSTANTIATE_TEST_SUITE_P(Kind, ReentrantLock, ::testing::ValuesIn(reentrantKinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST_P(EveryLock, AnAcquireThatBeginsAfterItsLockWasDestroyedIsClosed)
{
    std::shared_ptr<Lock> lock = GetParam().make(session);
    zk::Task<Result<Grant>> acquiring = lock->acquire(kOwner);
    lock.reset();
    const Result<Grant> got = finish(std::move(acquiring));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::closed) << got.error().text();
    for (const char* path : {"/a", "/a/leases", "/a/locks", "/b"})
        EXPECT_THAT(nodes(path),
                    ::testing::AnyOf(IsEmpty(), ::testing::UnorderedElementsAre("leases", "locks")));
}

TEST_F(LateCalls, SoIsAnAcquireOfLeases)
{
    auto semaphore = std::make_unique<Semaphore>(session, SemaphoreOptions{at("/a")});
    auto acquiring = semaphore->acquire(kOwner);
    semaphore.reset();
    const auto got = finish(std::move(acquiring));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::closed) << got.error().text();
    EXPECT_EQ(ensemble.head().find("/a"), nullptr) << "nothing was made";
}

TEST_P(EveryLock, SoIsARelease)
{
    std::shared_ptr<Lock> lock = GetParam().make(session);
    ASSERT_TRUE(finish(lock->acquire(kOwner)));
    zk::Task<Result<void>> releasing = lock->release(kOwner);
    lock.reset();
    const Result<void> got = finish(std::move(releasing));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::closed) << got.error().text();
    for (const char* path : {"/a/leases", "/b"})
        EXPECT_THAT(nodes(path), IsEmpty()) << "the lock released its hold";
}

// The node is gone, and the event is on its way, when the owner enters again.
TEST_P(ReentrantLock, NoGrantComesAfterTheLossOfItsHold)
{
    const std::shared_ptr<Lock> lock = GetParam().make(session);
    int losses = 0;
    lock->onLost([&](OwnerId) { ++losses; });
    ASSERT_TRUE(finish(lock->acquire(kOwner)));
    clock.advanceTo(clock.now() + std::chrono::seconds(1)); // it watches its node
    ensemble.settle();
    ASSERT_EQ(nodes("/a").size(), 1U);
    ASSERT_TRUE(ensemble.remove("/a/" + nodes("/a").front()));
    deliverAll(); // the event waits in the loop of the process
    const auto got = start(lock->acquire(kOwner));
    EXPECT_FALSE(*got);
    EXPECT_EQ(losses, 0);
    ensemble.settle();
    EXPECT_EQ(losses, 1);
    EXPECT_EQ(lock->depth(kOwner), 0);
    ASSERT_TRUE(*got);
    ASSERT_FALSE(**got) << "a grant of depth " << (*got)->value().depth;
    EXPECT_EQ((*got)->error().code, ErrorCode::sessionLost) << (*got)->error().text();
}

class RefusesToDelete final : public SessionDecorator
{
public:
    using SessionDecorator::SessionDecorator;
    void remove(const std::string&, UniqueFunction<void(zk::Code)> handler) override
    {
        scheduler().post([handler = std::move(handler)]() mutable { handler(zk::Code::noAuth); });
    }
};

// The same of a hold that goes on because its release was refused.
TEST_P(EveryLock, NoGrantComesAfterTheLossOfAHoldWhoseReleaseWasRefused)
{
    const std::shared_ptr<Lock> lock = GetParam().make(std::make_shared<RefusesToDelete>(session));
    int losses = 0;
    lock->onLost([&](OwnerId) { ++losses; });
    ASSERT_TRUE(finish(lock->acquire(kOwner)));
    ASSERT_FALSE(finish(lock->release(kOwner)));
    ASSERT_EQ(lock->depth(kOwner), 1);
    clock.advanceTo(clock.now() + std::chrono::seconds(1)); // it watches its node
    ensemble.settle();
    const std::string queue = nodes("/a/leases").empty() ? "/a" : "/a/leases";
    ASSERT_EQ(nodes(queue).size(), 1U);
    ASSERT_TRUE(ensemble.remove(queue + "/" + nodes(queue).front()));
    deliverAll(); // the event waits in the loop of the process
    const auto got = start(lock->acquire(kOwner));
    EXPECT_EQ(losses, 0);
    ensemble.settle();
    EXPECT_EQ(losses, 1);
    EXPECT_EQ(lock->depth(kOwner), 0);
    ASSERT_TRUE(*got);
    ASSERT_FALSE(**got) << "a grant after the loss";
    EXPECT_EQ((*got)->error().code, ErrorCode::sessionLost) << (*got)->error().text();
}

TEST_P(ReentrantLock, ALockDestroyedBeforeAReentryIsGrantedIsClosed)
{
    std::shared_ptr<Lock> lock = GetParam().make(session);
    ASSERT_TRUE(finish(lock->acquire(kOwner)));
    const auto got = start(lock->acquire(kOwner));
    lock.reset();
    ensemble.settle();
    ASSERT_TRUE(*got);
    ASSERT_FALSE(**got);
    EXPECT_EQ((*got)->error().code, ErrorCode::closed) << (*got)->error().text();
    EXPECT_THAT(nodes("/a"), IsEmpty());
}

TEST_P(ReentrantLock, CannotBeHeldMoreOftenThanItCanCount)
{
    const std::shared_ptr<Lock> lock = GetParam().make(session);
    ASSERT_TRUE(finish(lock->acquire(kOwner)));
    std::uint32_t depth = 1;
    std::function<void()> again = [&] {
        lock->acquire(kOwner)([&](boost::system::error_code error, const Grant&) {
            if (error)
                return;
            ++depth;
            again();
        });
    };
    again();
    clock.runReady();
    EXPECT_EQ(depth, kMaxDepth);
    EXPECT_EQ(lock->depth(kOwner), kMaxDepth);
    const Result<Grant> tooDeep = finish(lock->acquire(kOwner));
    ASSERT_FALSE(tooDeep);
    EXPECT_EQ(tooDeep.error().code, ErrorCode::limitExceeded);
    EXPECT_THAT(tooDeep.error().text(), HasSubstr("65535"));
    ASSERT_TRUE(finish(lock->release(kOwner)));
    EXPECT_EQ(lock->depth(kOwner), kMaxDepth - 1);
    EXPECT_EQ(nodes("/a").size(), 1U);
}

// The session is over, and its listeners are about to be told.
TEST_P(ReentrantLock, NorAfterTheEndOfItsSession)
{
    const std::shared_ptr<Lock> lock = GetParam().make(session);
    int losses = 0;
    lock->onLost([&](OwnerId) { ++losses; });
    ASSERT_TRUE(finish(lock->acquire(kOwner)));
    session->close();
    const auto got = start(lock->acquire(kOwner));
    ensemble.settle();
    EXPECT_EQ(losses, 1);
    ASSERT_TRUE(*got);
    EXPECT_FALSE(**got) << "a grant after the loss";
}

// ---- a multi-lock that loses a part which it is about to enter again ----

TEST_F(LateCalls, AMultiLockIsNotEnteredAgainWhenAPartIsLostMeanwhile)
{
    std::vector<std::shared_ptr<tests::FakeLock>> fakes;
    std::vector<std::shared_ptr<Lock>> parts;
    for (const char* path : {"/a", "/b"}) {
        fakes.push_back(std::make_shared<tests::FakeLock>(process, path));
        parts.push_back(fakes.back());
    }
    MultiLock multi(parts);
    const auto pass = [&](Duration span) {
        clock.advanceTo(clock.now() + span);
        clock.runReady();
    };
    const auto first = start(multi.acquire(kOwner));
    clock.runReady();
    pass(tests::FakeLock::kTakes);
    pass(tests::FakeLock::kTakes);
    ASSERT_TRUE(*first && **first);
    int losses = 0;
    multi.onLost([&](OwnerId) { ++losses; });
    const auto again = start(multi.acquire(kOwner)); // waits for its first part
    clock.runReady();
    fakes[1]->held = 0;
    fakes[1]->lose(kOwner);
    for (int i = 0; i < 4; ++i)
        pass(tests::FakeLock::kTakes);
    EXPECT_EQ(losses, 1);
    ASSERT_TRUE(*again);
    ASSERT_FALSE(**again) << "a grant after the loss";
    EXPECT_EQ((*again)->error().code, ErrorCode::sessionLost) << (*again)->error().text();
    EXPECT_EQ(multi.depth(kOwner), 0);
    EXPECT_EQ(fakes[0]->held, 1) << "until the release";
    start(multi.release(kOwner));
    clock.runReady();
    EXPECT_EQ(fakes[0]->held, 0);
}

// ---- one logical thread ----

TEST_F(LateCalls, ACallWithoutAnOwnerIsOfTheOnlyOne)
{
    Mutex mutex(session, at("/a"));
    ASSERT_TRUE(finish(mutex.acquire()));
    ASSERT_TRUE(finish(mutex.acquire(std::chrono::seconds(1))));
    EXPECT_EQ(mutex.depth(), 2);
    EXPECT_EQ(mutex.depth(kOnlyOwner), 2);
    EXPECT_EQ(mutex.depth(kOwner), 0);
    const Result<Grant> other = finish(mutex.acquire(kOwner, Duration{}));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::timedOut) << "another owner queues up";
    ASSERT_TRUE(finish(mutex.release()));
    ASSERT_TRUE(finish(mutex.release(kOnlyOwner)));
    EXPECT_THAT(nodes("/a"), IsEmpty());
}

// ---- any completion token of Asio ----

// Every token sees the grant, or the code of the error.
TEST_F(LateCalls, EveryCompletionTokenGetsTheGrantOrTheError)
{
    using boost::asio::as_tuple, boost::asio::redirect_error, boost::asio::use_awaitable;
    using boost::system::error_code;
    Mutex mutex(session, at("/a"));
    std::vector<std::string> got;
    const auto note = [&](const char* token, error_code code, const Grant& grant) {
        const bool inTime = code != ErrorCode::timedOut;
        EXPECT_EQ(code == std::errc::timed_out, !inTime);
        EXPECT_EQ(grant.token.has_value(), !code);
        got.push_back(std::string(token) + (inTime ? code ? " failed" : " holds" : " timed out"));
    };
    const auto all = [&](OwnerId owner) -> zk::Awaitable<void> {
        const auto acquire = [&] { return mutex.acquire(owner, Duration{}); };
        const auto free = [&] { return mutex.release(owner)(as_tuple(use_awaitable)); };
        {
            auto later = acquire()(boost::asio::deferred);
            EXPECT_EQ(mutex.depth(owner), 0) << "nothing happens before it is launched";
            const auto [code, grant] = co_await std::move(later)(as_tuple(use_awaitable));
            note("deferred", code, grant);
            co_await free();
        }
        for (const bool direct : {false, true}) {
            error_code code;
            Grant grant;
            try {
                if (direct)
                    grant = co_await acquire();
                else
                    grant = co_await acquire()(use_awaitable);
            } catch (const boost::system::system_error& thrown) {
                code = thrown.code();
            }
            note(direct ? "co_await" : "use_awaitable", code, grant);
            co_await free();
        }
        {
            const auto [code, grant] = co_await acquire()(as_tuple(use_awaitable));
            note("as_tuple", code, grant);
            co_await free();
        }
        {
            error_code code;
            const Grant grant = co_await acquire()(redirect_error(use_awaitable, code));
            note("redirect_error", code, grant);
            co_await free();
        }
        {
            const Result<Grant> grant = co_await acquire().asResult();
            note("asResult", grant ? error_code() : toErrorCode(grant.error().code),
                 grant ? *grant : Grant{});
            if (!grant) {
                EXPECT_THAT(grant.error().text(), HasSubstr("The lock /a was not free"));
            }
            co_await free();
        }
    };
    const auto ends = [&](const char* how) {
        std::vector<std::string> lines;
        for (const char* token :
             {"deferred", "use_awaitable", "co_await", "as_tuple", "redirect_error", "asResult"})
            lines.push_back(std::string(token) + how);
        return lines;
    };
    boost::asio::co_spawn(mutex.get_executor(), all(kOwner), boost::asio::detached);
    ensemble.settle();
    EXPECT_EQ(got, ends(" holds"));
    EXPECT_THAT(nodes("/a"), IsEmpty());

    got.clear();
    ASSERT_TRUE(finish(mutex.acquire()));
    boost::asio::co_spawn(mutex.get_executor(), all(kOwner), boost::asio::detached);
    ensemble.settle();
    EXPECT_EQ(got, ends(" timed out"));
    EXPECT_EQ(nodes("/a").size(), 1U);
}

TEST_F(LateCalls, AReleaseCompletesWithItsCode)
{
    Mutex mutex(session, at("/a"));
    boost::system::error_code code;
    mutex.release(kOwner)([&](boost::system::error_code error) { code = error; });
    clock.runReady();
    EXPECT_EQ(code, toErrorCode(ErrorCode::notOwner));
    EXPECT_STREQ(code.category().name(), "lockscope");
    EXPECT_EQ(std::error_code(code), make_error_code(ErrorCode::notOwner));
}

// The executor of handlers that have none of their own.
template <class Object>
constexpr bool runsOnItsSession =
    std::is_same_v<typename Object::executor_type, decltype(std::declval<Object&>().get_executor())>;
static_assert(runsOnItsSession<Mutex> && runsOnItsSession<MultiLock> && runsOnItsSession<SemaphoreMutex>);
static_assert(runsOnItsSession<ReadWriteLock> && runsOnItsSession<Semaphore> &&
              runsOnItsSession<SharedCount>);

// ---- a server that does not answer ----

TEST_F(LateCalls, ASilentServerIsWaitedForAsLongAsTheOptionsSay)
{
    using std::chrono::milliseconds;
    LockOptions options = at("/a");
    options.timeouts = {.singleTry = milliseconds(100), .cleanUp = milliseconds(300)};
    Mutex mutex(session, options);
    SemaphoreMutex lease(session, options);
    SharedCount count(session, "/count", 1, options.timeouts);
    const auto locked = start(mutex.acquire(kOwner, Duration{}));
    const auto leased = start(lease.acquire(kOwner, Duration{}));
    const auto counted = start(count.start(Duration{}));
    const auto pass = [&](Duration span) {
        clock.advanceTo(clock.now() + span);
        clock.runReady();
    };
    clock.runReady();
    pass(milliseconds(99));
    EXPECT_FALSE(*counted);
    pass(milliseconds(1));
    ASSERT_TRUE(*counted);
    EXPECT_EQ((*counted)->error().code, ErrorCode::timedOut);
    pass(milliseconds(299));
    EXPECT_FALSE(*locked) << "it waits for the delete of its node";
    pass(milliseconds(1));
    pass(milliseconds(300)); // the semaphore waits for its own clean-up
    ASSERT_TRUE(*locked && *leased);
    EXPECT_EQ((*locked)->error().code, ErrorCode::timedOut);
    EXPECT_EQ((*leased)->error().code, ErrorCode::timedOut);
    ensemble.settle();
}

// ---- paths that no server accepts ----

TEST_F(LateCalls, APathThatNoServerAcceptsIsNamedAndNothingIsCreated)
{
    const std::string nul("/nul/a\0b", 8);
    for (const auto& [path, says] :
         {std::pair(nul, "U+0000"), std::pair(std::string("/nul/\xf0\x9f\x98\x80"), "U+1F600"),
          std::pair("/nul/" + std::string(1'100'000, 'x'), "1100005 bytes")}) {
        Mutex mutex(session, at(path));
        Semaphore semaphore(session, SemaphoreOptions{at(path)});
        SharedCount count(session, path, 1);
        const Result<Grant> locked = finish(mutex.acquire(kOwner));
        const auto leased = finish(semaphore.acquire(kOwner));
        const auto counted = finish(count.start());
        ASSERT_FALSE(locked || leased || counted);
        for (const Error& error : {locked.error(), leased.error(), counted.error()}) {
            EXPECT_EQ(error.code, ErrorCode::badUsage);
            EXPECT_THAT(error.text(), HasSubstr(says));
        }
    }
    LockOptions named = at("/nul/a");
    named.naming.lockName = std::string("lock\0-", 6);
    Mutex mutex(session, named);
    const Result<Grant> locked = finish(mutex.acquire(kOwner));
    ASSERT_FALSE(locked);
    EXPECT_THAT(locked.error().text(), HasSubstr("U+0000"));
    EXPECT_EQ(ensemble.head().find("/nul"), nullptr);
}

// ---- a node that threads share ----

class NobodysThread final : public Cohort::Waiter
{
public:
    using Waiter::Waiter;
    void wake() noexcept override {}
};

// At whatever moment the last thread gives up (so also when its node was made too late and is being deleted),
// it is told that nothing is left when no node is left.
TEST(LateCohort, SaysThatNothingIsLeftWhenNothingIs)
{
    bool everTooLate = false;
    for (int before = 0, possible = before; before <= possible; ++before) {
        VirtualClock clock;
        VirtualScheduler process{clock};
        Ensemble ensemble{clock, {}};
        const auto session = ensemble.connect(process, {});
        ensemble.settle();
        const auto step = [&] {
            std::vector<zk::memory::Transition> enabled;
            ensemble.enabledTransitions(enabled);
            std::erase_if(enabled,
                          [](const auto& one) { return one.kind == zk::memory::TransitionKind::expire; });
            if (enabled.empty())
                return false;
            ensemble.execute(enabled.front());
            clock.runReady();
            return true;
        };
        const auto nodes = [&] {
            const auto* node = ensemble.head().find("/a");
            return node ? node->children.size() : 0;
        };
        const auto cohort = std::make_shared<Cohort>("/a", LocalHandoffs{});
        const auto keeper = std::make_shared<NodeKeeper>(cohort, process);
        NobodysThread waiter(Caller{ThreadNumber{1}, {}}, std::nullopt);
        ASSERT_EQ(cohort->enter(waiter), Cohort::Entry::needsKeeper);
        bool served = false;
        NodeKeeper::serve(keeper, session, std::make_shared<Mutex>(session, LockOptions::at("/a")),
                          std::nullopt)
            .asResult()([&](boost::system::error_code, Result<void>) { served = true; });
        ASSERT_TRUE(cohort->giveUp(waiter)); // the keeper hears of it later
        int taken = 0;
        while (taken < before && step())
            ++taken;
        possible = taken == before ? before + 1 : taken; // until it ends by itself
        everTooLate = everTooLate || (!served && nodes() > 0);
        std::optional<std::size_t> left;
        keeper->giveUp([&](const Result<void>&) { left = nodes(); });
        while (step()) {
        }
        EXPECT_EQ(left, 0U) << "after " << before << " steps";
        session->close();
        clock.runReady();
    }
    EXPECT_TRUE(everTooLate);
}

} // namespace
} // namespace lockscope::lock
