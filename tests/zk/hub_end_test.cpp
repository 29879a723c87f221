// A program that ends while its coroutines hold locks and wait for them: hub, sessions and io_context may go
// in any order, and every coroutine, recipe and function that is left is destroyed with them, once.
#include "core/lock/multi_lock.h"
#include "core/lock/mutex.h"
#include "core/lock/read_write_lock.h"
#include "core/lock/semaphore.h"
#include "core/lock/shared_count.h"
#include "core/zk/hub.h"
#include "core/zk/pending.h"
#include "tests/support/fake_server.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <tuple>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;

// What is alive of what the coroutines have.
struct Counted
{
    static inline int alive = 0;
    Counted() { ++alive; }
    Counted(const Counted&) { ++alive; }
    ~Counted() { --alive; }
};

struct Stage
{
    boost::asio::io_context* io = nullptr;
    zk::SessionPtr session;
    std::function<void()> reached; // where the program is to end
};

zk::Awaitable<void> forEver(Stage& stage)
{
    boost::asio::steady_timer timer(*stage.io, 1h);
    co_await timer.async_wait(boost::asio::use_awaitable);
}

lock::LockOptions at(const std::string& path)
{
    lock::LockOptions options;
    options.path = path;
    return options;
}

// ---- what the coroutine is at when the program ends ----

zk::Awaitable<void> holdsAMutex(Stage stage)
{
    const Counted counted;
    lock::Mutex mutex(stage.session, at("/mine"));
    mutex.onLost([counted](OwnerId) {});
    const Result<lock::Grant> grant = co_await mutex.acquire(OwnerId{0}, 10s).asResult();
    EXPECT_TRUE(grant);
    stage.reached();
    co_await forEver(stage);
    co_await mutex.release(OwnerId{0}).asResult();
}

zk::Awaitable<void> waitsForAMutex(Stage stage)
{
    const Counted counted;
    lock::Mutex mutex(stage.session, at("/taken"));
    stage.reached(); // a little later, when the list has come
    co_await mutex.acquire(OwnerId{0}, 100s).asResult();
    ADD_FAILURE() << "resumed";
}

zk::Awaitable<void> createsItsNode(Stage stage)
{
    const Counted counted;
    lock::Mutex mutex(stage.session, at("/silent"));
    stage.reached();
    co_await mutex.acquire(OwnerId{0}).asResult();
    ADD_FAILURE() << "resumed";
}

zk::Awaitable<void> holdsALease(Stage stage)
{
    const Counted counted;
    lock::SemaphoreOptions options;
    options.lock = at("/mine");
    lock::Semaphore semaphore(stage.session, options);
    semaphore.onLost([counted](const lock::Lease&) {});
    const auto leases = co_await semaphore.acquire(OwnerId{0}, 1, 10s).asResult();
    EXPECT_TRUE(leases);
    stage.reached();
    co_await forEver(stage);
}

zk::Awaitable<void> waitsForALease(Stage stage)
{
    const Counted counted;
    lock::SemaphoreOptions options;
    options.lock = at("/taken");
    lock::Semaphore semaphore(stage.session, options);
    stage.reached();
    co_await semaphore.acquire(OwnerId{0}, 1, 100s).asResult();
    ADD_FAILURE() << "resumed";
}

zk::Awaitable<void> holdsSeveral(Stage stage)
{
    const Counted counted;
    std::vector<std::shared_ptr<lock::Lock>> parts;
    for (const char* path : {"/mine", "/mine-too"})
        parts.push_back(std::make_shared<lock::Mutex>(stage.session, at(path)));
    lock::MultiLock all(std::move(parts));
    const Result<lock::Grant> grant = co_await all.acquire(OwnerId{0}, 10s).asResult();
    EXPECT_TRUE(grant);
    stage.reached();
    co_await forEver(stage);
}

zk::Awaitable<void> waitsForSeveral(Stage stage)
{
    const Counted counted;
    std::vector<std::shared_ptr<lock::Lock>> parts;
    for (const char* path : {"/mine", "/taken"})
        parts.push_back(std::make_shared<lock::Mutex>(stage.session, at(path)));
    lock::MultiLock all(std::move(parts));
    stage.reached();
    co_await all.acquire(OwnerId{0}, 100s).asResult();
    ADD_FAILURE() << "resumed";
}

zk::Awaitable<void> readsAndWaitsToWrite(Stage stage)
{
    const Counted counted;
    lock::ReadWriteLock lock(stage.session, at("/mine"));
    const Result<lock::Grant> grant = co_await lock.readLock().acquire(OwnerId{0}, 10s).asResult();
    EXPECT_TRUE(grant);
    stage.reached();
    co_await lock.writeLock().acquire(OwnerId{1}, 100s).asResult();
    ADD_FAILURE() << "resumed";
}

zk::Awaitable<void> followsACount(Stage stage)
{
    const Counted counted;
    const auto count = std::make_shared<lock::SharedCount>(stage.session, "/count", 3);
    count->addListener([counted](std::int32_t) {});
    stage.reached();
    co_await count->start().asResult();
    co_await forEver(stage);
}

zk::Awaitable<void> sleepsWithATimer(Stage stage)
{
    const Counted counted;
    zk::Signal due(stage.session->scheduler());
    stage.session->scheduler().after(1h, due.notifier());
    stage.reached();
    co_await due.wait();
    ADD_FAILURE() << "resumed";
}

struct Case
{
    const char* name;
    zk::Awaitable<void> (*coroutine)(Stage);
};
constexpr std::array kCases{
    Case{"HoldsAMutex", &holdsAMutex},         Case{"WaitsForAMutex", &waitsForAMutex},
    Case{"CreatesItsNode", &createsItsNode},   Case{"HoldsALease", &holdsALease},
    Case{"WaitsForALease", &waitsForALease},   Case{"HoldsSeveral", &holdsSeveral},
    Case{"WaitsForSeveral", &waitsForSeveral}, Case{"ReadsAndWaitsToWrite", &readsAndWaitsToWrite},
    Case{"FollowsACount", &followsACount},     Case{"SleepsWithATimer", &sleepsWithATimer}};
// h: the hub, s: the session, i: the io_context.
constexpr std::array kOrders{"hsi", "his", "shi", "sih", "ihs", "ish"};

// As much of a server as the recipes need. Below "/taken" there is another client's node in front; of
// "/silent" nothing is ever said.
class Nodes
{
public:
    std::string operator()(const FakeRequest& request)
    {
        const std::size_t slash = request.path.rfind('/');
        const std::string parent = request.path.substr(0, slash);
        switch (request.path.starts_with("/silent") ? 0 : request.op) {
        case 0:
            return {};
        case 2:
            std::erase(m_children[parent], request.path.substr(slash + 1));
            return defaultReply(request);
        case 12:
            return reply(request.xid, 0, names(childrenOf(request.path)) + stat());
        case 15: {
            std::string path = request.path;
            if (path.ends_with('-'))
                path += "00000000" + std::to_string(++m_number);
            childrenOf(parent).push_back(path.substr(slash + 1));
            return reply(request.xid, 0, text(path) + stat());
        }
        default:
            return defaultReply(request);
        }
    }

private:
    std::vector<std::string>& childrenOf(const std::string& path)
    {
        const auto [place, isNew] = m_children.try_emplace(path);
        if (isNew && path.starts_with("/taken"))
            place->second.push_back("_c_00000000-0000-4000-8000-000000000000-lock-0000000001");
        return place->second;
    }
    static std::string names(const std::vector<std::string>& all)
    {
        std::string bytes = int32(static_cast<std::int32_t>(all.size()));
        for (const std::string& name : all)
            bytes += text(name);
        return bytes;
    }
    std::map<std::string, std::vector<std::string>> m_children;
    int m_number = 10;
};

class HubEnd : public ::testing::TestWithParam<std::tuple<Case, const char*>>
{};

TEST_P(HubEnd, DestroysWhatIsLeft)
{
    const auto& [one, order] = GetParam();
    Counted::alive = 0;
    FakeServer server{Nodes()};
    {
        auto io = std::make_unique<boost::asio::io_context>(1);
        std::unique_ptr<zk::Hub> hub = zk::Hub::create(*io).value();
        std::shared_ptr<zk::HubSession> session = hub->connect({server.address()});
        bool reached = false;
        const auto begin = [&, coroutine = one.coroutine](zk::SessionPhase phase) {
            if (phase == zk::SessionPhase::connected)
                boost::asio::co_spawn(*io, coroutine(Stage{io.get(), session, [&] { reached = true; }}),
                                      boost::asio::detached);
        };
        const auto listener = session->addListener(begin);
        const auto deadline = MonotonicClock::now() + 10s;
        while (!reached && MonotonicClock::now() < deadline)
            io->run_one_for(20ms);
        ASSERT_TRUE(reached);
        session->removeListener(listener);
        // What is on its way arrives: it is asleep for good now.
        for (int requests = -1; requests != server.requests();) {
            requests = server.requests();
            io->run_for(20ms);
        }
        io->stop();
        EXPECT_GT(Counted::alive, 0);
        for (const char which : std::string(order)) {
            if (which == 'h')
                hub.reset();
            else if (which == 's')
                session.reset();
            else
                io.reset();
        }
    }
    EXPECT_EQ(Counted::alive, 0);
}

INSTANTIATE_TEST_SUITE_P(Every, HubEnd,
                         ::testing::Combine(::testing::ValuesIn(kCases), ::testing::ValuesIn(kOrders)),
                         [](const auto& ended) {
                             return std::string(std::get<0>(ended.param).name) + "_" +
                                    std::get<1>(ended.param);
                         });

// ---- what a session offers when its hub is gone ----

class WithoutHub : public ::testing::Test
{
protected:
    WithoutHub()
    {
        while (session->phase() != zk::SessionPhase::connected)
            io->run_one_for(20ms);
    }
    FakeServer server;
    std::unique_ptr<boost::asio::io_context> io = std::make_unique<boost::asio::io_context>(1);
    std::unique_ptr<zk::Hub> hub = zk::Hub::create(*io).value();
    std::shared_ptr<zk::HubSession> session = hub->connect({server.address()});
};

TEST_F(WithoutHub, FunctionsAreDestroyedAndNeverCalled)
{
    hub.reset();
    zk::Scheduler& scheduler = session->scheduler();
    const auto token = std::make_shared<int>(0);
    scheduler.post([token] { FAIL(); });
    scheduler.cancel(scheduler.after(Duration{}, [token] { FAIL(); }));
    session->create("/a", "", zk::CreateMode::persistent, [token](const zk::Created&) { FAIL(); });
    const zk::WatchPtr watch = session->getData(
        "/a", [token](zk::WatchKind) { FAIL(); }, [token](const zk::Data&) { FAIL(); });
    session->kill([token](Result<void>) { FAIL(); });
    EXPECT_EQ(session->phase(), zk::SessionPhase::closed);
    session->freeze();
    session->thaw();
    session->close();
    io->restart();
    io->poll();
    EXPECT_EQ(token.use_count(), 1);
}

TEST_F(WithoutHub, TheExecutorDropsWhatItIsGivenAlsoWithoutAnIoContext)
{
    hub.reset();
    io.reset();
    const auto token = std::make_shared<int>(0);
    boost::asio::post(session->scheduler().executor(), [token] { FAIL(); });
    session.reset();
    EXPECT_EQ(token.use_count(), 1);
}

zk::Awaitable<void> asks(zk::SessionPtr session)
{
    const Counted counted;
    zk::Pending<zk::Code> synced;
    session->sync("/", synced.handler());
    co_await synced.get();
    ADD_FAILURE() << "resumed";
}

TEST_F(WithoutHub, ACoroutineThatAsksASessionIsDestroyed)
{
    hub.reset();
    Counted::alive = 0;
    boost::asio::co_spawn(*io, asks(session), boost::asio::detached);
    io->restart();
    io->poll();
    EXPECT_EQ(Counted::alive, 0);
}

// Its destructor calls back, as those of recipes do.
struct CallsBack
{
    zk::SessionPtr session;
    zk::Scheduler::TimerId timer = 0;
    CallsBack(zk::SessionPtr given, zk::Scheduler::TimerId cancelled)
        : session(std::move(given))
        , timer(cancelled)
    {}
    CallsBack(const CallsBack&) = delete;
    CallsBack& operator=(const CallsBack&) = delete;
    ~CallsBack()
    {
        zk::Scheduler& scheduler = session->scheduler();
        scheduler.cancel(timer);
        scheduler.post([] {});
        scheduler.cancel(scheduler.after(Duration{}, [] {}));
        session->removeListener(session->addListener([](zk::SessionPhase) {}));
        session->getData("/a", [](const zk::Data&) {});
        session->getChildren("/a", [](Code, zk::ChildNames, const zk::Stat&) {});
        session->close();
    }
    using Code = zk::Code;
};

TEST_F(WithoutHub, WhatItDropsMayCallItMeanwhile)
{
    zk::Scheduler& scheduler = session->scheduler();
    const zk::SessionPtr other = hub->connect({server.address()});
    zk::Scheduler::TimerId timer = 0;
    const auto callsBack = [&] { return std::make_shared<CallsBack>(other, timer); };
    for (int i = 0; i < 3; ++i) {
        timer = scheduler.after(1h, [held = callsBack()] {});
        scheduler.post([held = callsBack()] {});
        session->addListener([held = callsBack()](zk::SessionPhase) {});
        session->getData("/a", [held = callsBack()](const zk::Data&) {});
        session->getChildren("/a", [held = callsBack()](zk::Code, zk::ChildNames, const zk::Stat&) {});
        other->addListener([held = callsBack()](zk::SessionPhase) {});
    }
    const zk::WatchPtr watch = session->getData(
        "/a", [held = callsBack()](zk::WatchKind) {}, [](const zk::Data&) {});
    hub.reset();
    EXPECT_EQ(other->phase(), zk::SessionPhase::closed);
}

TEST_F(WithoutHub, AHandlerMayDestroyIt)
{
    bool called = false;
    session->getData("/a", [&](const zk::Data&) {
        hub.reset();
        called = true;
    });
    session->getData("/a", [](const zk::Data&) { FAIL(); });
    while (!called)
        io->run_one_for(20ms);
    io->restart();
    io->poll();
    EXPECT_EQ(session->phase(), zk::SessionPhase::closed);
}

TEST_F(WithoutHub, AnotherHubOfTheSameContextGoesOn)
{
    const auto second = zk::Hub::create(*io).value();
    const auto going = second->connect({server.address()});
    hub.reset();
    bool answered = false;
    going->getData("/a", [&](const zk::Data& data) { answered = data.code == zk::Code::ok; });
    const auto deadline = MonotonicClock::now() + 10s;
    while (!answered && MonotonicClock::now() < deadline) {
        if (going->phase() == zk::SessionPhase::connected)
            going->getData("/a", [&](const zk::Data& data) { answered = data.code == zk::Code::ok; });
        io->restart();
        io->run_one_for(20ms);
    }
    EXPECT_TRUE(answered);
}

} // namespace
} // namespace lockscope::tests
