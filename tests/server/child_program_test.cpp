// A program of the user: its lines, its end, and that nothing of it survives us, however we ended.
#include "core/server/process/child_program.h"

#include "core/server/deadline.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;

// Its end may wait for whoever waits for it.
bool isGone(pid_t process)
{
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string id, name, state;
    return !(stat >> id >> name >> state) || state == "Z";
}

class ChildProgramTest : public ::testing::Test
{
protected:
    void start(const std::string& script, const std::string& input = {})
    {
        auto started = ChildProgram::start(io, {{"sh", "-c", script}, {"GREETING=hello"}, true, input},
                                           {[this](const std::string& line) { lines.push_back(line); },
                                            [this](int ended) { status = ended; }});
        ASSERT_TRUE(started) << started.error().text();
        child = std::move(*started);
    }
    template <class Condition>
    bool becomes(Condition condition)
    {
        const auto deadline = deadlineIn(60s);
        while (!condition() && MonotonicClock::now() < deadline) {
            io.restart();
            io.run_one_for(10ms);
        }
        return condition();
    }

    boost::asio::io_context io;
    std::vector<std::string> lines;
    std::optional<int> status;
    std::unique_ptr<ChildProgram> child;
};

TEST_F(ChildProgramTest, SaysItsLinesAndThenItsEnd)
{
    start("echo \"$GREETING\"; printf 'no end'; exit 7");
    ASSERT_TRUE(becomes([&] { return status.has_value(); }));
    EXPECT_EQ(lines, (std::vector<std::string>{"hello", "no end"}));
    EXPECT_EQ(WEXITSTATUS(*status), 7);
    EXPECT_FALSE(child->running());
}

TEST_F(ChildProgramTest, GetsItsInputHoweverLongItIs)
{
    start("cat | wc -c", std::string(300'000, 'x'));
    ASSERT_TRUE(becomes([&] { return status.has_value(); }));
    EXPECT_EQ(lines, std::vector<std::string>{"300000"});
    status.reset();
    start("cat; echo end");
    ASSERT_TRUE(becomes([&] { return status.has_value(); }));
    EXPECT_EQ(lines.back(), "end") << "and none when there is none";
}

TEST_F(ChildProgramTest, ALineWithoutAnEndDoesNotFillTheMemory)
{
    start("head -c 100000 /dev/zero | tr '\\0' x; echo; echo short");
    ASSERT_TRUE(becomes([&] { return status.has_value(); }));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], std::string(ChildProgram::kLongestLine, 'x'));
    EXPECT_EQ(lines[1], "short");
}

TEST_F(ChildProgramTest, WhatItStartedEndsWithIt)
{
    start("sleep 1000 & echo $!; wait");
    ASSERT_TRUE(becomes([&] { return !lines.empty(); }));
    child.reset();
    EXPECT_TRUE(becomes([&] { return isGone(std::stoi(lines[0])); }));
}

TEST_F(ChildProgramTest, NothingSurvivesAKilledParent)
{
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t parent = ::fork();
    if (parent == 0) {
        boost::asio::io_context own;
        const auto one =
            ChildProgram::start(own, {{"sh", "-c", "sleep 1000 & echo $!; wait"}, {}, true},
                                {[&](const std::string& line) {
                                     const pid_t sleeper = std::stoi(line);
                                     if (::write(ends[1], &sleeper, sizeof sleeper) != sizeof sleeper)
                                         ::_exit(1);
                                 },
                                 [](int) {}});
        own.run();
        ::_exit(1);
    }
    ::close(ends[1]);
    pid_t sleeper = 0;
    ASSERT_EQ(::read(ends[0], &sleeper, sizeof sleeper), static_cast<ssize_t>(sizeof sleeper));
    ::close(ends[0]);
    EXPECT_FALSE(isGone(sleeper));
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    EXPECT_TRUE(becomes([&] { return isGone(sleeper); }));
}

TEST_F(ChildProgramTest, WhatCannotBeExecutedIsSaidByName)
{
    const auto started = ChildProgram::start(io, {{"/no/such/program"}, {}, true}, {});
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().code, ErrorCode::badUsage);
    EXPECT_EQ(started.error().text(), "/no/such/program cannot be executed: No such file or directory.");
}

} // namespace
} // namespace lockscope::server
