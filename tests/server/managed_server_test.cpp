// A real server: what it serves, what it listens on, what it leaves behind.
#include "core/server/process/managed_server.h"

#include "core/server/deadline.h"
#include "core/server/probe/four_letter.h"
#include "core/server/probe/session_probe.h"
#include "core/server/process/free_port.h"
#include "process_watch.h"
#include "started_server.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include <sys/stat.h>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;
using testing::entriesIn;
using ::testing::HasSubstr;
using testing::isProcessAlive;
using testing::startOrFail;
using tests::TempFolder;

std::uint16_t portOf(const std::string& address)
{
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

mode_t modeOf(const std::filesystem::path& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

// Local addresses that listen on the port, as /proc/net/tcp and tcp6 write them.
std::vector<std::string> listenersOn(std::uint16_t port)
{
    std::vector<std::string> found;
    char ending[8];
    std::snprintf(ending, sizeof ending, ":%04X", static_cast<unsigned>(port));
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream file(table);
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line);
            std::string number, local, peer, state;
            words >> number >> local >> peer >> state;
            if (state == "0A" && local.ends_with(ending))
                found.push_back(local);
        }
    }
    return found;
}

TEST(ManagedServer, ServesSessionsAndFourLetterWords)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    EXPECT_TRUE(server->running());
    EXPECT_THAT(server->version(), ::testing::MatchesRegex("3\\.[0-9]+\\.[0-9]+"));
    EXPECT_EQ(server->mode(), "standalone");
    EXPECT_TRUE(probeSession(server->address(), deadlineIn(5s)));
    for (const char* word : {"srvr", "mntr", "wchp"})
        EXPECT_TRUE(sendFourLetterWord(server->address(), word, 5s)) << word;
    const auto refused = sendFourLetterWord(server->address(), "envi", 5s);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
}

TEST(ManagedServer, ListensOnLoopbackOnly)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    const auto port = portOf(server->address());
    EXPECT_TRUE(isListeningOnLoopback(server->processId(), port));
    EXPECT_FALSE(isListeningOnLoopback(::getpid(), port));
    for (const auto& local : listenersOn(port))
        EXPECT_THAT(local, ::testing::AnyOf(::testing::StartsWith("0100007F:"),
                                            ::testing::StartsWith("0000000000000000FFFF00000100007F:")));
    EXPECT_EQ(listenersOn(port).size(), 1u);
}

TEST(ManagedServer, KeepsItsDirectoryPrivate)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    EXPECT_EQ(modeOf(server->directory()), mode_t{0700});
    EXPECT_EQ(modeOf(server->directory() / "zoo.cfg"), mode_t{0600});
    EXPECT_EQ(modeOf(server->directory() / "data"), mode_t{0700});
}

TEST(ManagedServer, StopLeavesNothing)
{
    const TempFolder base;
    auto server = startOrFail({.baseDir = base.path()});
    ASSERT_TRUE(server);
    const auto java = server->processId();
    const auto supervisor = server->supervisorId();
    const auto address = server->address();
    EXPECT_EQ(entriesIn(base.path()), 1u);
    EXPECT_TRUE(isProcessAlive(java));

    server.reset();
    EXPECT_FALSE(isProcessAlive(java));
    EXPECT_FALSE(isProcessAlive(supervisor));
    EXPECT_EQ(entriesIn(base.path()), 0u);
    EXPECT_TRUE(isLoopbackPortFree(portOf(address)));
}

TEST(ManagedServer, LeavesNothingInTheTemporaryFolder)
{
    auto server = startOrFail();
    ASSERT_TRUE(server);
    const auto java = std::to_string(server->processId());
    ASSERT_TRUE(probeSession(server->address(), deadlineIn(5s)));
    // What a Java usually leaves there.
    const auto folder = std::filesystem::temp_directory_path();
    EXPECT_FALSE(std::filesystem::exists(folder / (".java_pid" + java)));
    EXPECT_FALSE(std::filesystem::exists(folder / (".attach_pid" + java)));
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto name = entry.path().filename().string();
        EXPECT_FALSE(name.starts_with("hsperfdata") && std::filesystem::exists(entry.path() / java)) << name;
    }
}

TEST(ManagedServer, KeepsTheDataWhenAskedTo)
{
    const TempFolder base;
    auto server = startOrFail({.baseDir = base.path(), .keepData = true});
    ASSERT_TRUE(server);
    const auto directory = server->directory();
    const auto java = server->processId();
    server.reset();
    EXPECT_FALSE(isProcessAlive(java));
    EXPECT_TRUE(std::filesystem::exists(directory / "zoo.cfg"));
}

TEST(ManagedServer, TwoAtOnce)
{
    const auto one = startOrFail();
    auto two = startOrFail();
    ASSERT_TRUE(one && two);
    EXPECT_NE(one->address(), two->address());
    EXPECT_NE(one->directory(), two->directory());
    two.reset();
    EXPECT_TRUE(one->running());
    EXPECT_TRUE(probeSession(one->address(), deadlineIn(5s)));
}

TEST(ManagedServer, ATakenPortIsNamed)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    const auto port = portOf(server->address());
    const auto second = ManagedServer::start({.port = port});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::noServer);
    EXPECT_THAT(second.error().text(), HasSubstr(std::to_string(port)));
    EXPECT_TRUE(server->running());
}

TEST(ManagedServer, TakesTheAskedPort)
{
    const auto port = pickFreePort();
    ASSERT_TRUE(port);
    const auto server = startOrFail({.port = *port});
    ASSERT_TRUE(server);
    EXPECT_EQ(server->address(), "127.0.0.1:" + std::to_string(*port));
}

TEST(ManagedServer, ShowsTheEndOfItsLog)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    std::ofstream(server->directory() / "server.log", std::ios::app) << "a last\x1b[31m line\n";
    EXPECT_THAT(server->logTail(), ::testing::EndsWith("a last[31m line"));
}

} // namespace
} // namespace lockscope::server
