// A supervisor that answers late: a reply belongs to its own request, however late it comes.
#include "core/server/process/server_process.h"
#include "process_watch.h"
#include "started_server.h"

#include <functional>
#include <utility>
#include <vector>

#include <signal.h>

namespace lockscope::server {
namespace {

using testing::becomesTrue;
using testing::isProcessAlive;
using testing::startOrFail;

TEST(SlowSupervisor, ALateReplyIsNotTakenForTheNextOne)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    const auto java = server->processId();
    ASSERT_EQ(::kill(server->supervisorId(), SIGSTOP), 0);
    const auto killed = server->killNow();
    ASSERT_EQ(::kill(server->supervisorId(), SIGCONT), 0);
    ASSERT_FALSE(killed);
    EXPECT_EQ(killed.error().code, ErrorCode::timedOut);

    const auto restarted = server->restart();
    ASSERT_TRUE(restarted) << restarted.error().text();
    EXPECT_TRUE(server->running());
    EXPECT_NE(server->processId(), java);
    EXPECT_FALSE(isProcessAlive(java));
    EXPECT_TRUE(server->suspend());
    EXPECT_TRUE(server->resume());
    EXPECT_TRUE(server->killNow());
    EXPECT_FALSE(server->running());
    EXPECT_FALSE(server->suspend());
}

// Makes two requests before the first is answered; `second`: of the process.
void respawnAnd(ManagedServer& server, const std::function<void(ServerProcess&, ServerProcess::Done)>& second)
{
    ServerProcess& process = server.process();
    std::vector<Result<void>> done;
    const auto note = [&done](Result<void> result) { done.push_back(std::move(result)); };
    ASSERT_EQ(::kill(server.supervisorId(), SIGSTOP), 0);
    process.respawn(true, note);
    second(process, note);
    ASSERT_EQ(::kill(server.supervisorId(), SIGCONT), 0);
    ASSERT_TRUE(becomesTrue([&] {
        process.poll();
        return done.size() == 2;
    }));
    for (const Result<void>& result : done)
        EXPECT_TRUE(result) << result.error().text();
}

TEST(SlowSupervisor, TwoRestartsAtOnceAreTwoRestarts)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    const auto java = server->processId();
    respawnAnd(*server, [](ServerProcess& process, auto done) { process.respawn(true, std::move(done)); });
    EXPECT_TRUE(server->running());
    EXPECT_NE(server->processId(), java);
    EXPECT_TRUE(becomesTrue([&] { return server->isServing(); }));
}

TEST(SlowSupervisor, AKillAfterARestartIsTheLastCommand)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    respawnAnd(*server, [](ServerProcess& process, auto done) { process.kill(std::move(done)); });
    EXPECT_FALSE(server->running());
}

} // namespace
} // namespace lockscope::server
