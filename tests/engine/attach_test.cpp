// Runs on somebody else's ZooKeeper: watched without anybody of ours, and places where nobody answers.
#include "core/server/free_port.h"
#include "core/server/managed_server.h"
#include "tests/engine/engine_world.h"
#include "tests/support/narrow_node.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockscope::test {
namespace {

using replay::RunState;
using testing::HasSubstr;

engine::Options watching(const std::string& address, const std::string& path)
{
    engine::Options options;
    options.scenario = testScenario(0, 0);
    options.scenario.connect = address;
    options.scenario.locks = {path};
    return options;
}

TEST(AttachTest, WatchesALockWithoutTakingPart)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    EngineWorld watcher(watching((*server)->address(), "/locks/theirs"));
    watcher.engine().start();
    ASSERT_TRUE(
        watcher.waitUntil("it looks", [](const RunState& s) { return s.phase == trace::RunPhase::running; }));

    engine::Options theirs;
    theirs.scenario = testScenario(3, 0);
    theirs.scenario.work.hold = {20ms, 30ms};
    theirs.scenario.locks = {"/locks/theirs"};
    theirs.connect = (*server)->address();
    EngineWorld others(std::move(theirs));
    others.engine().start();
    ASSERT_TRUE(watcher.waitUntil("their queue is seen", [](const RunState& s) {
        const replay::LockRow* lock = s.lock(LockId{0});
        return lock && lock->queue.size() >= 3 && lock->highestSequence > 5 &&
               std::all_of(lock->queue.begin(), lock->queue.end(), [](const replay::NodeRow& node) {
                   return node.phase == replay::NodePhase::foreign;
               });
    }));
    EXPECT_TRUE(watcher.state().clients.empty());
    EXPECT_TRUE(watcher.state().notices.empty()) << "who only watches is in nobody's way";
    EXPECT_EQ(watcher.engine().phase(), engine::Phase::running) << "it goes on until it is ended";
    others.engine().stop();

    ASSERT_TRUE((*server)->killNow());
    ASSERT_TRUE(watcher.waitUntil("the server is said to be down", [](const RunState& s) {
        return s.server.phase == trace::ServerPhase::down;
    }));
    watcher.engine().post(engine::Finish{});
    EXPECT_TRUE(watcher.waitForEnd());
}

TEST(AttachTest, WhoWatchesCanJoinAndLeaveAgain)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    EngineWorld watcher(watching((*server)->address(), "/locks/theirs"));
    watcher.engine().start();
    watcher.engine().post(engine::AddClient{});
    ASSERT_TRUE(
        watcher.waitUntil("it takes the lock", [](const RunState& s) { return s.statistics.acquired > 2; }));
    watcher.engine().post(engine::RemoveClient{});
    ASSERT_TRUE(watcher.waitUntil("it left", [](const RunState& s) {
        return s.clients.size() == 1 && s.clients[0].phase == replay::ClientPhase::removed;
    }));
    EXPECT_EQ(watcher.engine().phase(), engine::Phase::running);
    watcher.engine().post(engine::Finish{});
    EXPECT_TRUE(watcher.waitForEnd());
}

// A node that stays would keep the others waiting: whoever may not delete it ends its session and leaves.
TEST(AttachTest, EachHasItsTurnWhereNothingMayBeDeleted)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    ASSERT_TRUE(
        tests::makeNarrowNode((*server)->address(), "/narrow", tests::createRight | tests::readRight));
    engine::Options options = optionsFor(testScenario(2, 2));
    options.scenario.locks = {"/narrow"};
    options.connect = (*server)->address();
    EngineWorld world(std::move(options));
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_EQ(world.state().statistics.acquired, 2U) << "one of each client";
    EXPECT_EQ(world.state().statistics.releases, 0U);
    EXPECT_EQ(world.state().notices.size(), 1U) << "the refusal is said once";
    EXPECT_TRUE(world.state().lock(LockId{0})->queue.empty());
}

TEST(AttachTest, NobodyThereIsSaidWithTheAddress)
{
    const Result<std::uint16_t> port = server::pickFreePort();
    ASSERT_TRUE(port);
    const std::string one = "127.0.0.1:" + std::to_string(*port);
    for (const std::string& address : {one, one + ',' + one}) {
        EngineWorld watcher(watching(address, "/locks/theirs"));
        watcher.engine().start();
        ASSERT_TRUE(watcher.waitForEnd());
        EXPECT_EQ(watcher.engine().phase(), engine::Phase::failed);
        ASSERT_TRUE(watcher.engine().failure());
        EXPECT_THAT(watcher.engine().failure()->message, HasSubstr("No ZooKeeper answers at " + address));
    }
}

TEST(AttachTest, OfSeveralAddressesOneIsEnough)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    const Result<std::uint16_t> port = server::pickFreePort();
    ASSERT_TRUE(port);
    EngineWorld watcher(
        watching("127.0.0.1:" + std::to_string(*port) + ',' + (*server)->address(), "/locks/theirs"));
    watcher.engine().start();
    ASSERT_TRUE(watcher.waitUntil("it looks", [](const RunState& s) {
        return s.phase == trace::RunPhase::running && !s.server.version.empty();
    }));
    watcher.engine().post(engine::Finish{});
    EXPECT_TRUE(watcher.waitForEnd());
}

} // namespace
} // namespace lockscope::test
