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
