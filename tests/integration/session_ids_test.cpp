// ZooKeeper derives a session's password from its id: no file has a real one unless --real-session-ids says
// so. The server's own watch table tells which they are.
#include "core/server/probe/four_letter.h"
#include "core/server/process/managed_server.h"
#include "tests/integration/child.h"
#include "tests/integration/session_id_search.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace lockscope::test {
namespace {

using namespace std::chrono_literals;

struct SessionIdsTest : testing::Test
{
    void SetUp() override
    {
        auto started = server::ManagedServer::start({});
        ASSERT_TRUE(started.has_value()) << started.error().text();
        server = std::move(*started);
    }
    // Runs to its end; which sessions watched something meanwhile.
    std::set<SessionId> run(std::vector<std::string> more)
    {
        std::vector<std::string> arguments{
            "run",     "five-clients", "--cycles", "8",   "--connect", server->address(),
            "--trace", trace,          "--report", report};
        arguments.insert(arguments.end(), more.begin(), more.end());
        Child child(LOCKSCOPE_CLI, arguments);
        std::set<SessionId> seen;
        EXPECT_TRUE(eventually([&] {
            seen.merge(watchingSessions(server->address()));
            return seen.size() >= 3 || !isProcessAlive(child.pid());
        }));
        EXPECT_GE(seen.size(), 3U) << "five clients wait for each other";
        EXPECT_EQ(child.wait(), 0) << child.errors();
        said = child.output() + child.errors();
        return seen;
    }

    std::unique_ptr<server::ManagedServer> server;
    tests::TempFolder folder;
    const std::string trace = folder / "run.jsonl";
    const std::string report = folder / "report.json";
    std::string said;
};

TEST_F(SessionIdsTest, NoFileHasARealOne)
{
    const std::set<SessionId> sessions = run({});
    EXPECT_EQ(realIdsIn(readAll(trace), sessions), std::vector<std::string>{});
    EXPECT_EQ(realIdsIn(readAll(report), sessions), std::vector<std::string>{});
    EXPECT_EQ(realIdsIn(said, sessions), std::vector<std::string>{});
    for (const std::string kind : {"html", "chrome", "csv", "clients"}) {
        const std::string file = (folder.path() / ("export." + kind)).string();
        Child child(LOCKSCOPE_CLI, {"export", kind, file, trace});
        ASSERT_EQ(child.wait(), 0) << child.errors();
        const std::string bytes = readAll(file);
        EXPECT_GT(bytes.size(), 100U) << kind;
        EXPECT_EQ(realIdsIn(bytes, sessions), std::vector<std::string>{}) << kind;
    }
}

TEST_F(SessionIdsTest, OnRequestATraceHasThemAndSaysSo)
{
    const std::set<SessionId> sessions = run({"--real-session-ids"});
    const std::string bytes = readAll(trace);
    EXPECT_GE(realIdsIn(bytes, sessions).size() + 1, sessions.size())
        << "one may be of who looks at the queue";
    EXPECT_GE(realIdsIn(bytes, sessions).size(), 2U);
    EXPECT_NE(bytes.substr(0, bytes.find('\n')).find(R"("session_ids":"real")"), std::string::npos);
    EXPECT_NE(bytes.find(R"("code":"real_session_ids")"), std::string::npos);
}

} // namespace
} // namespace lockscope::test
