// lockscope-cli merge, on what two processes leave that contend for one lock of a real server.
#include "core/replay/fold/reducer.h"
#include "core/trace/trace_file.h"
#include "tests/integration/child.h"
#include "tests/server/started_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct MergeCommand : testing::Test
{
    int run(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), "merge");
        Child child(LOCKSCOPE_CLI, arguments);
        const int code = child.wait();
        output = child.output();
        errors = child.errors();
        return code;
    }
    std::string file(const char* name) const { return folder / name; }
    // Of three clients each that contend for one lock: one.jsonl and other.jsonl.
    void runBoth(const std::string& hosts) const
    {
        std::ofstream(file("key")) << "sixteen bytes or more";
        std::vector<std::unique_ptr<Child>> runs;
        for (const char* name : {"one.jsonl", "other.jsonl"})
            runs.push_back(std::make_unique<Child>(
                LOCKSCOPE_CLI,
                std::vector<std::string>{"run", "bare", "--clients", "3", "--cycles", "20", "--hold", "1ms",
                                         "--connect", hosts, "--join-foreign", "--key-file", file("key"),
                                         "--trace", file(name), "--quiet"}));
        for (const auto& each : runs)
            ASSERT_EQ(each->wait(), 0) << each->errors();
    }
    // The merged trace: all that both did, and no rule violated.
    void expectTheWholeRun() const
    {
        const auto merged = trace::loadTrace(file("all.jsonl"));
        ASSERT_TRUE(merged) << merged.error().text();
        replay::RunState state;
        for (std::size_t i = 0; i < merged->store->count(); ++i)
            replay::apply(state, *merged->store, i);
        EXPECT_EQ(state.clients.size(), 6U);
        EXPECT_EQ(state.statistics.acquired, 120U);
        EXPECT_EQ(state.phase, trace::RunPhase::finished);
        for (const replay::Finding& finding : state.findings.all)
            EXPECT_TRUE(finding.ok()) << finding.detail().english();
    }

    tests::TempFolder folder;
    std::string output, errors;
};

TEST_F(MergeCommand, TwoProcessesAndTheServersLogAreOneRun)
{
    const auto server = server::testing::startOrFail();
    ASSERT_TRUE(server);
    ASSERT_NO_FATAL_FAILURE(runBoth(server->address()));
    ASSERT_EQ(run({file("all.jsonl"), file("one.jsonl"), file("other.jsonl"), "--key-file", file("key"),
                   "--history", (server->directory() / "data").string()}),
              0)
        << errors;
    EXPECT_THAT(output, testing::ContainsRegex("one +[0-9,]+ +3 +0 +reference"));
    EXPECT_THAT(output, testing::ContainsRegex("logs +[0-9,]+ +6 +6 "));
    EXPECT_THAT(output, HasSubstr("are in no certain order."));
    const auto merged = trace::loadTrace(file("all.jsonl"));
    ASSERT_TRUE(merged) << merged.error().text();
    // Both ran on this machine, whose clock says how far apart their times really are.
    const auto zeroOf = [&](const char* name) {
        return trace::loadTrace(file(name))->store->header().monotonicNanoseconds;
    };
    const auto said = std::get<trace::Notice>(merged->store->at(0).what).text.arguments();
    ASSERT_EQ(said.size(), 4U);
    EXPECT_EQ(said[0].english(), "other");
    EXPECT_LE(std::abs(std::stoll(said[2].english()) - (zeroOf("other.jsonl") - zeroOf("one.jsonl"))),
              std::stoll(said[3].english()));

    expectTheWholeRun();

    EXPECT_EQ(run({file("one.jsonl"), file("one.jsonl"), file("other.jsonl")}), 2);
    EXPECT_THAT(errors, HasSubstr("which is read and would be replaced"));
    EXPECT_EQ(run({file("all.jsonl"), file("one.jsonl"), "--history", server->directory().string()}), 2);
    EXPECT_THAT(errors, HasSubstr("Use --key-file with the key that the traces were written with."));
}

// A server that was not asked has the transactions, too, and one that came late may have a part of them.
TEST_F(MergeCommand, TheLogsOfThreeServersAreOneTruthBesideTwoTraces)
{
    const auto started = server::ManagedServer::start({.members = 3});
    ASSERT_TRUE(started) << started.error().text();
    server::ManagedServer& ensemble = **started;
    ASSERT_NO_FATAL_FAILURE(runBoth(ensemble.hosts()));
    std::vector<std::string> merge{file("all.jsonl"), file("one.jsonl"), file("other.jsonl"),
                                   "--key-file",      file("key"),       "--history"};
    for (std::size_t i = 0; i < ensemble.size(); ++i)
        merge.push_back((ensemble.directory(i) / "data").string());

    ASSERT_EQ(run(merge), 0) << errors;
    EXPECT_THAT(output, testing::ContainsRegex("one +[0-9,]+ +3 +0 +reference"));
    EXPECT_THAT(output, testing::ContainsRegex("logs +[0-9,]+ +6 +6 "));
    expectTheWholeRun();
}

TEST_F(MergeCommand, ASignalEndsTheReading)
{
    const std::string header = "{\"schema\":\"lockscope-trace\",\"version\":1}\n";
    std::ofstream(file("a.jsonl")) << header;
    std::ofstream(file("b.jsonl")) << header << "not read any more\n";
    // The signal is there before the program is: it waits until the program takes signals.
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
    Child child(LOCKSCOPE_CLI, {"merge", file("out.jsonl"), file("a.jsonl"), file("b.jsonl")});
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
    child.signal(SIGINT);
    EXPECT_EQ(child.wait(), 4);
    EXPECT_THAT(child.errors(), HasSubstr("Interrupted: nothing was merged."));
    EXPECT_FALSE(fs::exists(file("out.jsonl")));
}

TEST_F(MergeCommand, WritesNothingWhenItRefuses)
{
    std::ofstream(file("a.jsonl"))
        << "{\"schema\":\"lockscope-trace\",\"version\":1}\n{\"t\":1,\"e\":\"nothing\"}\n";
    std::ofstream(file("b.jsonl")) << "{\"schema\":\"lockscope-trace\",\"version\":1}\n";
    EXPECT_EQ(run({file("out.jsonl"), file("a.jsonl"), file("b.jsonl")}), 2);
    EXPECT_THAT(errors, HasSubstr("a.jsonl:2:12: found \"nothing\""));
    EXPECT_FALSE(fs::exists(file("out.jsonl")));
    EXPECT_EQ(run({file("out.jsonl"), file("a.jsonl")}), 2);
    EXPECT_THAT(errors, HasSubstr("merge needs two traces, or a trace and --history."));
    EXPECT_EQ(run({file("out.jsonl"), file("a.jsonl"), file("none.jsonl")}), 2);
    EXPECT_THAT(errors, HasSubstr("There is no trace file"));
}

} // namespace
} // namespace lockscope::test
