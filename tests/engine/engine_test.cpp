// The engine on a real ZooKeeper: runs to their end, clients that come and go, and nodes of others.
#include "core/server/process/managed_server.h"
#include "tests/engine/engine_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::test {
namespace {

using namespace std::chrono_literals;
using replay::ClientPhase;
using replay::FindingKind;
using replay::RunState;

class EveryPolicy : public testing::TestWithParam<HandoffPolicy>
{};

TEST_P(EveryPolicy, FiveClientsFinishTheirCyclesWithEveryFindingOk)
{
    sim::Scenario scenario = testScenario(5, 10);
    scenario.handoff = GetParam();
    scenario.work.hold = {0ms, 3ms};
    scenario.work.reenterMax = 2;
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_EQ(world.state().phase, trace::RunPhase::finished);
    EXPECT_EQ(world.state().statistics.acquired, 50U);
    EXPECT_EQ(world.state().findings.of(FindingKind::oneHolder).checked, 50U);
    expectAllOk(world.state());
    ASSERT_EQ(world.state().locks.size(), 1U);
    EXPECT_TRUE(world.state().locks[0].queue.empty());
}

INSTANTIATE_TEST_SUITE_P(Handoff, EveryPolicy,
                         testing::Values(HandoffPolicy::curator, HandoffPolicy::announced),
                         [](const auto& policy) { return std::string(nameOf(policy.param)); });

TEST(EngineTest, PauseHoldsEveryStepAndResumeGoesOn)
{
    EngineFixture world(optionsFor(testScenario(3, 0)));
    world.engine().start();
    ASSERT_TRUE(
        world.waitUntil("ten acquisitions", [](const RunState& s) { return s.statistics.acquired >= 10; }));
    world.engine().post(engine::Execute{sim::Action::Kind::pause});
    ASSERT_TRUE(
        world.waitUntil("paused", [](const RunState& s) { return s.phase == trace::RunPhase::paused; }));
    // A command that is answered comes after everything the clients did before it: what was under way has
    // settled.
    world.engine().post(engine::SetPace{1ms});
    ASSERT_TRUE(
        world.waitUntil("the pace is set", [](const RunState& s) { return s.pace == Duration(1ms); }));
    world.engine().post(engine::Execute{sim::Action::Kind::addClient});
    ASSERT_TRUE(world.waitUntil("the fourth client is connected", [](const RunState& s) {
        return s.clients.size() == 4 && s.clients[3].session == trace::SessionPhase::connected;
    }));
    const std::uint64_t creates = world.state().statistics.ops.create;
    world.engine().post(engine::Execute{sim::Action::Kind::killSession, ClientId{3}});
    ASSERT_TRUE(world.waitUntil("its session is gone", [](const RunState& s) {
        return s.clients[3].session == trace::SessionPhase::lost;
    }));
    EXPECT_EQ(world.state().statistics.ops.create, creates) << "a paused client took a step";
    const std::uint64_t acquired = world.state().statistics.acquired;
    world.engine().post(engine::Execute{sim::Action::Kind::resume});
    ASSERT_TRUE(world.waitUntil("it goes on",
                                [&](const RunState& s) { return s.statistics.acquired > acquired + 5; }));
}

TEST(EngineTest, StartedPausedNoClientCreatesANode)
{
    engine::Options options = optionsFor(testScenario(3, 1));
    options.startPaused = true;
    EngineFixture world(std::move(options));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("all are connected and about to create", [](const RunState& s) {
        return s.clients.size() == 3 &&
               std::all_of(s.clients.begin(), s.clients.end(),
                           [](const auto& client) { return client.phase == ClientPhase::joining; });
    }));
    EXPECT_EQ(world.state().statistics.ops.create, 0U);
    world.engine().post(engine::Execute{sim::Action::Kind::resume});
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_EQ(world.state().statistics.acquired, 3U);
}

TEST(EngineTest, ClientsComeAndGoWhileItRuns)
{
    sim::Scenario scenario = testScenario(2, 0);
    scenario.work.hold = {1ms, 1ms};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("it runs", [](const RunState& s) { return s.statistics.acquired > 4; }));
    world.engine().post(engine::Execute{sim::Action::Kind::addClient});
    ASSERT_TRUE(world.waitUntil("the third acquires", [](const RunState& s) {
        return s.clients.size() == 3 && s.clients[2].acquired > 2;
    }));
    world.engine().post(engine::Execute{sim::Action::Kind::removeClient, ClientId{0}});
    ASSERT_TRUE(world.waitUntil(
        "the first has left", [](const RunState& s) { return s.clients[0].phase == ClientPhase::removed; }));
    // Two in a row take two different ones.
    world.engine().post(engine::Execute{sim::Action::Kind::removeClient});
    world.engine().post(engine::Execute{sim::Action::Kind::removeClient});
    world.engine().post(engine::Execute{sim::Action::Kind::addClient});
    ASSERT_TRUE(world.waitUntil("both others have left", [](const RunState& s) {
        return s.clients.size() == 4 && s.clients[1].phase == ClientPhase::removed &&
               s.clients[2].phase == ClientPhase::removed && s.clients[3].acquired > 0;
    }));
    world.engine().post(engine::Execute{sim::Action::Kind::removeClient, ClientId{0}});
    ASSERT_TRUE(world.waitUntil("a second removal is refused", [&](const RunState&) {
        return world
            .find([](const trace::Event& event) {
                return std::holds_alternative<trace::CommandRefused>(event.what);
            })
            .valid();
    }));
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
    expectAllOk(world.state());
}

// One client, which joins again once after it has left. With 0 cycles it goes on until it is asked to leave.
sim::Scenario scenarioThatBringsAdaBack(std::uint32_t cycles)
{
    sim::Scenario scenario = testScenario(1, cycles);
    sim::ScriptLine back;
    back.text = "when ada is away: rejoin ada";
    back.when.kind = sim::Trigger::Kind::away;
    back.action = sim::Action::of(sim::Action::Kind::rejoinClient, sim::Action::Target::named);
    back.when.client = back.action.client = "ada";
    scenario.script.push_back(back);
    return scenario;
}

TEST(EngineTest, TheLastClientMayReturn)
{
    EngineFixture world(optionsFor(scenarioThatBringsAdaBack(3)));
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    std::size_t acquired = 0;
    for (std::size_t i = 0; i < world.trace().count(); ++i)
        acquired += std::holds_alternative<trace::Acquired>(world.trace().at(i).what) ? 1 : 0;
    EXPECT_EQ(acquired, 6U) << "all its cycles twice";
}

// A line of the script that was not due yet brought the last client back into a run that was asked to end.
TEST(EngineTest, NoClientReturnsToARunThatIsToEnd)
{
    EngineFixture world(optionsFor(scenarioThatBringsAdaBack(0)));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("it holds", [](const RunState& s) { return s.statistics.acquired > 0; }));
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
    std::size_t joined = 0;
    for (std::size_t i = 0; i < world.trace().count(); ++i)
        joined += std::holds_alternative<trace::ClientAdded>(world.trace().at(i).what) ? 1 : 0;
    EXPECT_EQ(joined, 1U);
}

// What the script says when a lock is released is said for those, too, that the end of the run releases.
TEST(EngineTest, NoClientComesToARunThatIsToEnd)
{
    using sim::Action;
    sim::Scenario scenario = testScenario(2, 0);
    scenario.work.hold = {60s, 60s};
    for (const Action::Kind kind : {Action::Kind::rejoinClient, Action::Kind::addClient}) {
        sim::ScriptLine line{{}, Action::of(kind), {}};
        line.when.kind = sim::Trigger::Kind::released;
        line.when.client = "bo";
        line.action.client = "ada";
        scenario.script.push_back(line);
    }
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    const ClientId ada{0}, bo{1};
    ASSERT_TRUE(
        world.waitUntil("both are there", [&](const RunState& s) { return holder(s) && waiters(s) == 1; }));
    world.engine().post(engine::Execute{Action::Kind::removeClient, ada});
    ASSERT_TRUE(world.waitUntil("bo is left and holds", [&](const RunState& s) {
        return s.client(ada)->phase == ClientPhase::removed && s.client(bo)->phase == ClientPhase::holding;
    }));
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_EQ(world.state().clients.size(), 2U);
    EXPECT_EQ(world.state().client(ada)->phase, ClientPhase::removed);
    std::vector<std::pair<std::string, std::string>> refused;
    for (std::size_t i = 0; i < world.trace().count(); ++i)
        if (const auto* one = std::get_if<trace::CommandRefused>(&world.trace().at(i).what))
            refused.emplace_back(one->verb, one->reason.english());
    EXPECT_EQ(refused, (std::vector<std::pair<std::string, std::string>>{
                           {"rejoin_client", "The run is to end."}, {"add_client", "The run is to end."}}));
}

// Their size is one number that every client follows.
TEST(EngineTest, TheSizeOfAllSemaphoresIsSet)
{
    sim::Scenario scenario = testScenario(3, 0);
    scenario.recipe = Recipe::semaphore;
    scenario.locks = {"/locks/left", "/locks/right"};
    scenario.work.takes = {{1}};
    scenario.work.hold = {5ms, 5ms};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("it runs", [](const RunState& s) { return s.statistics.acquired > 4; }));
    sim::Action more = sim::Action::of(sim::Action::Kind::setLeases);
    more.amount = 3;
    world.engine().post(engine::Execute{more});
    const std::uint64_t before = world.state().statistics.acquired;
    ASSERT_TRUE(world.waitUntil("it goes on",
                                [&](const RunState& s) { return s.statistics.acquired > before + 20; }));
    std::vector<LockId> grown;
    for (std::size_t i = 0; i < world.trace().count(); ++i) {
        const trace::Event& event = world.trace().at(i);
        const auto* limit = std::get_if<trace::LockLimit>(&event.what);
        if (limit && limit->permits == 3)
            grown.push_back(event.lock);
    }
    EXPECT_EQ(grown, (std::vector{LockId{0}, LockId{2}})) << "each has a mutex, too";
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_TRUE(world.state().findings.of(FindingKind::oneHolder).ok());
}

TEST(EngineTest, AForeignNodeIsSeenNamedAndHarmless)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    sim::Scenario scenario = testScenario(3, 0);
    scenario.work.hold = {1ms, 1ms};
    // Another run plays the foreigner: its nodes are under the path, so this path is a foreign node of the
    // outer lock.
    scenario.locks = {"/locks"};
    engine::Options outer = optionsFor(scenario);
    outer.connect = (*server)->address();
    outer.joinForeign = true;
    sim::Scenario inner = testScenario(1, 1);
    inner.locks = {"/locks/hello"};
    engine::Options foreigner = optionsFor(inner);
    foreigner.connect = (*server)->address();
    EngineFixture first(std::move(foreigner));
    first.engine().start();
    ASSERT_TRUE(first.waitForEnd());

    EngineFixture world(std::move(outer));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("the foreign node is shown and named", [](const RunState& s) {
        const bool named =
            std::any_of(s.notices.begin(), s.notices.end(), [](const replay::NoticeRow& notice) {
                return notice.text.english().find("\"hello\"") != std::string_view::npos;
            });
        const replay::NodeRow* node = s.node(LockId{0}, "hello");
        return named && node && node->phase == replay::NodePhase::foreign && s.statistics.acquired > 10;
    }));
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
    expectAllOk(world.state());
}

TEST(EngineTest, StoppingInTheMiddleLeavesNothingOnAForeignServer)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    {
        sim::Scenario scenario = testScenario(5, 0);
        scenario.work.hold = {60s, 60s};
        engine::Options options = optionsFor(scenario);
        options.connect = (*server)->address();
        EngineFixture world(std::move(options));
        world.engine().start();
        ASSERT_TRUE(world.waitUntil("they queue", [](const RunState& s) { return waiters(s) == 4; }));
        world.engine().stop();
    }
    // A second run on the same path starts with an empty queue at once.
    sim::Scenario scenario = testScenario(1, 1);
    engine::Options options = optionsFor(scenario);
    options.connect = (*server)->address();
    EngineFixture world(std::move(options));
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    const EventIndex decided = world.find(
        [](const trace::Event& event) { return std::holds_alternative<trace::Decided>(event.what); });
    ASSERT_TRUE(decided.valid());
    EXPECT_EQ(std::get<trace::Decided>(world.trace().at(decided).what).count, 1U);
}

} // namespace
} // namespace lockscope::test
