// The server and its directory are gone when the program that started it is gone, however that ended.
#include "process_watch.h"

#include <gmock/gmock.h>

#include <array>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace lockscope::server {
namespace {

using testing::becomesTrue;
using testing::isProcessAlive;

// The holder as a child in a process group of its own, its output on a pipe.
class Holder
{
public:
    explicit Holder(std::string way)
    {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            return;
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        std::string program = LOCKSCOPE_SERVER_HOLDER;
        std::array<char*, 3> arguments{program.data(), way.data(), nullptr};
        if (::posix_spawn(&m_process, program.c_str(), &files, &attributes, arguments.data(), environ) != 0)
            m_process = -1;
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&files);
        ::close(ends[1]);
        readLine(ends[0]);
        ::close(ends[0]);
    }
    ~Holder()
    {
        if (m_process > 0 && !m_reaped) {
            ::kill(m_process, SIGKILL);
            waitForEnd();
        }
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;

    pid_t process() const { return m_process; }
    bool up() const { return m_word == "up"; }
    const std::string& line() const { return m_line; }

    int waitForEnd()
    {
        int status = 0;
        ::waitpid(m_process, &status, 0);
        m_reaped = true;
        return status;
    }
    bool everythingIsGone() const
    {
        return !isProcessAlive(m_java) && !isProcessAlive(m_supervisor) &&
               !std::filesystem::exists(m_directory);
    }
    pid_t supervisor() const { return m_supervisor; }
    pid_t java() const { return m_java; }
    const std::string& directory() const { return m_directory; }

private:
    void readLine(int from)
    {
        const auto deadline = deadlineIn(std::chrono::seconds(30));
        char byte = 0;
        while (waitFor(from, POLLIN, deadline) && ::read(from, &byte, 1) == 1 && byte != '\n')
            m_line += byte;
        std::istringstream(m_line) >> m_word >> m_java >> m_supervisor >> m_directory;
    }

    pid_t m_process = -1;
    bool m_reaped = false;
    std::string m_line;
    std::string m_word;
    pid_t m_java = 0;
    pid_t m_supervisor = 0;
    std::string m_directory;
};

// "suspended": while its server is stopped. Signal 0: it ends by itself, without cleaning up.
TEST(ParentDeath, HoweverItEnded)
{
    for (const auto& [way, signal] :
         {std::pair("wait", SIGKILL), {"suspended", SIGKILL}, {"wait", SIGTERM}, {"exit", 0}, {"throw", 0}}) {
        SCOPED_TRACE(std::string(way) + " " + std::to_string(signal));
        Holder holder(way);
        ASSERT_TRUE(holder.up()) << holder.line();
        if (signal != 0) {
            ASSERT_FALSE(holder.everythingIsGone());
            ::kill(holder.process(), signal);
        }
        holder.waitForEnd();
        EXPECT_TRUE(becomesTrue([&] { return holder.everythingIsGone(); }));
    }
}

TEST(ParentDeath, TheWholeProcessGroupKilled)
{
    Holder holder("wait");
    ASSERT_TRUE(holder.up()) << holder.line();
    ASSERT_NE(::getpgid(holder.supervisor()), ::getpgid(holder.process()));
    ASSERT_NE(::getsid(holder.supervisor()), ::getsid(holder.process()));
    ::kill(-holder.process(), SIGKILL);
    holder.waitForEnd();
    EXPECT_TRUE(becomesTrue([&] { return holder.everythingIsGone(); }));
}

TEST(ParentDeath, TheSupervisorAskedToEndCleansUpToo)
{
    Holder holder("wait");
    ASSERT_TRUE(holder.up()) << holder.line();
    ::kill(holder.supervisor(), SIGTERM);
    EXPECT_TRUE(becomesTrue([&] { return holder.everythingIsGone(); }));
}

// Nobody is left who could clean up: the next program that starts a server does.
TEST(ParentDeath, TheSupervisorKilledWithIt)
{
    Holder holder("wait");
    ASSERT_TRUE(holder.up()) << holder.line();
    ASSERT_EQ(::kill(holder.process(), SIGSTOP), 0); // it must not clean up for its supervisor
    ::kill(holder.supervisor(), SIGKILL);
    ::kill(holder.process(), SIGKILL);
    holder.waitForEnd();
    EXPECT_TRUE(becomesTrue([&] { return !isProcessAlive(holder.java()); }));
    EXPECT_TRUE(std::filesystem::exists(holder.directory()));
    const Holder next("wait");
    ASSERT_TRUE(next.up()) << next.line();
    EXPECT_TRUE(holder.everythingIsGone());
    EXPECT_TRUE(std::filesystem::exists(next.directory()));
}

} // namespace
} // namespace lockscope::server
