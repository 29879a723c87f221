// The script of a scenario: when what happens to whom.
#include "core/sim/run/cut_short.h"
#include "core/sim/scenario/scenario.h"
#include "core/sim/script/script_runner.h"
#include "core/sim/script/script_text.h"
#include "core/zk/memory/virtual_clock.h"

#include <gtest/gtest.h>

namespace lockscope::sim {
namespace {

using namespace std::chrono_literals;

// As many as the line names.
std::string servers(std::string_view action)
{
    const bool several = action.find("the leader") != action.npos || action.find("server 2") != action.npos;
    return several ? "servers = 3\n" : "";
}

TEST(ScenarioTest, AScriptSaysWhenWhatHappensToWhom)
{
    const Result<Scenario> scenario = parseScenario(R"(script = [
        "at 1.5s: pause",
        "after 3 handoffs: freeze the holder for 4s",
        "when anybody waits: delete the node of the first waiter",
        "when bo is lost: stop the server for 2s",
        "when ada holds: kill bo"])",
                                                    "s.toml");
    ASSERT_TRUE(scenario) << scenario.error().text();
    const std::vector<ScriptLine>& script = scenario->script;
    ASSERT_EQ(script.size(), 5U);
    EXPECT_EQ(script[0].when.kind, Trigger::Kind::at);
    EXPECT_EQ(script[0].when.time, Duration(1500ms));
    EXPECT_EQ(script[0].action.kind, Action::Kind::pause);
    EXPECT_EQ(script[1].when.kind, Trigger::Kind::handoffs);
    EXPECT_EQ(script[1].when.count, 3U);
    EXPECT_EQ(script[1].action.target, Action::Target::holder);
    EXPECT_EQ(script[1].action.span, Duration(4s));
    EXPECT_EQ(script[2].when.client, "") << "anybody";
    EXPECT_EQ(script[2].action.kind, Action::Kind::deleteNode);
    EXPECT_EQ(script[2].action.target, Action::Target::firstWaiter);
    EXPECT_EQ(script[3].when.kind, Trigger::Kind::lost);
    EXPECT_EQ(script[3].when.client, "bo");
    EXPECT_EQ(script[3].action.span, Duration(2s));
    EXPECT_EQ(script[4].action.client, "bo");
    EXPECT_EQ(script[4].text, "when ada holds: kill bo");
}

TEST(ScenarioTest, EveryWayToArriveAndEveryActionIsParsed)
{
    for (const char* arrival : {"at once", "together", "together by 100", "every 20ms", "poisson 50ms"})
        EXPECT_TRUE(parseScenario("arrival = \"" + std::string(arrival) + "\"", "a.toml")) << arrival;
    std::vector<std::string> actions{"stop the leader for 1s",
                                     "slow the link of everybody by 5ms for 1s",
                                     "mute the link of ada to the server for 3s",
                                     "mend the link of ada",
                                     "hold everybody",
                                     "hold everyone",
                                     "let ada go before watch"};
    for (std::string example : actionExamples()) {
        if (const std::size_t client = example.find('@'); client != example.npos)
            example.replace(client, 1, "ada");
        actions.push_back(example);
    }
    for (const std::string& action : actions) {
        const Result<Scenario> scenario =
            parseScenario(servers(action) + "script = [\"at 1s: " + action + "\"]", "d.toml");
        EXPECT_TRUE(scenario) << action << ": " << scenario.error().text();
    }
    for (const char* action :
         {"kill", "kill ", "freeze ada for ever", "stop the server", "restart the leader",
          "set the leases to many", "slow the link of ada", "limit the link of ada to 5",
          "mute the link of ada", "lose the next", "let ada", "lose the next song reply to ada",
          "hold ada before dawn", "let ada go before dawn", "kill server 0", "reset the link of ada for 2s"})
        EXPECT_FALSE(parseScenario("script = [\"at 1s: " + std::string(action) + "\"]", "d.toml")) << action;
}

// Numbers are those of one queue, and the clients of a herd all wait for the same node.
TEST(ScriptRunnerTest, AWaiterOfAnotherQueueHidesNoClient)
{
    trace::TraceStore store;
    trace::Recorder recorder(store);
    zk::memory::VirtualClock clock;
    zk::memory::VirtualScheduler scheduler(clock);
    const ScriptRunner runner(scheduler, recorder, {}, [](const Action&, std::size_t) {});
    const ClientId ada{0}, bo{1};
    const LockId left{0}, right{1};
    const OwnerId owner{0};
    const auto watches = [&](ClientId client, LockId lock, Operation op, std::string_view node) {
        recorder.record(client, lock, trace::Reply{op, trace::Outcome::ok, node, Zxid::none()});
    };
    const auto waits = [&](ClientId client, LockId lock, std::string_view node, std::string_view ahead) {
        recorder.record(client, lock, trace::Decided{node, 1, 2, ahead});
        watches(client, lock, Operation::getData, ahead);
    };
    waits(ada, left, "lock-0000000003", "lock-0000000002");
    waits(bo, right, "lock-0000000003", "lock-0000000001");
    EXPECT_EQ(runner.firstWaiter(), ada);
    recorder.record(bo, right, trace::Acquired{"lock-0000000003", Zxid{9}, owner});
    EXPECT_EQ(runner.firstWaiter(), ada) << "the other one's turn does not end its wait";
    recorder.record(ada, left, trace::AcquireFailed{trace::FailReason::timedOut, owner, {}});
    recorder.record(bo, right, trace::Released{"lock-0000000003", 0, owner});
    EXPECT_FALSE(runner.firstWaiter().valid());
    watches(ada, left, Operation::exists, "lock");
    watches(bo, left, Operation::exists, "lock");
    recorder.record(bo, left, trace::Acquired{"lock", Zxid{10}, owner});
    EXPECT_EQ(runner.firstWaiter(), ada);
}

TEST(StandStill, TimeInWhichTheProcessDidNotRunDoesNotCount)
{
    const MonotonicTime begin{100s};
    cut_short::StandStill still;
    still.after(false, begin);
    EXPECT_EQ(still.after(true, begin + 300ms), 300ms);
    EXPECT_EQ(still.after(true, begin + 60s), 1300ms) << "it was stopped for nearly a minute";
    EXPECT_EQ(still.after(true, begin + 60s + 500ms), 1800ms);
    EXPECT_EQ(still.after(false, begin + 61s), 0ms);
    EXPECT_EQ(still.after(true, begin + 61s + 200ms), 200ms);
}

} // namespace
} // namespace lockscope::sim
