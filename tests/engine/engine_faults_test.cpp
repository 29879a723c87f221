// The engine on a real ZooKeeper when clients freeze, links are cut and the server is away.
#include "core/server/process/managed_server.h"
#include "core/sim/run/client_link.h"
#include "core/sim/script/script_text.h"
#include "tests/engine/engine_fixture.h"
#include "tests/support/fake_server.h"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::test {
namespace {

using namespace std::chrono_literals;
using replay::ClientPhase;
using replay::FindingKind;
using replay::RunState;

TEST(EngineTest, ClientsSuspendWhenTheServerIsKilledAndGoOnWhenItIsBack)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    sim::Scenario scenario = testScenario(4, 0);
    scenario.work.hold = {1ms, 5ms};
    scenario.sessionTimeout = 30s;
    engine::Options options = optionsFor(scenario);
    options.connect = (*server)->address();
    EngineFixture world(std::move(options));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("it runs", [](const RunState& s) { return s.statistics.acquired > 10; }));
    ASSERT_TRUE((*server)->killNow());
    ASSERT_TRUE(world.waitUntil(
        "all clients are suspended and the server is recorded as down", [](const RunState& s) {
            const bool all =
                std::all_of(s.clients.begin(), s.clients.end(), [](const replay::ClientRow& client) {
                    return client.session == trace::SessionPhase::suspended;
                });
            return all && s.server.phase == trace::ServerPhase::down;
        }));
    const std::uint64_t acquired = world.state().statistics.acquired;
    const auto again = (*server)->restart();
    ASSERT_TRUE(again) << again.error().text();
    ASSERT_TRUE(world.waitUntil("it goes on", [&](const RunState& s) {
        return s.statistics.acquired > acquired + 10 && s.server.phase == trace::ServerPhase::ready;
    }));
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_TRUE(world.state().findings.of(FindingKind::oneHolder).ok());
    EXPECT_TRUE(world.state().locks[0].queue.empty());
    std::vector<trace::ServerPhase> phases;
    for (std::size_t i = 0; i < world.trace().count(); ++i)
        if (const auto* said = std::get_if<trace::ServerState>(&world.trace().at(i).what))
            phases.push_back(said->phase);
    using enum trace::ServerPhase;
    EXPECT_EQ(phases, (std::vector{starting, ready, down, ready})) << "not down while the clients connect";
}

// The client tries again and again.
TEST(EngineTest, ItIsSaidThatASharedCountCannotBeStarted)
{
    const tests::FakeServer server([](const tests::FakeRequest& request) {
        constexpr std::int32_t kCreate = 15, kBadVersion = -103; // no answer to a create
        return request.op == kCreate ? tests::reply(request.xid, kBadVersion) : tests::defaultReply(request);
    });
    engine::Options options = optionsFor(testScenario(1, 2));
    options.scenario.recipe = Recipe::semaphore;
    options.connect = server.address();
    EngineFixture world(std::move(options));
    const auto saysIt = [](const trace::Event& event) {
        const auto* notice = std::get_if<trace::Notice>(&event.what);
        return notice && notice->severity == trace::Severity::error &&
               notice->text.english().find("start the shared count") != std::string::npos;
    };
    world.engine().start();
    EXPECT_TRUE(world.waitUntil("it is said", [&](const RunState&) { return world.find(saysIt).valid(); }));
    world.engine().post(engine::Finish{});
    EXPECT_TRUE(world.waitForEnd());
}

// Workers of one process share its session and stand still with it; the run can be finished all the same.
TEST(EngineTest, AFrozenProcessWithSeveralWorkersCanBeFinished)
{
    sim::Scenario scenario = testScenario(1, 0);
    scenario.workers = 3;
    scenario.work.hold = {10ms, 10ms};
    scenario.sessionTimeout = 60s;
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("each has had the lock", [](const RunState& state) {
        return state.clients.size() == 3 &&
               std::all_of(state.clients.begin(), state.clients.end(),
                           [](const replay::ClientRow& row) { return row.acquired > 0; });
    }));
    EXPECT_EQ(world.state().clients[0].sessionId, world.state().clients[2].sessionId);
    world.engine().post(engine::Execute{sim::Action::Kind::freeze, ClientId{1}});
    ASSERT_TRUE(world.waitUntil("all of them stand still", [](const RunState& state) {
        return std::all_of(state.clients.begin(), state.clients.end(),
                           [](const replay::ClientRow& row) { return row.frozen; });
    }));
    world.engine().post(engine::Finish{});
    EXPECT_TRUE(world.waitForEnd());
    EXPECT_EQ(world.state().locks[0].queue.size(), 0U);
}

TEST(EngineTest, ARefusedFreezeThawsNoClient)
{
    using sim::Action;
    sim::Scenario scenario = testScenario(0, 0);
    scenario.locks = {"/locks/left", "/locks/right"};
    scenario.named = {{"ada", 1, {}, {}, scenario.work}, {"bo", 1, {}, {}, scenario.work}};
    scenario.named[0].work.takes = {{0}};
    scenario.named[1].work.takes = {{1}};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    const ClientId ada{0}, bo{1};
    ASSERT_TRUE(world.waitUntil("both acquire", [&](const RunState& state) {
        return state.clients.size() == 2 && state.client(ada)->acquired > 0 && state.client(bo)->acquired > 0;
    }));
    world.engine().post(engine::Execute{Action::Kind::freeze, ada});
    world.engine().post(
        engine::Execute{Action::of(Action::Kind::freeze, Action::Target::unspecified, 1ms), ada});
    const auto refused = [](const trace::Event& event) {
        return std::holds_alternative<trace::CommandRefused>(event.what);
    };
    ASSERT_TRUE(world.waitUntil("the second is refused",
                                [&](const RunState&) { return world.find(refused).valid(); }));
    const TraceTime then = world.trace().at(world.find(refused).value).at;
    ASSERT_TRUE(world.waitUntil("the other one goes on for longer than that", [&](const RunState&) {
        return world.trace().at(world.trace().count() - 1).at > then + 200ms;
    }));
    EXPECT_TRUE(world.state().client(ada)->frozen);
    world.engine().post(engine::Finish{});
    EXPECT_TRUE(world.waitForEnd());
}

// Its way to the server is cut, the one that kills it is not.
TEST(EngineTest, AClientWhoseLinkIsCutCanBeKilled)
{
    sim::Scenario scenario = testScenario(2, 0);
    scenario.work.hold = {60s, 60s};
    scenario.sessionTimeout = 60s;
    scenario.links = true;
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("one holds and one waits",
                                [](const RunState& state) { return holder(state) && waiters(state) == 1; }));
    const ClientId victim = holder(world.state())->id;
    sim::Action cut;
    cut.kind = sim::Action::Kind::cutLink;
    world.engine().post(engine::Execute{cut, victim});
    ASSERT_TRUE(world.waitUntil("it has lost contact", [&](const RunState& state) {
        return state.client(victim)->session == trace::SessionPhase::suspended &&
               !state.client(victim)->link.whole();
    }));
    world.engine().post(engine::Execute{sim::Action::Kind::killSession, victim});
    ASSERT_TRUE(world.waitUntil("the next one holds", [&](const RunState& state) {
        return state.clients[1 - victim.value].phase == ClientPhase::holding;
    }));
    EXPECT_TRUE(world.state().client(victim)->hasStaleHold()) << "it cannot know";
    world.engine().post(engine::Finish{});
}

// Its old process is kept by the end of a fault that is still due, but its link went with its last client.
TEST(EngineTest, WhoReturnsToAProcessThatWasLeftHasALink)
{
    using sim::Action;
    sim::Scenario scenario = testScenario(1, 0);
    scenario.named.push_back({"ada", 1, "shop", {}, scenario.work});
    scenario.links = true;
    sim::ScriptLine back{
        {}, Action::of(Action::Kind::rejoinClient, Action::Target::named), "when ada is away: rejoin ada"};
    back.when.kind = sim::Trigger::Kind::away;
    back.when.client = back.action.client = "ada";
    scenario.script.push_back(back);
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    const ClientId ada{0};
    const auto acquires = [&](const RunState& state) {
        return state.clients.size() == 2 && state.client(ada)->acquired > 0;
    };
    ASSERT_TRUE(world.waitUntil("it runs", acquires));
    Action slow = Action::of(Action::Kind::slowLink, Action::Target::unspecified, 60s);
    slow.delay = 1ms;
    world.engine().post(engine::Execute{slow, ada});
    world.engine().post(engine::Execute{Action::Kind::removeClient, ada});
    ASSERT_TRUE(world.waitUntil("it has left", [&](const RunState& state) {
        return state.client(ada)->phase == ClientPhase::removed;
    }));
    ASSERT_TRUE(world.waitUntil("it is back", [&](const RunState& state) {
        return state.client(ada)->phase == ClientPhase::holding;
    }));
    const std::size_t from = world.trace().count();
    world.engine().post(engine::Execute{Action::Kind::resetLink, ada});
    const auto answered = [](const trace::Event& event) {
        return std::holds_alternative<trace::LinkState>(event.what) ||
               std::holds_alternative<trace::CommandRefused>(event.what);
    };
    ASSERT_TRUE(world.waitUntil("the command is answered",
                                [&](const RunState&) { return world.find(answered, from).valid(); }));
    EXPECT_TRUE(
        std::holds_alternative<trace::LinkState>(world.trace().at(world.find(answered, from).value).what));
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
}

TEST(EngineTest, WhoReturnsIsShownWithTheLinkThatItHasNow)
{
    using sim::Action;
    sim::Scenario scenario = testScenario(0, 0);
    for (const auto& [name, process] : {std::pair("ada", ""), {"bo", "shop"}, {"cyd", "shop"}})
        scenario.named.push_back({name, 1, process, {}, scenario.work});
    scenario.links = true;
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    const ClientId ada{0}, bo{1}, cyd{2};
    const auto isThere = [](const replay::ClientRow* row) {
        return row && row->phase != ClientPhase::removed && row->session == trace::SessionPhase::connected;
    };
    ASSERT_TRUE(world.waitUntil("all are there", [&](const RunState& state) {
        return isThere(state.client(ada)) && isThere(state.client(bo)) && isThere(state.client(cyd));
    }));
    Action slow = Action::of(Action::Kind::slowLink);
    slow.delay = 1ms;
    world.engine().post(engine::Execute{slow, ada});
    world.engine().post(engine::Execute{Action::Kind::removeClient, ada});
    world.engine().post(engine::Execute{Action::Kind::removeClient, bo});
    ASSERT_TRUE(world.waitUntil("two have left", [&](const RunState& state) {
        return state.client(ada)->phase == ClientPhase::removed &&
               state.client(bo)->phase == ClientPhase::removed;
    }));
    EXPECT_EQ(world.state().client(ada)->link.delay, 1ms);
    world.engine().post(engine::Execute{slow, cyd});
    for (const char* name : {"ada", "bo"}) {
        Action back = Action::of(Action::Kind::rejoinClient, Action::Target::named);
        back.client = name;
        world.engine().post(engine::Execute{back});
    }
    ASSERT_TRUE(world.waitUntil("both are back", [&](const RunState& state) {
        return isThere(state.client(ada)) && isThere(state.client(bo));
    }));
    EXPECT_TRUE(world.state().client(ada)->link.whole()) << "its link is a new one";
    EXPECT_EQ(world.state().client(bo)->link.delay, 1ms) << "it shares the link of cyd";
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
}

// Its session is given the answer to nothing that it asks.
TEST(EngineTest, WhoIsToLeaveDoesNotWaitForTheSharedCount)
{
    const tests::FakeServer server([](const tests::FakeRequest&) { return std::string(); });
    engine::Options options = optionsFor(testScenario(1, 0));
    options.scenario.recipe = Recipe::semaphore;
    options.connect = server.address();
    options.joinForeign = true; // nothing is asked before the clients start
    options.observe = false;
    EngineFixture world(std::move(options));
    world.engine().start();
    ASSERT_TRUE(
        world.waitUntil("the count is asked for", [&](const RunState&) { return server.requests() > 0; }));
    world.engine().post(engine::Execute{sim::Action::Kind::removeClient, ClientId{0}});
    ASSERT_TRUE(world.waitUntil("it has left", [](const RunState& state) {
        return state.clients.size() == 1 && state.clients[0].phase == ClientPhase::removed;
    }));
    const auto losesContact = [](const trace::Event& event) {
        const auto* session = std::get_if<trace::SessionState>(&event.what);
        return session && session->phase != trace::SessionPhase::connecting &&
               session->phase != trace::SessionPhase::connected;
    };
    const auto leaves = [](const trace::Event& event) {
        return std::holds_alternative<trace::ClientRemoved>(event.what);
    };
    EXPECT_LT(world.find(leaves), world.find(losesContact)) << "its session lasts that long";
    ASSERT_TRUE(world.waitForEnd());
}

// bo does not find its first node, because its name does not say whose it is, and waits behind it with a
// second one.
TEST(NodeFaults, ActOnTheNodeThatWasChosen)
{
    const auto script = [](const char* when, const char* what) {
        return sim::ScriptLine{*sim::parseTrigger(when), *sim::parseAction(what),
                               std::string(when) + ": " + what};
    };
    sim::Scenario scenario = testScenario(2, 1);
    scenario.recipe = Recipe::unprotectedMutex;
    scenario.work.hold = {1h, 1h};
    scenario.links = true;
    scenario.script = {script("at 0s", "hold bo before create"),
                       script("at 0s", "lose the next create reply to bo"),
                       script("when ada holds", "let bo go")};
    engine::Options options = optionsFor(scenario);
    options.links = true;
    EngineFixture world(options);
    world.engine().start();
    const auto orphan = [](const replay::RunState& state) -> const replay::NodeRow* {
        if (state.locks.empty())
            return nullptr;
        const auto& queue = state.locks.front().queue;
        const auto found = std::ranges::find(queue, replay::NodePhase::orphan, &replay::NodeRow::phase);
        return found == queue.end() ? nullptr : &*found;
    };
    ASSERT_TRUE(world.waitUntil("bo waits behind its orphan", [&](const replay::RunState& state) {
        return orphan(state) && state.locks.front().queue.size() == 3 && state.clients[1].asleep();
    }));
    const std::string name(orphan(world.state())->name);
    const std::string own(world.state().clients[1].node);
    ASSERT_NE(name, own);
    sim::Action action = sim::Action::of(sim::Action::Kind::deleteNode);
    action.node = std::string(world.state().locks.front().path) + "/" + name;
    world.engine().post(engine::Execute{action, ClientId{1}});
    ASSERT_TRUE(world.waitUntil("the orphan is gone",
                                [&](const replay::RunState& state) { return !state.node(LockId{0}, name); }));
    EXPECT_TRUE(world.state().node(LockId{0}, own)) << "bo's good node stays";
    // A command without an effect says why.
    world.engine().post(engine::Execute{sim::Action::of(sim::Action::Kind::revoke), ClientId{0}});
    ASSERT_TRUE(world.waitUntil("it is refused", [&](const replay::RunState&) {
        return world
            .find([](const trace::Event& event) {
                const auto* refused = std::get_if<trace::CommandRefused>(&event.what);
                return refused && refused->reason.english().find("not revocable") != std::string::npos;
            })
            .valid();
    }));
}

// It was accepted, and nothing happened.
TEST(LinkFaults, AConnectionWithoutAFaultIsNotRestoredAndThatIsSaid)
{
    engine::Options options = optionsFor(testScenario(1, 0));
    options.links = true;
    EngineFixture world(options);
    world.engine().start();
    ASSERT_TRUE(
        world.waitUntil("it runs", [](const replay::RunState& s) { return s.statistics.acquired > 2; }));
    const auto heal = [&] {
        world.engine().post(engine::Execute{sim::Action::of(sim::Action::Kind::healLink), ClientId{0}});
    };
    heal();
    const auto refused = [](const trace::Event& event) {
        const auto* one = std::get_if<trace::CommandRefused>(&event.what);
        return one && one->reason.english() == "The connection of ada has no fault.";
    };
    ASSERT_TRUE(world.waitUntil("it is refused",
                                [&](const replay::RunState&) { return world.find(refused).valid(); }));
    const std::size_t since = world.trace().count();
    world.engine().post(engine::Execute{sim::Action::of(sim::Action::Kind::halfOpenLink), ClientId{0}});
    heal();
    const auto healed = [](const trace::Event& event) {
        const auto* command = std::get_if<trace::Command>(&event.what);
        return command && command->verb == trace::toText(trace::CommandVerb::healLink);
    };
    ASSERT_TRUE(world.waitUntil("it is healed",
                                [&](const replay::RunState&) { return world.find(healed, since).valid(); }));
    EXPECT_FALSE(world.find(refused, since).valid());
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
}

// Each of these was accepted or passed over in silence.
TEST(RunFaults, ACommandThatChangesNothingSaysWhy)
{
    using Kind = sim::Action::Kind;
    using Target = sim::Action::Target;
    EngineFixture world(optionsFor(testScenario(1, 0)));
    world.engine().start();
    ASSERT_TRUE(
        world.waitUntil("it runs", [](const replay::RunState& s) { return s.statistics.acquired > 2; }));
    std::size_t since = 0;
    const auto send = [&](sim::Action action, GateStep* step = nullptr) {
        since = world.trace().count();
        if (step)
            action.step = *step;
        const bool named =
            action.target == Target::unspecified && action.kind != Kind::pause && action.kind != Kind::resume;
        world.engine().post(named ? engine::Execute{action, ClientId{0}} : engine::Execute{action});
    };
    const auto isRefused = [&](const std::string& why) {
        return world.waitUntil("it is refused: " + why, [&](const replay::RunState&) {
            const auto refused = [&](const trace::Event& event) {
                const auto* one = std::get_if<trace::CommandRefused>(&event.what);
                return one && one->reason.english() == why;
            };
            return world.find(refused, since).valid();
        });
    };
    GateStep watch = GateStep::watch;
    send(sim::Action::of(Kind::letGo));
    EXPECT_TRUE(isRefused("ada is not held."));
    send(sim::Action::of(Kind::letGo), &watch);
    EXPECT_TRUE(isRefused("ada is not held before watch."));
    send(sim::Action::of(Kind::letGo, Target::everyone));
    EXPECT_TRUE(isRefused("No client is held."));
    send(sim::Action::of(Kind::resume));
    EXPECT_TRUE(isRefused("The run is not paused."));
    send(sim::Action::of(Kind::hold, Target::everyone));
    send(sim::Action::of(Kind::hold, Target::everyone));
    EXPECT_TRUE(isRefused("All clients are held already."));
    send(sim::Action::of(Kind::letGo));
    EXPECT_TRUE(isRefused("All clients are held: ada goes on by steps, or with all of them."));
    send(sim::Action::of(Kind::letGo, Target::everyone));
    send(sim::Action::of(Kind::hold));
    send(sim::Action::of(Kind::hold));
    EXPECT_TRUE(isRefused("ada is held already."));
    send(sim::Action::of(Kind::letGo));
    send(sim::Action::of(Kind::pause));
    send(sim::Action::of(Kind::pause));
    EXPECT_TRUE(isRefused("The run is paused already."));
    const auto refusals = [&] {
        int all = 0;
        for (std::size_t i = 0; i < world.trace().count(); ++i)
            all += std::holds_alternative<trace::CommandRefused>(world.trace().at(i).what) ? 1 : 0;
        return all;
    };
    EXPECT_EQ(refusals(), 8) << "those that change something are accepted";
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
}

TEST(Colours, FollowTheNameWhicheverPlaceItHas)
{
    sim::Scenario scenario = testScenario(0, 1);
    for (const char* name : {"bo", "baker", "ada"}) {
        sim::NamedClient client;
        client.name = name;
        client.work = scenario.work;
        scenario.named.push_back(client);
    }
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_EQ(world.state().clients.at(0).colour, 1) << "bo, as everywhere";
    EXPECT_EQ(world.state().clients.at(1).colour, 2) << "one that is left";
    EXPECT_EQ(world.state().clients.at(2).colour, 0) << "ada";
}

TEST(ClientLink, IsHalfOpenUntilItsConnectionsAreClosed)
{
    using Kind = sim::Action::Kind;
    boost::asio::io_context io;
    const auto link = sim::ClientLink::open(io, "127.0.0.1:1", 1);
    ASSERT_TRUE(link) << link.error().text();
    for (const Kind closing : {Kind::resetLink, Kind::cutLink, Kind::healLink}) {
        ASSERT_TRUE((*link)->apply(sim::Action::of(Kind::halfOpenLink)));
        EXPECT_TRUE((*link)->state().halfOpen);
        ASSERT_TRUE((*link)->apply(sim::Action::of(closing)));
        EXPECT_FALSE((*link)->state().halfOpen);
    }
    EXPECT_TRUE((*link)->state().whole());
    EXPECT_FALSE((*link)->hasFault());
    ASSERT_TRUE((*link)->apply(sim::Action::of(Kind::loseReply)));
    EXPECT_TRUE((*link)->hasFault());
    ASSERT_TRUE((*link)->apply(sim::Action::of(Kind::healLink)));
    EXPECT_FALSE((*link)->hasFault());
}

TEST(ClientLink, RefusesWhatNeedsToReadTls)
{
    boost::asio::io_context io;
    const auto link = sim::ClientLink::open(io, "127.0.0.1:1", 1, true);
    ASSERT_TRUE(link) << link.error().text();
    const Result<void> lost = (*link)->apply(sim::Action::of(sim::Action::Kind::loseReply));
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::unsupported);
    EXPECT_TRUE((*link)->apply(sim::Action::of(sim::Action::Kind::cutLink)));
}

} // namespace
} // namespace lockscope::test
