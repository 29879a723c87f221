// Every request of every recipe loses its reply once, or gets lost itself, or is throttled: two clients take
// turns on a simulated ensemble, and whichever request of the first one is hit, both get their turns, never
// together, and nothing is left behind.
#include "core/explore/flawed_session.h"
#include "core/lock/multi_lock.h"
#include "core/lock/mutex.h"
#include "core/lock/read_write_lock.h"
#include "core/lock/semaphore.h"
#include "core/zk/memory/ensemble.h"
#include "core/zk/memory/memory_session.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <gmock/gmock.h>

namespace lockscope::lock {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using zk::memory::Ensemble;
using zk::memory::Transition;
using zk::memory::TransitionKind;
using zk::memory::VirtualClock;
using zk::memory::VirtualScheduler;

enum class Hit { reply, request, throttled, moved };

struct Case
{
    const char* recipe;
    HandoffPolicy handoff;
    Hit hit;
    explore::Flaws flaws{};
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.recipe; }

struct Locks
{
    std::shared_ptr<Lock> lock; // what is acquired
    std::vector<std::shared_ptr<void>> kept{};
};

Locks makeLocks(const std::string& recipe, const zk::SessionPtr& session, const LockOptions& options)
{
    if (recipe == "mutex")
        return {std::make_shared<Mutex>(session, options)};
    if (recipe == "semaphoreMutex")
        return {std::make_shared<SemaphoreMutex>(session, options)};
    if (recipe == "multiLock") {
        LockOptions other = options;
        other.path += "-two";
        return {std::make_shared<MultiLock>(std::vector<std::shared_ptr<Lock>>{
            std::make_shared<Mutex>(session, options), std::make_shared<Mutex>(session, other)})};
    }
    const auto whole = std::make_shared<ReadWriteLock>(session, options);
    return {std::shared_ptr<Lock>(whole, recipe == "reader" ? &whole->readLock() : &whole->writeLock())};
}

class LostReply : public ::testing::TestWithParam<Case>
{
protected:
    struct Client
    {
        explicit Client(VirtualClock& clock)
            : process(clock)
        {}
        VirtualScheduler process;
        std::shared_ptr<zk::memory::MemorySession> session;
        Locks locks;
        int turns = 0;
        bool done = false;
    };
    struct World
    {
        VirtualClock clock;
        Ensemble ensemble{clock, {2, 0}};
        std::vector<std::unique_ptr<Client>> clients;
        int inside = 0;
        std::string mistake;
    };

    static constexpr int kTurns = 2;
    static constexpr std::uint32_t kVictim = 0;

    static zk::Awaitable<void> takeTurns(World* world, Client* client, bool shared)
    {
        for (int turn = 0; turn < kTurns; ++turn) {
            const Result<Grant> grant = co_await client->locks.lock->acquire(OwnerId{0}).asResult();
            if (!grant) {
                world->mistake += grant.error().text() + " ";
                break;
            }
            if (++world->inside > 1 && !shared)
                world->mistake += "two are inside ";
            zk::Signal over(client->process);
            client->process.after(std::chrono::milliseconds(20), over.notifier());
            co_await over.wait();
            --world->inside;
            ++client->turns;
            const Result<void> released = co_await client->locks.lock->release(OwnerId{0}).asResult();
            if (!released)
                world->mistake += released.error().text() + " ";
        }
        client->done = true;
    }

    // Requests of the victim that were served, when none is hit; or the number of those before the hit one.
    static int run(World& world, const Case& how, int hit)
    {
        LockOptions options = LockOptions::at("/lock");
        options.handoff = how.handoff;
        options.watchHoldAfter = {};
        for (int i = 0; i < 2; ++i) {
            Client& client = *world.clients.emplace_back(std::make_unique<Client>(world.clock));
            client.session = world.ensemble.connect(client.process, {});
            client.locks =
                makeLocks(how.recipe, explore::FlawedSession::over(client.session, how.flaws), options);
            boost::asio::co_spawn(client.process.executor(),
                                  takeTurns(&world, &client, std::string(how.recipe) == "reader"),
                                  boost::asio::detached);
        }
        int served = 0;
        std::vector<Transition> possible;
        for (int step = 0; step < 5000; ++step) {
            world.clock.runReady();
            possible.clear();
            world.ensemble.enabledTransitions(possible);
            std::erase_if(possible, [](const Transition& transition) {
                return transition.kind == TransitionKind::expire;
            });
            if (possible.empty() && !world.clock.nextTimer())
                break;
            if (possible.empty()) {
                world.clock.advanceTo(*world.clock.nextTimer());
                continue;
            }
            // Server 1 applies as late as it may: it lags.
            std::stable_partition(possible.begin(), possible.end(), [](const Transition& transition) {
                return !(transition.kind == TransitionKind::apply && transition.server == 1);
            });
            const Transition& transition = possible.front();
            const bool ofVictim = transition.kind == TransitionKind::serve && transition.session == kVictim;
            if (!ofVictim || served++ != hit) {
                world.ensemble.execute(transition);
                continue;
            }
            if (how.hit == Hit::throttled) {
                world.ensemble.refuseRequests(kVictim, std::nullopt, zk::Code::throttled, 1);
                world.ensemble.execute(transition);
            } else {
                world.ensemble.cut(kVictim, how.hit == Hit::request ? 0 : 1,
                                   world.ensemble.messagesUnderWay(kVictim));
                if (how.hit == Hit::moved) // and goes on at the server that lags
                    world.ensemble.execute(Transition{TransitionKind::deliver, kVictim, 0});
            }
        }
        return served;
    }

    // What went wrong when one request was hit; empty for nothing.
    static std::string mistakeOf(const Case& how, int hit, int* requests)
    {
        World world;
        const int served = run(world, how, hit);
        if (requests)
            *requests = served;
        for (const auto& client : world.clients) {
            if (!client->done || client->turns != kTurns)
                world.mistake += "one is not done ";
            client->locks = {};
        }
        world.ensemble.settle();
        for (const char* path : {"/lock", "/lock-two", "/lock/locks", "/lock/leases"}) {
            const zk::memory::Znode* node = world.ensemble.head().find(path);
            for (const std::string& child : node ? node->children : std::vector<std::string>{})
                if (child != "locks" && child != "leases")
                    world.mistake += std::string(path) + "/" + child + " is left ";
        }
        for (const auto& client : world.clients)
            client->session.reset();
        return world.mistake;
    }
};

TEST_P(LostReply, AtAnyRequestHarmsNoClient)
{
    int requests = 0;
    EXPECT_THAT(mistakeOf(GetParam(), -1, &requests), IsEmpty());
    EXPECT_GT(requests, 4 * kTurns);
    for (int hit = 0; hit < requests; ++hit)
        EXPECT_THAT(mistakeOf(GetParam(), hit, nullptr), IsEmpty())
            << "request " << hit << " of " << requests;
}

class LostReplyMutant : public LostReply
{};

// It would be seen.
TEST_F(LostReplyMutant, HurtsARecipeWithAKnownMistake)
{
    for (bool explore::Flaws::*flaw : {&explore::Flaws::noGuidSearch, &explore::Flaws::forgetfulRelease}) {
        Case how{"mutex", HandoffPolicy::curator,
                 flaw == &explore::Flaws::noGuidSearch ? Hit::reply : Hit::request};
        how.flaws.*flaw = true;
        int requests = 0;
        mistakeOf(how, -1, &requests);
        std::string mistakes;
        for (int hit = 0; hit < requests; ++hit)
            mistakes += mistakeOf(how, hit, nullptr);
        EXPECT_THAT(mistakes, Not(IsEmpty()));
    }
}

std::vector<Case> allCases()
{
    std::vector<Case> all;
    for (const char* recipe : {"mutex", "reader", "writer", "semaphoreMutex", "multiLock"})
        for (const HandoffPolicy handoff : {HandoffPolicy::curator, HandoffPolicy::announced})
            for (const Hit hit : {Hit::reply, Hit::request, Hit::throttled, Hit::moved})
                if (handoff == HandoffPolicy::curator ||
                    (std::string(recipe) != "reader" && std::string(recipe) != "writer"))
                    all.push_back({recipe, handoff, hit});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Recipes, LostReply, ::testing::ValuesIn(allCases()), [](const auto& of) {
    const Case& one = of.param;
    const char* hit = one.hit == Hit::reply     ? "reply"
                      : one.hit == Hit::request ? "request"
                      : one.hit == Hit::moved   ? "moved"
                                                : "throttled";
    return std::string(one.recipe) + (one.handoff == HandoffPolicy::announced ? "_announced_" : "_curator_") +
           hit;
});

} // namespace
} // namespace lockscope::lock
