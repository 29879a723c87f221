// lockscope-cli watch and who against a real server: report, exit codes, lines.
#include "core/base/host_port.h"
#include "core/replay/fold/reducer.h"
#include "core/trace/command_verb.h"
#include "core/trace/trace_file.h"
#include "tests/history/log_writer.h"
#include "tests/integration/child.h"
#include "tests/server/started_server.h"
#include "tests/support/fake_server.h"
#include "tests/support/lossy_relay.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <boost/json.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockscope::tests {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using zk::CreateMode;

const std::string kName = "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-";

class FieldCommand : public ZkTest
{
protected:
    void SetUp() override
    {
        ZkTest::SetUp();
        client = world->connect();
    }
    void TearDown() override
    {
        client.reset();
        ZkTest::TearDown();
    }
    int run(const std::vector<std::string>& arguments)
    {
        test::Child child(LOCKSCOPE_CLI, arguments);
        const int code = child.wait();
        output = child.output();
        errors = child.errors();
        return code;
    }
    int who(const std::string& lock, std::vector<std::string> more = {})
    {
        more.insert(more.begin(), {"who", lock, "--connect", server().address()});
        return run(more);
    }
    std::string take(zk::Session& session)
    {
        return world->create(session, path() + kName, "10.1.2.3", CreateMode::ephemeralSequential).path;
    }
    std::unique_ptr<test::Child> watch(std::vector<std::string> more)
    {
        more.insert(more.begin(), {"watch", server().address(), "--lock", path()});
        return std::make_unique<test::Child>(LOCKSCOPE_CLI, more);
    }
    static testing::AssertionResult shows(const test::Child& child, const std::string& text)
    {
        if (test::eventually([&] { return child.output().find(text) != std::string::npos; }))
            return testing::AssertionSuccess();
        return testing::AssertionFailure() << "not shown: " << text << "\n"
                                           << child.output() << child.errors();
    }
    std::string nameOf(const std::string& node) const { return node.substr(path().size() + 1); }
    static int interrupt(test::Child& child)
    {
        child.signal(SIGINT);
        return child.wait();
    }
    static std::string hex(SessionId id)
    {
        std::ostringstream text;
        text << "0x" << std::hex << static_cast<std::uint64_t>(id.value);
        return text.str();
    }

    HubSessionPtr client;
    std::string output, errors;
};

TEST_F(FieldCommand, WhoHoldsIt)
{
    EXPECT_EQ(who(path()), 1);
    EXPECT_THAT(output, HasSubstr("no such path"));
    world->create(*client, path(), "");
    EXPECT_EQ(who(path()), 1);
    EXPECT_THAT(output, HasSubstr("free"));
    const std::string node = take(*client);
    const HubSessionPtr other = world->connect();
    take(*other);
    EXPECT_EQ(who(path()), 0) << errors;
    EXPECT_THAT(output, HasSubstr("10.1.2.3"));
    EXPECT_THAT(output, HasSubstr(hex(client->id())));
    EXPECT_THAT(output, HasSubstr("127.0.0.1:"));
    EXPECT_THAT(output, HasSubstr("1 waiting"));
    EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 1);
    EXPECT_EQ(who(path(), {"--json"}), 0);
    const json::object report = json::parse(output).as_object();
    EXPECT_EQ(report.at("state"), "held");
    EXPECT_EQ(report.at("holder").at("node").as_string(), node.substr(path().size() + 1));
    EXPECT_EQ(report.at("holder").at("session").as_string(), hex(client->id()));
    EXPECT_EQ(report.at("waiting").to_number<int>(), 1);
    EXPECT_TRUE(report.at("verdict").is_null());
    world->create(*client, path() + "Kazoo", "");
    world->create(*client, path() + "Kazoo/0123456789abcdef0123456789abcdef__lock__", "worker-7",
                  CreateMode::ephemeralSequential);
    EXPECT_EQ(who(path() + "Kazoo"), 0);
    EXPECT_THAT(output, HasSubstr("worker-7 from 127.0.0.1:")) << "its identifier";
    EXPECT_EQ(who("/"), 0) << "a folder with a lock that is held";
    EXPECT_THAT(output, HasSubstr("is held by 10.1.2.3"));
    EXPECT_EQ(who("/", {"--json"}), 0);
    EXPECT_EQ(json::parse(output).at("state"), "folder");
    EXPECT_TRUE(json::parse(output).at("held").as_bool());
}

TEST_F(FieldCommand, WhoOfAPersistentNodeInFront)
{
    world->create(*client, path(), "");
    world->create(*client, path() + kName, "", CreateMode::persistentSequential);
    take(*client);
    EXPECT_EQ(who(path(), {"--json"}), 0);
    EXPECT_EQ(json::parse(output).at("verdict").at("kind"), "persistent_in_front");
}

TEST_F(FieldCommand, ExitCodes)
{
    EXPECT_EQ(run({"who", "/x"}), 2);
    EXPECT_EQ(who("x"), 2);
    EXPECT_EQ(who("/a/\xf0\x9f\x98\x80"), 2) << "no node has that name: 1 would be an answer";
    EXPECT_THAT(errors, HasSubstr("U+1F600"));
    EXPECT_EQ(run({"who", "/x", "--connect", "nowhere"}), 2);
    EXPECT_EQ(run({"watch", server().address()}), 2);
    EXPECT_EQ(run({"watch", server().address(), "--lock", "x"}), 2);
    EXPECT_EQ(run({"watch", server().address(), "--tree", "x"}), 2);
    EXPECT_THAT(errors, HasSubstr("--tree: found \"x\"")) << "and not --lock";
    EXPECT_EQ(run({"watch", server().address(), "--lock", "/x", "--duration", "soon"}), 2);
    EXPECT_EQ(run({"watch", server().address(), "--lock", "/x", "--duration", "1ms", "--report",
                   "/nowhere/x.json"}),
              4);
}

TEST_F(FieldCommand, APathThatMayNotBeRead)
{
    FakeServer strict(
        [](const FakeRequest& request) {
            return request.op == 106 ? reply(request.xid, 0, int32(0)) : reply(request.xid, -102);
        },
        {"127.0.0.1", 6'000, true});
    EXPECT_EQ(run({"who", "/l", "--connect", strict.address()}), 5) << errors;
    EXPECT_EQ(run({"watch", strict.address(), "--lock", "/l", "--report", "-"}), 5) << errors;
}

TEST_F(FieldCommand, WhatOnlyItsCreatorMayRead)
{
    TempFolder folder;
    std::ofstream(folder / "proof") << "# who\ndigest reader:secret\n";
    std::ofstream(folder / "bad") << "digest\n";
    zk::ConnectOptions options{server().address(), std::chrono::seconds(30)};
    options.acl = zk::creatorAllAcl();
    options.credentials = {zk::Credential::digest([] { return Result<std::string>("reader:secret"); })};
    const HubSessionPtr owner = world->hub().connect(options);
    world->runUntil([&] { return owner->phase() == zk::SessionPhase::connected; }, "its creator");
    world->create(*owner, path(), "");
    take(*owner);
    EXPECT_EQ(who(path()), 5) << output;
    EXPECT_EQ(who(path(), {"--auth-file", folder / "proof"}), 0) << errors;
    EXPECT_THAT(output, HasSubstr("10.1.2.3"));
    EXPECT_EQ(run({"watch", server().address(), "--lock", path(), "--report", "-", "--duration", "1ms",
                   "--auth-file", folder / "proof"}),
              0)
        << errors;
    EXPECT_EQ(json::parse(output).at("locks").at(0).at("path").as_string(), path());
    EXPECT_EQ(who(path(), {"--auth-file", folder / "bad"}), 2);
    EXPECT_EQ(who(path(), {"--auth-file", folder / "none"}), 2);
    EXPECT_EQ(who(path(), {"--auth-file", folder / ""}), 2) << "a folder has no credentials";
    EXPECT_EQ(run({"run", "first-lock", "--auth-file", folder / "proof"}), 2);
    EXPECT_EQ(run({"history", folder / "none", "--auth-file", folder / "proof"}), 2);
    EXPECT_THAT(errors, HasSubstr("--auth-file"));
}

// "free" and "no such path" let a script start its job: only what was read is an answer.
TEST_F(FieldCommand, WhatWasNotReadIsNoAnswer)
{
    world->create(*client, path(), "");
    take(*client);
    LossyRelay relay(server().address());
    relay.refuse(LossyRelay::Op::list, LossyRelay::kThrottled, 1'000'000);
    const auto nothing = [](const FakeRequest&) { return std::string(); };
    FakeServer mute(nothing, {"127.0.0.1", 10'000, true});
    FakeServer slow(nothing, {"127.0.0.1", 2'147'483'647, true}); // whatever timeout it promises
    FakeServer silent(defaultReply, {"127.0.0.1", 10'000, false});
    // Each of them waits for a limit: at the same time.
    const auto whoOf = [](const std::string& lock, const std::string& address) {
        return std::vector<std::string>{"who", lock, "--connect", address};
    };
    const auto watchOf = [](const std::string& lock, const std::string& address) {
        return std::vector<std::string>{"watch", address, "--lock", lock, "--duration", "1s"};
    };
    std::vector<std::string> asJson = whoOf(path(), relay.address());
    asJson.emplace_back("--json");
    test::Child busy(LOCKSCOPE_CLI, asJson), busyWatch(LOCKSCOPE_CLI, watchOf(path(), relay.address())),
        unanswered(LOCKSCOPE_CLI, whoOf("/l", mute.address())),
        patient(LOCKSCOPE_CLI, whoOf("/l", slow.address())),
        unopened(LOCKSCOPE_CLI, whoOf("/l", silent.address())),
        unopenedWatch(LOCKSCOPE_CLI, watchOf("/l", silent.address()));
    for (test::Child* child : {&busy, &busyWatch, &unanswered, &patient, &unopened, &unopenedWatch})
        EXPECT_EQ(child->wait(), 3) << child->output() << child->errors();
    const json::object answer = json::parse(busy.output()).as_object();
    EXPECT_TRUE(answer.at("held").is_null()) << busy.output();
    EXPECT_EQ(answer.at("state"), "not_known");
    EXPECT_THAT(busy.errors(), HasSubstr("too busy"));
    EXPECT_THAT(busyWatch.output() + busyWatch.errors(), Not(HasSubstr("no such path")));
    EXPECT_THAT(busyWatch.errors(), Not(HasSubstr("no path")));
    EXPECT_THAT(unanswered.errors(), HasSubstr("does not answer"));
    EXPECT_EQ(unanswered.output(), "");
}

// What it shows may be old: that nobody holds is not known.
TEST_F(FieldCommand, AServerWithoutAQuorumIsReadReadOnly)
{
    FakeServer alone(defaultReply, {.readOnly = true});
    EXPECT_EQ(run({"who", "/l", "--connect", alone.address()}), 3) << errors;
    EXPECT_THAT(output, HasSubstr("not known. No quorum"));
    EXPECT_EQ(run({"watch", alone.address(), "--lock", "/l", "--duration", "1ms", "--report", "-"}), 0)
        << errors;
    EXPECT_TRUE(json::parse(output).at("read_only").as_bool());
}

// An ensemble of three, in whose members the commands run before ZooKeeper starts; flags: of Java.
std::unique_ptr<server::ManagedServer> ensembleAfter(const TempFolder& folder, const std::string& commands,
                                                     const std::string& flags = "")
{
    const std::string java = folder / "java";
    std::ofstream(java) << "#!/bin/sh\n" << commands << "exec java " << flags << " \"$@\"\n";
    std::filesystem::permissions(java, std::filesystem::perms::owner_all);
    server::ManagedServer::Options options;
    options.members = 3;
    options.java.java = java;
    return server::testing::startOrFail(options);
}

// A member's number is the first byte of the sessions that it opens: those of the member 255 look like the
// owners of nodes with a TTL. Afterwards this member is alone.
TEST_F(FieldCommand, AnEnsembleOfWhichOnlyTheMember255IsLeft)
{
    const TempFolder folder;
    const auto ensemble = ensembleAfter(
        folder,
        "sed -i 's/^server\\.3=/server.255=/' zoo.cfg\n"
        "for each in Enabled UpgradingEnabled; do echo localSessions$each=true >> zoo.cfg; done\n"
        "if [ \"$(cat data/myid)\" = 3 ]; then echo 255 > data/myid; fi\n",
        "-Dreadonlymode.enabled=true");
    ASSERT_TRUE(ensemble);
    const std::string last = splitHosts(ensemble->hosts()).at(2);
    const HubSessionPtr owner = world->connect(std::chrono::seconds(30), last);
    world->create(*owner, path(), "");
    take(*owner);
    EXPECT_THAT(hex(owner->id()), ::testing::StartsWith("0xff"));
    EXPECT_EQ(run({"who", path(), "--connect", last}), 0) << errors;
    EXPECT_THAT(output, HasSubstr("held by 10.1.2.3"));
    EXPECT_THAT(output, HasSubstr("session " + hex(owner->id())));
    EXPECT_THAT(output, Not(HasSubstr("persistent")));
    ASSERT_TRUE(ensemble->killNow(0));
    ASSERT_TRUE(ensemble->killNow(1));
    EXPECT_TRUE(test::eventually([&] {
        return run({"who", path(), "--connect", last}) == 0 && output.find("No quorum") != std::string::npos;
    })) << errors;
    EXPECT_THAT(output, HasSubstr("held by 10.1.2.3"));
    EXPECT_EQ(run({"who", path() + "Two", "--connect", last}), 3) << "nobody, in a state that may be old";
    EXPECT_EQ(run({"who", path(), "--connect", last, "--json"}), 0) << errors;
    EXPECT_EQ(json::parse(output).at("server").at("mode"), "read-only");
}

TEST_F(FieldCommand, AServerThatIsAnObserverIsNamed)
{
    const TempFolder folder;
    const auto ensemble = ensembleAfter(
        folder, "sed -i '/^server\\.3=/s/$/:observer/' zoo.cfg\n"
                "if [ \"$(cat data/myid)\" = 3 ]; then echo peerType=observer >> zoo.cfg; fi\n");
    ASSERT_TRUE(ensemble);
    const std::vector<std::string> hosts = splitHosts(ensemble->hosts());
    const HubSessionPtr owner = world->connect(std::chrono::seconds(30), hosts.at(2));
    world->create(*owner, path(), "");
    take(*owner);
    const std::string says = "The server " + hosts.at(2) + " is an observer";
    EXPECT_EQ(run({"who", path(), "--connect", hosts.at(2)}), 0) << errors;
    EXPECT_THAT(output, AllOf(HasSubstr("held by 10.1.2.3"), HasSubstr(says)));
    EXPECT_EQ(run({"who", path(), "--connect", hosts.at(2), "--json"}), 0) << errors;
    EXPECT_EQ(json::parse(output).at("server").at("mode"), "observer");
    EXPECT_EQ(run({"watch", hosts.at(2), "--lock", path(), "--duration", "1s"}), 0) << errors;
    EXPECT_THAT(output, HasSubstr(says));
    EXPECT_EQ(run({"who", path(), "--connect", hosts.at(0)}), 0) << errors;
    EXPECT_THAT(output, Not(HasSubstr("observer"))) << "the others are as good, and nothing is said of them";
}

TEST_F(FieldCommand, CredentialsThatTheServerRefuses)
{
    TempFolder folder;
    for (const char* proof : {"digst a:b\n", "sasl hbase\n"}) {
        std::ofstream(folder / "proof") << proof;
        EXPECT_EQ(who(path(), {"--auth-file", folder / "proof"}), 5);
        EXPECT_THAT(errors, HasSubstr(std::string(proof).substr(0, 4)));
        EXPECT_EQ(run({"watch", server().address(), "--lock", path(), "--auth-file", folder / "proof"}), 5);
    }
}

// The folder is there and may not be read: what is in it is not known.
TEST_F(FieldCommand, AFolderBelowThatMayNotBeRead)
{
    zk::ConnectOptions options{server().address(), std::chrono::seconds(30)};
    options.acl = zk::creatorAllAcl();
    options.credentials = {zk::Credential::digest([] { return Result<std::string>("reader:secret"); })};
    const HubSessionPtr owner = world->hub().connect(options);
    world->runUntil([&] { return owner->phase() == zk::SessionPhase::connected; }, "its creator");
    world->create(*client, path(), "");
    world->create(*owner, path() + "/secret", "");
    EXPECT_EQ(run({"watch", server().address(), "--tree", path(), "--duration", "1ms", "--report", "-"}), 0)
        << errors;
    const json::array paths = json::parse(output).at("paths").as_array();
    ASSERT_EQ(paths.size(), 2u);
    EXPECT_EQ(paths.at(1).at("path").as_string(), path() + "/secret");
    EXPECT_EQ(paths.at(1).at("state"), "not_permitted");
    EXPECT_EQ(who(path(), {"--json"}), 5) << "not free, as far as is known";
    EXPECT_TRUE(json::parse(output).at("held").is_null());
    // A node of a lock: its owner is in its Stat, which older servers show to everybody (3.8.0 does, 3.9.3
    // does not).
    world->create(*client, path() + "Two", "");
    const zk::Created node =
        world->create(*owner, path() + "Two" + kName, "", CreateMode::ephemeralSequential);
    zk::Code seen{};
    const zk::WatchPtr watch = client->exists(
        node.path, [](zk::WatchKind) {}, [&seen](const zk::StatReply& reply) { seen = reply.code; });
    world->settle(*client);
    EXPECT_EQ(who(path() + "Two"), 0) << errors;
    EXPECT_THAT(output, HasSubstr(seen == zk::Code::ok ? hex(owner->id()) : "held by not known"));
    EXPECT_THAT(output, HasSubstr("no permission to read the node"));
}

TEST_F(FieldCommand, TellsWhereALongWaitWent)
{
    world->create(*client, path(), "");
    const std::string holder = take(*client);
    const HubSessionPtr other = world->connect();
    const std::string waiter = take(*other);
    ASSERT_TRUE(test::eventually([&] {
        return who(path(), {"--json"}) == 0 && json::parse(output).at("longest_wait_now").is_object();
    })) << output;
    const json::value wait = json::parse(output).at("longest_wait_now");
    EXPECT_EQ(wait.at("node").as_string(), waiter.substr(path().size() + 1));
    EXPECT_EQ(wait.at("session").as_string(), hex(other->id()));
    const auto ms = [&](const char* part) { return wait.at(part).to_number<std::int64_t>(); };
    std::int64_t sum = 0;
    for (const char* part : {"no_server_ms", "leader_change_ms", "silent_holder_ms", "held_ms", "handoff_ms",
                             "server_latency_ms", "not_known_ms"})
        sum += wait.at(part).is_null() ? 0 : ms(part);
    EXPECT_EQ(sum, ms("wait_ms"));
    EXPECT_GT(ms("held_ms"), 0);
    EXPECT_EQ(wait.at("held_by").at(0).at("session").as_string(), hex(client->id()));
    EXPECT_TRUE(wait.at("handoff_ms").is_null()) << "who waits does not tell the server when it knew";
    EXPECT_TRUE(wait.at("leader_change_ms").is_null());
    EXPECT_EQ(who(path()), 0) << errors;
    EXPECT_THAT(output, AllOf(HasSubstr("; the longest wait, of 10.1.2.3, "), HasSubstr("held by others "),
                              HasSubstr("; nothing is known of: "), HasSubstr("handoff")));
}

TEST_F(FieldCommand, WithoutAServer) { EXPECT_EQ(run({"who", "/l", "--connect", "127.0.0.1:1"}), 3); }

TEST_F(FieldCommand, TheReportHasItsKeys)
{
    world->create(*client, path(), "");
    TempFolder folder;
    const std::string file = folder / "r.json";
    test::Child child(LOCKSCOPE_CLI, {"watch", server().address(), "--lock", path(), "--lock", path() + "Two",
                                      "--report", file, "--trace", folder / "t.jsonl"});
    ASSERT_TRUE(test::eventually([&] { return child.errors().find(path() + "Two") != std::string::npos; }))
        << child.errors();
    const std::string first = take(*client);
    ASSERT_TRUE(test::eventually([&] {
        return child.output().find("held by 10.1.2.3") != std::string::npos;
    })) << child.output();
    EXPECT_THAT(child.output(), HasSubstr(path() + "Two: there is no such path"));
    EXPECT_THAT(child.output(), Not(HasSubstr(path() + ": there is no such path")));
    world->remove(*client, first);
    const std::string second = take(*client);
    ASSERT_TRUE(test::eventually(
        [&] { return child.output().find(second.substr(path().size() + 1)) != std::string::npos; }));
    child.signal(SIGINT);
    ASSERT_EQ(child.wait(), 0) << child.errors();
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    const auto trace = trace::loadTrace(folder / "t.jsonl");
    ASSERT_TRUE(trace) << trace.error().text();
    EXPECT_EQ(trace->store->header().scenario, "watch");
    std::size_t seen = 0;
    for (std::size_t i = 0; i < trace->store->count(); ++i)
        seen += std::holds_alternative<trace::NodeSeen>(trace->store->at(i).what);
    EXPECT_EQ(seen, 2u);
    const json::object report = json::parse(text.str()).as_object();
    EXPECT_EQ(report.at("watching"), "every_change");
    EXPECT_EQ(report.at("nodes_created").to_number<int>(), 2);
    EXPECT_EQ(report.at("nodes_deleted").to_number<int>(), 1);
    EXPECT_EQ(report.at("stat_unknown").to_number<int>(), 0);
    EXPECT_TRUE(report.at("gaps").as_array().empty());
    EXPECT_EQ(report.at("paths").at(1).at("state"), "missing");
    ASSERT_EQ(report.at("locks").as_array().size(), 1u);
    const json::object& lock = report.at("locks").at(0).as_object();
    EXPECT_EQ(lock.at("path").as_string(), path());
    EXPECT_EQ(lock.at("recipe"), "mutex");
    EXPECT_EQ(lock.at("acquisitions").to_number<int>(), 2);
    EXPECT_EQ(lock.at("ends").at("deleted_session_alive").to_number<int>(), 1);
    EXPECT_EQ(lock.at("ends").at("open").to_number<int>(), 1);
    for (const char* key : {"session_gone", "gave_up", "unknown"})
        EXPECT_EQ(lock.at("ends").at(key).to_number<int>(), 0) << key;
    for (const char* key :
         {"handoffs", "longest_hold_ms", "longest_wait_ms", "deepest_queue", "waiting", "verdict"})
        EXPECT_TRUE(lock.contains(key)) << key;
    EXPECT_EQ(lock.at("holder").at("node").as_string(), second.substr(path().size() + 1));
    EXPECT_EQ(lock.at("holder").at("data"), "10.1.2.3");
    EXPECT_EQ(lock.at("holder").at("created"), lock.at("holder").at("held_since"));
    EXPECT_THAT(text.str(), Not(HasSubstr(hex(client->id())))) << "an id is as good as a password";
}

// Who was there before the watching began held for an unknown time; who came after it was seen to begin.
TEST_F(FieldCommand, TheTraceTellsAHoldThatWasSeenToBegin)
{
    world->create(*client, path(), "");
    const HubSessionPtr other = world->connect();
    const std::string first = take(*client), second = take(*other);
    TempFolder folder;
    const auto child = watch({"--trace", folder / "t.jsonl"});
    ASSERT_TRUE(shows(*child, nameOf(first)));
    world->remove(*client, first);
    ASSERT_TRUE(shows(*child, nameOf(second)));
    ASSERT_EQ(interrupt(*child), 0) << child->errors();
    const auto trace = trace::loadTrace(folder / "t.jsonl");
    ASSERT_TRUE(trace) << trace.error().text();
    replay::RunState state;
    std::vector<std::string> holders;
    std::vector<bool> heldBefore;
    for (std::size_t i = 0; i < trace->store->count(); ++i) {
        replay::apply(state, *trace->store, i);
        if (state.locks.empty() || state.locks[0].queue.empty())
            continue;
        const replay::NodeRow& front = state.locks[0].queue[0];
        if (front.phase == replay::NodePhase::holds && (holders.empty() || holders.back() != front.name)) {
            holders.emplace_back(front.name);
            heldBefore.push_back(front.heldBefore);
        }
    }
    EXPECT_THAT(holders, ElementsAre(nameOf(first), nameOf(second)));
    EXPECT_THAT(heldBefore, ElementsAre(true, false));
}

TEST_F(FieldCommand, TheTraceHasTheGaps)
{
    world->create(*client, path(), "");
    take(*client);
    TempFolder folder;
    for (const bool returns : {true, false}) {
        const auto child = watch({"--trace", folder / "t.jsonl", "--report", folder / "r.json"});
        ASSERT_TRUE(shows(*child, "held by 10.1.2.3"));
        ASSERT_TRUE(server().killNow());
        ASSERT_TRUE(shows(*child, "Out of contact"));
        if (returns) {
            ASSERT_TRUE(server().restart());
            ASSERT_TRUE(shows(*child, "Gap: nothing was seen between"));
        }
        ASSERT_EQ(interrupt(*child), 0) << child->errors();
        const auto trace = trace::loadTrace(folder / "t.jsonl");
        ASSERT_TRUE(trace) << trace.error().text();
        std::size_t gaps = 0;
        for (std::size_t i = 0; i < trace->store->count(); ++i)
            if (const auto* command = std::get_if<trace::Command>(&trace->store->at(i).what))
                gaps += command->verb == trace::toText(trace::CommandVerb::gap);
        EXPECT_EQ(gaps, 1u) << (returns ? "it is over" : "it lasts");
    }
}

TEST_F(FieldCommand, TheTraceHasTheSessionsIdsOnlyWhenAskedFor)
{
    world->create(*client, path(), "");
    take(*client);
    TempFolder folder;
    for (const bool real : {true, false}) {
        std::vector<std::string> arguments{"watch",   server().address(), "--lock",
                                           path(),    "--duration",       "1ms",
                                           "--trace", folder / "t.jsonl"};
        if (real)
            arguments.emplace_back("--real-session-ids");
        ASSERT_EQ(run(arguments), 0) << errors;
        const auto trace = trace::loadTrace(folder / "t.jsonl");
        ASSERT_TRUE(trace) << trace.error().text();
        EXPECT_EQ(trace->store->header().sessionIds,
                  real ? trace::SessionIds::real : trace::SessionIds::pseudonyms);
        std::vector<SessionId> sessions;
        for (std::size_t i = 0; i < trace->store->count(); ++i)
            if (const auto* seen = std::get_if<trace::NodeSeen>(&trace->store->at(i).what))
                sessions.push_back(seen->session);
        ASSERT_EQ(sessions.size(), 1u);
        EXPECT_EQ(sessions[0] == client->id(), real);
    }
}

// ZooKeeper's own recipe has the session in the names of its nodes.
TEST_F(FieldCommand, TheReportHidesTheSessionsInNodesNames)
{
    world->create(*client, path(), "");
    std::string id = hex(client->id()).substr(2);
    id.insert(0, 16 - id.size(), '0');
    world->create(*client, path() + "/x-" + id + "-", "", CreateMode::ephemeralSequential);
    ASSERT_EQ(run({"watch", server().address(), "--lock", path(), "--duration", "100ms", "--report", "-"}), 0)
        << errors;
    const json::object lock = json::parse(output).at("locks").at(0).as_object();
    const std::string node(lock.at("holder").at("node").as_string());
    EXPECT_TRUE(node.starts_with("x-") && node.ends_with("-0000000000")) << node;
    EXPECT_THAT(output, Not(HasSubstr(id)));
}

// Why a hold ended, and since when one holds that was there before the watching began, is in the server's log
// only.
TEST_F(FieldCommand, ALogBesideItFillsInWhatWatchingCannotKnow)
{
    world->create(*client, path(), "");
    const std::string logs = (server().directory() / "data").string();
    TempFolder folder;
    const std::string file = folder / "r.json";
    HubSessionPtr leaving = world->connect();
    take(*leaving);
    const HubSessionPtr second = world->connect();
    const std::string deleted = take(*second);
    test::Child child(LOCKSCOPE_CLI,
                      {"watch", server().address(), "--lock", path(), "--history", logs, "--report", file});
    const auto shows = [&](const std::string& text) {
        return test::eventually([&] { return child.output().find(text) != std::string::npos; });
    };
    ASSERT_TRUE(shows("held by 10.1.2.3")) << child.errors();
    leaving.reset();
    ASSERT_TRUE(shows(deleted.substr(path().size() + 1))) << child.output();
    const std::string third = take(*client);
    world->remove(*client, deleted);
    ASSERT_TRUE(shows(third.substr(path().size() + 1))) << child.output();
    child.signal(SIGINT);
    ASSERT_EQ(child.wait(), 0) << child.errors();
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    const json::object lock = json::parse(text.str()).at("locks").at(0).as_object();
    const json::object ends = lock.at("ends_by_log").as_object();
    EXPECT_EQ(ends.at("session_closed").to_number<int>(), 1);
    EXPECT_EQ(ends.at("deleted_by_other").to_number<int>(), 1);
    EXPECT_EQ(ends.at("released").to_number<int>(), 0);
    EXPECT_EQ(ends.at("open").to_number<int>(), 1);
    EXPECT_EQ(lock.at("ends").at("session_gone").to_number<int>(), 1);
    EXPECT_EQ(lock.at("ends").at("deleted_session_alive").to_number<int>(), 1);
    EXPECT_EQ(lock.at("ends").at("unknown").to_number<int>(), 0);

    const std::string waiting = take(*second);
    world->remove(*client, third);
    ASSERT_EQ(who(path(), {"--json"}), 0);
    EXPECT_TRUE(json::parse(output).at("holder").at("held_since").is_object())
        << "between its creation and now";
    ASSERT_EQ(who(path(), {"--json", "--history", logs}), 0) << errors;
    EXPECT_TRUE(json::parse(output).at("holder").at("held_since").is_string()) << output;
    EXPECT_EQ(who(path(), {"history", folder / "nothing"}), 2) << errors;
    EXPECT_EQ(who(path(), {"history", logs, "--follow"}), 2);
}

// The signal that ends the watching does not end the reading of the logs after it, too.
TEST_F(FieldCommand, LogsThatAreReadInSeveralPiecesAfterAnInterrupt)
{
    world->create(*client, path(), "");
    take(*client);
    TempFolder folder;
    LogWriter log;
    for (int megabytes = 0; megabytes < 40; ++megabytes)
        log.set(kA, "/config", std::string(1 << 20, 'x'));
    test::Child child(LOCKSCOPE_CLI, {"watch", server().address(), "--lock", path(), "--history",
                                      log.writeTo(folder.path()).string(), "--report", folder / "r.json"});
    ASSERT_TRUE(test::eventually([&] {
        return child.output().find("held by 10.1.2.3") != std::string::npos;
    })) << child.errors();
    child.signal(SIGINT);
    EXPECT_EQ(child.wait(), 0) << child.errors();
    EXPECT_TRUE(std::filesystem::exists(folder / "r.json"));
}

} // namespace
} // namespace lockscope::tests
