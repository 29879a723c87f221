// lockscope-cli run --workers and join: one run of several processes on a real server, what it leaves there
// (nothing), and what happens when one of the processes dies.
#include "core/replay/compare/comparison.h"
#include "core/trace/trace_file.h"
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
    std::string scenario(const std::string& more,
                         const std::string& times = "hold = \"1ms\"\nthink = \"1ms\"\n") const
    {
        const std::string name = "scenario-" + std::to_string(std::hash<std::string>()(more)) + ".toml";
        std::ofstream(file(name)) << "lock = \"" << path() << "/lock\"\n" << times << more;
        return file(name);
    }
    std::unique_ptr<Child> start(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.end(), {"--connect", hosts.empty() ? server().address() : hosts});
        return std::make_unique<Child>(LOCKSCOPE_CLI, arguments);
    }
    std::unique_ptr<Child> coordinator(const std::string& id, const std::string& scenario, int workers)
    {
        return start({"run", scenario, "--workers", std::to_string(workers), "--run-id", id,
                      "--session-timeout", sessionTimeout, "--report", file(id + ".json")});
    }
    std::vector<std::unique_ptr<Child>> workers(const std::string& id, int count)
    {
        std::ofstream(file("key")) << "sixteen bytes or more";
        std::vector<std::unique_ptr<Child>> all;
        for (int n = 1; n <= count; ++n)
            all.push_back(start({"join", id, "--session-timeout", sessionTimeout, "--key-file", file("key"),
                                 "--trace", file(id + std::to_string(n) + ".jsonl")}));
        return all;
    }
    struct Shared
    {
        std::unique_ptr<Child> run;
        std::vector<std::unique_ptr<Child>> workers;
    };
    Shared share(const std::string& id, int count, const std::string& scenario, int spares = 0)
    {
        return {coordinator(id, scenario, count), workers(id, count + spares)};
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
    std::string hosts;                 // of an ensemble of the test's own
    std::string sessionTimeout = "4s"; // of coordinator and workers
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

TEST_F(WorkersCommand, WhatNoWorkerCanSeeIsNotCheckedWhateverIsExpectedOfIt)
{
    auto [run, others] = share("apart", 3, scenario(R"(clients = 3
cycles = 20
recipe = "herd"
expect = ["no_herd violated"]
)"));
    EXPECT_EQ(run->wait(), 0) << run->errors();
    for (const auto& worker : others)
        EXPECT_EQ(worker->wait(), 0) << worker->errors();
    EXPECT_THAT(run->errors(), AllOf(HasSubstr("not checked no_herd"),
                                     HasSubstr("a trace merged of theirs is judged as a whole")));
    EXPECT_EQ(run->errors().find("UNEXPECTED"), std::string::npos) << run->errors();
    const boost::json::object whole = report("apart");
    for (const boost::json::value& finding : whole.at("findings").as_array())
        if (finding.at("name").as_string() == "no_herd") {
            EXPECT_EQ(finding.at("verdict").as_string(), "not checked");
            EXPECT_EQ(finding.at("expected").as_string(), "violated");
            EXPECT_TRUE(finding.at("as_expected").as_bool());
        }

    Child merged(LOCKSCOPE_CLI, {"merge", file("all.jsonl"), file("apart1.jsonl"), file("apart2.jsonl"),
                                 file("apart3.jsonl"), "--quiet"});
    ASSERT_EQ(merged.wait(), 0) << merged.errors();
    const auto all = trace::loadTrace(file("all.jsonl"));
    ASSERT_TRUE(all) << all.error().text();
    const auto folded = replay::wholeRun(*all->store, all->store->count());
    EXPECT_GT(folded.state.findings.of(trace::FindingKind::noHerd).violated, 0U);
}

// What seeds decide of a run: how long each client thinks, again and again.
std::map<std::string, std::vector<Duration>> drawnThinks(const trace::TraceStore& store)
{
    std::map<ClientId, std::string> names;
    std::map<std::string, std::vector<Duration>> drawn;
    for (std::size_t i = 0; i < store.count(); ++i) {
        const trace::Event& event = store.at(i);
        if (const auto* added = std::get_if<trace::ClientAdded>(&event.what))
            names[event.client] = added->name;
        else if (const auto* thinks = std::get_if<trace::Thinks>(&event.what))
            drawn[names[event.client]].push_back(thinks->planned);
    }
    return drawn;
}

TEST_F(WorkersCommand, TheWholeIsJudgedAsTheRunOfOneProcessWithTheSameSeed)
{
    for (const char* recipe :
         {"recipe = \"mutex\"", "recipe = \"mutex\"\nhandoff = \"announced\"",
          "recipe = \"semaphore\"\nleases = 2", "recipe = \"herd\"\nexpect = [\"no_herd violated\"]"}) {
        const std::string name =
            scenario("clients = 6\ncycles = 20\nseed = 46\n" + std::string(recipe) + "\n",
                     "hold = [\"1ms\", \"4ms\"]\nthink = [\"0ms\", \"4ms\"]\n");
        auto alone = start({"run", name, "--quiet", "--trace", file("alone.jsonl")});
        ASSERT_EQ(alone->wait(), 0) << recipe << alone->errors();
        auto [run, others] = share("same", 3, name);
        ASSERT_EQ(run->wait(), 0) << recipe << run->errors();
        for (const auto& worker : others)
            EXPECT_EQ(worker->wait(), 0) << recipe << worker->errors();
        Child merging(LOCKSCOPE_CLI, {"merge", file("whole.jsonl"), file("same1.jsonl"), file("same2.jsonl"),
                                      file("same3.jsonl"), "--quiet"});
        ASSERT_EQ(merging.wait(), 0) << merging.errors();

        const auto one = trace::loadTrace(file("alone.jsonl")), whole = trace::loadTrace(file("whole.jsonl"));
        ASSERT_TRUE(one && whole);
        EXPECT_EQ(drawnThinks(*one->store), drawnThinks(*whole->store)) << recipe;
        EXPECT_EQ(drawnThinks(*one->store).size(), 6U);
        const auto expected = replay::wholeRun(*one->store, one->store->count());
        const auto found = replay::wholeRun(*whole->store, whole->store->count());
        EXPECT_EQ(found.state.statistics.acquired, expected.state.statistics.acquired) << recipe;
        for (std::size_t i = 0; i < trace::kFindingKinds; ++i) {
            const replay::Finding &a = expected.state.findings.all[i], &b = found.state.findings.all[i];
            const std::string_view rule = trace::findingRule(a.kind).name();
            EXPECT_EQ(b.ok(), a.ok()) << recipe << ", " << rule << ": " << b.detail().english();
            EXPECT_EQ(b.checked > 0, a.checked > 0) << recipe << ", " << rule;
            if (rule == "one_holder" || rule == "tokens_increase" || rule == "belief_matches_server") {
                EXPECT_EQ(b.checked, a.checked) << recipe << ", " << rule;
            }
        }
    }
}

TEST_F(WorkersCommand, ARunInWhichNoWorkerCanContinueIsCutShort)
{
    auto [run, others] = share("stalls", 2, scenario(R"(clients = ["ada", "bo", "cyd"]
cycles = 20
session_timeout = "4s"
script = ["at 0s: hold ada before decide"]
)"));
    EXPECT_EQ(run->wait(), 4) << run->errors();
    EXPECT_THAT(run->errors(),
                AllOf(HasSubstr("No client can continue by itself, and the run is cut short: "),
                      HasSubstr("ada (held before decide)"), HasSubstr("bo (waits)"),
                      HasSubstr("cyd (waits)")));
    for (const auto& worker : others) {
        EXPECT_EQ(worker->wait(), 4);
        EXPECT_THAT(worker->errors(), HasSubstr("no client could continue by itself"));
    }
    EXPECT_EQ(report("stalls").at("cut_short_by").as_string(), "stalled");
    EXPECT_FALSE(world->exists("/lockscope"));
}

TEST_F(WorkersCommand, WhoIsHeldBeforeTheReleaseKeepsTheLock)
{
    auto [run, others] = share("keeps", 2, scenario(R"(clients = ["ada", "bo", "cyd"]
cycles = 2000
session_timeout = "4s"
script = ["when ada holds: hold ada before release"]
)"));
    EXPECT_EQ(run->wait(), 4) << run->errors();
    EXPECT_THAT(run->errors(), AllOf(HasSubstr("ada (held before release)"), HasSubstr("bo (waits)"),
                                     HasSubstr("cyd (waits)")));
    for (const auto& worker : others)
        EXPECT_EQ(worker->wait(), 4);
    EXPECT_FALSE(world->exists("/lockscope"));
}

// What the stopped worker has said of its clients is of the time before one of them was let go.
TEST_F(WorkersCommand, AWorkerThatHasNotReadYetWhatIsDueMakesNoRunStall)
{
    auto run = coordinator("starved",
                           scenario(R"(clients = ["ada", "bo"]
cycles = 90
session_timeout = "10s"
recipe = "semaphore"
leases = 2
script = [
    "at 0s: hold ada before create",
    "after 60 handoffs: hold bo before release",
    "after 60 handoffs: let ada go before create",
    "when ada holds: let bo go before release",
]
)",
                                    "hold = \"1ms\"\nthink = \"50ms\"\n"),
                           2);
    std::vector<std::unique_ptr<Child>> all;
    for (const char* trace : {"starved1.jsonl", "starved2.jsonl"})
        all.push_back(start({"join", "starved", "--trace", file(trace)}));
    waitForStart(*run);
    const auto has = [this](const char* trace, const char* client) {
        return textOf(trace).find(R"("name":")" + std::string(client)) != std::string::npos;
    };
    ASSERT_TRUE(test::eventually([&] { return has("starved1.jsonl", "bo") || has("starved2.jsonl", "bo"); }));
    Child& ofBo = has("starved1.jsonl", "bo") ? *all[0] : *all[1];
    Child& ofAda = &ofBo == all[0].get() ? *all[1] : *all[0];
    ofBo.signal(SIGSTOP); // bo is not done before ada stands still
    const auto saysStill = [&](const char* rank) {
        const zk::Data said =
            world->get(world->observer(), "/lockscope/runs/starved/still-" + std::string(rank));
        return said.code == zk::Code::ok && !said.bytes.empty();
    };
    ASSERT_TRUE(test::eventually([&] { return saysStill("0"); }));
    ofAda.signal(SIGSTOP);
    ofBo.signal(SIGCONT);
    const auto isEnded = [&] { return world->exists("/lockscope/runs/starved/end"); };
    ASSERT_TRUE(test::eventually([&] { return saysStill("1") || isEnded(); }));
    EXPECT_FALSE(test::eventually(isEnded, std::chrono::seconds(2)));
    ofAda.signal(SIGCONT);
    EXPECT_EQ(run->wait(), 0) << run->errors();
    for (const auto& worker : all)
        EXPECT_EQ(worker->wait(), 0) << worker->errors();
    EXPECT_FALSE(report("starved").at("cut_short").as_bool());
}

TEST_F(WorkersCommand, ADeadWorkerIsAFaultAndADeadCoordinatorEndsTheRun)
{
    auto [run, others] = share("worker-dies", 2, scenario(R"(clients = 4
cycles = 0
duration = "5s"
session_timeout = "4s"
expect = ["belief_matches_server either"]
)"));
    auto [orphaned, orphans] = share("coordinator-dies", 2, scenario(R"(clients = 4
cycles = 0
duration = "10m"
session_timeout = "4s"
)"));
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
        EXPECT_THAT(worker->errors(), HasSubstr("The run was cut short: its coordinator has gone,"));
    }
    EXPECT_FALSE(world->exists("/lockscope"));
}

// The server that leads is the one whose loss everybody notices: nothing is served until another leads.
TEST_F(WorkersCommand, ARunGoesOnWithoutTheServerThatLed)
{
    auto started = server::ManagedServer::start({.members = 3});
    ASSERT_TRUE(started) << started.error().text();
    server::ManagedServer& ensemble = **started;
    hosts = ensemble.hosts();
    sessionTimeout = "60s"; // a slow machine elects for longer than a short session lasts
    auto [run, others] = share("server-dies", 3, scenario(R"(clients = 6
cycles = 300
session_timeout = "30s"
script = ["after 1000 handoffs: add a client"]
)"));
    waitForStart(*run);
    const auto isUnderWay = [this](int worker) {
        return occurrences(textOf("server-dies" + std::to_string(worker) + ".jsonl"), R"("e":"acquired")") >
               5;
    };
    ASSERT_TRUE(test::eventually([&] { return isUnderWay(1) && isUnderWay(2) && isUnderWay(3); }));
    ASSERT_TRUE(test::eventually([&] {
        ensemble.status();
        return ensemble.hasQuorum();
    }));
    ASSERT_TRUE(ensemble.killLeader());

    const int code = run->wait();
    const boost::json::object whole = report("server-dies");
    // The members may take longer to agree on a leader than all the rest takes.
    const bool isMostlyWaiting = whole.at("cut_short").as_bool();
    if (isMostlyWaiting) {
        EXPECT_EQ(whole.at("cut_short_by").as_string(), "mostly_no_contact");
    }
    EXPECT_EQ(code, isMostlyWaiting ? 4 : 0) << run->errors();
    for (const auto& worker : others)
        EXPECT_THAT(worker->wait(), testing::AnyOf(0, code)) << worker->errors();
    EXPECT_EQ(whole.at("acquired").to_number<int>(), 2100) << "what was due after the loss was done, too";
    for (const boost::json::value& worker : whole.at("workers").as_array())
        EXPECT_EQ(worker.at("state").as_string(), "done");
    Child merged(LOCKSCOPE_CLI, {"merge", file("all.jsonl"), file("server-dies1.jsonl"),
                                 file("server-dies2.jsonl"), file("server-dies3.jsonl"), "--quiet"});
    ASSERT_EQ(merged.wait(), 0) << merged.errors();
    for (const char* written : {"server-dies1", "server-dies2", "server-dies3", "all"}) {
        const auto trace = trace::loadTrace(file(std::string(written) + ".jsonl"));
        ASSERT_TRUE(trace) << trace.error().text();
        EXPECT_TRUE(trace->truncation.empty()) << written;
        EXPECT_GT(occurrences(textOf(std::string(written) + ".jsonl"), R"("phase":"suspended")"), 0U)
            << written << " says that connections were lost";
        const auto folded = replay::wholeRun(*trace->store, trace->store->count());
        EXPECT_EQ(folded.state.phase, trace::RunPhase::finished) << written;
        EXPECT_EQ(folded.state.findings.of(trace::FindingKind::oneHolder).violated, 0U) << written;
    }
    Child who(LOCKSCOPE_CLI, {"who", "/lockscope", "--connect", hosts});
    EXPECT_EQ(who.wait(), 1);
    EXPECT_THAT(who.output() + who.errors(), HasSubstr("there is no such path"));
}

TEST_F(WorkersCommand, ARunWhoseEnsembleHasLostItsQuorumEndsByItself)
{
    auto started = server::ManagedServer::start({.members = 3});
    ASSERT_TRUE(started) << started.error().text();
    server::ManagedServer& ensemble = **started;
    hosts = ensemble.hosts();
    auto [run, others] = share("quorum-lost", 2, scenario(R"(clients = 4
cycles = 0
duration = "10m"
session_timeout = "4s"
)"));
    waitForStart(*run);
    const auto isUnderWay = [this](int worker) {
        return occurrences(textOf("quorum-lost" + std::to_string(worker) + ".jsonl"), R"("e":"acquired")") >
               5;
    };
    ASSERT_TRUE(test::eventually([&] { return isUnderWay(1) && isUnderWay(2); }));
    ASSERT_TRUE(ensemble.killNow(0));
    ASSERT_TRUE(ensemble.killNow(1));

    EXPECT_EQ(run->wait(), 4) << run->errors();
    EXPECT_THAT(run->errors(), HasSubstr("was lost for longer than 4 s: the run is over."));
    for (const auto& worker : others) {
        EXPECT_EQ(worker->wait(), 4);
        EXPECT_THAT(worker->errors(), HasSubstr("or the connection to it was lost."));
    }
    for (const char* written : {"quorum-lost1.jsonl", "quorum-lost2.jsonl"}) {
        const auto trace = trace::loadTrace(file(written));
        ASSERT_TRUE(trace) << trace.error().text();
        EXPECT_TRUE(trace->truncation.empty()) << written;
        EXPECT_EQ(replay::wholeRun(*trace->store, trace->store->count()).state.phase,
                  trace::RunPhase::finished);
    }
    ASSERT_TRUE(ensemble.respawn(true, 0));
    ASSERT_TRUE(ensemble.respawn(true, 1));
    auto observer = world->connect(std::chrono::seconds(30), hosts);
    EXPECT_TRUE(test::eventually([&] {
        const Children left = world->children(*observer, "/lockscope/runs/quorum-lost");
        return left.code == zk::Code::noNode || (left.code == zk::Code::ok && left.names.empty());
    })) << "the nodes of the run end with the sessions of its processes, and its folder is a container";
}

TEST_F(WorkersCommand, ASpareWorkerTakesThePlaceOfOneThatDies)
{
    auto [run, all] = share("replaced", 2, scenario(R"(clients = ["ada", "bo"]
cycles = 300
session_timeout = "4s"
replace_workers = true
script = ["at 0s: hold bo before create", "after 20 handoffs: let bo go before create"]
expect = ["belief_matches_server either"]
)"),
                            2); // two of them are spares
    waitForStart(*run);
    const auto isSpare = [](const auto& worker) {
        return worker->errors().find("this one waits, and takes the place") != std::string::npos;
    };
    ASSERT_TRUE(test::eventually([&] { return std::ranges::count_if(all, isSpare) == 2; }));
    const auto victim = std::ranges::find_if_not(all, isSpare);
    (*victim)->signal(SIGKILL);

    EXPECT_EQ(run->wait(), 0) << run->errors();
    EXPECT_THAT(run->errors(), HasSubstr("begins anew with its clients."));
    int took = 0, idle = 0;
    for (auto worker = all.begin(); worker != all.end(); ++worker) {
        if (worker == victim)
            continue;
        EXPECT_EQ((*worker)->wait(), 0) << (*worker)->errors();
        took += occurrences((*worker)->errors(), "1 clients, 300 acquired") > 0 ? 1 : 0;
        idle += occurrences((*worker)->errors(), "did not need this worker") > 0 ? 1 : 0;
    }
    EXPECT_EQ(took, 2) << "the clients of the dead worker began anew";
    EXPECT_EQ(idle, 1);
    const boost::json::object whole = report("replaced");
    EXPECT_TRUE(whole.at("cut_short_by").is_null());
    EXPECT_EQ(whole.at("acquired").to_number<int>(), 600);
    const std::string dead = "process " + std::to_string((*victim)->pid());
    std::size_t replaced = 0;
    for (const boost::json::value& worker : whole.at("workers").as_array()) {
        EXPECT_EQ(worker.at("state").as_string(), "done");
        for (const boost::json::value& one : worker.at("replaced").as_array()) {
            EXPECT_THAT(std::string(one.as_string()), HasSubstr(dead));
            ++replaced;
        }
    }
    EXPECT_EQ(replaced, 1U);
    EXPECT_THAT(boost::json::serialize(whole.at("notices")), HasSubstr("worker_replaced"));
    EXPECT_FALSE(world->exists("/lockscope"));
}

TEST_F(WorkersCommand, WithCredentialsNobodyElseReadsOrChangesTheRun)
{
    const std::string secret = "one-that-is-nowhere";
    std::ofstream(file("auth")) << "digest ada:" << secret << "\n";
    std::ofstream(file("other")) << "digest eve:guess\n";
    const std::string name = scenario(R"(clients = 2
cycles = 40
script = ["after 10 handoffs: add a client"]
)");
    auto run = start({"run", name, "--workers", "2", "--run-id", "secured", "--auth-file", file("auth"),
                      "--report", file("secured.json")});
    ASSERT_TRUE(test::eventually([&] { return run->errors().find("waits for") != std::string::npos; }));
    const std::string nodes = "/lockscope/runs/secured";
    EXPECT_EQ(world->get(world->observer(), nodes + "/run").code, zk::Code::noAuth);
    EXPECT_EQ(world->children(world->observer(), nodes).code, zk::Code::noAuth);
    EXPECT_EQ(world->create(world->observer(), nodes + "/go").code, zk::Code::noAuth);
    EXPECT_EQ(world->remove(world->observer(), nodes + "/run"), zk::Code::noAuth);
    for (const char* key : {"other", ""}) {
        std::vector<std::string> words{"join", "secured"};
        if (*key)
            words.insert(words.end(), {"--auth-file", file(key)});
        auto stranger = start(words);
        EXPECT_EQ(stranger->wait(), 5) << stranger->errors();
        EXPECT_THAT(stranger->errors(),
                    HasSubstr("No permission to read the run at /lockscope/runs/secured."));
    }

    std::vector<std::unique_ptr<Child>> all;
    for (const char* trace : {"secured1.jsonl", "secured2.jsonl"})
        all.push_back(start({"join", "secured", "--auth-file", file("auth"), "--trace", file(trace)}));
    EXPECT_EQ(run->wait(), 0) << run->errors();
    for (const auto& worker : all)
        EXPECT_EQ(worker->wait(), 0) << worker->errors();
    EXPECT_EQ(report("secured").at("acquired").to_number<int>(), 120) << "the script is shared, too";
    for (const char* written : {"secured.json", "secured1.jsonl", "secured2.jsonl"})
        EXPECT_EQ(occurrences(textOf(written), secret), 0U) << written;
    EXPECT_EQ(occurrences(run->errors(), secret), 0U);
    EXPECT_FALSE(world->exists("/lockscope"));

    auto open = coordinator("open", name, 2);
    ASSERT_TRUE(test::eventually([&] { return open->errors().find("waits for") != std::string::npos; }));
    auto needless = start({"join", "open", "--auth-file", file("auth")});
    EXPECT_EQ(needless->wait(), 2);
    EXPECT_THAT(needless->errors(), HasSubstr("credentials have no effect"));
    open->signal(SIGINT);
    EXPECT_EQ(open->wait(), 4);
}

TEST_F(WorkersCommand, CtrlCEndsTheRunOfAllWorkersWithAReport)
{
    const std::string endless = scenario("clients = 4\ncycles = 0\nduration = \"10m\"\n");
    auto [run, others] = share("interrupted", 2, endless);
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
