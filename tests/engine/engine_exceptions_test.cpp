// An exception on the engine's thread ends the run and not the program.
#include "tests/engine/engine_fixture.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace lockscope::test {
namespace {

// The run is under way, and to pause it throws on the I/O thread.
bool startsAndFailsWhenPaused(EngineFixture& world)
{
    world.engine().onPhase([](engine::Phase phase) {
        if (phase == engine::Phase::paused)
            throw std::runtime_error("no luck");
    });
    world.engine().start();
    return world.waitUntil("it runs", [](const replay::RunState& s) { return s.statistics.acquired > 3; });
}

TEST(EngineTest, AnExceptionFailsTheRun)
{
    EngineFixture world(optionsFor(testScenario(2, 0)));
    ASSERT_TRUE(startsAndFailsWhenPaused(world));
    world.engine().post(engine::Execute{sim::Action::Kind::pause});
    ASSERT_TRUE(world.waitForEnd());
    world.engine().stop();
    EXPECT_EQ(world.engine().phase(), engine::Phase::failed);
    ASSERT_TRUE(world.engine().failure());
    EXPECT_EQ(world.engine().failure()->code, ErrorCode::internal);
    EXPECT_NE(world.engine().failure()->message.english().find("no luck"), std::string::npos);
}

TEST(EngineTest, ARunThatFailsIsOverWhenItsClientsHaveLeft)
{
    EngineFixture world(optionsFor(testScenario(5, 0)));
    ASSERT_TRUE(startsAndFailsWhenPaused(world));
    EXPECT_FALSE(world.engine().over());
    world.engine().post(engine::Execute{sim::Action::Kind::pause});
    ASSERT_TRUE(
        world.waitUntil("it is over", [&](const replay::RunState&) { return world.engine().over(); }));
    const std::size_t events = world.trace().count();
    const EventIndex failed = world.find([](const trace::Event& event) {
        const auto* run = std::get_if<trace::RunPhaseChanged>(&event.what);
        return run && run->phase == trace::RunPhase::failed;
    });
    ASSERT_TRUE(failed.valid());
    EXPECT_TRUE(world
                    .find(
                        [](const trace::Event& event) {
                            return std::holds_alternative<trace::ClientRemoved>(event.what);
                        },
                        failed.value)
                    .valid())
        << "the phase alone comes before the last events";
    world.engine().stop();
    EXPECT_EQ(world.trace().count(), events);
}

TEST(EngineTest, AnExceptionWhenTheStartHasFailedLeavesTheReason)
{
    engine::Options options = optionsFor(testScenario(1, 1));
    options.connect = "127.0.0.1:1";
    EngineFixture world(std::move(options));
    world.engine().onPhase([](engine::Phase phase) {
        if (phase == engine::Phase::failed)
            throw std::runtime_error("no luck");
    });
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    world.engine().stop();
    EXPECT_EQ(world.engine().phase(), engine::Phase::failed);
    ASSERT_TRUE(world.engine().failure());
    EXPECT_EQ(world.engine().failure()->code, ErrorCode::noServer);
}

TEST(EngineTest, AnExceptionAtEveryPhaseFailsTheRun)
{
    EngineFixture world(optionsFor(testScenario(2, 0)));
    world.engine().onPhase([](engine::Phase) { throw std::runtime_error("no luck"); });
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    world.engine().stop();
    EXPECT_EQ(world.engine().phase(), engine::Phase::failed);
    ASSERT_TRUE(world.engine().failure());
    EXPECT_EQ(world.engine().failure()->code, ErrorCode::internal);
}

} // namespace
} // namespace lockscope::test
