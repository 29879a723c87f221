// lockscope-cli run --workers and join: one run of several processes on a real server, what it leaves there
// (nothing), and what happens when one of the processes dies.
#include "tests/integration/child.h"
#include "tests/support/zk_world.h"

#include <boost/json.hpp>
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

namespace lockscope::tests {
namespace {

using test::Child;
using testing::AllOf;
using testing::HasSubstr;

class WorkersCommand : public ZkTest
{
protected:
    std::string file(const std::string& name) const { return folder / name.c_str(); }
    std::string textOf(const std::string& name) const
    {
        std::ostringstream text;
        text << std::ifstream(file(name)).rdbuf();
        return text.str();
    }
    std::string scenario(const std::string& more) const
    {
        const std::string name = "scenario-" + std::to_string(std::hash<std::string>()(more)) + ".toml";
        std::ofstream(file(name)) << "lock = \"" << path() << "/lock\"\nhold = \"1ms\"\nthink = \"1ms\"\n"
                                  << more;
        return file(name);
    }
    std::unique_ptr<Child> start(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.end(), {"--connect", server().address()});
        return std::make_unique<Child>(LOCKSCOPE_CLI, arguments);
    }
    std::unique_ptr<Child> coordinator(const std::string& id, const std::string& scenario, int workers)
    {
        return start({"run", scenario, "--workers", std::to_string(workers), "--run-id", id,
                      "--session-timeout", "4s", "--report", file(id + ".json")});
    }
    std::vector<std::unique_ptr<Child>> workers(const std::string& id, int count)
    {
        std::ofstream(file("key")) << "sixteen bytes or more";
        std::vector<std::unique_ptr<Child>> all;
        for (int n = 1; n <= count; ++n)
            all.push_back(start({"join", id, "--session-timeout", "4s", "--key-file", file("key"), "--trace",
                                 file(id + std::to_string(n) + ".jsonl")}));
        return all;
    }
    static void waitForStart(const Child& run)
    {
        ASSERT_TRUE(test::eventually([&] {
            return run.errors().find("the run has started") != std::string::npos;
        })) << run.errors();
    }
    boost::json::object report(const std::string& id) const
    {
        return boost::json::parse(textOf(id + ".json")).as_object();
    }

    tests::TempFolder folder;
};

// How often the text has it.
std::size_t occurrences(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST_F(WorkersCommand, ThreeWorkersCarryOutOneRunWithItsFaults)
{
    const std::string name = scenario(R"(clients = 6
cycles = 30
script = [
    "at 0s: hold fay before create",
    "when ada holds: let fay go before create",
    "after 20 handoffs: close the session of bo",
    "after 40 handoffs: kill the holder",
]
expect = ["belief_matches_server either"]
)");
    auto others = workers("three", 3); // they wait for the run
    auto run = coordinator("three", name, 3);
    for (const auto& worker : others)
        EXPECT_EQ(worker->wait(), 0) << worker->errors();
    ASSERT_EQ(run->wait(), 0) << run->errors();
    EXPECT_FALSE(world->exists("/lockscope"));

    const boost::json::object whole = report("three");
    EXPECT_EQ(whole.at("clients").to_number<int>(), 6);
    const auto acquired = whole.at("acquired").to_number<int>();
    EXPECT_GE(acquired, 170);
    EXPECT_EQ(whole.at("wait_us").at("count").to_number<int>(), acquired);
    EXPECT_EQ(whole.at("title").as_string(), whole.at("scenario").as_string());
    EXPECT_FALSE(whole.at("cut_short").as_bool());
    int sum = 0;
    for (const boost::json::value& worker : whole.at("workers").as_array()) {
        EXPECT_EQ(worker.at("state").as_string(), "done");
        EXPECT_EQ(worker.at("clients").to_number<int>(), 2);
        sum += worker.at("acquired").to_number<int>();
    }
    EXPECT_EQ(sum, acquired);
    std::map<std::string, std::string> verdicts;
    for (const boost::json::value& finding : whole.at("findings").as_array())
        verdicts[std::string(finding.at("name").as_string())] = finding.at("verdict").as_string();
    EXPECT_EQ(verdicts["one_holder"], "not checked") << "no worker saw all clients";
    EXPECT_EQ(verdicts["tokens_increase"], "not checked");
    EXPECT_EQ(verdicts["no_orphan_node"], "holds");

    // Each fault was executed once, by the worker that has the client.
    std::size_t held = 0, letGo = 0, closed = 0, killed = 0;
    for (const char* trace : {"three1.jsonl", "three2.jsonl", "three3.jsonl"}) {
        const std::string events = textOf(trace);
        EXPECT_EQ(occurrences(events, R"("e":"client_added")"), 2U);
        EXPECT_EQ(occurrences(events, R"("e":"command_refused")"), 0U) << trace;
        held += occurrences(events, R"("hold","argument":"fay)");
        letGo += occurrences(events, R"("let_go","argument":"fay)");
        closed += occurrences(events, R"("close_session","argument":"bo")");
        killed += occurrences(events, R"("kill_holder")");
    }
    EXPECT_EQ(held, 1U);
    EXPECT_EQ(letGo, 1U);
    EXPECT_EQ(closed, 1U);
    EXPECT_EQ(killed, 1U);

    Child merged(LOCKSCOPE_CLI, {"merge", file("all.jsonl"), file("three1.jsonl"), file("three2.jsonl"),
                                 file("three3.jsonl")});
    EXPECT_EQ(merged.wait(), 0) << merged.errors();
    EXPECT_EQ(occurrences(textOf("all.jsonl"), R"("e":"client_added")"), 6U);
}

TEST_F(WorkersCommand, ADeadWorkerIsAFaultAndADeadCoordinatorEndsTheRun)
{
    const std::string name = scenario(R"(clients = 4
cycles = 0
duration = "5s"
session_timeout = "4s"
expect = ["belief_matches_server either"]
)");
    const std::string endless = scenario(R"(clients = 4
cycles = 0
duration = "10m"
session_timeout = "4s"
)");
    auto run = coordinator("worker-dies", name, 2);
    auto others = workers("worker-dies", 2);
    auto orphaned = coordinator("coordinator-dies", endless, 2);
    auto orphans = workers("coordinator-dies", 2);
    waitForStart(*run);
    others[0]->signal(SIGKILL);
    waitForStart(*orphaned);
    orphaned->signal(SIGKILL);

    EXPECT_EQ(run->wait(), 4);
    EXPECT_THAT(run->errors(), AllOf(HasSubstr("died: its clients are gone."),
                                     HasSubstr("A worker died: what it saw is missing")));
    EXPECT_EQ(others[1]->wait(), 0) << others[1]->errors();
    const boost::json::object whole = report("worker-dies");
    EXPECT_EQ(whole.at("cut_short_by").as_string(), "worker_lost");
    std::multiset<std::string> states;
    for (const boost::json::value& worker : whole.at("workers").as_array())
        states.insert(std::string(worker.at("state").as_string()));
    EXPECT_THAT(states, testing::ElementsAre("died", "done"));
    EXPECT_GT(whole.at("acquired").to_number<int>(), 0);

    for (const auto& worker : orphans) {
        EXPECT_EQ(worker->wait(), 4);
        EXPECT_THAT(worker->errors(), HasSubstr("The run was cut short: its coordinator has gone."));
    }
    EXPECT_FALSE(world->exists("/lockscope"));
}

TEST_F(WorkersCommand, CtrlCEndsTheRunOfAllWorkersWithAReport)
{
    const std::string endless = scenario("clients = 4\ncycles = 0\nduration = \"10m\"\n");
    auto run = coordinator("interrupted", endless, 2);
    auto others = workers("interrupted", 2);
    waitForStart(*run);
    EXPECT_EQ(start({"run", endless, "--workers", "2", "--run-id", "interrupted"})->wait(), 2);
    auto late = start({"join", "interrupted"});
    EXPECT_EQ(late->wait(), 2);
    EXPECT_THAT(late->errors(), HasSubstr("has its workers already."));
    run->signal(SIGINT);
    EXPECT_EQ(run->wait(), 4);
    for (const auto& worker : others)
        EXPECT_EQ(worker->wait(), 4) << worker->errors();
    const boost::json::object whole = report("interrupted");
    EXPECT_EQ(whole.at("cut_short_by").as_string(), "interrupted");
    EXPECT_EQ(whole.at("workers").as_array().size(), 2U);
    EXPECT_FALSE(world->exists("/lockscope"));
}

TEST_F(WorkersCommand, SaysWhatCannotBeShared)
{
    const auto refused = [&](const std::vector<std::string>& arguments) {
        Child child(LOCKSCOPE_CLI, arguments);
        EXPECT_EQ(child.wait(), 2);
        return child.errors();
    };
    EXPECT_THAT(refused({"run", "five-clients", "--workers", "2"}),
                HasSubstr("--workers goes with --connect"));
    EXPECT_THAT(refused({"run", "five-clients", "--run-id", "x"}),
                HasSubstr("--run-id has no effect without"));
    const std::vector<std::string> common{"--connect", server().address(), "--workers"};
    const auto with = [&](std::vector<std::string> first, const std::vector<std::string>& last) {
        first.insert(first.end(), common.begin(), common.end());
        first.insert(first.end(), last.begin(), last.end());
        return refused(first);
    };
    EXPECT_THAT(with({"run", "five-clients"}, {"6"}), HasSubstr("fewer processes of clients (5)"));
    EXPECT_THAT(with({"run", "order-numbers"}, {"2"}), HasSubstr("in the memory of one process"));
    EXPECT_THAT(with({"run", "five-clients"}, {"2", "--trace", "x.jsonl"}),
                HasSubstr("Give them to lockscope-cli join."));
    EXPECT_THAT(with({"run", "five-clients"}, {"2", "--run-id", "a/b"}), HasSubstr("--run-id"));

    auto none = start({"join", "nobody", "--wait", "100ms"});
    EXPECT_EQ(none->wait(), 4);
    EXPECT_THAT(none->errors(), HasSubstr("There is no run at /lockscope/runs/nobody."));
    auto alone = start({"run", scenario("clients = 2\n"), "--workers", "2", "--wait", "100ms"});
    EXPECT_EQ(alone->wait(), 4);
    EXPECT_THAT(alone->errors(), HasSubstr("Of 2 workers only 0 came"));
    EXPECT_FALSE(world->exists("/lockscope"));
}

} // namespace
} // namespace lockscope::tests
