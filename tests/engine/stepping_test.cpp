// Steps by hand on the real server: held, taken one at a time, saved and taken again in the same order.
#include "core/sim/run/step_order.h"
#include "tests/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::test {
namespace {

using namespace std::chrono_literals;
using replay::RunState;

sim::Scenario stepped(std::uint32_t clients, std::uint32_t cycles)
{
    sim::Scenario scenario = testScenario(clients, cycles);
    scenario.stepping = true;
    return scenario;
}

const replay::ClientRow* named(const RunState& state, std::string_view name)
{
    for (const replay::ClientRow& row : state.clients)
        if (row.name == name)
            return &row;
    return nullptr;
}

// From the start on, ada stops before this step.
sim::ScriptLine holdAdaAt(GateStep step)
{
    sim::ScriptLine line;
    line.when.kind = sim::Trigger::Kind::at;
    line.action.kind = sim::Action::Kind::hold;
    line.action.target = sim::Action::Target::named;
    line.action.client = "ada";
    line.action.step = step;
    return line;
}

bool stands(const RunState& state, std::string_view name, GateStep step)
{
    const replay::ClientRow* row = named(state, name);
    return row && row->heldAt == step;
}

// Lets the client take the step it must stand before by now.
void take(EngineFixture& world, const std::string& name, GateStep step)
{
    ASSERT_TRUE(world.waitUntil(name + " stands before its step",
                                [&](const RunState& state) { return stands(state, name, step); }));
    const std::size_t since = world.trace().count();
    sim::Action action;
    action.kind = sim::Action::Kind::step;
    world.engine().post(engine::Execute{action, named(world.state(), name)->id});
    const auto taken = [&](const trace::Event& event) {
        return std::holds_alternative<trace::StepTaken>(event.what) &&
               event.client == named(world.state(), name)->id;
    };
    ASSERT_TRUE(world.waitUntil(name + " has gone on",
                                [&](const RunState&) { return world.find(taken, since).valid(); }));
}

void resumeAll(EngineFixture& world)
{
    sim::Action action;
    action.kind = sim::Action::Kind::letGo;
    action.target = sim::Action::Target::everyone;
    world.engine().post(engine::Execute{action});
}

// Before the run is over.
std::size_t lastMoment(EngineFixture& world)
{
    std::size_t end = world.trace().count();
    while (end > 0 && !std::holds_alternative<trace::StepTaken>(world.trace().at(end - 1).what))
        --end;
    return end;
}

std::vector<std::string> grants(const trace::TraceStore& store)
{
    std::vector<std::string> names;
    std::vector<std::string> order;
    for (std::size_t i = 0; i < store.count(); ++i) {
        const trace::Event& event = store.at(i);
        if (const auto* added = std::get_if<trace::ClientAdded>(&event.what))
            names.emplace_back(added->name);
        if (const auto* acquired = std::get_if<trace::Acquired>(&event.what))
            order.push_back(names.at(event.client.value) + " " +
                            std::string(acquired->node.substr(acquired->node.size() - 4)));
    }
    return order;
}

// bo first, then cyd, then ada, though nothing but the hand says so.
void queueUpByHand(EngineFixture& world)
{
    for (const char* name : {"bo", "cyd", "ada"}) {
        take(world, name, GateStep::create);
        take(world, name, GateStep::created);
        take(world, name, GateStep::list);
        take(world, name, GateStep::decide);
    }
    take(world, "bo", GateStep::acquired);
    take(world, "ada", GateStep::watch);
    take(world, "cyd", GateStep::watch);
    take(world, "cyd", GateStep::sleep);
    take(world, "ada", GateStep::sleep);
}

void finishByHand(EngineFixture& world)
{
    take(world, "bo", GateStep::release);
    take(world, "bo", GateStep::remove);
    take(world, "bo", GateStep::gone);
    for (const char* name : {"cyd", "ada"})
        for (const GateStep step : {GateStep::woken, GateStep::list, GateStep::decide, GateStep::acquired,
                                    GateStep::release, GateStep::remove, GateStep::gone})
            take(world, name, step);
}

TEST(SteppingTest, AnOrderOfStepsTakenByHandIsSavedAndTakenAgain)
{
    sim::Scenario again;
    std::vector<sim::TakenStep> byHand;
    {
        EngineFixture world(optionsFor(stepped(3, 1)));
        world.engine().start();
        queueUpByHand(world);
        finishByHand(world);
        ASSERT_TRUE(world.waitForEnd());
        EXPECT_THAT(grants(world.trace()), testing::ElementsAre("bo 0000", "cyd 0001", "ada 0002"));
        byHand = sim::manualSteps(world.trace(), world.trace().count());
        sim::StepOrder order(world.engine().trace());
        const Result<sim::Scenario> saved = order.scenario(lastMoment(world), false);
        ASSERT_TRUE(saved) << saved.error().text();
        const Result<sim::Scenario> read = sim::parseScenario(sim::toToml(*saved), "again.toml");
        ASSERT_TRUE(read) << read.error().text();
        again = *read;
    }
    EngineFixture world(optionsFor(again));
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_THAT(grants(world.trace()), testing::ElementsAre("bo 0000", "cyd 0001", "ada 0002"));
    EXPECT_EQ(sim::manualSteps(world.trace(), world.trace().count()), byHand);
}

// The next in turn takes a step, and then all clients stand before their next steps or have ended.
void takeNext(EngineFixture& world)
{
    const auto atRest = [](const RunState& state) {
        return state.clients.size() == 2 &&
               std::ranges::all_of(state.clients, [](const replay::ClientRow& row) {
                   return row.heldAt || row.asleep() || row.phase == replay::ClientPhase::finished;
               });
    };
    ASSERT_TRUE(world.waitUntil("all clients are at rest", atRest));
    const std::size_t since = world.trace().count();
    world.engine().post(
        engine::Execute{sim::Action::of(sim::Action::Kind::step, sim::Action::Target::nextInTurn)});
    ASSERT_TRUE(world.waitUntil("a step is taken", [&](const RunState&) {
        return world
            .find(
                [](const trace::Event& event) {
                    return std::holds_alternative<trace::StepTaken>(event.what);
                },
                since)
            .valid();
    }));
    ASSERT_TRUE(world.waitUntil("all clients are at rest again", atRest));
}

std::string firstInQueue(const RunState& state)
{
    const auto& queue = state.locks.front().queue;
    const replay::ClientRow* owner = queue.empty() ? nullptr : state.client(queue.front().owner);
    return owner ? std::string(owner->name) : std::string();
}

// "ada takes the lock, bo queues up behind it": the first step makes ada's node, and the hold lasts until a
// step.
TEST(SteppingTest, TwoClientsStepByStepDoWhatTheirTextSays)
{
    for (int round = 0; round < 3; ++round) {
        EngineFixture world(optionsFor(*sim::loadScenario("two-clients")));
        world.engine().start();
        takeNext(world);
        EXPECT_TRUE(world.waitUntil("ada's node is the first",
                                    [](const RunState& state) { return firstInQueue(state) == "ada"; }));
        for (int step = 0; step < 20 && !stands(world.state(), "ada", GateStep::release); ++step)
            takeNext(world);
        ASSERT_TRUE(stands(world.state(), "ada", GateStep::release));
        EXPECT_EQ(named(world.state(), "ada")->phase, replay::ClientPhase::holding);
        EXPECT_THAT(grants(world.trace()), testing::ElementsAre("ada 0000"));
        for (int step = 0; step < 20 && named(world.state(), "bo")->phase != replay::ClientPhase::holding;
             ++step)
            takeNext(world);
        EXPECT_THAT(grants(world.trace()), testing::ElementsAre("ada 0000", "bo 0001"));
        EXPECT_EQ(firstInQueue(world.state()), "bo");
    }
}

TEST(SteppingTest, WithoutAUserTheStepsOfTwoClientsAreTakenInTheSameOrder)
{
    engine::Options options = optionsFor(*sim::loadScenario("two-clients"));
    options.attended = false;
    EngineFixture world(options);
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_THAT(grants(world.trace()), testing::ElementsAre("ada 0000", "bo 0001"));
    expectAllOk(world.state());
}

// No create of a client meets a missing path, with any recipe.
TEST(SteppingTest, ThePathsOfTheLocksExistBeforeTheClientsStart)
{
    using enum Recipe;
    for (const Recipe recipe :
         {mutex, readWrite, semaphore, semaphoreMutex, multiLock, herd, herdReadWrite}) {
        sim::Scenario scenario = testScenario(3, 1);
        scenario.recipe = recipe;
        if (recipe == semaphore)
            scenario.leases = 2;
        if (recipe == multiLock)
            scenario.locks = {"/locks/one", "/locks/other"};
        EngineFixture world(optionsFor(scenario));
        world.engine().start();
        ASSERT_TRUE(world.waitForEnd());
        EXPECT_GT(world.state().statistics.acquired, 0U) << nameOf(recipe);
        EXPECT_FALSE(world
                         .find([](const trace::Event& event) {
                             const auto* reply = std::get_if<trace::Reply>(&event.what);
                             return reply && reply->op == Operation::create &&
                                    reply->outcome == trace::Outcome::noNode;
                         })
                         .valid())
            << nameOf(recipe);
    }
}

// A held holder that is let go holds for the rest of its time; the steps that ended other holds do not
// shorten it.
TEST(SteppingTest, AHolderThatIsLetGoHoldsForTheRestOfItsTime)
{
    sim::Scenario scenario = stepped(1, 1);
    scenario.work.hold = {1h, 1h};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    for (const GateStep step :
         {GateStep::create, GateStep::created, GateStep::list, GateStep::decide, GateStep::acquired})
        take(world, "ada", step);
    ASSERT_TRUE(world.waitUntil("ada stands before her release", [](const RunState& state) {
        return stands(state, "ada", GateStep::release);
    }));
    resumeAll(world);
    ASSERT_TRUE(world.waitUntil(
        "ada is let go", [](const RunState& state) { return !named(state, "ada")->heldAt.has_value(); }));
    world.engine().post(
        engine::Execute{sim::Action::of(sim::Action::Kind::hold, sim::Action::Target::everyone)});
    world.engine().post(engine::SetPace{Duration{}});
    ASSERT_TRUE(world.waitUntil("the commands are executed", [&](const RunState&) {
        return world
            .find([](const trace::Event& event) {
                return std::holds_alternative<trace::PaceChanged>(event.what);
            })
            .valid();
    }));
    EXPECT_EQ(named(world.state(), "ada")->phase, replay::ClientPhase::holding);
    EXPECT_EQ(world.state().statistics.releases, 0U);
}

TEST(SteppingTest, AnOrderThatDoesNotFitPausesAllClientsAndSaysWhy)
{
    sim::Scenario scenario = stepped(2, 1);
    scenario.stepping = false;
    // Where the path was missing, the create was sent twice.
    scenario.steps = {{"ada", GateStep::create}, {"ada", GateStep::create}, {"ada", GateStep::watch}};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("it is recorded", [](const RunState& state) {
        return !state.notices.empty() &&
               state.notices.back().text.english().find("stands before created") != trace::Text::npos;
    }));
    EXPECT_TRUE(stands(world.state(), "ada", GateStep::created));
    resumeAll(world);
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_EQ(world.state().statistics.acquired, 2U);
}

TEST(SteppingTest, RunsUntilSomethingHappensAndPauses)
{
    engine::Options options = optionsFor(testScenario(3, 0));
    options.startPaused = true;
    EngineFixture world(options);
    world.engine().start();
    sim::Trigger when;
    when.kind = sim::Trigger::Kind::handoffs;
    when.count = 4;
    world.engine().post(engine::RunUntil{when});
    ASSERT_TRUE(world.waitUntil("it pauses by itself", [](const RunState& state) {
        return state.phase == trace::RunPhase::paused && state.statistics.acquired > 0;
    }));
    EXPECT_GE(world.state().statistics.handoffs, 4U);
    const std::uint64_t then = world.state().statistics.releases;
    when = {};
    when.kind = sim::Trigger::Kind::happens;
    when.event = "released";
    when.client = "bo";
    world.engine().post(engine::RunUntil{when});
    ASSERT_TRUE(world.waitUntil("it has gone on and paused again", [&](const RunState& state) {
        return state.phase == trace::RunPhase::paused && state.statistics.releases > then;
    }));
    EXPECT_TRUE(world
                    .find([](const trace::Event& event) {
                        return event.client == ClientId{1} &&
                               std::holds_alternative<trace::Released>(event.what);
                    })
                    .valid());
}

// Paused or held, a holder may stand with its release called and its node still there: the lock is its.
TEST(SteppingTest, TheHolderCanBeKilledInTheMidstOfItsRelease)
{
    sim::Scenario scenario = testScenario(2, 0);
    scenario.duration = 1h;
    scenario.script = {holdAdaAt(GateStep::remove)};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("ada stands before the delete of her node", [](const RunState& state) {
        return stands(state, "ada", GateStep::remove);
    }));
    ASSERT_EQ(named(world.state(), "ada")->phase, replay::ClientPhase::releasing);
    world.engine().post(
        engine::Execute{sim::Action::of(sim::Action::Kind::killSession, sim::Action::Target::holder)});
    ASSERT_TRUE(world.waitUntil("the command was carried out", [&](const RunState&) {
        return world
            .find([&](const trace::Event& event) {
                return std::holds_alternative<trace::SessionGone>(event.what) ||
                       std::holds_alternative<trace::CommandRefused>(event.what);
            })
            .valid();
    }));
    EXPECT_TRUE(world
                    .find([&](const trace::Event& event) {
                        const auto* command = std::get_if<trace::Command>(&event.what);
                        return command && command->verb == "kill_holder" &&
                               event.client == named(world.state(), "ada")->id;
                    })
                    .valid());
}

// No node is left behind when a run ends, orderly or at once, with or without links, paused or not.
TEST(SteppingTest, ARunThatIsEndedHasNoOrphans)
{
    for (const bool orderly : {true, false}) {
        engine::Options options = optionsFor(testScenario(5, 0));
        options.links = orderly;
        options.scenario.work.hold = {0ms, 50ms};
        EngineFixture world(options);
        world.engine().start();
        ASSERT_TRUE(
            world.waitUntil("it goes on", [](const RunState& s) { return s.statistics.acquired > 5; }));
        if (orderly)
            world.engine().post(engine::Finish{});
        else
            world.engine().stop();
        ASSERT_TRUE(world.waitForEnd());
        const replay::Finding& orphans = world.state().findings.of(replay::FindingKind::noOrphanNode);
        EXPECT_TRUE(orphans.ok()) << orphans.violated << " times: " << orphans.detail();
    }
}

TEST(SteppingTest, ARunThatIsEndedWhileItIsHeldHasNoOrphans)
{
    for (const bool orderly : {true, false}) {
        EngineFixture world(optionsFor(stepped(3, 1)));
        world.engine().start();
        queueUpByHand(world);
        if (orderly)
            world.engine().post(engine::Finish{});
        else
            world.engine().stop();
        ASSERT_TRUE(world.waitForEnd());
        const replay::Finding& orphans = world.state().findings.of(replay::FindingKind::noOrphanNode);
        EXPECT_TRUE(orphans.ok()) << orphans.violated << " times: " << orphans.detail();
    }
}

// Held for three times its session timeout, while others go on.
TEST(SteppingTest, ASessionLivesOnWhileItsClientIsHeld)
{
    sim::Scenario scenario = testScenario(2, 3);
    scenario.sessionTimeout = 2s;
    scenario.work.hold = {100ms, 100ms};
    scenario.script = {holdAdaAt(GateStep::created)};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("ada stands with her node made", [](const RunState& state) {
        return stands(state, "ada", GateStep::created);
    }));
    // A client behind a held node waits, so the held one must have come after bo's first.
    sim::Action step;
    step.kind = sim::Action::Kind::letGo;
    const TraceTime since = world.state().now;
    ASSERT_TRUE(world.waitUntil("three timeouts have gone by", [&](const RunState& state) {
        if (state.now - since < 6s)
            world.engine().post(engine::SetPace{Duration{}}); // an event, so that time is seen to pass
        return state.now - since >= 6s;
    }));
    EXPECT_FALSE(world
                     .find([](const trace::Event& event) {
                         const auto* session = std::get_if<trace::SessionState>(&event.what);
                         return session && session->phase == trace::SessionPhase::lost;
                     })
                     .valid());
    world.engine().post(engine::Execute{step, ClientId{0}});
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_EQ(world.state().statistics.acquired, 6U);
}

} // namespace
} // namespace lockscope::test
