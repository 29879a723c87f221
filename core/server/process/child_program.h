// A program of the user as a child process: its lines on standard output as they come, its end, and signals
// to it. It has a process group of its own, so that what it started is paused and ended with it. The group
// does not outlive this process: a guard, a process of a few lines, waits for the end of a pipe that only
// this process holds, and then kills the group. Standard error is ours. I/O thread.
#pragma once

#include "core/base/error.h"
#include "core/base/unique_fd.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lockscope::server {

class ChildProgram
{
public:
    struct Options
    {
        std::vector<std::string> command;     // the program as execvp() finds it, and its arguments
        std::vector<std::string> environment; // "NAME=value", beside ours
        bool silent = false;                  // its standard error is discarded
        std::string input{};                  // on its standard input
    };
    struct Callbacks
    {
        std::function<void(const std::string& line)> line; // without its end; at most kLongestLine bytes
        std::function<void(int status)> ended;             // as of waitpid(), after its last line; once
    };
    static constexpr std::size_t kLongestLine = 4096; // what exceeds it is cut off

    // Error: badUsage when it cannot be executed, with the reason; ioFailed.
    static Result<std::unique_ptr<ChildProgram>> start(boost::asio::io_context& io, const Options& options,
                                                       Callbacks callbacks);
    ~ChildProgram(); // kills the group; no callback runs afterwards
    ChildProgram(const ChildProgram&) = delete;
    ChildProgram& operator=(const ChildProgram&) = delete;

    void readLines(); // all that it has written until now; the callback may not destroy this
    void signal(int number);
    bool running() const { return m_running; }

private:
    ChildProgram(boost::asio::io_context& io, Callbacks callbacks);
    void awaitOutput();
    void awaitEnd();
    void takeLines();
    void end();

    Callbacks m_callbacks;
    boost::asio::posix::stream_descriptor m_output, m_end;
    std::string m_rest; // of a line that is not whole yet
    bool m_cut = false; // the line was longer than the limit
    pid_t m_process = 0, m_guard = 0;
    UniqueFd m_guardPipe; // closed: the guard kills the group
    bool m_running = false;
    std::shared_ptr<const int> m_alive = std::make_shared<const int>(0);
};

} // namespace lockscope::server
