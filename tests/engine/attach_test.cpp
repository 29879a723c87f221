// Runs on a foreign ZooKeeper: watched without clients of ours, and addresses without a server.
#include "core/server/probe/four_letter.h"
#include "core/server/process/managed_server.h"
#include "tests/engine/engine_fixture.h"
#include "tests/support/restricted_node.h"
#include "tests/zk/driven_hub.h"

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
    EngineFixture watcher(watching((*server)->address(), "/locks/theirs"));
    watcher.engine().start();
    ASSERT_TRUE(
        watcher.waitUntil("it looks", [](const RunState& s) { return s.phase == trace::RunPhase::running; }));

    engine::Options theirs;
    theirs.scenario = testScenario(3, 0);
    theirs.scenario.work.hold = {20ms, 30ms};
    theirs.scenario.locks = {"/locks/theirs"};
    theirs.connect = (*server)->address();
    EngineFixture others(std::move(theirs));
    others.engine().start();
    ASSERT_TRUE(watcher.waitUntil("their queue is seen", [](const RunState& s) {
        const replay::LockRow* lock = s.lock(LockId{0});
        return lock && lock->queue.size() >= 3 && lock->highestSequence > 5 &&
               lock->queue.front().phase == replay::NodePhase::holds &&
               std::all_of(lock->queue.begin() + 1, lock->queue.end(), [](const replay::NodeRow& node) {
                   return node.phase == replay::NodePhase::waits && !node.owner.valid();
               });
    }));
    EXPECT_TRUE(watcher.state().clients.empty());
    EXPECT_TRUE(watcher.state().notices.empty()) << "a watch-only run disturbs no client";
    EXPECT_EQ(watcher.engine().phase(), engine::Phase::running) << "it goes on until it is ended";
    others.engine().stop();

    ASSERT_TRUE((*server)->killNow());
    ASSERT_TRUE(watcher.waitUntil("the server is said to be down", [](const RunState& s) {
        return s.server.phase == trace::ServerPhase::down;
    }));
    watcher.engine().post(engine::Finish{});
    EXPECT_TRUE(watcher.waitForEnd());
}

std::int64_t zxidOf(const std::string& address)
{
    const auto status = server::sendFourLetterWord(address, "srvr", 10s);
    EXPECT_TRUE(status) << status.error().text();
    const std::size_t at = status ? status->find("Zxid: 0x") : std::string::npos;
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos ? 0 : std::stoll(status->substr(at + 8), nullptr, 16);
}

std::size_t refusals(const trace::TraceStore& store)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < store.count(); ++i)
        count += std::holds_alternative<trace::CommandRefused>(store.at(i).what) ? 1 : 0;
    return count;
}

TEST(AttachTest, WhoWatchesCanDoNothingToTheServer)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    const std::string address = (*server)->address();
    const std::int64_t before = zxidOf(address);
    engine::Options options = watching(address, "/locks/theirs");
    options.startPaused = true; // there is no client to pause
    options.links = true;
    EngineFixture watcher(std::move(options));
    watcher.engine().start();
    ASSERT_TRUE(watcher.waitUntil("it looks", [](const RunState& s) {
        return s.phase == trace::RunPhase::running && !s.locks.empty() && s.locks[0].place;
    }));
    const auto action = [](sim::Action::Kind kind,
                           sim::Action::Target target = sim::Action::Target::everyone) {
        return engine::Execute{sim::Action::of(kind, target)};
    };
    using Kind = sim::Action::Kind;
    const ClientId anyClient{0};
    const std::vector<engine::EngineCommand> commands{
        engine::Execute{Kind::pause},
        engine::Execute{Kind::resume},
        engine::SetPace{1s},
        engine::Execute{Kind::killSession, anyClient},
        engine::Execute{sim::Action::of(Kind::killSession, sim::Action::Target::holder)},
        engine::Execute{Kind::addClient},
        engine::Execute{Kind::removeClient},
        engine::Execute{Kind::freeze, anyClient},
        engine::Execute{Kind::thaw, anyClient},
        engine::Execute{Kind::deleteNode, anyClient},
        engine::Execute{Kind::writeNode, anyClient},
        engine::Execute{sim::Action::of(Kind::stopServer, sim::Action::Target::unspecified, 1s)},
        engine::Execute{Kind::killServer},
        engine::RunUntil{},
        action(Kind::reap),
        action(Kind::setLeases),
        action(Kind::restartServer),
        action(Kind::rejoinClient),
        action(Kind::revoke),
        action(Kind::hold),
        action(Kind::step),
        action(Kind::letGo),
        action(Kind::cutLink)};
    for (const engine::EngineCommand& command : commands)
        watcher.engine().post(command);
    ASSERT_TRUE(watcher.waitUntil(
        "all are refused", [&](const RunState&) { return refusals(watcher.trace()) == commands.size(); }));
    EXPECT_EQ(watcher.engine().phase(), engine::Phase::running);
    EXPECT_TRUE(watcher.state().clients.empty());
    EXPECT_EQ(zxidOf(address), before + 1) << "its session was made, and nothing else";
    watcher.engine().post(engine::Finish{});
    EXPECT_TRUE(watcher.waitForEnd());
    watcher.engine().stop();
    EXPECT_LE(zxidOf(address), before + 2) << "and closed";
}

// Another program on that server, with its own session.
struct OtherProgram
{
    explicit OtherProgram(const std::string& address)
        : session(hub.connect(address))
    {}
    void create(const std::string& path, zk::CreateMode mode = zk::CreateMode::persistent)
    {
        std::optional<zk::Code> code;
        session->create(path, "", mode, [&](const zk::Created& made) { code = made.code; });
        EXPECT_TRUE(hub.runUntil([&] { return code.has_value(); }));
        EXPECT_EQ(code, zk::Code::ok) << path;
    }
    void remove(const std::string& path)
    {
        std::optional<zk::Code> code;
        session->remove(path, [&](zk::Code removed) { code = removed; });
        EXPECT_TRUE(hub.runUntil([&] { return code.has_value(); }));
        EXPECT_EQ(code, zk::Code::ok) << path;
    }
    tests::DrivenHub hub;
    std::shared_ptr<zk::HubSession> session;
};

std::function<bool(const RunState&)> pathIs(trace::PathKind kind)
{
    return [kind](const RunState& s) {
        return !s.locks.empty() && s.locks[0].place && s.locks[0].place->kind == kind;
    };
}

TEST(AttachTest, APathThatDoesNotExistIsSaidAndWatchedForItsCreation)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    EngineFixture watcher(watching((*server)->address(), "/theirs"));
    watcher.engine().start();
    ASSERT_TRUE(watcher.waitUntil("it is not there", pathIs(trace::PathKind::missing)));
    OtherProgram other((*server)->address());
    other.create("/theirs");
    ASSERT_TRUE(watcher.waitUntil("it is there", pathIs(trace::PathKind::queue)));
    other.create("/theirs/_c_8ad7f3c2-0000-4000-8000-000000000001-lock-",
                 zk::CreateMode::ephemeralSequential);
    ASSERT_TRUE(watcher.waitUntil("its holder is seen", [](const RunState& s) {
        return s.locks[0].queue.size() == 1 && s.locks[0].queue[0].phase == replay::NodePhase::holds;
    }));
    EXPECT_EQ(watcher.state().locks[0].queue[0].session, other.session->id());
    EXPECT_FALSE(watcher.state().locks[0].queue[0].heldBefore) << "it was made while it was watched";
    other.remove("/theirs/_c_8ad7f3c2-0000-4000-8000-000000000001-lock-0000000000");
    other.remove("/theirs");
    ASSERT_TRUE(watcher.waitUntil("it is gone", pathIs(trace::PathKind::missing)));
    EXPECT_TRUE(watcher.state().locks[0].queue.empty());
    watcher.engine().post(engine::Finish{});
    EXPECT_TRUE(watcher.waitForEnd());
}

TEST(AttachTest, EveryNodeIsSeenHoweverShortItLasts)
{
    constexpr int kNodes = 30;
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    OtherProgram other((*server)->address());
    other.create("/theirs");
    EngineFixture watcher(watching((*server)->address(), "/theirs"));
    watcher.engine().start();
    ASSERT_TRUE(watcher.waitUntil("it is there", pathIs(trace::PathKind::queue)));
    for (int i = 0; i < kNodes; ++i) {
        const std::string node = "/theirs/_c_8ad7f3c2-0000-4000-8000-000000000001-lock-";
        other.create(node, zk::CreateMode::ephemeralSequential);
        other.remove(node + std::string(i < 10 ? 9 : 8, '0') + std::to_string(i));
    }
    int seen = 0, vanished = 0;
    std::size_t read = 0;
    EXPECT_TRUE(watcher.waitUntil("all have come and gone",
                                  [&](const RunState&) {
                                      for (; read < watcher.trace().count(); ++read) {
                                          const trace::Payload& what = watcher.trace().at(read).what;
                                          seen += std::holds_alternative<trace::NodeSeen>(what) ? 1 : 0;
                                          vanished +=
                                              std::holds_alternative<trace::NodeVanished>(what) ? 1 : 0;
                                      }
                                      return vanished == kNodes;
                                  }))
        << seen << " seen, " << vanished << " gone";
    EXPECT_EQ(seen, kNodes);
    watcher.engine().post(engine::Finish{});
    EXPECT_TRUE(watcher.waitForEnd());
}

TEST(AttachTest, AFolderOfLocksIsNoQueue)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    OtherProgram other((*server)->address());
    other.create("/theirs");
    other.create("/theirs/readme");
    for (int i = 0; i < 30; ++i) {
        const std::string lock = "/theirs/" + std::to_string(i);
        other.create(lock, i % 2 == 0 ? zk::CreateMode::container : zk::CreateMode::persistent);
        other.create(lock + "/0123456789abcdef0123456789abcdef__lock__", zk::CreateMode::ephemeralSequential);
    }
    EngineFixture watcher(watching((*server)->address(), "/theirs"));
    watcher.engine().start();
    ASSERT_TRUE(watcher.waitUntil("it is a folder", pathIs(trace::PathKind::folder)));
    const replay::LockRow& lock = watcher.state().locks[0];
    EXPECT_EQ(lock.place, (trace::PathState{trace::PathKind::folder, 30, 31}));
    EXPECT_TRUE(lock.queue.empty());
    watcher.engine().post(engine::Finish{});
    EXPECT_TRUE(watcher.waitForEnd());
}

TEST(AttachTest, WhatIsUnknownOfANodeIsShownAsUnknown)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    OtherProgram other((*server)->address());
    other.create("/theirs");
    other.create("/theirs/config");
    other.create("/theirs/left-lock-0000000001");
    EngineFixture watcher(watching((*server)->address(), "/theirs"));
    watcher.engine().start();
    ASSERT_TRUE(watcher.waitUntil("both are seen", [](const RunState& s) {
        return s.locks.size() == 1 && s.locks[0].queue.size() == 2 &&
               s.locks[0].queue[0].phase == replay::NodePhase::holds;
    }));
    const std::vector<replay::NodeRow>& queue = watcher.state().locks[0].queue;
    EXPECT_EQ(queue[0].name, "left-lock-0000000001");
    EXPECT_FALSE(queue[0].session.valid()) << "no session owns a persistent node";
    EXPECT_TRUE(queue[0].token.valid());
    EXPECT_TRUE(queue[0].heldBefore) << "since when is not known";
    EXPECT_EQ(queue[1].kind, queue::Role::none);
    EXPECT_EQ(queue[1].phase, replay::NodePhase::foreign);
    watcher.engine().post(engine::Finish{});
    EXPECT_TRUE(watcher.waitForEnd());
}

// A node that stays would block the others: a client that may not delete its node ends its session and
// leaves.
TEST(AttachTest, EachHasItsTurnWhereNothingMayBeDeleted)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    ASSERT_TRUE(
        tests::makeRestrictedNode((*server)->address(), "/narrow", tests::createRight | tests::readRight));
    engine::Options options = optionsFor(testScenario(2, 2));
    options.scenario.locks = {"/narrow"};
    options.connect = (*server)->address();
    EngineFixture world(std::move(options));
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_EQ(world.state().statistics.acquired, 2U) << "one of each client";
    EXPECT_EQ(world.state().statistics.releases, 0U);
    EXPECT_EQ(world.state().notices.size(), 1U) << "the refusal is said once";
    EXPECT_TRUE(world.state().lock(LockId{0})->queue.empty());
}

} // namespace
} // namespace lockscope::test
