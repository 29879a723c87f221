// What is old or late: a session that reconnects to a server which lags behind the leader, where a list
// counts only after a sync that was confirmed; and a request that arrives when its session was given up. On a
// simulated ensemble, where that takes as long as the test wants.
#include "core/lock/mutex.h"
#include "core/sim/teaching/herd_mutex.h"
#include "core/zk/memory/ensemble.h"
#include "core/zk/memory/memory_session.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace lockscope::lock {
namespace {

using ::testing::SizeIs;
using zk::Code;
using zk::memory::Ensemble;
using zk::memory::TransitionKind;
using zk::memory::VirtualClock;
using zk::memory::VirtualScheduler;

constexpr std::uint32_t kLagging = 1; // of the two servers

class TwoServers : public ::testing::Test
{
protected:
    struct Client
    {
        explicit Client(VirtualClock& clock)
            : process(clock)
        {}
        std::uint32_t number() const { return session->index(); }
        VirtualScheduler process;
        std::shared_ptr<zk::memory::MemorySession> session;
        std::shared_ptr<Lock> lock;
        std::optional<Result<Grant>> got;
        CancelToken cancel;
    };

    // On the server that does not lag.
    template <class Recipe>
    Client& add(std::string keptGuid = {}, HandoffPolicy handoff = HandoffPolicy::curator)
    {
        Client& client = *clients.emplace_back(std::make_unique<Client>(clock));
        client.session = ensemble.connect(client.process, {});
        LockOptions options;
        options.path = "/lock";
        options.keptGuid = std::move(keptGuid);
        options.handoff = handoff;
        client.lock = std::make_shared<Recipe>(client.session, options);
        settle(0);
        return client;
    }
    void makeNode(Client& by, const std::string& path, zk::CreateMode mode)
    {
        by.session->create(path, "", mode, [](const zk::Created& made) { EXPECT_EQ(made.code, Code::ok); });
        settle(0);
    }
    // The next move in a calm network, in which clients find only this server, and the lagging one goes on
    // lagging. False when there is none.
    bool goOn(std::uint32_t server)
    {
        std::vector<zk::memory::Transition> enabledTransitions;
        clock.runReady();
        ensemble.enabledTransitions(enabledTransitions);
        std::erase_if(enabledTransitions, [&](const zk::memory::Transition& transition) {
            return transition.kind == TransitionKind::expire ||
                   (transition.kind == TransitionKind::serve && held.contains(transition.session)) ||
                   (transition.kind == TransitionKind::connect && transition.server != server) ||
                   (transition.kind == TransitionKind::apply && transition.server == kLagging);
        });
        if (enabledTransitions.empty())
            return false;
        ensemble.execute(enabledTransitions.front());
        clock.runReady();
        return true;
    }
    void settle(std::uint32_t server)
    {
        while (goOn(server)) {
        }
    }
    // It catches up, and paused operations continue.
    void settleAll()
    {
        ensemble.settle();
        for (int timer = 0; timer < 20 && clock.nextTimer(); ++timer) {
            clock.advanceTo(*clock.nextTimer());
            ensemble.settle();
        }
    }
    void acquire(Client& client)
    {
        const auto run = [](Client* c) -> zk::Awaitable<void> {
            Result<Grant> got = co_await c->lock->acquire(OwnerId{0}, std::nullopt, c->cancel).asResult();
            c->got.emplace(std::move(got));
        };
        boost::asio::co_spawn(client.process.executor(), run(&client), boost::asio::detached);
        clock.runReady();
    }
    // The create arrives, its reply does not, and the client goes on at the lagging server.
    void acquireAndLag(Client& client)
    {
        acquire(client);
        ensemble.cut(client.number(), 1, 0);
        ensemble.execute({TransitionKind::serve, client.number(), 0});
        ensemble.execute({TransitionKind::deliver, client.number(), 0});
        clock.runReady();
        ASSERT_EQ(client.session->phase(), zk::SessionPhase::suspended);
    }
    std::vector<std::string> queue() const
    {
        const auto& children = ensemble.head().find("/lock")->children;
        return {children.begin(), children.end()};
    }
    void TearDown() override
    {
        for (const auto& client : clients)
            client->lock.reset();
        clock.runReady();
        ensemble.settle();
        for (const auto& client : clients)
            client->session->close();
        for (const auto& client : clients)
            client->process.expireTimers();
        clock.runReady();
    }

    VirtualClock clock;
    std::vector<std::unique_ptr<Client>> clients; // outlive the ensemble
    Ensemble ensemble{clock, {.servers = 2}};
    std::set<std::uint32_t> held; // sessions whose requests are kept back
};

class LaggingServer : public TwoServers, public ::testing::WithParamInterface<Code>
{};
INSTANTIATE_TEST_SUITE_P(SyncIs, LaggingServer,
                         ::testing::Values(Code::throttled, Code::refused, Code::noAuth),
                         [](const auto& code) {
                             return code.param == Code::throttled ? "throttled"
                                    : code.param == Code::refused ? "refused"
                                                                  : "notPermitted";
                         });

TEST_P(LaggingServer, ARefusedSyncLeavesNoSecondNode)
{
    Client& client = add<Mutex>();
    makeNode(client, "/lock", zk::CreateMode::container);
    ensemble.settle(); // both servers know the path
    acquireAndLag(client);
    ensemble.refuseRequests(client.number(), OpCode::sync, GetParam(), 1);
    settle(kLagging);
    settleAll();
    EXPECT_THAT(queue(), SizeIs(1));
    ASSERT_TRUE(client.got) << "it waits behind its own node";
    ASSERT_TRUE(*client.got) << client.got->error().text();
    EXPECT_EQ(queue().front(), (*client.got)->node);
}

// A client that has given up finds no path yet: that is not the end of the search.
TEST_P(LaggingServer, ARefusedSyncDoesNotEndTheSearchForAnUnwantedNode)
{
    Client& client = add<Mutex>();
    Client& admin = add<Mutex>();
    makeNode(admin, "/lock", zk::CreateMode::container);
    acquireAndLag(client);
    client.cancel.request();
    clock.runReady();
    ensemble.refuseRequests(client.number(), OpCode::sync, GetParam(), 1);
    settle(kLagging);
    ASSERT_TRUE(client.got);
    EXPECT_EQ(client.got->error().code, ErrorCode::cancelled);
    EXPECT_THAT(queue(), SizeIs(1));
    settleAll();
    EXPECT_THAT(queue(), SizeIs(0)) << "it would block the queue until the session ends";
}

// The recipe with one node for all: it would wait for itself.
TEST_P(LaggingServer, TheOneNodeThatAllWantIsKnownAsTheOwn)
{
    Client& client = add<HerdMutex>();
    makeNode(client, "/lock", zk::CreateMode::container);
    ensemble.settle();
    acquireAndLag(client);
    ensemble.refuseRequests(client.number(), OpCode::sync, GetParam(), 1);
    settle(kLagging);
    settleAll();
    ASSERT_TRUE(client.got) << "it waits for itself";
    EXPECT_TRUE(*client.got) << client.got->error().text();
}

TEST_P(LaggingServer, ParticipantsAreThoseOfNow)
{
    Client& client = add<Mutex>();
    Client& other = add<Mutex>();
    makeNode(other, "/lock", zk::CreateMode::container);
    ensemble.cut(client.number(), 0, 0);
    settle(kLagging);
    ASSERT_EQ(client.session->phase(), zk::SessionPhase::connected);
    makeNode(other, "/lock/theirs", zk::CreateMode::ephemeral);
    using Names = Result<std::vector<std::string>>;
    std::optional<Names> listed;
    const auto list = [](Client* c, std::optional<Names>* into) -> zk::Awaitable<void> {
        Names names = co_await static_cast<Mutex&>(*c->lock).participants().asResult();
        into->emplace(std::move(names));
    };
    boost::asio::co_spawn(client.process.executor(), list(&client, &listed), boost::asio::detached);
    settle(kLagging);
    EXPECT_FALSE(listed) << "before the server knows";
    settleAll();
    ASSERT_TRUE(listed && *listed);
    EXPECT_THAT(**listed, SizeIs(1));

    listed.reset();
    ensemble.refuseRequests(client.number(), OpCode::sync, GetParam(), 1);
    boost::asio::co_spawn(client.process.executor(), list(&client, &listed), boost::asio::detached);
    settleAll();
    ASSERT_TRUE(listed);
    ASSERT_FALSE(*listed) << "a list without a sync may be old";
    EXPECT_EQ(listed->error().code, GetParam() == Code::throttled ? ErrorCode::busy
                                    : GetParam() == Code::refused ? ErrorCode::internal
                                                                  : ErrorCode::noAuth);
}

// Its watch on the node is consumed, and it asks for the next one only when it has held for a moment.
TEST_F(TwoServers, TheReplyToItsAnnouncementTellsAHolderThatItsNodeIsGone)
{
    Client& first = add<Mutex>({}, HandoffPolicy::announced);
    makeNode(first, "/lock", zk::CreateMode::container);
    Client& next = add<Mutex>({}, HandoffPolicy::announced);
    acquire(first);
    settle(0);
    acquire(next);
    settle(0);
    ASSERT_TRUE(first.got && *first.got);
    std::vector<OwnerId> lost;
    next.lock->onLost([&](OwnerId owner) { lost.push_back(owner); });
    ASSERT_TRUE(ensemble.remove("/lock/" + (*first.got)->node));
    while (!next.got && goOn(0)) {
    }
    ASSERT_TRUE(next.got && *next.got);
    ASSERT_EQ(ensemble.requestsUnderWay(next.number()), 1U) << "the announcement";
    ASSERT_TRUE(ensemble.remove("/lock/" + (*next.got)->node));
    settle(0);
    EXPECT_THAT(lost, SizeIs(1)) << "before any time has passed";
    EXPECT_EQ(next.lock->depth(OwnerId{0}), 0);
}

// A client keeps its prefix over the loss of its session. What the old session sent arrives when the new one
// has looked for it: a node with the prefix that is not the new session's, in front of another client's.
TEST_F(TwoServers, ANodeOfTheOldSessionThatComesLateIsNotTakenForTheOwn)
{
    const std::string guid = "11111111-2222-4333-8444-555555555555";
    Client& old = add<Mutex>(guid);
    makeNode(old, "/lock", zk::CreateMode::container);
    ensemble.settle();
    Client& next = add<Mutex>(guid);
    Client& other = add<Mutex>();
    old.session->create("/lock/_c_" + guid + "-lock-", "", zk::CreateMode::ephemeralSequential,
                        [](const zk::Created&) {});
    held = {old.number()};
    ensemble.cut(old.number(), 1, 0);
    ensemble.refuse(old.number(), std::chrono::hours(1));
    acquire(next);
    while (ensemble.requestsUnderWay(next.number()) > 0 && goOn(0)) {
    }
    while (ensemble.requestsUnderWay(next.number()) == 0 && goOn(0)) {
    }
    held = {next.number()}; // it has looked, and its create is on its way
    acquire(other);
    ensemble.execute({TransitionKind::serve, old.number(), 0});
    settle(0);
    ASSERT_THAT(queue(), SizeIs(2));
    ASSERT_FALSE(other.got) << "it waits behind the node of the old session";
    held.clear();
    settle(0);
    EXPECT_THAT(queue(), SizeIs(3));
    EXPECT_FALSE(next.got) << "there is another one in front";
    ensemble.kill(old.number());
    settle(0);
    EXPECT_TRUE(other.got && *other.got);
    EXPECT_FALSE(next.got) << "two hold the lock";
}

// A throttling server refuses many clients at the same moment: they must not come back at the same moments.
TEST_F(TwoServers, ClientsThatAreRefusedTogetherPauseDifferently)
{
    Client& one = add<Mutex>();
    Client& other = add<Mutex>();
    LockOptions elsewhere;
    elsewhere.path = "/other";
    other.lock = std::make_shared<Mutex>(other.session, elsewhere);
    for (Client* client : {&one, &other}) {
        ensemble.refuseRequests(client->number(), OpCode::create, Code::throttled, 5);
        acquire(*client);
    }
    settle(0);
    std::map<const Client*, MonotonicTime> grantedAt;
    for (int timer = 0; timer < 50 && grantedAt.size() < 2 && clock.nextTimer(); ++timer) {
        clock.advanceTo(*clock.nextTimer());
        settle(0);
        for (const Client* client : {&one, &other}) {
            if (client->got)
                grantedAt.emplace(client, clock.now());
        }
    }
    ASSERT_TRUE(one.got && *one.got && other.got && *other.got);
    EXPECT_NE(grantedAt[&one], grantedAt[&other]);
}

} // namespace
} // namespace lockscope::lock
