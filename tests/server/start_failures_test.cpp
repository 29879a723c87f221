// A server that cannot be started: each cause is named, with what to do about it, and nothing is left behind.
#include "core/server/process/free_port.h"
#include "core/server/process/managed_server.h"
#include "process_watch.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;
using testing::entriesIn;
using ::testing::HasSubstr;
using tests::TempFolder;

class StartFailures : public ::testing::Test
{
protected:
    // Starts with these; returns the error, and checks that nothing is left.
    Error failureOf(ManagedServer::Options options)
    {
        options.baseDir = m_base.path();
        const auto server = ManagedServer::start(options);
        EXPECT_FALSE(server);
        EXPECT_EQ(entriesIn(m_base.path()), 0u);
        return server ? Error{} : server.error();
    }

    // A program that plays Java.
    std::filesystem::path script(const std::string& body)
    {
        const auto path = m_tools.path() / "java";
        std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
        ::chmod(path.c_str(), 0700);
        return path;
    }

    std::filesystem::path nowhere() const { return m_tools.path() / "nowhere"; }

private:
    TempFolder m_base;
    TempFolder m_tools;
};

TEST_F(StartFailures, NoJava)
{
    const auto error = failureOf({.java = {.java = nowhere(), .zookeeper = {}}});
    EXPECT_EQ(error.code, ErrorCode::noServer);
    EXPECT_THAT(error.hint.english(), HasSubstr("default-jre-headless"));
}

TEST_F(StartFailures, NoJar)
{
    const auto error = failureOf({.java = {.java = {}, .zookeeper = nowhere()}});
    EXPECT_EQ(error.code, ErrorCode::noServer);
    EXPECT_THAT(error.message.english(), HasSubstr("There is no ZooKeeper at " + nowhere().string()));
    EXPECT_THAT(error.hint.english(), HasSubstr("--zookeeper"));
}

TEST_F(StartFailures, AJavaThatDoesNotServe)
{
    struct Case
    {
        const char* does;
        std::vector<const char*> said; // what happened, which Java, what to do
        Duration limit = 60s;
    };
    for (const auto& [does, said, limit] :
         {Case{"echo 'Out of luck.'; exit 1", {"Out of luck."}},
          Case{"exec tail -f /dev/null", {"in time", "/java", "JAVA_HOME"}, 300ms},
          Case{"exit 1", {"ended without a word", "/java"}},
          Case{"echo 'BindException: Address already in use'; exit 1", {"Other programs took"}}}) {
        const auto error = failureOf({.startLimit = limit, .java = {.java = script(does), .zookeeper = {}}});
        EXPECT_EQ(error.code, ErrorCode::noServer) << does;
        for (const char* words : said)
            EXPECT_THAT(error.text(), HasSubstr(words));
        EXPECT_THAT(error.text(), ::testing::Not(HasSubstr("Choose another port"))) << "none was chosen";
    }
}

TEST_F(StartFailures, AJarThatIsNoneIsNamed)
{
    const auto jar = nowhere().parent_path() / "zookeeper.jar";
    std::ofstream(jar) << "no archive";
    const auto error = failureOf({.java = {.java = {}, .zookeeper = jar}});
    EXPECT_EQ(error.code, ErrorCode::noServer);
    EXPECT_THAT(error.text(), HasSubstr(jar.string()));
    EXPECT_THAT(error.text(), HasSubstr("--zookeeper"));
}

TEST_F(StartFailures, AJavaThatIsNoProgram)
{
    const auto path = script("");
    std::ofstream(path) << "#!/no/such/interpreter\n";
    const auto error = failureOf({.java = {.java = path, .zookeeper = {}}});
    EXPECT_EQ(error.code, ErrorCode::noServer);
    EXPECT_THAT(error.message.english(), HasSubstr("could not be started"));
}

TEST_F(StartFailures, APortTakenInBetweenIsReplacedByAnother)
{
    // The first start finds its port taken, the second is a real one.
    const auto java =
        script("if [ ! -e tried ]; then : > tried; echo 'BindException: Address already in use'; "
               "exit 1; fi\nexec /usr/bin/java \"$@\"");
    const auto server = ManagedServer::start({.java = {.java = java, .zookeeper = {}}});
    ASSERT_TRUE(server) << server.error().text();
    EXPECT_TRUE(std::filesystem::exists((*server)->directory() / "tried"));
}

TEST_F(StartFailures, GivenUpByTheCaller)
{
    std::stop_source stop;
    stop.request_stop();
    const auto error = failureOf(
        {.java = {.java = script("exec tail -f /dev/null"), .zookeeper = {}}, .cancel = stop.get_token()});
    EXPECT_EQ(error.code, ErrorCode::cancelled);
}

TEST(StartFailure, NoSuchBaseDirectory)
{
    const auto server = ManagedServer::start({.baseDir = "/nowhere/at/all"});
    ASSERT_FALSE(server);
    EXPECT_EQ(server.error().code, ErrorCode::ioFailed);
    EXPECT_THAT(server.error().message.english(), HasSubstr("/nowhere/at/all"));
}

TEST(StartFailure, ATickTimeOutOfRange)
{
    const auto server = ManagedServer::start({.tickTime = 0ms});
    ASSERT_FALSE(server);
    EXPECT_EQ(server.error().code, ErrorCode::badUsage);
}

TEST(FreePort, AProcessDoesNotListenWhereNobodyDoes)
{
    const auto port = pickFreePort();
    ASSERT_TRUE(port);
    std::atomic<bool> over = false;
    // Descriptors that are gone when their name is read.
    std::thread closing([&] {
        while (!over)
            for (int i = 0; i < 50; ++i)
                ::close(::dup(STDERR_FILENO));
    });
    for (int i = 0; i < 300; ++i)
        EXPECT_FALSE(isListeningOnLoopback(::getpid(), *port));
    over = true;
    closing.join();
}

TEST(FreePort, StaysClearOfOutgoingConnections)
{
    int outgoing = 0;
    std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> outgoing;
    const auto port = pickFreePort();
    ASSERT_TRUE(port);
    EXPECT_TRUE(isLoopbackPortFree(*port));
    if (outgoing >= 16000) {
        EXPECT_LT(*port, outgoing);
    }
}

} // namespace
} // namespace lockscope::server
