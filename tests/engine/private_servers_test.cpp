// The servers of a run while something is done to them that takes long: the sessions go on meanwhile.
#include "tests/engine/engine_fixture.h"

#include <gtest/gtest.h>

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace lockscope::test {
namespace {

using namespace std::chrono_literals;
using replay::RunState;

std::string contentOf(const std::filesystem::path& path)
{
    std::string line;
    std::getline(std::ifstream(path), line, '\0');
    return line;
}

// The supervisor of this program's own server, stopped: what it is asked for takes as long as the test wants.
class StoppedSupervisor
{
public:
    StoppedSupervisor()
    {
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
            std::ifstream children(task.path() / "children");
            for (int child = 0; children >> child;)
                if (contentOf("/proc/" + std::to_string(child) + "/comm").starts_with("lockscope-super"))
                    m_process = child;
        }
        if (m_process > 0)
            ::kill(m_process, SIGSTOP);
    }
    ~StoppedSupervisor() { resume(); }
    bool found() const { return m_process > 0; }
    void resume() const
    {
        if (m_process > 0)
            ::kill(m_process, SIGCONT);
    }

private:
    pid_t m_process = 0;
};

bool has(EngineFixture& world, const std::function<bool(const trace::Event&)>& predicate)
{
    return world.find(predicate).valid();
}

bool isRefused(const trace::Event& event)
{
    return std::holds_alternative<trace::CommandRefused>(event.what);
}
bool isDown(const trace::Event& event)
{
    const auto* state = std::get_if<trace::ServerState>(&event.what);
    return state && state->phase == trace::ServerPhase::down;
}

class SlowSupervisor : public testing::TestWithParam<sim::Action::Kind>
{};

TEST_P(SlowSupervisor, TheSessionsGoOnUntilItIsDone)
{
    sim::Scenario scenario = testScenario(3, 0);
    scenario.work.hold = {1ms, 2ms};
    scenario.sessionTimeout = 4s; // shorter than the supervisor is waited for
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("it runs", [](const RunState& s) { return s.statistics.acquired > 10; }));

    const StoppedSupervisor supervisor;
    ASSERT_TRUE(supervisor.found());
    sim::Action action;
    action.kind = GetParam();
    action.span = 100ms;
    world.engine().post(engine::Execute{action, ClientId::none()});
    ASSERT_TRUE(world.waitUntil("it is asked for", [&](const RunState&) {
        return has(world, [](const trace::Event& event) {
            const auto* command = std::get_if<trace::Command>(&event.what);
            return (command && command->verb.ends_with("_server")) || isRefused(event);
        });
    }));
    const std::uint64_t acquired = world.state().statistics.acquired;
    ASSERT_TRUE(world.waitUntil("they go on",
                                [&](const RunState& s) { return s.statistics.acquired > acquired + 50; }));
    EXPECT_FALSE(has(world, isRefused)) << "they had to wait for the supervisor";
    EXPECT_FALSE(has(world, isDown));

    supervisor.resume();
    ASSERT_TRUE(world.waitUntil("it is done", [&](const RunState&) { return has(world, isDown); }));
    const std::uint64_t until = world.state().statistics.acquired;
    ASSERT_TRUE(world.waitUntil("the server is back",
                                [&](const RunState& s) { return s.statistics.acquired > until + 10; }));
    EXPECT_FALSE(has(world, isRefused));
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
}

INSTANTIATE_TEST_SUITE_P(Actions, SlowSupervisor,
                         testing::Values(sim::Action::Kind::killServer, sim::Action::Kind::stopServer,
                                         sim::Action::Kind::restartServer));

sim::Action stopFor(Duration span)
{
    return sim::Action::of(sim::Action::Kind::stopServer, sim::Action::Target::unspecified, span);
}

bool isContinued(const trace::Event& event)
{
    const auto* command = std::get_if<trace::Command>(&event.what);
    return command && command->verb == trace::toText(trace::CommandVerb::continueServer);
}

// Two stops that overlap are one stop until the later end, which is said; the shorter one does not cut it
// short.
TEST(PrivateServers, StopsThatOverlapEndWithTheLastOne)
{
    sim::Scenario scenario = testScenario(2, 0);
    scenario.work.hold = {1ms, 2ms};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("it runs", [](const RunState& s) { return s.statistics.acquired > 10; }));
    world.engine().post(engine::Execute{stopFor(200ms)});
    world.engine().post(engine::Execute{stopFor(1500ms)});
    world.engine().post(engine::Execute{stopFor(10ms)});
    ASSERT_TRUE(world.waitUntil("it continues", [&](const RunState&) { return has(world, isContinued); }));
    const trace::Event& continued = world.trace().at(world.find(isContinued));
    const trace::Event& stopped = world.trace().at(world.find([](const trace::Event& event) {
        const auto* command = std::get_if<trace::Command>(&event.what);
        return command && command->verb == trace::toText(trace::CommandVerb::stopServer);
    }));
    EXPECT_GE(continued.at - stopped.at, 1500ms);
    const std::uint64_t until = world.state().statistics.acquired;
    ASSERT_TRUE(
        world.waitUntil("they go on", [&](const RunState& s) { return s.statistics.acquired > until + 50; }));
    EXPECT_FALSE(has(world, isRefused));
    std::size_t said = 0, continuations = 0;
    for (std::size_t i = 0; i < world.trace().count(); ++i) {
        const trace::Event& event = world.trace().at(i);
        const auto* notice = std::get_if<trace::Notice>(&event.what);
        said += notice && notice->code == "stopped_longer" ? 1U : 0U;
        continuations += isContinued(event) ? 1U : 0U;
    }
    EXPECT_EQ(said, 2U);
    EXPECT_EQ(continuations, 1U);
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
}

// A server that was started again in the meantime is not stopped any more: nothing continues it.
TEST(PrivateServers, AServerThatIsKilledWhileItIsStoppedIsNotContinued)
{
    sim::Scenario scenario = testScenario(2, 0);
    scenario.work.hold = {1ms, 2ms};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("it runs", [](const RunState& s) { return s.statistics.acquired > 10; }));
    world.engine().post(engine::Execute{stopFor(500ms)});
    world.engine().post(engine::Execute{sim::Action::Kind::killServer});
    ASSERT_TRUE(world.waitUntil("it is down", [&](const RunState&) { return has(world, isDown); }));
    const std::uint64_t until = world.state().statistics.acquired;
    ASSERT_TRUE(world.waitUntil("the server is back",
                                [&](const RunState& s) { return s.statistics.acquired > until + 50; }));
    EXPECT_FALSE(has(world, isContinued));
    EXPECT_FALSE(has(world, isRefused));
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
}

// What it does not do in time is said, and the run goes on.
TEST(PrivateServers, ASupervisorThatDoesNotAnswerIsARefusal)
{
    sim::Scenario scenario = testScenario(2, 0);
    scenario.work.hold = {1ms, 2ms};
    EngineFixture world(optionsFor(scenario));
    world.engine().start();
    ASSERT_TRUE(world.waitUntil("it runs", [](const RunState& s) { return s.statistics.acquired > 10; }));
    const StoppedSupervisor supervisor;
    ASSERT_TRUE(supervisor.found());
    world.engine().post(engine::Execute{sim::Action::Kind::killServer});
    ASSERT_TRUE(world.waitUntil("it is given up", [&](const RunState&) { return has(world, isRefused); }));
    const std::uint64_t acquired = world.state().statistics.acquired;
    supervisor.resume(); // and now it is killed after all, and started again
    ASSERT_TRUE(world.waitUntil("the server is back", [&](const RunState& s) {
        return has(world, isDown) && s.statistics.acquired > acquired + 50;
    }));
    world.engine().post(engine::Finish{});
    ASSERT_TRUE(world.waitForEnd());
}

} // namespace
} // namespace lockscope::test
