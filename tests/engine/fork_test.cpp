// New runs that are brought to moments of old ones, on the real server: what they come to is what was there.
#include "core/server/process/managed_server.h"
#include "core/sim/run/step_order.h"
#include "core/trace/event_codec.h"
#include "core/trace/event_fields.h"
#include "tests/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace lockscope::test {
namespace {

using namespace std::chrono_literals;
using replay::ClientPhase;
using replay::RunState;

using StorePtr = std::shared_ptr<const trace::TraceStore>;

// Where a client is: nodes by lock with their numbers, whom it sleeps behind, how deep it is in.
using Place = std::vector<std::string>;

std::string numberOf(replay::Text node)
{
    return std::string(node.substr(node.size() - std::min<std::size_t>(node.size(), 4)));
}

bool isThere(const RunState& state, const replay::LockUse& one)
{
    return !one.watches.empty() && state.node(one.lock, one.watches);
}

Place placeOf(const RunState& state, const replay::ClientRow& client)
{
    Place place{"acquired " + std::to_string(client.acquired)};
    client.forEach([&](const replay::LockUse& one) {
        const replay::NodeRow* node = state.node(one.lock, one.node);
        if (!node)
            return;
        std::string text = std::to_string(one.lock.value) + "/" + numberOf(one.node);
        if (one.holds())
            text += " in " + std::to_string(std::max<int>(one.depth, node->depth));
        else if (isThere(state, one))
            text += " behind " + numberOf(one.watches);
        place.push_back(text);
    });
    std::sort(place.begin() + 1, place.end());
    return place;
}

// Clients with a pending step at the moment, whose position is not known.
std::set<ClientId> underWay(const trace::TraceStore& store, const RunState& state, std::size_t events)
{
    std::map<std::size_t, ClientId> open;
    for (std::size_t i = 0; i < events; ++i) {
        const trace::Event& event = store.at(i);
        if (std::holds_alternative<trace::Request>(event.what))
            open[i] = event.client;
        else if (std::holds_alternative<trace::Reply>(event.what))
            open.erase(event.cause.value);
    }
    std::set<ClientId> clients;
    for (const auto& [index, client] : open)
        clients.insert(client);
    for (const replay::ClientRow& client : state.clients)
        client.forEach([&](const replay::LockUse& one) {
            if (!one.watches.empty() && !isThere(state, one))
                clients.insert(client.id); // it was woken, or is about to be
        });
    return clients;
}

RunState stateAt(const trace::TraceStore& store, std::size_t events)
{
    RunState state;
    for (std::size_t i = 0; i < events; ++i)
        replay::apply(state, store, i);
    return state;
}

// A create that finds no path is taken once more.
std::vector<sim::TakenStep> withoutRepeats(std::vector<sim::TakenStep> steps)
{
    std::map<std::string, GateStep> last;
    std::erase_if(steps, [&](const sim::TakenStep& one) {
        const auto before = last.find(one.client);
        const bool again = one.step == GateStep::create && before != last.end() && before->second == one.step;
        last[one.client] = one.step;
        return again;
    });
    return steps;
}

// For a failure: what led to the moment.
std::string story(const trace::TraceStore& store, const std::vector<sim::TakenStep>& steps,
                  std::size_t events)
{
    std::string text;
    for (std::size_t i = events > 60 ? events - 60 : 0; i < events; ++i) {
        trace::appendEventLine(text, store.at(i));
        text += '\n';
    }
    for (std::size_t i = steps.size() > 40 ? steps.size() - 40 : 0; i < steps.size(); ++i)
        text += steps[i].client + " " + std::string(trace::nameOf(steps[i].step)) + ", ";
    return text;
}

class ForkTest : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        auto started = server::ManagedServer::start({});
        ASSERT_TRUE(started) << started.error().text();
        s_server = std::move(*started);
    }
    static void TearDownTestSuite() { s_server.reset(); }

    // Every run has its own path without nodes.
    static engine::Options here(sim::Scenario scenario)
    {
        const std::string folder = "/fork" + std::to_string(++s_runs);
        for (std::string& path : scenario.locks)
            path = folder + "/" + std::string(sim::lockName(path));
        scenario.sessionTimeout = 40s; // no session expires, even on a busy machine
        engine::Options options = optionsFor(std::move(scenario));
        options.connect = s_server->address();
        return options;
    }
    static StorePtr recorded(const sim::Scenario& scenario)
    {
        EngineFixture world(here(scenario));
        world.engine().start();
        EXPECT_TRUE(world.waitForEnd());
        return world.engine().trace();
    }

    // Brings a new run to the moment and compares. False: it cannot be brought there.
    static bool forksRight(sim::StepOrder& order, std::size_t events)
    {
        const trace::TraceStore& store = order.store();
        if (order.blocker(events))
            return false;
        const Result<sim::Scenario> forked = order.scenario(events, true);
        EXPECT_TRUE(forked) << forked.error().text();
        const std::vector<sim::TakenStep> steps = forked->steps;
        EngineFixture world(here(*forked));
        world.engine().start();
        // As far as the state is known; who stands before a create that it has taken is about to take it
        // again.
        const auto taken = [&](const RunState& state) {
            std::size_t known = world.trace().count();
            while (known > 0 && world.trace().at(known - 1).at > state.now)
                --known;
            return sim::manualSteps(world.trace(), known);
        };
        const auto atRest = [&](const RunState& state) {
            const std::vector<sim::TakenStep> all = taken(state);
            return std::all_of(state.clients.begin(), state.clients.end(), [&](const replay::ClientRow& row) {
                const auto last = std::find_if(all.rbegin(), all.rend(), [&](const sim::TakenStep& step) {
                    return step.client == row.name;
                });
                const bool again =
                    last != all.rend() && last->step == GateStep::create && row.heldAt == last->step;
                return (row.heldAt && !again) || row.asleep() || row.phase == ClientPhase::finished;
            });
        };
        const bool came = world.waitUntil("all steps are taken again", [&](const RunState& state) {
            return state.clients.size() >= forked->clients && !state.clients.empty() &&
                   withoutRepeats(taken(state)).size() >= steps.size() && atRest(state);
        });
        EXPECT_EQ(withoutRepeats(taken(world.state())), steps);
        EXPECT_TRUE(world.state().notices.empty()) << world.state().notices.back().text;
        const RunState then = stateAt(store, events);
        const RunState& now = world.state();
        const std::set<ClientId> unknown = underWay(store, then, events);
        if (!came || now.clients.size() < then.clients.size())
            return false;
        for (const replay::ClientRow& row : then.clients)
            if (!unknown.contains(row.id)) {
                EXPECT_EQ(placeOf(now, now.clients[row.id.value]), placeOf(then, row))
                    << row.name << " behind event " << events << ":\n"
                    << story(store, steps, events);
            }
        // A list may show a node before the reply to its create, when its owner is not known yet.
        const auto queues = [&](const RunState& state) {
            std::vector<std::string> all;
            for (const replay::LockRow& lock : state.locks)
                for (const replay::NodeRow& node : lock.queue)
                    if (node.owner.valid() && !unknown.contains(node.owner))
                        all.push_back(std::to_string(lock.id.value) + "/" + numberOf(node.name) + " of " +
                                      std::to_string(node.owner.value));
            return all;
        };
        EXPECT_EQ(queues(now), queues(then)) << "behind event " << events << ":\n"
                                             << story(store, steps, events);
        return !testing::Test::HasFailure();
    }

    // At about so many moments, evenly spread and a little irregular. How many could be forked.
    static std::size_t forkAll(const StorePtr& store, std::size_t moments)
    {
        sim::StepOrder order(store);
        std::size_t forked = 0;
        for (std::size_t i = 1; i <= moments && !testing::Test::HasFailure(); ++i)
            forked += forksRight(order, store->count() * i / (moments + 1) + i % 7) ? 1 : 0;
        return forked;
    }

    static inline std::unique_ptr<server::ManagedServer> s_server;
    static inline int s_runs = 0;
};

TEST_F(ForkTest, ARunThatWasNotSteppedIsForkedAtAnyMoment)
{
    sim::Scenario scenario = testScenario(4, 12);
    scenario.work.hold = {0ms, 3ms};
    scenario.work.think = {0ms, 3ms};
    scenario.work.reenterMax = 2;
    EXPECT_EQ(forkAll(recorded(scenario), 20), 20U);
}

TEST_F(ForkTest, APacedRunIsForkedAtAnyMoment)
{
    sim::Scenario scenario = testScenario(3, 3);
    scenario.pace = 4ms;
    EXPECT_EQ(forkAll(recorded(scenario), 15), 15U);
}

TEST_F(ForkTest, ReadersAndWritersAreForkedAtAnyMoment)
{
    sim::Scenario scenario = testScenario(5, 8);
    scenario.recipe = Recipe::readWrite;
    scenario.work.writePercent = 40;
    scenario.work.hold = {1ms, 4ms};
    EXPECT_EQ(forkAll(recorded(scenario), 15), 15U);
}

TEST_F(ForkTest, TwoLocksAreForkedAtAnyMoment)
{
    sim::Scenario scenario = testScenario(3, 6);
    scenario.locks = {"/locks/one", "/locks/other"};
    scenario.work.takes = {{0}, {1}};
    scenario.work.hold = {1ms, 3ms};
    EXPECT_EQ(forkAll(recorded(scenario), 12), 12U);
}

// Free, held, a few steps, free again, one client held before one step.
TEST_F(ForkTest, ARunThatWasHeldForAWhileIsForkedAtAnyMoment)
{
    sim::Scenario scenario = testScenario(3, 0);
    scenario.work.hold = {1ms, 2ms};
    EngineFixture world(here(scenario));
    world.engine().start();
    const auto action = [&](sim::Action::Kind kind, sim::Action::Target target) {
        sim::Action made;
        made.kind = kind;
        made.target = target;
        world.engine().post(engine::Execute{made});
    };
    const auto acquired = [&](std::uint64_t more) {
        const auto goal = world.state().statistics.acquired + more;
        return world.waitUntil("it goes on",
                               [goal](const RunState& s) { return s.statistics.acquired >= goal; });
    };
    ASSERT_TRUE(acquired(5));
    for (int round = 0; round < 2; ++round) {
        action(sim::Action::Kind::hold, sim::Action::Target::everyone);
        for (int step = 0; step < 7; ++step) {
            ASSERT_TRUE(world.waitUntil("a client is held", [](const RunState& state) {
                return std::any_of(state.clients.begin(), state.clients.end(),
                                   [](const replay::ClientRow& row) { return row.heldAt.has_value(); });
            }));
            action(sim::Action::Kind::step, sim::Action::Target::nextInTurn);
        }
        action(sim::Action::Kind::letGo, sim::Action::Target::everyone);
        ASSERT_TRUE(acquired(4));
    }
    sim::Action before;
    before.kind = sim::Action::Kind::hold;
    before.step = GateStep::sleep;
    world.engine().post(engine::Execute{before, ClientId{1}});
    ASSERT_TRUE(world.waitUntil(
        "it stands there", [](const RunState& state) { return state.clients[1].heldAt == GateStep::sleep; }));
    const std::size_t end = world.trace().count();
    sim::StepOrder order(world.engine().trace());
    EXPECT_TRUE(forksRight(order, end)) << "while it goes on";
    world.engine().stop();
    for (std::size_t i = 1; i <= 12 && !HasFailure(); ++i)
        EXPECT_TRUE(forksRight(order, end * i / 12)) << i;
}

TEST_F(ForkTest, WhatComesAtATimeComesAsLongAfterTheMoment)
{
    sim::Scenario scenario = testScenario(2, 30);
    scenario.work.hold = {1ms, 1ms};
    const StorePtr store = recorded(scenario);
    sim::StepOrder order(store);
    const std::size_t half = store->count() / 2;
    const Result<sim::Scenario> plain = order.scenario(half, true);
    ASSERT_TRUE(plain) << plain.error().text();
    EXPECT_TRUE(plain->stepping);
    EXPECT_FALSE(order.scenario(half, false)->stepping);
    const Result<sim::Scenario> read = sim::parseScenario(plain->source, "fork.toml");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->steps, plain->steps);
}

// What was done to a client cannot be had again by steps.
TEST_F(ForkTest, AFaultBindsEveryLaterMoment)
{
    sim::Scenario scenario = testScenario(3, 10);
    scenario.work.hold = {1ms, 2ms};
    sim::ScriptLine line;
    line.when.kind = sim::Trigger::Kind::handoffs;
    line.when.count = 6;
    line.action.kind = sim::Action::Kind::killSession;
    line.action.target = sim::Action::Target::holder;
    line.text = "after 6 handoffs: kill the holder";
    scenario.script = {line};
    const StorePtr store = recorded(scenario);
    sim::StepOrder order(store);
    std::size_t fault = 0;
    while (fault < store->count() && !std::holds_alternative<trace::Command>(store->at(fault).what))
        ++fault;
    ASSERT_LT(fault, store->count());
    const std::optional<sim::StepBlocker> found = order.blocker(fault + 1);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, sim::StepBlocker::Kind::fault);
    EXPECT_EQ(found->since.value, fault);
    EXPECT_EQ(order.blocker(store->count()), found);
    EXPECT_FALSE(order.blocker(fault)) << "an earlier moment is free of it";
    // Behind the handoff that it waits for the script would do it in the new run, too.
    std::size_t handoff = fault;
    while (handoff > 0 && !std::holds_alternative<trace::Acquired>(store->at(handoff).what))
        --handoff;
    EXPECT_TRUE(forksRight(order, handoff));
}

TEST_F(ForkTest, WhereStepsAreNotKnownItSaysSo)
{
    using Kind = sim::StepBlocker::Kind;
    sim::Scenario scenario = testScenario(3, 3);
    scenario.recipe = Recipe::semaphore;
    scenario.leases = 2;
    const StorePtr leases = recorded(scenario);
    EXPECT_EQ(sim::StepOrder(leases).blocker(leases->count() / 2)->kind, Kind::notHeld);
    scenario = testScenario(2, 3);
    scenario.work.acquireTimeout = 1s;
    const StorePtr timed = recorded(scenario);
    EXPECT_EQ(sim::StepOrder(timed).blocker(1)->kind, Kind::timeLimit);
    const StorePtr over = recorded(testScenario(2, 2));
    EXPECT_EQ(sim::StepOrder(over).blocker(over->count())->kind, Kind::over);
    trace::Header header;
    EXPECT_EQ(sim::StepOrder(std::make_shared<trace::TraceStore>(header)).blocker(0)->kind, Kind::noScenario);
}

} // namespace
} // namespace lockscope::test
