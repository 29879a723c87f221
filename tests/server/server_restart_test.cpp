// A real server that is killed, stands still, dies and comes back.
#include "core/server/deadline.h"
#include "core/server/probe/four_letter.h"
#include "core/server/probe/session_probe.h"
#include "process_watch.h"
#include "raw_session.h"
#include "started_server.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;
using testing::becomesTrue;
using testing::entriesIn;
using testing::isProcessAlive;
using testing::RawSession;
using testing::startOrFail;
using tests::TempFolder;

TEST(ManagedServer, RestartKeepsPortAndData)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    const auto address = server->address();
    const auto before = server->processId();
    RawSession session(address);
    ASSERT_TRUE(session.createNode("/kept"));

    ASSERT_TRUE(server->killNow());
    EXPECT_FALSE(server->running());
    EXPECT_FALSE(isProcessAlive(before));
    EXPECT_TRUE(std::filesystem::exists(server->directory()));
    EXPECT_FALSE(probeSession(address, deadlineIn(1s)));
    ASSERT_TRUE(server->killNow()) << "killing twice is no error";

    const auto restarted = server->restart();
    ASSERT_TRUE(restarted) << restarted.error().text();
    EXPECT_TRUE(server->running());
    EXPECT_EQ(server->address(), address);
    EXPECT_NE(server->processId(), before);
    RawSession again(address);
    EXPECT_TRUE(again.hasNode("/kept"));
    EXPECT_FALSE(again.hasNode("/never"));
}

// Once it is stopped, another stop finds nothing to do, and no request waits for it.
TEST(ManagedServer, ASecondSuspendIsDoneAtOnceAndEverythingGoesOn)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    const auto java = server->processId();
    for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(server->suspend()) << i;
    EXPECT_FALSE(sendFourLetterWord(server->address(), "srvr", 300ms));
    ASSERT_TRUE(server->resume());
    EXPECT_TRUE(sendFourLetterWord(server->address(), "srvr", 10s));
    ASSERT_TRUE(server->suspend());
    ASSERT_TRUE(server->suspend());
    EXPECT_TRUE(server->killNow());
    EXPECT_FALSE(isProcessAlive(java));
    const auto restarted = server->restart();
    ASSERT_TRUE(restarted) << restarted.error().text();
    EXPECT_TRUE(server->suspend());
}

TEST(ManagedServer, ASuspendedServerCanBeStopped)
{
    auto server = startOrFail();
    ASSERT_TRUE(server);
    const auto java = server->processId();
    const auto directory = server->directory();
    ASSERT_TRUE(server->suspend());
    server.reset();
    EXPECT_FALSE(isProcessAlive(java));
    EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST(ManagedServer, NoticesADeathFromOutside)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    ASSERT_EQ(::kill(server->processId(), SIGKILL), 0);
    EXPECT_TRUE(becomesTrue([&] { return !server->running(); }));
    EXPECT_EQ(server->processId(), 0);
    EXPECT_FALSE(server->suspend());
    const auto restarted = server->restart();
    EXPECT_TRUE(restarted) << restarted.error().text();
}

TEST(ManagedServer, RespawnDoesNotWaitAndKeepsTheData)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    ASSERT_TRUE(RawSession(server->address()).createNode("/kept"));
    const auto address = server->address();
    const auto before = server->processId();
    const auto respawned = server->respawn(true);
    ASSERT_TRUE(respawned) << respawned.error().text();
    EXPECT_TRUE(server->running());
    EXPECT_FALSE(server->isServing()) << "no Java is that quick: it must not have waited";
    EXPECT_TRUE(becomesTrue([&] { return server->isServing(); }));
    EXPECT_NE(server->processId(), before);
    EXPECT_EQ(server->address(), address);
    EXPECT_TRUE(RawSession(address).hasNode("/kept"));
}

TEST(ManagedServer, RespawnWithoutDataForgetsEverything)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    ASSERT_TRUE(RawSession(server->address()).createNode("/forgotten"));
    ASSERT_TRUE(server->killNow());
    EXPECT_FALSE(server->isServing());
    ASSERT_TRUE(server->respawn(false));
    ASSERT_TRUE(becomesTrue([&] { return server->isServing(); }));
    EXPECT_FALSE(RawSession(server->address()).hasNode("/forgotten"));
    EXPECT_TRUE(RawSession(server->address()).createNode("/new"));
}

TEST(ManagedServer, SurvivesAKilledSupervisorWithoutTraces)
{
    const TempFolder base;
    auto server = startOrFail({.baseDir = base.path()});
    ASSERT_TRUE(server);
    const auto java = server->processId();
    ASSERT_EQ(::kill(server->supervisorId(), SIGKILL), 0);
    EXPECT_TRUE(becomesTrue([&] { return !isProcessAlive(java); })) << "the kernel ends Java";
    EXPECT_TRUE(becomesTrue([&] { return !server->running(); }));
    EXPECT_FALSE(server->restart());
    server.reset();
    EXPECT_EQ(entriesIn(base.path()), 0u);
}

} // namespace
} // namespace lockscope::server
